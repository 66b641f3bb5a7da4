// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout_pstore.c - the function trace zones of a ramoops region
 *
 * A region is a row of zones; where each begins depends on parameters that the
 * region does not hold, so they are found by their headers: signature, start,
 * size, 4 bytes each. The signature of a function trace zone is XORed with the
 * version of the kernel that wrote it, which also tells the record format.
 * With ECC, parity of each 128 bytes and of the header is kept at the zone's
 * end; its size follows from trying which one fits a header.
 */
#include "tracemem.h"

#define SIG		0x43474244u
#define ZONE_HEAD	12u
#define ECC_BLOCK	128u
#define MAX_ZONES	8192u
#define OLD_CPUS	1024u	/* more than any machine had that wrote the old records */
#define V(a, b)		((u32)(a) << 16 | (u32)(b) << 8)
#define VIA_COUNTER	V(4, 10)	/* records have a counter and the CPU in it */
#define RELATIVE	V(7, 2)		/* addresses are those of the kernel as linked */
#define X86_LINKED	0xffffffff81000000ull

struct zone {
	u32 at, len;		/* with its header and parity */
	u32 start, size;	/* as in the header */
	u32 version;		/* 0: not a function trace */
};

/* Where things are in a zone with ecc parity bytes a block. */
struct parity {
	u32 capacity, blocks;
};

/* Does a header at p make sense in this byte order? */
static bool header(const struct trace *t, const u8 *p, size_t left, struct zone *z)
{
	if (left < ZONE_HEAD)
		return false;
	z->version = get32(t, p) ^ SIG;
	z->start = get32(t, p + 4);
	z->size = get32(t, p + 8);
	if (z->size > left - ZONE_HEAD || z->start > z->size)
		return false;
	if (!z->version)
		return true;
	return t->version ? z->version == t->version :
	       z->version >= V(3, 4) && z->version < V(64, 0);
}

/* The next header at *at or behind it (they are on even offsets). */
static bool find_header(const struct trace *t, size_t *at, struct zone *z)
{
	const u8 top = 0x43;	/* of the signature; a version never changes it */
	size_t in = t->big ? 0 : 3;

	for (; *at + ZONE_HEAD <= t->size; *at += 2) {
		if (t->base[*at + in] == top && header(t, t->base + *at, t->size - *at, z)) {
			z->at = (u32)*at;
			return true;
		}
	}
	return false;
}

/* A zone at the very start, or one without a version further on (the first may be damaged). */
static bool starts_here(const struct trace *t)
{
	struct zone z;

	if (header(t, t->base, t->size, &z))
		return true;
	for (size_t at = 0; find_header(t, &at, &z); at += 2)
		if (!z.version)
			return true;
	return false;
}

/* pstore_probe - is it a ramoops region? Sets layout and order. */
bool pstore_probe(const u8 *base, size_t size, struct trace *t)
{
	t->base = base;
	t->size = size;
	t->word = 0;
	for (int big = 0; big < 2; big++) {
		set_order(t, big);
		if (starts_here(t)) {
			t->layout = FTIMAGE_PSTORE;
			return true;
		}
	}
	return false;
}

static bool parity_place(u32 len, u32 ecc, struct parity *p)
{
	u32 room = len - ZONE_HEAD, total;

	if (len <= ZONE_HEAD || room <= 2 * ecc)
		return false;
	p->blocks = (room - ecc + ECC_BLOCK + ecc - 1) / (ECC_BLOCK + ecc);
	total = (p->blocks + 1) * ecc;
	if (total >= room)
		return false;
	p->capacity = room - total;
	return true;
}

/* Is the parity of the header where it would be with these sizes? */
static bool header_fits(const struct trace *t, const struct zone *z, u32 len, u32 ecc)
{
	const u8 *p = t->base + z->at;
	struct parity par;
	u8 want[64];

	if (!parity_place(len, ecc, &par) || z->size > par.capacity)
		return false;
	rs_init(ecc);
	rs_parity(p, ZONE_HEAD, want);
	return !memcmp(want, p + ZONE_HEAD + par.capacity + par.blocks * ecc, ecc);
}

/* Zones are cut to an even size: up to a few bytes may be left over behind the last of a kind. */
static bool fit_len(const struct trace *t, struct zone *z, u32 ecc)
{
	for (u32 spare = 0; spare < 1024 && spare + ZONE_HEAD < z->len; spare += 2) {
		if (header_fits(t, z, z->len - spare, ecc)) {
			z->len -= spare;
			return true;
		}
	}
	return false;
}

static u32 find_ecc(const struct trace *t, const struct zone *zones, u32 n)
{
	for (u32 i = 0; i < n && i < 4; i++) {
		struct zone z = zones[i];

		if (fit_len(t, &z, 16))		/* what nearly everybody has */
			return 16;
		for (u32 ecc = 4; ecc <= 64; ecc++) {
			z = zones[i];
			if (header_fits(t, &z, z.len, ecc))
				return ecc;
		}
	}
	return 0;
}

