// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout_ring.c - the kernel's persistent ring buffer
 *
 * Layout A (Linux 6.12 - 6.14): a header with a magic number for each possible
 * CPU. Layout B (6.15 up): one header, a scratch area with clock, old `_text`
 * and modules, then a header without magic for each CPU. In both a CPU's
 * header is followed by its sub-buffers, aligned to their size; the next CPU's
 * header follows them. How many CPUs is not stored: go on while it fits.
 *
 * In which order the sub-buffers were written, and which can be read: ring_order.c.
 */
#include "tracemem.h"

#define RING_MAGIC	0x0badfeedu
#define SCRATCH_MODULES	128u
#define SCRATCH_ENTRY	64u

/* Offsets that depend on layout and word size. */
struct shape {
	u32 head;		/* size of a CPU's header before its index array */
	u32 subbuf_size;	/* where in it; the number of sub-buffers follows */
	u32 global;		/* size of the global header, 0 in layout A */
	u64 first;		/* where CPU 0's header begins */
};

static const char *const clock_names[] = {
	"local", "global", "counter", "uptime", "perf", "mono", "mono_raw",
	"boot", "tai", "x86-tsc"
};

static bool set_shape(struct trace *t, u32 sizes)
{
	t->sizes = sizes;
	if (sizes == 56 || sizes == 36) {
		t->layout = FTIMAGE_RING_A;
		t->word = sizes == 56 ? 8 : 4;
	} else if (sizes == 0x00180020u || sizes == 0x00180028u) {
		t->layout = FTIMAGE_RING_B;
		t->word = 8;
	} else if (sizes == 0x00100014u || sizes == 0x0010001cu) {
		t->layout = FTIMAGE_RING_B;
		t->word = 4;
	} else {
		return false;
	}
	return true;
}

/* ring_probe - is it one of the two? Sets layout, word size and order. */
bool ring_probe(const u8 *base, size_t size, struct trace *t)
{
	if (size < 64)
		return false;
	for (int big = 0; big < 2; big++) {
		set_order(t, big);
		if (get32(t, base) != RING_MAGIC || !set_shape(t, get32(t, base + 4)))
			continue;
		t->first_at = t->layout == FTIMAGE_RING_A ? 0 : get_long(t, base + (t->word == 8 ? 16 : 12));
		return true;
	}
	return false;
}

static struct shape get_shape(const struct trace *t)
{
	struct shape s;

	if (t->layout == FTIMAGE_RING_A) {
		s.head = t->sizes;
		s.subbuf_size = t->word == 8 ? 48 : 28;
		s.global = 0;
	} else {
		s.head = t->sizes & 0xffff;
		s.subbuf_size = t->word == 8 ? 24 : 12;
		s.global = t->sizes >> 16;
	}
	s.first = t->first_at;
	return s;
}

/* The scratch area lies between the global header and CPU 0's. 6.15 has no clock in it. */
static void read_scratch(struct trace *t, const struct shape *s)
{
	const u8 *p = t->base + s->global;
	u32 w = t->word;
	u64 len = s->first - s->global, n, room;
	bool has_clock = len % SCRATCH_ENTRY == 3 * w;
	u32 at = has_clock ? w : 0;

	if (len < at + 2 * w)
		return;
	t->clock = "local";
	if (has_clock) {
		u32 id = get32(t, p);

		t->clock = id < sizeof(clock_names) / sizeof(clock_names[0]) ? clock_names[id] : "unknown";
		t->damaged |= id >= sizeof(clock_names) / sizeof(clock_names[0]);
		t->timed = id != 2 && id < 9;
	}
	t->text_addr = get_long(t, p + at);
	/* the kernel's count is an unsigned int; what pads it out to a long is zero */
	n = get32(t, p + at + w);
	room = (len - at - 2 * w) / SCRATCH_ENTRY;
	if (n > room || n > SCRATCH_MODULES)
		t->damaged_modules = true;
	if (n > room)
		n = room;
	if (n > SCRATCH_MODULES)
		n = SCRATCH_MODULES;
	t->mod = mem_get((size_t)n * sizeof(*t->mod) + 1);
	p += at + 2 * w;
	for (u64 i = 0; i < n; i++, p += SCRATCH_ENTRY) {
		struct oldmod *m = &t->mod[t->nmod];
		const char *name = (const char *)p + w;
		const char *end = memchr(name, 0, SCRATCH_ENTRY - w);

		m->base = get_long(t, p);
		copy_text(m->name, sizeof(m->name), name, end ? (size_t)(end - name) : SCRATCH_ENTRY - w);
		if (m->base && m->name[0])
			t->nmod++;
	}
}

