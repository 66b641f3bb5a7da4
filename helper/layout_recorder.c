// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout_recorder.c - what the recorder module leaves (recorder/ftrec_format.h,
 * where the rules for reading are explained)
 */
#include "recorder/ftrec_format.h"
#include "tracemem.h"

#define FIELD(name) (offsetof(struct ftrec_header, name))

static u32 h32(const struct trace *t, size_t at)
{
	return get32(t, t->head + at);
}

static u64 h64(const struct trace *t, size_t at)
{
	return get64(t, t->head + at);
}

/* Does the header's own checksum agree, in this byte order? */
static bool checks(const struct trace *t)
{
	return ftrec_hash(t->head, FTREC_CHECKED) == h32(t, FIELD(check));
}

/*
 * One flipped bit is found by the checksum, whose 32 bits are worth more than
 * the 3,552 tries: put it right in our copy, and remember where it was. The
 * hash is reckoned from the front up to a byte, and from the end back to it.
 */
static bool put_right(struct trace *t)
{
	u32 need[FTREC_CHECKED + 1], before = 0x811c9dc5u;

	need[FTREC_CHECKED] = h32(t, FIELD(check));
	for (u32 i = FTREC_CHECKED; i-- > 0;)	/* the factor is the inverse of ftrec_hash()'s */
		need[i] = need[i + 1] * 0x359c449bu ^ t->head[i];
	for (u32 i = 0; i < FTREC_CHECKED; i++) {
		for (u32 bit = 1; bit < 256; bit <<= 1) {
			if ((before ^ t->head[i] ^ bit) * 0x01000193u != need[i + 1])
				continue;
			t->head[i] ^= (u8)bit;
			t->header_bit = 1 + i;
			return true;
		}
		before = (before ^ t->head[i]) * 0x01000193u;
	}
	return false;
}

/* recorder_probe - is it one? Sets layout, word size and order, and copies the header. */
bool recorder_probe(const u8 *base, size_t size, struct trace *t)
{
	if (size < sizeof(struct ftrec_header))
		return false;
	memcpy(t->head, base, sizeof(t->head));
	for (int big = 0; big < 2; big++) {
		set_order(t, big);
		/* the check is never 0 in a header that was written */
		if (!h32(t, FIELD(check)))
			continue;
		if (!checks(t) && !put_right(t) && h32(t, FIELD(magic)) != FTREC_MAGIC)
			continue;
		t->word = h32(t, FIELD(word_size));
		if (h32(t, FIELD(magic)) != FTREC_MAGIC || (t->word != 4 && t->word != 8)) {
			t->header_bit = 0;
			continue;
		}
		t->layout = FTIMAGE_RECORDER;
		return true;
	}
	return false;
}

static void fixed_text(char *to, size_t room, const u8 *from, size_t len)
{
	const u8 *end = memchr(from, 0, len);

	copy_text(to, room, (const char *)from, end ? (size_t)(end - from) : len);
}

struct raw {
	u64 ip, parent, time;
	u32 pid, tag;
};

/* Take a record apart; false when it is torn or empty. */
static bool record_at(const struct trace *t, const struct lane *l, u32 slot, struct raw *r)
{
	const u8 *p = t->base + l->at + (u64)slot * t->record;
	u32 w = t->word;

	r->ip = get_long(t, p);
	r->parent = get_long(t, p + w);
	r->time = get64(t, p + 2 * w);
	r->pid = get32(t, p + 2 * w + 8);
	r->tag = get32(t, p + 2 * w + 12);
	if (!FTREC_LAP(r->tag))
		return false;
	return FTREC_CHECK(r->tag) ==
	       ftrec_check(r->ip, r->parent, r->time, r->pid, FTREC_LAP(r->tag), slot);
}

/* Not written at all, as far as one can see. */
static bool is_blank(const struct raw *r)
{
	return !r->ip && !r->parent && !r->time && !r->pid && !r->tag;
}