/* Correct a copy of the zone's data in place; data has len - ZONE_HEAD bytes. */
static void correct(struct trace *t, const struct zone *z, u8 *data)
{
	struct parity par;

	if (!t->ecc || !parity_place(z->len, t->ecc, &par) || z->size > par.capacity)
		return;
	rs_init(t->ecc);
	for (u32 at = 0, k = 0; at < z->size; at += ECC_BLOCK, k++) {
		u32 len = par.capacity - at < ECC_BLOCK ? par.capacity - at : ECC_BLOCK;
		int fixed = rs_correct(data + at, len, data + par.capacity + k * t->ecc);

		if (fixed < 0)
			t->uncorrectable++;
		else
			t->corrected += (u64)fixed;
	}
}

/* Record size for a word size. */
static u32 record_size(const struct trace *t, u32 word)
{
	if (word == 8)
		return 24;
	if (t->version >= VIA_COUNTER)
		return 16;
	return t->hint.cpu_bits ? 8 : 12;
}

/* How many records, read with this word size, have addresses that look alike. */
static u32 alike(struct trace *t, u32 word)
{
	u32 step = record_size(t, word), good = 0, seen = 0;
	unsigned int shift = word == 8 ? 48 : 28;

	t->word = word;
	for (u32 i = 0; i < t->nlane; i++) {
		const u8 *p = t->side + t->lane[i].at;

		for (u32 at = t->lane[i].n % step; at + step <= t->lane[i].n; at += step) {
			u64 ip = get_long(t, p + at), parent = get_long(t, p + at + word);

			seen++;
			good += ip && parent && ip >> shift == parent >> shift;
		}
	}
	return seen ? (u32)((u64)good * 1000 / seen) : 0;
}

static void find_word(struct trace *t)
{
	u32 score8, score4;

	if (t->hint.word) {
		t->word = t->hint.word;
		return;
	}
	score8 = alike(t, 8);
	score4 = alike(t, 4);
	t->word = score8 >= score4 ? 8 : 4;
}

static bool pstore_next(const struct trace *t, struct lane *l, struct rec *r)
{
	u32 w = t->word, mask = (1u << t->hint.cpu_bits) - 1;

	if (!l->p) {
		/* the oldest one may have been overwritten in part */
		l->p = t->side + l->at + l->n % t->record;
		l->end = t->side + l->at + l->n;
	}
	while ((size_t)(l->end - l->p) >= t->record) {
		const u8 *p = l->p;

		l->p += t->record;
		memset(r, 0, sizeof(*r));
		r->ip = get_long(t, p);
		r->parent = get_long(t, p + w);
		if (!r->ip)
			continue;
		r->time = l->seq++;
		if (t->version >= VIA_COUNTER)
			r->time = get64(t, p + 2 * w);
		if (mask) {
			r->cpu = (u32)r->ip & mask;
			r->ip &= ~(u64)mask;
		} else if (t->version >= VIA_COUNTER) {
			r->cpu = (u32)(r->time & 0xff);
			r->time >>= 8;
		} else {
			r->cpu = get32(t, p + 2 * w) % OLD_CPUS;
		}
		if (t->version >= RELATIVE && w == 8) {
			/* a module's has its top bit cleared */
			r->ip |= 1ull << 63;
			r->parent |= 1ull << 63;
		}
		r->pid = r->depth = -1;
		r->kind = K_FUNCTION;
		return true;
	}
	return false;
}

static void pstore_info(const struct trace *t, struct out *o)
{
	size_t at = 0;
	struct zone z;

	out_key_u64(o, "ecc", t->ecc);
	if (t->ecc) {
		out_key_u64(o, "ecc-corrected-bytes", t->corrected);
		out_key_u64(o, "ecc-lost-blocks", t->uncorrectable);
	}
	if (t->version) {
		out_str(o, "written-by ");
		out_u64(o, t->version >> 16);
		out_chr(o, '.');
		out_u64(o, t->version >> 8 & 0xff);
		out_chr(o, '.');
		out_u64(o, t->version & 0xff);
		out_chr(o, '\n');
	}
	for (u32 n = 0; n < t->zones && find_header(t, &at, &z); at += ZONE_HEAD + z.size + (z.size & 1)) {
		out_str(o, "zone ");
		out_u64(o, n++);
		out_str(o, z.version ? " ftrace at " :
			z.size >= 4 && !memcmp(t->base + z.at + ZONE_HEAD, "====", 4) ?
			" dmesg at " : " text at ");
		out_u64(o, z.at);
		out_str(o, " start ");
		out_u64(o, z.start);
		out_str(o, " size ");
		out_u64(o, z.size);
		out_chr(o, '\n');
	}
}

