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
	return get32(t, t->base + at);
}

static u64 h64(const struct trace *t, size_t at)
{
	return get64(t, t->base + at);
}

/* recorder_probe - is it one? Sets layout, word size and order. */
bool recorder_probe(const u8 *base, size_t size, struct trace *t)
{
	if (size < sizeof(struct ftrec_header))
		return false;
	t->base = base;
	for (int big = 0; big < 2; big++) {
		set_order(t, big);
		if (h32(t, FIELD(magic)) != FTREC_MAGIC)
			continue;
		t->word = h32(t, FIELD(word_size));
		if (t->word != 4 && t->word != 8)
			continue;
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

/* Take a record apart; false when it is torn or empty. */
struct raw {
	u64 ip, parent, time;
	u32 pid, tag;
};

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

/* Rule 2 of the format: the newest record. False when there is none. */
static bool newest(const struct trace *t, const struct lane *l, u32 laps, u32 *slot, u32 *lap)
{
	struct raw r;
	u64 best = 0;
	bool any = false;

	for (u32 i = 0; i < l->n; i++) {
		if (!record_at(t, l, i, &r) || FTREC_LAP(r.tag) > laps)
			continue;
		if (!any || FTREC_NS(r.time) >= best) {
			best = FTREC_NS(r.time);
			*slot = i;
			*lap = FTREC_LAP(r.tag);
			any = true;
		}
	}
	for (u32 i = 0; any && i < l->n; i++) {
		u32 next = *slot + 1 == l->n ? 0 : *slot + 1;
		u32 next_lap = next ? *lap : lap_after(*lap, laps);

		if (!record_at(t, l, next, &r) || FTREC_LAP(r.tag) != next_lap)
			break;
		*slot = next;
		*lap = next_lap;
	}
	return any;
}

/* Count what rule 3 leaves out. */
static void count_stale(const struct trace *t, struct lane *l, u32 slot)
{
	struct raw r;

	for (u32 i = 0; i < l->n; i++) {
		bool good = record_at(t, l, i, &r);

		if (good ? FTREC_LAP(r.tag) != (i <= slot ? l->lap : l->prev_lap) : !is_blank(&r))
			l->stale++;
	}
}

/* A lane for the area at this offset; its newest slot goes to lane.first, what came before it follows that. */
static bool add_area(struct trace *t, u64 at, u32 laps)
{
	struct lane *l = &t->lane[t->nlane];
	const u8 *p = t->base + at;
	u32 slot = 0, cpu = get32(t, p + offsetof(struct ftrec_area, cpu));

	if (get32(t, p) != FTREC_AREA_MAGIC || cpu >= MAX_CPUS)
		return false;
	memset(l, 0, sizeof(*l));
	l->cpu = cpu;
	l->at = (u32)(at + h32(t, FIELD(area_header_size)));
	l->n = t->slots;
	l->missed = get64(t, p + offsetof(struct ftrec_area, missed));
	if (newest(t, l, laps, &slot, &l->lap)) {
		l->prev_lap = l->lap == 1 ? laps : l->lap - 1;
		count_stale(t, l, slot);
		l->first = slot;
	}
	t->nlane++;
	return true;
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
	out_key(o, "memory-type", type < 3 ? mem[type] : "unknown");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (lines[i].text) {
			fixed_text(text, sizeof(text), t->base + lines[i].at, lines[i].text);
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

/* recorder_open - a lane for each area. Ends when the header makes no sense. */
void recorder_open(struct trace *t)
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
		die(EX_NODATA, "recorder: damaged header, or of a version this tracemem does not know", NULL);
	t->damaged = ftrec_hash(t->base, FTREC_CHECKED) != h32(t, FIELD(check));
	t->text_addr = h64(t, FIELD(text_addr));
	memcpy(t->anchor, "_text", 6);
	t->anchor2_addr = h64(t, FIELD(anchor_addr));
	fixed_text(t->anchor2, sizeof(t->anchor2), t->base + FIELD(anchor_name), 32);
	if (!t->hint.machine[0])
		fixed_text(t->hint.machine, sizeof(t->hint.machine), t->base + FIELD(machine), 24);
	read_modules(t);
	t->lane = mem_get(n * sizeof(*t->lane));
	for (u32 i = 0; i < n; i++, at += step) {
		if (at > t->size || t->size - at < step) {
			t->truncated = true;
			break;
		}
		if (!add_area(t, at, laps))
			t->damaged = true;
	}
}