static bool recorder_next(const struct trace *t, struct lane *l, struct rec *r)
{
	struct raw raw;

	/* seq counts from the slot behind the newest (first), all the way round to it */
	while (l->seq < l->n) {
		u64 n = (u64)l->first + 1 + l->seq++;
		bool wrapped = n >= l->n;
		u32 slot = (u32)(wrapped ? n - l->n : n);

		if (!record_at(t, l, slot, &raw) ||
		    FTREC_LAP(raw.tag) != (wrapped ? l->lap : l->prev_lap))
			continue;
		memset(r, 0, sizeof(*r));
		r->time = FTREC_NS(raw.time);
		r->ip = raw.ip;
		r->parent = raw.parent;
		r->cpu = l->cpu;
		r->pid = (s32)FTREC_PID(raw.pid);
		r->flags = (u8)FTREC_FLAGS(raw.pid);
		/* as in the kernel's entries: the upper half is another count */
		r->preempt = (u8)(FTREC_DEPTH(raw.time) > 15 ? 15 : FTREC_DEPTH(raw.time));
		r->depth = -1;
		r->context = true;
		r->kind = K_FUNCTION;
		return true;
	}
	return false;
}

static u32 lap_after(u32 lap, u32 laps)
{
	return lap >= laps ? 1 : lap + 1;
}

/* What an area holds, if the newest record is that of this slot and lap. */
struct count {
	u32 good, stale, torn, blank;	/* stale: good, but of another lap than its place says */
	bool any_before;		/* some are of the lap before: the area was full once */
};

enum { R_BLANK, R_TORN, R_STALE, R_GOOD };

/* The kind of a slot's record, with l->lap, l->prev_lap and l->first set. */
static int kind_at(const struct trace *t, const struct lane *l, u32 slot, struct raw *r)
{
	if (!record_at(t, l, slot, r))
		return is_blank(r) ? R_BLANK : R_TORN;
	return FTREC_LAP(r->tag) == (slot <= l->first ? l->lap : l->prev_lap) ? R_GOOD : R_STALE;
}

static struct count count_area(const struct trace *t, const struct lane *l)
{
	struct count c;
	struct raw r;

	memset(&c, 0, sizeof(c));
	for (u32 i = 0; i < l->n; i++) {
		switch (kind_at(t, l, i, &r)) {
		case R_GOOD: c.good++; c.any_before |= i > l->first; break;
		case R_STALE: c.stale++; break;
		case R_TORN: c.torn++; break;
		default: c.blank++; break;
		}
	}
	return c;
}

/* Rule 2 of the format: the newest record before time `below`. False when there is none. */
static bool newest(const struct trace *t, struct lane *l, u32 laps, u64 below, u64 *time)
{
	struct raw r;
	bool any = false;

	for (u32 i = 0; i < l->n; i++) {
		if (!record_at(t, l, i, &r) || FTREC_LAP(r.tag) > laps || FTREC_NS(r.time) >= below)
			continue;
		if (!any || FTREC_NS(r.time) >= *time) {
			*time = FTREC_NS(r.time);
			l->first = i;
			l->lap = FTREC_LAP(r.tag);
			any = true;
		}
	}
	for (u32 i = 0; any && i < l->n; i++) {
		u32 next = l->first + 1 == l->n ? 0 : l->first + 1;
		u32 next_lap = next ? l->lap : lap_after(l->lap, laps);

		if (!record_at(t, l, next, &r) || FTREC_LAP(r.tag) != next_lap)
			break;
		l->first = next;
		l->lap = next_lap;
	}
	l->prev_lap = l->lap == 1 ? laps : l->lap - 1;
	return any;
}

/*
 * The newest record, which decides what the others are. Its check has 16 bits:
 * in a damaged area chance makes good ones of any time. So the one that most
 * of the others agree with, among the latest few.
 */
static bool find_newest(const struct trace *t, struct lane *l, u32 laps, struct count *c)
{
	struct lane try = *l;
	u64 below = UINT64_MAX;
	bool any = false;

	for (int i = 0; i < 8 && newest(t, &try, laps, below, &below); i++) {
		struct count here = count_area(t, &try);

		if (!any || here.good > c->good) {
			*c = here;
			l->first = try.first;
			l->lap = try.lap;
			l->prev_lap = try.prev_lap;
		}
		any = true;
		if (c->good >= c->stale)
			break;
	}
	return any;
}