/* All zones with a header; the length of each is up to the next one. */
static u32 find_zones(struct trace *t, struct zone *zones)
{
	u32 n = 0;
	size_t at = 0;

	while (n < MAX_ZONES && find_header(t, &at, &zones[n])) {
		struct zone *z = &zones[n];

		z->len = (u32)(t->size - at);
		if (n)
			z[-1].len = z->at - z[-1].at;
		n++;
		/* what it holds may look like a header: step over it */
		at += ZONE_HEAD + z->size + (z->size & 1);
	}
	return n;
}

/* Put the data of a zone straight, oldest first, at to. */
static void straighten(struct trace *t, const struct zone *z, u8 *copy, u8 *to)
{
	u32 tail = z->size - z->start;

	memcpy(copy, t->base + z->at + ZONE_HEAD, z->len - ZONE_HEAD);
	correct(t, z, copy);
	memcpy(to, copy + z->start, tail);
	memcpy(to + tail, copy, z->start);
}

/*
 * The version with most data. What else looks like a header is left over from
 * another kernel, or chance: a byte 0x43 among zeros is enough.
 */
static u32 ftrace_version(const struct zone *zones, u32 n)
{
	u32 best = 0;
	u64 most = 0;

	for (u32 i = 0; i < n && i < 256; i++) {
		u64 sum = 0;

		for (u32 k = 0; zones[i].version && k < n; k++)
			if (zones[k].version == zones[i].version)
				sum += zones[k].size + 1;
		if (sum > most) {
			most = sum;
			best = zones[i].version;
		}
	}
	return best;
}

/* The base of the kernel as linked is what the addresses of 7.2 and up are relative to. */
static void anchor(struct trace *t)
{
	if (t->version < RELATIVE || t->word != 8 || t->big)
		return;
	if (t->hint.machine[0] && strcmp(t->hint.machine, "x86_64"))
		return;
	t->text_addr = X86_LINKED;
	memcpy(t->anchor, "_text", 6);
}

/*
 * A zone keeps what earlier boots wrote until it is full, and each boot counts
 * from 0 (fs/pstore/ftrace.c, fs/pstore/ram_core.c). Leaves the records of the
 * newest boot: those behind the last fall of the counter, which is by more than
 * a race of two CPUs, and below two records before it, so that one damaged
 * record is no fall. A zone without a fall is of the boot to whose end its own
 * end is nearer.
 */
static void newest_boot(struct trace *t)
{
	u64 old = 0, end = 0;	/* the last numbers of the boot before, and of the newest one */
	struct rec r;

	/* a second time only where there was a fall: for the zones without one */
	for (int round = 0; round < 1 || (old && round < 2); round++) {
		trace_rewind(t);
		for (u32 i = 0; i < t->nlane; i++) {
			struct lane *l = &t->lane[i];
			u64 last = 0, before = 0, top = 0;
			u32 from = 0;

			while (t->next(t, l, &r)) {
				if (2 * r.time + 64 < (last < before ? last : before)) {
					from = (u32)(l->p - t->side) - t->record;
					top = last;
				}
				before = last;
				last = r.time;
				if (r.cpu >= t->ncpu)
					t->ncpu = r.cpu + 1;
			}
			if (from) {
				l->n -= from - l->at;
				l->at = from;
				l->cut = true;
				old = top > old ? top : old;
				end = last > end ? last : end;
			} else if (round && !l->cut && last > end && last - end > (last > old ? last - old : old - last)) {
				l->n = 0;
			}
		}
	}
	trace_rewind(t);
}

/* pstore_open - a lane for each function trace zone */
void pstore_open(struct trace *t)
{
	struct zone *zones = mem_get(MAX_ZONES * sizeof(*zones));
	u32 n = find_zones(t, zones), used = 0;
	u8 *copy;

	t->version = ftrace_version(zones, n);
	n = find_zones(t, zones);	/* without the others: lengths depend on it */
	t->zones = n;
	t->next = pstore_next;
	t->info = pstore_info;
	t->ecc = t->hint.ecc ? t->hint.ecc : find_ecc(t, zones, n);
	t->lane = mem_get((n + 1) * sizeof(*t->lane));
	t->side = mem_get(t->size + 1);
	copy = mem_get(t->size + 1);
	for (u32 i = 0; i < n; i++) {
		struct zone *z = &zones[i];
		struct lane *l = &t->lane[t->nlane];

		if (!z->size || !z->version)
			continue;
		if (t->ecc)
			fit_len(t, z, t->ecc);
		l->mixed = true;
		l->at = used;
		l->n = z->size;
		straighten(t, z, copy, t->side + used);
		used += z->size;
		t->nlane++;
	}
	mem_drop(copy);
	mem_drop(zones);
	find_word(t);
	t->record = record_size(t, t->word);
	anchor(t);
	newest_boot(t);
}