/* ring_clock - the trace clock these bytes name, "" if they do not; never ends */
const char *ring_clock(const u8 *base, size_t size)
{
	struct trace t;
	struct shape s;

	memset(&t, 0, sizeof(t));
	t.base = base;
	t.size = size;
	t.clock = "";
	if (!ring_probe(base, size, &t) || t.layout != FTIMAGE_RING_B)
		return "";
	s = get_shape(&t);
	if (s.first >= s.global && s.first <= size)
		read_scratch(&t, &s);
	return t.clock;
}

static bool sizes_at(struct trace *t, const struct shape *s, u64 head)
{
	const u8 *p = t->base + head;

	if (head > t->size || t->size - head < s->head)
		return false;
	t->page = get32(t, p + s->subbuf_size);
	t->slots = get32(t, p + s->subbuf_size + 4);
	t->data_at = 8 + t->word;
	return t->page >= 4096 && t->page <= 1u << 20 && !(t->page & (t->page - 1)) &&
	       t->slots >= 2 && t->slots <= MAX_REGION / 4096;
}

/* Where the sub-buffers of the CPU whose header is at `head` begin. */
static u64 subs_at(const struct trace *t, const struct shape *s, u64 head)
{
	u64 at = head + s->head + 4 * (u64)t->slots;

	return (at + t->page - 1) & ~((u64)t->page - 1);
}

static bool header_fits(const struct trace *t, const struct shape *s, u64 head)
{
	const u8 *p = t->base + head;

	if (head > t->size || t->size - head < s->head)
		return false;
	if (t->layout == FTIMAGE_RING_A &&
	    (get32(t, p) != RING_MAGIC || get32(t, p + 4) != s->head))
		return false;
	return get32(t, p + s->subbuf_size) == t->page &&
	       get32(t, p + s->subbuf_size + 4) == t->slots;
}

/* Fields common to all events' entries, then what each kind has. */
static u64 low_long(const struct trace *t, const u8 *p)
{
	return get_long(t, p);
}

static void graph_entry(const struct trace *t, struct rec *r, const u8 *p, u32 len)
{
	u32 w = t->word;

	r->kind = K_GRAPH_ENTRY;
	r->ip = low_long(t, p);
	r->depth = (s32)get32(t, p + w);
	/* since 7.0 the depth is a long: big endian has its low half behind */
	if (t->big && w == 8 && len >= 16 && !r->depth)
		r->depth = (s32)get32(t, p + w + 4);
	if (len > 2 * w) {
		r->more = p + 2 * w;
		r->more_len = len - 2 * w;
	}
}