/* What is missing, in order of writing; the slot behind the newest says whether more may have come. */
static void find_gaps(struct trace *t, struct lane *l, bool full, u32 more)
{
	struct raw r;
	u64 from = 0, last = 0;
	u32 n = 0, start = full ? l->first + 1 : 0, slots = full ? l->n : l->first + 1, behind = l->first + 1 == l->n ? 0 : l->first + 1;
	int next = kind_at(t, l, behind, &r);

	for (u32 i = 0; i < slots; i++) {
		if (kind_at(t, l, (u32)(((u64)start + i) % l->n), &r) != R_GOOD) {
			n++;
			continue;
		}
		if (n)
			gap_add(t, l->cpu, from, FTREC_NS(r.time), n);
		n = 0;
		from = last = FTREC_NS(r.time);
	}
	l->last_sure = !more && (full || !behind ? next == R_GOOD : next == R_BLANK);
	if (!l->last_sure)
		gap_add(t, l->cpu, last, UINT64_MAX, more ? more : 1);
	/* blank from the beginning of a page on: never written, or a page that was lost */
	else if (next == R_BLANK && ((l->at + (u64)behind * t->record) & 4095) < t->record)
		l->last_sure = false;
}

/* A lane for the area at this offset; its newest slot goes to lane.first, what came before it follows that. */
static void add_area(struct trace *t, struct lane *l, u64 at, u32 laps)
{
	const u8 *p = t->base + at;
	struct count c;
	u64 wraps = get64(t, p + offsetof(struct ftrec_area, wraps));
	u32 next_slot = get32(t, p + offsetof(struct ftrec_area, next_slot));
	u32 next_lap = get32(t, p + offsetof(struct ftrec_area, next_lap));
	bool known = !(l->why & WHY_HEADER), full;
	u32 more = 0;

	l->at = (u32)(at + h32(t, FIELD(area_header_size)));
	l->n = l->total = t->slots;
	memset(&c, 0, sizeof(c));
	if (known)
		l->missed = get64(t, p + offsetof(struct ftrec_area, missed));
	l->any = find_newest(t, l, laps, &c);
	if (!l->any) {
		c = count_area(t, l);
		full = !known || next_slot || next_lap > 1 || wraps;
		if (full && c.blank)
			l->why |= WHY_BLANK;
		l->unreadable = c.torn + (full ? c.blank : 0);
		if (l->unreadable)
			gap_add(t, l->cpu, 0, UINT64_MAX, l->unreadable);
	} else {
		full = c.any_before || l->lap > 1 || (known && (wraps || next_lap > 1));
		/* not full once: what lies behind the newest was never written, unless the area's header knows better */
		if (known && !full && next_lap == 1 && next_slot > l->first + 1 && next_slot <= l->n)
			more = next_slot - l->first - 1;
		if (!full)
			c.blank = c.blank + more > l->n - 1 - l->first ? c.blank + more - (l->n - 1 - l->first) : 0;
		if (c.blank)
			l->why |= WHY_BLANK;
		if (c.stale)
			l->why |= WHY_STALE;
		l->unreadable = c.torn + c.stale + c.blank;
		find_gaps(t, l, full, more);
	}
	if (c.torn)
		l->why |= WHY_CHECKSUM;
	l->stale = c.torn + c.stale + c.blank;
	if (!l->any)
		l->stale = l->unreadable;
}

/*
 * Which CPU the areas are of. One whose header is damaged does not say it for
 * sure: what it says if nobody else does, else that of its place, as the module
 * lays them out, else the least number that is left.
 */
static void number_areas(struct trace *t, u64 area, u64 step, u32 n)
{
	u8 *taken = mem_get(MAX_CPUS);

	for (int sure = 1; sure >= 0; sure--) {
		for (u32 i = 0; i < n; i++) {
			struct lane *l = &t->lane[i];
			u64 at = area + i * step;
			const u8 *p = t->base + at;
			u32 cpu = MAX_CPUS;
			bool there = at <= t->size && t->size - at >= step;

			if (there)
				cpu = get32(t, p + offsetof(struct ftrec_area, cpu));
			if (sure) {
				if (there && get32(t, p) == FTREC_AREA_MAGIC && cpu < MAX_CPUS && !taken[cpu])
					taken[l->cpu = cpu] = 1;
				else
					l->why = there ? WHY_HEADER : WHY_TRUNCATED;
				continue;
			}
			if (!l->why)
				continue;
			if (cpu >= n || taken[cpu])
				cpu = i;
			if (taken[cpu])
				for (cpu = 0; taken[cpu]; cpu++)
					;
			taken[l->cpu = cpu] = 1;
		}
	}
	mem_drop(taken);
}

