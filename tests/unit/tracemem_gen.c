// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracemem_gen.c - make a region and what tracemem must print for it
 *
 * usage: tracemem_gen LAYOUT WORD ENDIAN SIZE SEED IMAGE TRUTH
 *	LAYOUT	ring-a ring-b ring-b615 recorder plain pstore pstore-ecc pstore-old pstore-boots
 *	WORD	4 or 8		ENDIAN	le or be
 *	SIZE	of the region, bytes; a multiple of 4 KiB, at least 44 KiB
 *
 * Written apart from the decoder: it puts bytes where the formats say, keeps a
 * line for each record, and drops those it overwrites or damages. Only the
 * parity of pstore-ecc comes from the helper's rs.c (which is checked against
 * a real region elsewhere).
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/ftrec_format.h"
#include "tracemem.h"

#define CPUS 3u
#define PAGE 4096u

static u8 *img;
static u32 size;
static u32 word;
static bool big;
static const char *layout;
static u64 state;

static FILE *open_or_die(const char *path)
{
	FILE *f = fopen(path, "wb");

	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

static u32 rnd(u32 below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(state >> 33) % below;
}

static void put(u8 *p, u64 v, u32 n)
{
	for (u32 i = 0; i < n; i++)
		p[big ? n - 1 - i : i] = (u8)(v >> 8 * i);
}

static u64 text_address(void)
{
	u64 base = word == 8 ? 0xffffffff81000000ull : 0xc0100000ull;

	return base + 4 * rnd(1u << 20);
}

/* --- truth: a line for each record still there ------------------------------ */
struct line {
	char *text;
	u32 cpu, place;		/* which sub-buffer or slot it is in */
	size_t before;		/* the one before it in the same place, + 1 */
	bool gone;
};

static struct line *lines;
static size_t nline, room;
static size_t *newest[CPUS];	/* of each place, + 1 */

static void add_line(u32 cpu, u32 place, const char *text)
{
	if (nline == room) {
		room = room ? room * 2 : 1024;
		lines = realloc(lines, room * sizeof(*lines));
	}
	lines[nline].text = strdup(text);
	lines[nline].cpu = cpu;
	lines[nline].place = place;
	lines[nline].before = newest[cpu][place];
	newest[cpu][place] = nline + 1;
	lines[nline++].gone = false;
}

/* What was in this place is overwritten. */
static void drop_place(u32 cpu, u32 place)
{
	for (size_t i = newest[cpu][place]; i; i = lines[i - 1].before)
		lines[i - 1].gone = true;
	newest[cpu][place] = 0;
}

static void write_truth(const char *path)
{
	FILE *f = open_or_die(path);

	for (size_t i = 0; i < nline; i++)
		if (!lines[i].gone)
			fprintf(f, "%s\n", lines[i].text);
	if (fclose(f))
		exit(1);
}

/* --- ring ------------------------------------------------------------------------ */
static const struct {
	u8 flags, preempt;
	const char *text;
} looks[] = {
	{ 0x00, 0x00, "....." }, { 0x01, 0x01, "d..1." }, { 0x05, 0x02, "dn.2." },
	{ 0x09, 0x11, "d.h11" }, { 0x10, 0x0f, "..sf." }, { 0x41, 0x10, "d.z.1" },
	{ 0x80, 0x00, "b...." }, { 0x24, 0x00, ".N..." }, { 0x18, 0x20, "..H.2" }
};

struct ring {
	u32 slots, hdr, base;	/* sub-buffers, where header and sub-buffers are */
	u32 *order;		/* ring order of the sub-buffers; [0] is the reader's */
	u32 at;			/* position in it */
	u32 used;		/* bytes of events in the current one */
	u64 time;		/* of the last event */
	bool wrapped;
};

static struct ring rings[CPUS];

static u8 *page_of(const struct ring *r)
{
	return img + r->base + r->order[r->at] * PAGE;
}

static void commit(const struct ring *r)
{
	put(page_of(r) + 8, r->used, word);
}

static void next_page(struct ring *r, u32 cpu, u64 time)
{
	if (r->at)
		commit(r);
	r->at++;
	if (r->at == r->slots) {
		r->at = 1;
		r->wrapped = true;
	}
	if (r->wrapped)
		drop_place(cpu, r->order[r->at]);
	/* stale bytes behind what is written are the rule */
	put(page_of(r), time, 8);
	r->used = 0;
	r->time = time;
}

static u32 event_head(u8 *p, u32 type, u32 delta)
{
	put(p, big ? (u64)type << 27 | delta : (u64)delta << 5 | type, 4);
	return 4;
}

/* Something that is no record, now and then. Does not change the time unless it says so. */
static u32 filler(u8 *p)
{
	u32 n;

	if (rnd(20))
		return 0;
	/* a discarded event, as filtered ones leave */
	event_head(p, 29, 1);
	n = 4 * (1 + rnd(6));
	put(p + 4, n, 4);
	memset(p + 8, 0xa5, n - 4);
	return 4 + n;
}

static void ring_event(u32 cpu, u64 time, const u8 *data, u32 len, const char *text)
{
	struct ring *r = &rings[cpu];
	u8 buf[PAGE];
	u32 n = 0;
	u64 delta;
	bool new_page = !r->at;

	if (r->at && r->used + len + 8 + 16 + 40 > PAGE - 8 - word) {
		/* what is left is padding at times, at times just not committed */
		if (rnd(2) && r->used + 8 <= PAGE - 8 - word) {
			event_head(page_of(r) + 8 + word + r->used, 29, 0);
			r->used = PAGE - 8 - word;
		}
		new_page = true;
	}
	if (new_page)
		next_page(r, cpu, time);
	n += filler(buf);
	delta = time - r->time;
	if (delta >= 1u << 27 || !rnd(50)) {
		if (rnd(2)) {	/* time extend, then the rest */
			u64 part = delta & ~0x3ffull;

			event_head(buf + n, 30, (u32)(part & 0x7ffffff));
			put(buf + n + 4, part >> 27, 4);
			delta -= part;
		} else {	/* absolute: 59 bits */
			event_head(buf + n, 31, (u32)(time & 0x7ffffff));
			put(buf + n + 4, (time & 0x7ffffffffffffffull) >> 27, 4);
			delta = 0;
		}
		n += 8;
	}
	if (len <= 112 && rnd(10)) {
		n += event_head(buf + n, len / 4, (u32)delta);
	} else {
		n += event_head(buf + n, 0, (u32)delta);
		put(buf + n, len + 4, 4);
		n += 4;
	}
	memcpy(buf + n, data, len);
	n += len;
	memcpy(page_of(r) + 8 + word + r->used, buf, n);
	r->used += n;
	r->time = time;
	add_line(cpu, r->order[r->at], text);
}

static void ring_record(u32 cpu, u64 time)
{
	u8 d[512];
	char text[1024], more[512] = "";
	u32 look = rnd(sizeof(looks) / sizeof(looks[0])), pid = rnd(30000), n = 8, w = word;
	u64 ip = text_address(), parent = text_address();
	char ips[32], parents[32] = "-";
	const char *kind = "function";

	memset(d, 0, sizeof(d));
	d[2] = looks[look].flags;
	d[3] = looks[look].preempt;
	put(d + 4, pid, 4);
	put(d + n, ip, w);
	snprintf(ips, sizeof(ips), "0x%llx", (unsigned long long)ip);
	switch (rnd(25)) {
	case 0: {
		u32 len = 1 + rnd(200), i;

		put(d, 5, 2);
		n += w;
		for (i = 0; i < len; i++)
			d[n + i] = more[i + 1] = (char)('a' + rnd(26));
		more[0] = ' ';
		more[i + 1] = 0;
		if (rnd(2))
			d[n + i++] = '\n';
		n = (n + i + 1 + 3) & ~3u;
		kind = "print";
		break;
	}
	case 1:
		put(d, 11, 2);
		n += w;
		put(d + n, 3, 4);
		n += 4;
		kind = "graph_entry";
		strcpy(more, " depth=3");
		break;
	case 2:
		put(d, 10, 2);
		n += w;
		put(d + n, 2, 4);
		put(d + n + 8, time - 777, 8);
		put(d + n + 16, time, 8);
		n += 24;
		kind = "graph_exit";
		strcpy(more, " depth=2 ns=777");
		break;
	case 3: {
		u32 k = 1 + rnd(6);

		put(d, 4, 2);
		memset(d + n, 0, w);
		put(d + n, k, 4);
		n += w;
		for (u32 i = 0; i < k; i++, n += w) {
			u64 a = text_address();

			put(d + n, a, w);
			snprintf(more + strlen(more), sizeof(more) - strlen(more), " 0x%llx", (unsigned long long)a);
		}
		strcpy(ips, "-");
		kind = "stack";
		break;
	}
	default:
		put(d, 1, 2);
		put(d + n + w, parent, w);
		n += 2 * w;
		snprintf(parents, sizeof(parents), "0x%llx", (unsigned long long)parent);
		if (!rnd(30)) {
			for (u32 i = 0; i < 6; i++, n += w) {
				put(d + n, i + 1, w);
				snprintf(more + strlen(more), sizeof(more) - strlen(more), "%s0x%x",
					 i ? "," : " args=", i + 1);
			}
		}
	}
	snprintf(text, sizeof(text), "%llu.%09llu %u %u %s %s %s %s%s", (unsigned long long)time / 1000000000u,
		 (unsigned long long)time % 1000000000u, cpu, pid, looks[look].text, kind, ips, parents, more);
	ring_event(cpu, time, d, n, text);
}

static void ring_cpu_header(struct ring *r, bool a)
{
	u8 *p = img + r->hdr;
	u64 first = word == 8 ? 0xffff888000100000ull : 0xc1000000ull;
	u32 head = r->wrapped ? (r->at + 1 == r->slots ? 1 : r->at + 1) : 1;

	if (a) {
		put(p, 0x0badfeed, 4);
		put(p + 4, word == 8 ? 56 : 36, 4);
		put(p + 8, word == 8 ? 0xffffffff81017abcull : 0xc0101234u, word);
		put(p + 8 + word, 0, word);
		p += 8 + 2 * word;
	}
	first += r->base;
	put(p, first, word);
	put(p + word, first + r->order[head] * PAGE, word);
	put(p + 2 * word, first + r->order[r->at] * PAGE, word);
	put(p + 3 * word, PAGE, 4);
	put(p + 3 * word + 4, r->slots, 4);
	for (u32 i = 0; i < r->slots; i++)
		put(p + 3 * word + 8 + 4 * i, r->order[i], 4);
}

static u32 place(u32 hdr, u32 head, u32 slots)
{
	return (hdr + head + 4 * slots + PAGE - 1) & ~(PAGE - 1);
}

static void make_ring(void)
{
	bool a = !strcmp(layout, "ring-a"), old_b = !strcmp(layout, "ring-b615");
	u32 head = a ? (word == 8 ? 56 : 36) : (word == 8 ? 32 : 20), global = word == 8 ? 24 : 16;
	u32 scratch = (old_b ? 2 : 3) * word + 64 * 128;
	u32 first = a ? 0 : global + scratch, slots, hdr = first;
	u64 time = 0x123456789abull;

	for (slots = size / PAGE / CPUS; slots; slots--) {
		u32 at = first;

		for (u32 i = 0; i < CPUS; i++)
			at = place(at, head, slots) + slots * PAGE;
		if (at <= size)
			break;
	}
	for (u32 c = 0; c < CPUS; c++) {
		struct ring *r = &rings[c];

		r->slots = slots;
		r->hdr = hdr;
		r->base = place(hdr, head, slots);
		hdr = r->base + slots * PAGE;
		r->order = malloc(slots * sizeof(*r->order));
		for (u32 i = 0; i < slots; i++)
			r->order[i] = i;
		for (u32 i = slots; i > 1; i--) {
			u32 k = rnd(i), swap = r->order[k];

			r->order[k] = r->order[i - 1];
			r->order[i - 1] = swap;
		}
	}
	if (!a) {
		u8 *p = img + global;

		put(img, 0x0badfeed, 4);
		put(img + 4, head | global << 16, 4);
		put(img + 8, size, word);
		put(img + 8 + word, first, word);
		p += old_b ? 0 : word;
		put(p, word == 8 ? 0xffffffff81000000ull : 0xc0100000u, word);
		put(p + word, 2, 4);	/* an unsigned int, padded */
		put(p + 2 * word, word == 8 ? 0xffffffffc0400000ull : 0xbf000000u, word);
		strcpy((char *)p + 3 * word, "first_mod");
		put(p + 2 * word + 64, word == 8 ? 0xffffffffc0500000ull : 0xbf100000u, word);
		strcpy((char *)p + 3 * word + 64, "second_mod");
	}
	/* about one and a half times round CPU 0, less on 1, nothing on 2 */
	for (u32 i = 0, n = size / 20; i < n; i++) {
		time += rnd(100) ? 1 + rnd(5000) : (u64)rnd(1u << 30) * 8;
		ring_record(rnd(3) ? 0 : 1, time);
	}
	for (u32 c = 0; c < CPUS; c++) {
		if (rings[c].at)
			commit(&rings[c]);
		if (c < 2)
			ring_cpu_header(&rings[c], a);
		else {	/* a CPU that never came up: only sizes and order */
			rings[c].at = 1;
			ring_cpu_header(&rings[c], a);
			put(img + rings[c].hdr + (a ? 8 + 2 * word : 0) + word, 0, word);
			put(img + rings[c].hdr + (a ? 8 + 2 * word : 0) + 2 * word, 0, word);
		}
	}
}

/* --- recorder ------------------------------------------------------------------------ */
static void make_recorder(void)
{
	u32 rec = word == 8 ? 32 : 24, area_at = 512 + 16 * 80, laps = 3, next[CPUS] = { 0 }, lap[CPUS] = { 1, 1, 1 };
	u32 wraps[CPUS] = { 0 };
	u32 step = (size - area_at) / CPUS & ~63u, cap = (step - 64) / rec;
	u64 time = 5000000;
	char text[256];

	put(img, FTREC_MAGIC, 4);
	put(img + 4, 1, 4);
	put(img + 8, 512, 4);
	put(img + 12, word, 4);
	put(img + 16, rec, 4);
	put(img + 20, CPUS, 4);
	put(img + 36, PAGE, 4);
	put(img + 40, 0x10000000, 8);
	put(img + 48, size, 8);
	put(img + 56, area_at, 8);
	put(img + 64, step, 8);
	put(img + 72, 64, 4);
	put(img + 76, cap, 4);
	put(img + 80, laps, 4);
	put(img + 84, 512, 4);
	put(img + 88, 80, 4);
	put(img + 92, 16, 4);
	put(img + 96, word == 8 ? 0xffffffff81000000ull : 0xc0100000u, 8);
	strcpy((char *)img + 112, "schedule");
	strcpy((char *)img + 200, word == 8 ? "x86_64" : "ppc");
	strcpy((char *)img + 224, "6.1.0-test");
	put(img + 444, ftrec_hash(img, FTREC_CHECKED), 4);
	put(img + 512, word == 8 ? 0xffffffffc0400000ull : 0xf1000000u, 8);
	put(img + 528, 0x8000, 4);
	strcpy((char *)img + 536, "first_mod");
	for (u32 c = 0; c < CPUS; c++) {
		put(img + area_at + c * step, FTREC_AREA_MAGIC, 4);
		/* areas need not be in order of CPU */
		put(img + area_at + c * step + 4, CPUS - 1 - c, 4);
	}
	/* several times round area 0 */
	for (u32 i = 0, n = cap * 8; i < n; i++) {
		u32 c = rnd(8) ? 0 : 1, look = rnd(4), pid = rnd(30000), slot = next[c];
		u64 ip = text_address(), parent = text_address(), t;
		u8 *p = img + area_at + c * step + 64 + slot * rec;

		time += 1 + rnd(2000);
		t = time | (u64)(looks[look].preempt & 15) << 56;
		pid |= (u32)looks[look].flags << 24;
		put(p, ip, word);
		put(p + word, parent, word);
		put(p + 2 * word, t, 8);
		put(p + 2 * word + 8, pid, 4);
		put(p + 2 * word + 12, lap[c] | ftrec_check(ip, parent, t, pid, lap[c], slot) << 16, 4);
		snprintf(text, sizeof(text), "%llu.%09llu %u %u %s function 0x%llx 0x%llx",
			 (unsigned long long)time / 1000000000u, (unsigned long long)time % 1000000000u,
			 CPUS - 1 - c, pid & 0xffffff,
			 look == 3 ? "d.h1." : looks[look].text, (unsigned long long)ip, (unsigned long long)parent);
		drop_place(c, slot);
		add_line(c, slot, text);
		if (i + 20 < n && !rnd(200)) {	/* torn: a line of it was lost */
			p[rnd(rec)] ^= (u8)(1 + rnd(255));
			lines[nline - 1].gone = true;
		}
		if (++next[c] == cap) {
			next[c] = 0;
			lap[c] = lap[c] == laps ? 1 : lap[c] + 1;
			if (lap[c] == 1)	/* the area's own count of that */
				put(img + area_at + c * step + 24, ++wraps[c], 8);
		}
	}
	for (u32 c = 0; c < CPUS; c++) {	/* where the next one goes */
		put(img + area_at + c * step + 8, next[c], 4);
		put(img + area_at + c * step + 12, lap[c], 4);
	}
}

/* --- plain: ip[N] parent_ip[N] index, the index in 32 bits -------------------------------- */
static void make_plain(void)
{
	u32 n = (size - 4) / (2 * word), total = n + n / 3;
	char text[128];

	for (u32 i = 0; i < total; i++) {
		u64 ip = text_address(), parent = text_address();
		u32 slot = i % n;

		put(img + slot * word, ip, word);
		put(img + n * word + slot * word, parent, word);
		if (i < total - n)
			continue;
		snprintf(text, sizeof(text), "%u 0 - - function 0x%llx 0x%llx", i - (total - n),
			 (unsigned long long)ip, (unsigned long long)parent);
		add_line(0, slot, text);
	}
	put(img + 2 * n * word, total, 4);
	printf("%u\n", n);
}

/* --- pstore ----------------------------------------------------------------------------------- */
#define SIG 0x43474244u

static u32 zone_capacity(u32 len, u32 ecc)
{
	u32 room_left = len - 12, blocks;

	if (!ecc)
		return room_left;
	blocks = (room_left - ecc + 128 + ecc - 1) / (128 + ecc);
	return room_left - (blocks + 1) * ecc;
}

static void seal(u8 *zone, u32 len, u32 ecc)
{
	u32 cap = zone_capacity(len, ecc), blocks = 0;

	if (!ecc)
		return;
	rs_init(ecc);
	for (u32 at = 0; at < cap; at += 128, blocks++)
		rs_parity(zone + 12 + at, cap - at < 128 ? cap - at : 128, zone + 12 + cap + blocks * ecc);
	rs_parity(zone, 12, zone + 12 + cap + blocks * ecc);
}

static void make_pstore(void)
{
	bool old = !strcmp(layout, "pstore-old");
	u32 ecc = strcmp(layout, "pstore-ecc") ? 0 : 16, half = size / 2;
	u32 rec = word == 8 ? 24 : old ? 12 : 16, nzone = old ? 1 : CPUS;
	u32 len = half / nzone & ~1u, cap = zone_capacity(len, ecc), version = old ? 0x040800 : 0x060c10;
	u32 at[CPUS] = { 0 }, full[CPUS] = { 0 }, count = 0, n = size / rec / 2, early;
	bool odd = state & 1;
	char text[128];

	/* one dump and an empty zone in the first half */
	put(img, SIG, 4);
	put(img + 4, 300, 4);
	put(img + 8, 300, 4);
	memcpy(img + 12, "====1.000000-D\n", 15);
	seal(img, half / 2, ecc);
	put(img + half / 2, SIG, 4);
	seal(img + half / 2, half / 2, ecc);
	/* pstore-boots: the first nine tenths are of an earlier boot; in this one nothing runs on CPU 1 if the seed is odd */
	early = strcmp(layout, "pstore-boots") ? 0 : n / 10 * 9;
	for (u32 i = 0; i < n; i++) {
		/* CPU 2 never gets going: its zone stays empty */
		u32 cpu = rnd(4) || (i >= early && early && odd) ? 0 : 1, z = old ? 0 : cpu, used = at[z];
		u32 number = i < early ? i : i - early;
		u64 ip = text_address(), parent = text_address();
		u8 r[24] = { 0 }, *zone = img + half + z * len;

		put(r, ip, word);
		put(r + word, parent, word);
		if (old)
			put(r + 2 * word, cpu, 4);
		else
			put(r + 2 * word, (u64)number << 8 | cpu, 8);
		for (u32 k = 0; k < rec; k++) {
			zone[12 + used] = r[k];
			if (++used == cap) {
				used = 0;
				full[z] = 1;
			}
		}
		at[z] = used;
		snprintf(text, sizeof(text), "%%u %u - - function 0x%llx 0x%llx", cpu,
			 (unsigned long long)ip, (unsigned long long)parent);
		add_line(z, number, text);
		lines[nline - 1].gone = i < early;
	}
	/* in each zone the last cap bytes are left; a record cut in front is lost */
	for (size_t i = nline; i--;) {
		static u32 seen[CPUS];

		if (++seen[lines[i].cpu] > cap / rec)
			lines[i].gone = true;
	}
	for (size_t i = 0; i < nline; i++) {
		char *with = malloc(strlen(lines[i].text) + 20);

		sprintf(with, lines[i].text, old ? count : lines[i].place);
		lines[i].text = with;
		count += !lines[i].gone;
	}
	for (u32 z = 0; z < nzone; z++) {
		u8 *zone = img + half + z * len;

		put(zone, SIG ^ version, 4);
		put(zone + 4, at[z], 4);
		put(zone + 8, full[z] ? cap : at[z], 4);
		seal(zone, len, ecc);
		/* damage that can be put right: up to 8 bytes of a block */
		for (u32 b = 0; ecc && b + 128 < cap; b += 128)
			for (u32 k = rnd(9); k; k--)
				zone[12 + b + rnd(128)] ^= (u8)(1 + rnd(255));
	}
}

int main(int argc, char **argv)
{
	FILE *f;

	if (argc != 8) {
		fprintf(stderr, "usage: %s LAYOUT WORD ENDIAN SIZE SEED IMAGE TRUTH\n", argv[0]);
		return 2;
	}
	layout = argv[1];
	word = (u32)atoi(argv[2]);
	big = !strcmp(argv[3], "be");
	size = (u32)strtoul(argv[4], NULL, 0);
	state = strtoul(argv[5], NULL, 0);
	img = calloc(1, size);
	for (u32 i = 0; i < CPUS; i++)
		newest[i] = calloc(size, sizeof(**newest));
	if (!strncmp(layout, "ring", 4))
		make_ring();
	else if (!strcmp(layout, "recorder"))
		make_recorder();
	else if (!strcmp(layout, "plain"))
		make_plain();
	else
		make_pstore();
	f = open_or_die(argv[6]);
	if (fwrite(img, 1, size, f) != size || fclose(f))
		return 1;
	write_truth(argv[7]);
	return 0;
}