/* func, [retval], s32 depth, u32 overrun, u64 call, u64 return; packed. The length says if there is a retval. */
/* How far apart two times are. */
static u64 apart(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/*
 * Where depth is: behind the function, or behind its return value (6.5 up, if
 * configured). The length does not tell, since 6.12 reserves more room than it
 * fills; but the event was written when the function had returned, so the right
 * place is the one whose return time is nearer to the event's own.
 */
static u32 depth_at(const struct trace *t, const struct rec *r, const u8 *p, u32 len)
{
	u32 at = t->word;

	if (len >= 2 * at + 24 && get64(t, p + 2 * at + 8) <= get64(t, p + 2 * at + 16) &&
	    apart(get64(t, p + 2 * at + 16), r->time) <= apart(get64(t, p + at + 16), r->time))
		at += t->word;
	return at;
}

static bool graph_exit(const struct trace *t, struct rec *r, const u8 *p, u32 len)
{
	u32 at = t->word;

	if (len < at + 24)
		return false;
	at = depth_at(t, r, p, len);
	r->kind = K_GRAPH_EXIT;
	r->ip = low_long(t, p);
	r->depth = (s32)get32(t, p + at);
	r->count = get32(t, p + at + 4);
	r->call = get64(t, p + at + 8);
	r->ret = get64(t, p + at + 16);
	return true;
}

static bool stack(const struct trace *t, struct rec *r, const u8 *p, u32 len)
{
	u32 n = get32(t, p);

	/* in front of the addresses a count, padded to a long */
	if (len < t->word)
		return false;
	len -= t->word;
	if (n > len / t->word)
		n = len / t->word;
	r->kind = K_STACK;
	r->more = p + t->word;
	r->more_len = n * t->word;
	return true;
}

static void text(const struct trace *t, struct rec *r, const u8 *p, u32 len, enum kind kind)
{
	const u8 *end;

	r->kind = (u8)kind;
	r->ip = low_long(t, p);
	r->more = p + t->word;
	r->more_len = len - t->word;
	if (kind == K_PRINT) {
		end = memchr(r->more, 0, r->more_len);
		if (end)
			r->more_len = (u32)(end - r->more);
		while (r->more_len && r->more[r->more_len - 1] == '\n')
			r->more_len--;
	}
}

static bool repeats(const struct trace *t, struct rec *r, const u8 *p, u32 len)
{
	u32 w = t->word;

	if (len < 2 * w + 8)
		return false;
	r->kind = K_REPEATS;
	r->ip = low_long(t, p);
	r->parent = low_long(t, p + w);
	r->count = get16(t, p + 2 * w);
	/* time of the last repeat, back from this record: 48 bits, the lower 32 behind */
	r->ret = (u64)get16(t, p + 2 * w + 2) << 32 | get32(t, p + 2 * w + 4);
	return true;
}

/* What the entry of a record says. Numbers of entries are those of the kernel's enum trace_type. */
static void entry(const struct trace *t, struct rec *r)
{
	const u8 *p = r->raw + 8;
	u32 len = r->raw_len < 8 ? 0 : r->raw_len - 8, w = t->word;
	u32 id;
	bool done = false;

	r->ip = r->parent = r->call = r->ret = 0;
	r->more = NULL;
	r->more_len = r->count = 0;
	r->depth = -1;
	r->context = r->raw_len >= 8;
	if (!r->context) {
		r->id = 0;
		r->flags = r->preempt = 0;
		r->pid = -1;
		r->kind = K_EVENT;
		return;
	}
	r->id = get16(t, r->raw);
	r->flags = r->raw[2];
	r->preempt = r->raw[3];
	r->pid = (s32)get32(t, r->raw + 4);
	if (r->id == 1 && len >= 2 * w) {
		r->kind = K_FUNCTION;
		r->ip = low_long(t, p);
		r->parent = low_long(t, p + w);
		if (len > 2 * w) {
			r->more = p + 2 * w;
			r->more_len = len - 2 * w;
		}
		return;
	}
	id = r->id;
	if (t->shifted && id > 12)
		id--;
	else if (t->shifted && id == 12)
		id = 11;	/* a graph entry with its return address */
	switch (id) {
	case 4: done = len >= 4 && stack(t, r, p, len); break;
	case 5: if ((done = len >= w)) text(t, r, p, len, K_PRINT); break;
	case 6: if ((done = len >= 2 * w)) text(t, r, p, len, K_BPRINT); break;
	case 10: done = graph_exit(t, r, p, len); break;
	case 11: if ((done = len >= w + 4)) graph_entry(t, r, p, len); break;
	case 12:
		if ((done = len >= 4 + w)) {
			r->kind = K_USER_STACK;
			r->more = p + (w == 8 && len >= 16 ? 8 : 4);
			r->more_len = len - (u32)(r->more - p);
		}
		break;
	case 19: done = repeats(t, r, p, len); break;
	default: break;
	}
	if (!done) {
		r->kind = K_EVENT;
		r->more = p;
		r->more_len = len;
	}
}

/* The cursor to the next sub-buffer; false at the end. */
static bool next_sub(const struct trace *t, struct lane *l)
{
	const struct sub *s;

	if (l->i >= l->n)
		return false;
	s = &t->sub[l->first + l->i++];
	l->p = t->base + s->at + t->data_at;
	l->end = l->p + s->len;
	l->time = s->time;
	return true;
}

/*
 * next_event - one event at l->p: its size in *size, or false when it does not fit what is
 * left. *data is NULL for anything but a record. Moves the time.
 */
bool next_event(const struct trace *t, struct lane *l, u32 *size, const u8 **data, u32 *len)
{
	size_t left = (size_t)(l->end - l->p);
	u32 head, type, delta, word;
	u64 stamp;

	*data = NULL;
	if (left < 4)
		return false;
	head = get32(t, l->p);
	type = t->big ? head >> 27 : head & 31;
	delta = t->big ? head & 0x7ffffff : head >> 5;
	if (type && type <= 28) {
		*size = 4 + 4 * type;
		if (*size > left)
			return false;
		l->time += delta;
		*data = l->p + 4;
		*len = 4 * type;
		return true;
	}
	if (type == 29 && !delta) {	/* nothing more in this sub-buffer */
		l->end = l->p;
		*size = 0;
		return true;
	}
	if (left < 8)
		return false;
	word = get32(t, l->p + 4);
	if (type == 30) {
		*size = 8;
		l->time += delta + ((u64)word << 27);
		return true;
	}
	if (type == 31) {
		/* 59 bits: the upper five are those of the time before */
		const u64 top = 0x1full << 59;

		stamp = delta + ((u64)word << 27);
		if (l->time & top) {
			stamp |= l->time & top;
			if (stamp < l->time)
				stamp += 1ull << 59;
		}
		*size = 8;
		l->time = stamp;
		return true;
	}
	/* type 0 and discarded events: a length that counts itself */
	if (word < 4 || word % 4 || word > left - 4)
		return false;
	*size = 4 + word;
	if (type == 0) {
		l->time += delta;
		*data = l->p + 8;
		*len = word - 4;
	} else if (delta != 1) {
		l->time += delta;	/* 1 is what fills the end of a sub-buffer */
	}
	return true;
}

static bool ring_next(const struct trace *t, struct lane *l, struct rec *r)
{
	u32 size;

	for (;;) {
		if (l->p == l->end && !next_sub(t, l))
			return false;
		if (!next_event(t, l, &size, &r->raw, &r->raw_len)) {
			l->bad++;
			l->p = l->end;
			continue;
		}
		l->p += size;
		if (!r->raw)
			continue;
		r->time = l->time;
		r->cpu = l->cpu;
		entry(t, r);
		return true;
	}
}

/* ring_valid - how many bytes of events of a sub-buffer can be read */
u32 ring_valid(const struct trace *t, const struct sub *s)
{
	struct lane l;
	const u8 *data, *start = t->base + s->at + t->data_at;
	u32 size, len;

	memset(&l, 0, sizeof(l));
	l.p = start;
	l.end = start + s->len;
	l.time = s->time;
	while (l.p < l.end && next_event(t, &l, &size, &data, &len))
		l.p += size;
	return (u32)(l.p - start);
}

static void ring_info(const struct trace *t, struct out *o)
{
	const struct shape s = get_shape(t);
	u32 w = t->word, at = t->layout == FTIMAGE_RING_A ? 8 + 2 * w : 0;

	out_key_u64(o, "sub-buffer-size", t->page);
	out_key_u64(o, "sub-buffers-per-cpu", t->slots);
	if (!t->page || t->no_cpu)
		return;
	if (t->layout == FTIMAGE_RING_B && !t->salvaged)
		out_key_u64(o, "total-size", get_long(t, t->base + 8));
	for (u32 i = 0; i < t->nlane; i++) {
		const struct lane *l = &t->lane[i];
		const u8 *p = t->base + l->at + at;
		u64 first, hd, commit;

		if (!header_fits(t, &s, l->at))
			continue;
		first = get_long(t, p);
		hd = get_long(t, p + w);
		commit = get_long(t, p + 2 * w);
		out_str(o, "cpu-ring ");
		out_u64(o, l->cpu);
		out_str(o, hd ? " head " : " unused");
		if (hd) {
			out_s64(o, (s64)(hd - first) / (s64)t->page);
			out_str(o, " commit ");
			out_s64(o, (s64)(commit - first) / (s64)t->page);
			out_str(o, " reader ");
			out_s64(o, t->size - l->at >= s.head + 4 ? (s32)get32(t, t->base + l->at + s.head) : -1);
			out_str(o, " used ");
			out_u64(o, l->n);
		}
		out_chr(o, '\n');
	}
}

/* 6.13 put a new entry at number 12. Layout A does not say which of 6.12 - 6.14 it was. */
static bool ids_shifted(const struct trace *t)
{
	const char *r = t->hint.release;

	return t->layout == FTIMAGE_RING_B || !strncmp(r, "6.13", 4) || !strncmp(r, "6.14", 4);
}

/* The header that follows the CPU's whose header is at `head`. */
static u64 next_head(const struct trace *t, const struct shape *s, u64 head)
{
	return subs_at(t, s, head) + (u64)t->slots * t->page;
}

/* How many sub-buffers the kernel gives each of n CPUs (ring_buffer_alloc_range): as many as fit. */
static u32 slots_for(const struct trace *t, const struct shape *s, u64 end, u32 n)
{
	struct trace try = *t;
	u64 share = end > s->first ? (end - s->first) / n : 0;

	if (share < s->head)
		return 0;
	for (try.slots = (u32)((share - s->head) / (t->page + 4)); try.slots >= 3; try.slots--) {
		u64 head = s->first;

		for (u32 i = 0; i < n && head <= end; i++)
			head = next_head(&try, s, head);
		if (head <= end)
			return try.slots;
	}
	return 0;
}

/*
 * How many CPUs. It is not stored, and a damaged header must not hide those
 * behind it: as many as have a header, and as the region's size is divided for.
 */
static u32 count_cpus(struct trace *t, const struct shape *s, u64 end)
{
	u64 head = s->first, part = next_head(t, s, head) - head;
	u32 last = 0, n;

	for (n = 0; n < MAX_CPUS && next_head(t, s, head) <= end; n++) {
		if (header_fits(t, s, head))
			last = n + 1;
		head = next_head(t, s, head);
	}
	/* a header whose sub-buffers are cut off */
	if (n < MAX_CPUS && n == last && header_fits(t, s, head))
		last = n + 1;
	for (u32 i = last + 1; i <= n && slots_for(t, s, end, i) >= t->slots; i++)
		if (slots_for(t, s, end, i) == t->slots && slots_for(t, s, end, last) != t->slots)
			last = i;
	if (slots_for(t, s, end, last) == t->slots)
		return last;
	/* not the size that the kernel divided: a good piece of a part was a CPU's */
	for (n = 0, head = s->first; n < MAX_CPUS && head + part / 8 <= t->size; n++)
		head = next_head(t, s, head);
	t->truncated |= n > last;
	return n > last ? n : last;
}

/* How many CPUs have a header where it should be. */
static u32 headers(const struct trace *t, const struct shape *s, u64 end)
{
	u32 found = 0;
	u64 head = s->first;

	for (u32 n = 0; n < MAX_CPUS && next_head(t, s, head) <= end; n++, head = next_head(t, s, head))
		found += header_fits(t, s, head);
	return found;
}

/* Sizes from CPU 0's header; if that is damaged, those that another one's header bears out. */
static bool geometry(struct trace *t, const struct shape *s, u64 end)
{
	if (sizes_at(t, s, s->first) && slots_for(t, s, end, 1) >= t->slots)
		return true;
	t->damaged = true;
	for (u32 page = 4096; page <= 65536; page *= 4) {
		for (u32 n = 1; n <= MAX_CPUS; n++) {
			u64 head = s->first;

			t->page = page;
			t->slots = slots_for(t, s, end, n);
			if (!t->slots)
				break;
			for (u32 i = 0; i < n; i++, head = next_head(t, s, head))
				if (header_fits(t, s, head))
					return true;
		}
	}
	return false;
}

/* ring_reads - from here on the records are those of a ring */
void ring_reads(struct trace *t)
{
	t->timed = true;
	t->shifted = ids_shifted(t);
	t->next = ring_next;
	t->info = ring_info;
	t->data_at = 8 + t->word;
}

/* A lane for each CPU, with the sizes as they are known now; `end` is that of the region. */
static void open_cpus(struct trace *t, const struct shape *s, u64 end)
{
	u32 n = count_cpus(t, s, end), at = t->layout == FTIMAGE_RING_A ? 8 + 2 * t->word : 0;
	u64 head = s->first;

	t->lane = mem_get((n + 1) * sizeof(*t->lane));
	t->sub = mem_get((t->size / t->page + 2) * sizeof(*t->sub));
	t->nsub = 0;
	for (t->nlane = 0; t->nlane < n; t->nlane++, head = next_head(t, s, head)) {
		struct lane *l = &t->lane[t->nlane];
		bool good = header_fits(t, s, head);
		struct ring_cpu c = { subs_at(t, s, head), good ? t->base + head + at : NULL,
			good && t->size - head - s->head >= 4 * (u64)t->slots ? t->base + head + s->head : NULL };

		l->cpu = t->nlane;
		l->at = (u32)head;
		ring_collect(t, l, &c);
	}
	ring_outliers(t);
}

/* ring_open - the sub-buffers of all CPUs, in order of time; NULL, or why the header makes no sense */
const char *ring_open(struct trace *t)
{
	const struct shape s = get_shape(t);
	u64 end = t->size;

	ring_reads(t);
	if (s.first < s.global || s.first > t->size || t->size - s.first < s.head + 4)
		return "damaged header: the first CPU's part would lie outside the region";
	if (t->layout == FTIMAGE_RING_B) {
		u64 total = get_long(t, t->base + 8);

		t->truncated = total > t->size;
		if (total > t->size && total <= MAX_REGION)
			end = total;
		read_scratch(t, &s);
		memcpy(t->anchor, "_text", 6);
	} else {
		t->text_addr = get_long(t, t->base + 8);
		memcpy(t->anchor, "rb_meta_init_text_addr", 23);
	}
	if (!geometry(t, &s, end))
		return "damaged header: the sizes of the sub-buffers make no sense";
	open_cpus(t, &s, end);
	return NULL;
}

/*
 * ring_salvage - the same without the global header (or, in layout A, CPU 0's):
 * as the kernel lays out a region of this size, where a CPU's header bears it out
 */
bool ring_salvage(struct trace *t)
{
	enum { KNOWN = 8 };
	static const struct { u32 sizes, first; } known[KNOWN] = {
		{ 0x00180020u, 0x2030 }, { 0x00180020u, 0x2028 }, { 56, 0 }, { 0x00180028u, 0x2030 },
		{ 0x00100014u, 0x201c }, { 0x00100014u, 0x2018 }, { 36, 0 }, { 0x0010001cu, 0x201c }
	};

	u32 best = 0, most = 0;

	/* the last round is that of the one that most headers bear out */
	for (u32 i = 0; i <= 2 * KNOWN; i++) {
		u32 k = i < 2 * KNOWN ? i : best, fits;
		struct shape s;

		set_order(t, k & 1);
		set_shape(t, known[k / 2].sizes);
		t->first_at = known[k / 2].first;
		s = get_shape(t);
		ring_reads(t);
		fits = geometry(t, &s, t->size) ? headers(t, &s, t->size) : 0;
		if (i < 2 * KNOWN && fits > most) {
			most = fits;
			best = i;
		} else if (i == 2 * KNOWN && most) {
			open_cpus(t, &s, t->size);
		}
	}
	return t->nsub != 0;
}