static void read_modules(struct trace *t)
{
	u64 at = h32(t, FIELD(module_offset)), step = h32(t, FIELD(module_size));
	u64 n = h32(t, FIELD(module_slots));

	if (step < sizeof(struct ftrec_module) || at > t->size)
		return;
	if (n > (t->size - at) / step)
		n = (t->size - at) / step;
	if (n > 4096)
		n = 4096;
	t->mod = mem_get((size_t)n * sizeof(*t->mod) + 1);
	for (u64 i = 0; i < n; i++, at += step) {
		const u8 *p = t->base + at;
		struct oldmod *m = &t->mod[t->nmod];

		fixed_text(m->name, sizeof(m->name), p + offsetof(struct ftrec_module, name), 56);
		m->base = get64(t, p + offsetof(struct ftrec_module, base));
		m->size = get32(t, p + offsetof(struct ftrec_module, size));
		m->since = get64(t, p + offsetof(struct ftrec_module, time));
		if (m->name[0] && m->base)
			t->nmod++;
	}
}

/* Lines of info, straight from the header: texts by their length, numbers of 4 or 8 bytes. */
static const struct {
	const char *key;
	u16 at, text, size;
} lines[] = {
	{ "flush", FIELD(flush), 0, 4 }, { "region-address", FIELD(region_addr), 0, 8 },
	{ "region-size", FIELD(region_size), 0, 8 }, { "traced-boot-id", FIELD(boot_id), 40, 0 },
	{ "traced-release", FIELD(release), 72, 0 }, { "traced-build", FIELD(build), 72, 0 },
	{ "traced-machine", FIELD(machine), 24, 0 }, { "load-time", FIELD(load_time), 0, 8 },
	{ "load-wall", FIELD(load_wall), 0, 8 }, { "armed-time", FIELD(armed_time), 0, 8 },
	{ "armed-wall", FIELD(armed_wall), 0, 8 }, { "recording", FIELD(recording), 0, 4 },
	{ "dumped", FIELD(dumped), 0, 4 }, { "modules-lost", FIELD(modules_lost), 0, 4 }
};

static void recorder_info(const struct trace *t, struct out *o)
{
	static const char *const mem[] = { "wb", "wc", "uc" };
	char text[80];
	u32 type = h32(t, FIELD(mem_type));

	out_key_u64(o, "records-per-cpu", t->slots);
	if (t->salvaged)
		return;
	out_key(o, "memory-type", type < 3 ? mem[type] : "unknown");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (lines[i].text) {
			fixed_text(text, sizeof(text), t->head + lines[i].at, lines[i].text);
			out_key(o, lines[i].key, text);
		} else {
			out_key_u64(o, lines[i].key, lines[i].size == 8 ? h64(t, lines[i].at) : h32(t, lines[i].at));
		}
	}
}

/* The header's sizes fit together; false also for what a later version may have changed. */
static bool sane(const struct trace *t, u64 *area, u64 *step, u32 *n)
{
	u64 head = h32(t, FIELD(area_header_size));

	*area = h64(t, FIELD(area_offset));
	*step = h64(t, FIELD(area_size));
	*n = h32(t, FIELD(nr_areas));
	return h32(t, FIELD(version)) == FTREC_VERSION &&
	       h32(t, FIELD(header_size)) >= sizeof(struct ftrec_header) &&
	       t->record == (t->word == 8 ? 32u : 24u) && t->slots &&
	       head >= sizeof(struct ftrec_area) && *step <= t->size && *area <= t->size &&
	       head <= *step && t->slots <= (*step - head) / t->record &&
	       *n && *n <= MAX_CPUS;
}

static void open_areas(struct trace *t, u64 at, u64 step, u32 n, u32 laps)
{
	t->lane = mem_get(n * sizeof(*t->lane));
	t->nlane = n;
	number_areas(t, at, step, n);
	for (u32 i = 0; i < n; i++, at += step) {
		if (t->lane[i].why & WHY_TRUNCATED) {
			t->truncated = true;
			t->lane[i].total = t->lane[i].unreadable = t->slots;
			gap_add(t, t->lane[i].cpu, 0, UINT64_MAX, t->slots);
		} else {
			add_area(t, &t->lane[i], at, laps);
		}
	}
}

/* recorder_open - a lane for each area; NULL, or why the header makes no sense */
const char *recorder_open(struct trace *t)
{
	u64 at, step;
	u32 n, laps = h32(t, FIELD(laps));

	t->record = h32(t, FIELD(record_size));
	t->slots = h32(t, FIELD(capacity));
	t->next = recorder_next;
	t->info = recorder_info;
	t->timed = true;
	t->clock = "local";
	if (!sane(t, &at, &step, &n))
		return "recorder: damaged header, or of a version this tracemem does not know";
	t->damaged = !checks(t);
	t->text_addr = h64(t, FIELD(text_addr));
	memcpy(t->anchor, "_text", 6);
	t->anchor2_addr = h64(t, FIELD(anchor_addr));
	fixed_text(t->anchor2, sizeof(t->anchor2), t->head + FIELD(anchor_name), 32);
	fixed_text(t->build, sizeof(t->build), t->head + FIELD(build), 72);
	if (!t->hint.machine[0])
		fixed_text(t->hint.machine, sizeof(t->hint.machine), t->head + FIELD(machine), 24);
	read_modules(t);
	open_areas(t, at, step, n, laps);
	return NULL;
}

static void put32(struct trace *t, size_t at, u32 v)
{
	v = t->swap ? swab32(v) : v;
	memcpy(t->head + at, &v, sizeof(v));
}

/* How many of the first slots of the area at this offset hold a good record. */
static u32 good_slots(const struct trace *t, u64 at)
{
	struct lane l;
	struct raw r;
	u32 n = 0;

	memset(&l, 0, sizeof(l));
	l.at = (u32)at + sizeof(struct ftrec_area);
	for (u32 i = 0; i < 512 && at + sizeof(struct ftrec_area) + (i + 1) * (u64)t->record <= t->size; i++)
		n += record_at(t, &l, i, &r);
	return n;
}

/* Areas where the module would lay them out in a region of this size, if it has n of them. */
static void module_layout(const struct trace *t, u32 n, u64 *at, u64 *step)
{
	*at = (sizeof(struct ftrec_header) + (t->size >= 0x100000 ? 256 : 32) * sizeof(struct ftrec_module) + 63) & ~63ull;
	*step = *at < t->size ? (t->size - *at) / n & ~63ull : 0;
}

/* Where the areas are, without the header: from the areas' own headers, else as the module lays them out. */
static bool find_areas(struct trace *t, u64 *at, u64 *step, u32 *n)
{
	u64 first = 0, second = 0;

	for (u64 i = sizeof(struct ftrec_header); i + sizeof(struct ftrec_area) < t->size && !second; i += 64) {
		if (get32(t, t->base + i) != FTREC_AREA_MAGIC || get32(t, t->base + i + 4) >= MAX_CPUS)
			continue;
		if (first)
			second = i;
		else
			first = i;
	}
	for (*n = 1; *n <= 256; ++*n) {
		module_layout(t, *n, at, step);
		if (*step <= sizeof(struct ftrec_area))
			break;
		if (first ? first >= *at && (first - *at) % *step == 0 && (!second || second - first == *step) :
		    good_slots(t, *at) > 4 && (*n == 1 || good_slots(t, *at + *step) > 4))
			return true;
	}
	*at = first;
	*step = second ? second - first : t->size - first;
	*n = second ? (u32)((t->size - first) / *step) : 1;
	return first && *n <= MAX_CPUS && *step > sizeof(struct ftrec_area);
}

/* recorder_salvage - the areas of a recorder whose header cannot be read: their records have a check of their own */
bool recorder_salvage(struct trace *t)
{
	for (int big = 0; big < 2; big++) {
		for (t->word = 8; t->word >= 4; t->word -= 4) {
			u64 at, step;
			u32 n, laps, bits = 0;

			set_order(t, big);
			t->record = t->word == 8 ? 32 : 24;
			if (!find_areas(t, &at, &step, &n))
				continue;
			t->slots = (u32)((step - sizeof(struct ftrec_area)) / t->record);
			while (bits < 32 && (t->slots - 1) >> bits)
				bits++;
			laps = t->word == 8 || bits <= 16 ? 65535 : (1u << (32 - bits)) - 1;
			memset(t->head, 0, sizeof(t->head));
			put32(t, FIELD(area_header_size), sizeof(struct ftrec_area));
			t->next = recorder_next;
			t->info = recorder_info;
			t->timed = true;
			t->clock = "local";
			t->layout = FTIMAGE_RECORDER;
			open_areas(t, at, step, n, laps);
			for (u32 i = 0; i < n; i++)
				if (t->lane[i].any && t->lane[i].total - t->lane[i].unreadable > 4)
					return true;
			t->nlane = t->ngap = 0;
		}
	}
	return false;
}
