// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring_order.c - the sub-buffers of a CPU of the kernel's ring buffer: in which
 * order they were written, and which of them cannot be read
 *
 * No sub-buffer has a checksum. What is known of them: the kernel fills them in
 * the order of the index array, so their times rise in that order; between the
 * head and the commit pointer none is empty; and the events of one are not
 * later than the next one's time. What breaks one of these is damaged.
 */
#include "tracemem.h"

#define COMMIT_MASK	0x3fffffffu	/* bits 31, 30: missed events */
#define COMMIT_MISSED	0x80000000u
#define JUMP_BIT	42		/* over an hour: no flipped bit below it is looked for */
#define JUMP_ROOM	(1ull << 33)
#define TURNS		16		/* places at most where the oldest sub-buffer is looked for */

enum { BLANK, GOOD, BAD };

struct page {
	struct sub sub;
	u64 last;		/* time of its last event */
	u8 state;
	bool live, partial;
};

/* What is worked on: the pages in the order in which they should have been written. */
struct order {
	struct page *page;
	u32 n;
	u32 *chain, *back;	/* for the longest rising chain */
	bool scrambled;		/* by time only: where a page without one belongs is not known */
};

static bool zeroed(const u8 *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

/*
 * Is the distance between two times that of a flipped bit, nearly a power of
 * two? Asked only where nothing follows that would show it.
 */
static bool flipped(u64 from, u64 to)
{
	u64 d = to - from;

	for (int bit = JUMP_BIT; to > from && bit < 64; bit++) {
		u64 power = 1ull << bit;

		if ((d > power ? d - power : power - d) < JUMP_ROOM)
			return true;
	}
	return false;
}

/* Could this be an entry? No type is 0, no PID above the kernel's limit, and no function at 0. */
static bool can_be(const struct trace *t, const u8 *data, u32 len)
{
	if (len < 8)
		return false;
	return get16(t, data) && get32(t, data + 4) <= 4u << 20 &&
	       (get16(t, data) != 1 || (len >= 8 + 2 * t->word && get_long(t, data + 8)));
}

#define DOUBTFUL	16u	/* events in front of a damaged one that are not believed either */

/* ring_walk - cut a sub-buffer behind the last event that can be read and is not later than limit; its last time. */
u64 ring_walk(const struct trace *t, struct sub *s, u64 limit, bool *partial)
{
	struct lane l;
	const u8 *data, *start = t->base + s->at + t->data_at;
	const u8 *event[DOUBTFUL];	/* the events just read, and the time before each */
	u64 before[DOUBTFUL], last = s->time;
	u32 size, len, n = 0;

	memset(&l, 0, sizeof(l));
	l.p = start;
	l.end = start + s->len;
	l.time = s->time;
	while (l.p < l.end) {
		if (!next_event(t, &l, &size, &data, &len) || l.time > limit || l.time < last ||
		    (limit == UINT64_MAX && flipped(last, l.time)) || (data && !can_be(t, data, len))) {
			/* what overwrote them may look like an event or two before it does not */
			*partial = true;
			s->len = n < DOUBTFUL ? 0 : (u32)(event[n % DOUBTFUL] - start);
			return n < DOUBTFUL ? s->time : before[n % DOUBTFUL];
		}
		event[n % DOUBTFUL] = l.p;
		before[n++ % DOUBTFUL] = last;
		l.p += size;
		last = l.time;
	}
	return last;
}

/* What the page at this offset says of itself. */
static void look(struct trace *t, struct lane *l, struct page *g, u64 at)
{
	const u8 *p = t->base + at;
	u32 commit;

	if (at > t->size || t->size - at < t->page) {
		t->truncated = true;
		l->why |= WHY_TRUNCATED;
		g->state = BAD;
		return;
	}
	commit = get32(t, p + 8 + (t->big && t->word == 8 ? 4 : 0));
	g->sub.time = get64(t, p);
	g->sub.at = (u32)at;
	g->sub.len = commit & COMMIT_MASK;
	if (g->sub.len > t->page - t->data_at || (!g->sub.len && commit)) {
		l->discarded++;
		l->why |= commit == COMMIT_MISSED ? WHY_REJECTED : WHY_COMMIT;
		g->state = BAD;
	} else if (g->sub.len) {
		l->missed += commit & COMMIT_MISSED ? 1 : 0;
		g->state = g->sub.time ? GOOD : BAD;
		if (!g->sub.time)
			l->why |= WHY_ORDER;
	}
}

/* The length of the longest chain of rising times among the good pages from `from` on, all the way round. */
static u32 rising(struct order *o, u32 from)
{
	u32 len = 0;

	for (u32 i = 0; i < o->n; i++) {
		u32 k = (from + i) % o->n, low = 0, high = len;

		if (o->page[k].state != GOOD)
			continue;
		while (low < high) {
			u32 mid = low + (high - low) / 2;

			if (o->page[o->chain[mid]].sub.time <= o->page[k].sub.time)
				low = mid + 1;
			else
				high = mid;
		}
		o->back[k] = low ? o->chain[low - 1] : UINT32_MAX;
		o->chain[low] = k;
		len = low == len ? len + 1 : len;
	}
	return len;
}

/* Where the oldest page is, if no pointer says it: where most of them are in order. */
static u32 oldest(struct order *o)
{
	u32 best = 0, most = rising(o, 0), before = UINT32_MAX;

	for (u32 i = 0, turns = 0; i < o->n && turns < TURNS; i++) {
		if (o->page[i].state != GOOD)
			continue;
		if (before != UINT32_MAX && o->page[i].sub.time < o->page[before].sub.time) {
			u32 len = rising(o, i);

			turns++;
			if (len > most) {
				most = len;
				best = i;
			}
		}
		before = i;
	}
	return best;
}

static int by_time(const void *a, const void *b)
{
	const struct page *x = a, *y = b;

	if (x->sub.time != y->sub.time)
		return x->sub.time < y->sub.time ? -1 : 1;
	return x->sub.at < y->sub.at ? -1 : x->sub.at > y->sub.at;
}

/*
 * Without the index array the pages are taken as they lie, which is how the
 * kernel begins. Where that makes no order, that of time has to do.
 */
static u32 guess_order(struct order *o)
{
	u32 from = oldest(o), good = 0;

	for (u32 i = 0; i < o->n; i++)
		good += o->page[i].state == GOOD;
	if (rising(o, from) >= good - good / 4)
		return from;
	sort(o->page, o->n, sizeof(*o->page), by_time);
	o->scrambled = true;
	return 0;
}

/* A page whose time cannot be right, or may not be. */
static void out_of_order(struct lane *l, struct page *g)
{
	g->state = BAD;
	l->why |= WHY_ORDER;
	l->discarded++;
}

/* Put page `from` first, and mark what is not in the longest chain as out of order. */
static void settle(struct order *o, struct lane *l, u32 from)
{
	struct page *turned = mem_get((size_t)o->n * sizeof(*turned) + 1);
	u32 len, at;

	for (u32 i = 0; i < o->n; i++)
		turned[i] = o->page[(from + i) % o->n];
	memcpy(o->page, turned, o->n * sizeof(*turned));
	mem_drop(turned);
	len = rising(o, 0);
	at = len ? o->chain[len - 1] : UINT32_MAX;
	for (u32 i = o->n; i-- > 0;) {
		if (i == at) {
			at = o->back[i];
		} else if (o->page[i].state == GOOD) {
			out_of_order(l, &o->page[i]);
		}
	}
}

/* The indexes, if each occurs once. */
static bool permutation(const struct trace *t, const u8 *index, u32 *to, u32 *place)
{
	for (u32 i = 0; i < t->slots; i++)
		place[i] = UINT32_MAX;
	for (u32 i = 0; i < t->slots; i++) {
		to[i] = get32(t, index + 4 * (size_t)i);
		if (to[i] >= t->slots || place[to[i]] != UINT32_MAX)
			return false;
		place[to[i]] = i;
	}
	return true;
}

/*
 * The order of writing by the kernel's pointers: behind commit what was read
 * and not yet written again, then the reader's page, then head up to commit.
 * These last ones are live: they hold something. False when a pointer is none.
 */
static bool by_pointers(const struct trace *t, const struct ring_cpu *c, u32 *to, u32 *place, u32 *live)
{
	u64 first = get_long(t, c->head), head = get_long(t, c->head + t->word) - first,
	    commit = get_long(t, c->head + 2 * t->word) - first, size = (u64)t->slots * t->page;
	u32 hp, cp, n = 0, ring = t->slots - 1;
	u32 *index;

	if (t->word == 4) {
		head &= UINT32_MAX;
		commit &= UINT32_MAX;
	}
	if (head % t->page || commit % t->page || head >= size || commit >= size)
		return false;
	hp = place[head / t->page];
	cp = place[commit / t->page];
	if (!hp)		/* the head is never the reader's */
		return false;
	index = mem_get(t->slots * sizeof(*index));
	memcpy(index, to, t->slots * sizeof(*index));
	if (cp) {
		*live = (cp + ring - hp) % ring + 1;
		for (u32 i = 0; i < ring - *live; i++)
			to[n++] = index[1 + (cp + i) % ring];
		to[n++] = index[0];
		for (u32 i = 0; i < *live; i++)
			to[n++] = index[1 + (hp - 1 + i) % ring];
	} else {		/* the ring was read empty: the writer is where the reader is */
		*live = 1;
		for (u32 i = 0; i < ring; i++)
			to[n++] = index[1 + (hp - 1 + i) % ring];
		to[n] = index[0];
	}
	mem_drop(index);
	return true;
}

/* Whether a live page without events is damage: not if the CPU has recorded nothing yet. */
static void judge_blank(const struct trace *t, struct lane *l, struct order *o, u32 good, u32 live, bool known)
{
	bool old = false;

	for (u32 i = 0; i < o->n; i++) {
		struct page *g = &o->page[i];
		bool zero;

		if (g->state != BLANK)
			continue;
		zero = zeroed(t->base + g->sub.at, t->page);
		old |= !zero;
		/* without pointers nobody knows: a page of zeros may have held something */
		if (known ? g->live && (good || live > 1) : zero) {
			g->state = BAD;
			l->why |= zero ? WHY_ZEROED : WHY_COMMIT;
		} else if (!zero && !g->sub.time) {	/* the kernel never takes back the time */
			g->state = BAD;
			l->why |= WHY_COMMIT;
		}
	}
	if (old && !good && !l->why)
		l->why = WHY_CLEARED;
}

/* Tell of what is missing between the pages that are there. */
static void find_gaps(struct trace *t, struct lane *l, const struct order *o)
{
	u64 from = 0;
	u32 n = 0;

	for (u32 i = 0; i < o->n; i++) {
		const struct page *g = &o->page[i];

		if (g->state == BAD)
			n++;
		if (g->state != GOOD)
			continue;
		if (n && o->scrambled)
			gap_add(t, l->cpu, 0, UINT64_MAX, n);
		else if (n)
			gap_add(t, l->cpu, from, g->sub.time, n);
		n = g->partial;
		from = g->last;
		l->partial += g->partial;
		l->unreadable += g->partial;
		if (g->partial)
			l->why |= WHY_EVENTS;
	}
	if (n)
		gap_add(t, l->cpu, o->scrambled ? 0 : from, UINT64_MAX, n);
	for (u32 i = 0; i < o->n; i++)
		l->unreadable += o->page[i].state == BAD;
}

/* The same sub-buffer twice would show its records twice. */
static void drop_twins(const struct trace *t, struct order *o)
{
	const struct page *last = NULL;

	for (u32 i = 0; i < o->n; i++) {
		struct page *g = &o->page[i];

		if (g->state != GOOD)
			continue;
		if (last && last->sub.time == g->sub.time && last->sub.len == g->sub.len &&
		    !memcmp(t->base + last->sub.at, t->base + g->sub.at, t->data_at + g->sub.len))
			g->state = BLANK;
		else
			last = g;
	}
}

/* The time of the next good page behind i; UINT64_MAX = there is none. */
static u64 next_time(const struct order *o, u32 i)
{
	while (++i < o->n)
		if (o->page[i].state == GOOD)
			return o->page[i].sub.time;
	return UINT64_MAX;
}

/*
 * Walk each good page, up to the time of the next. One that is whole but for
 * that time has a wrong time, or the next one has: nobody knows which, so both
 * are left out.
 */
static void walk_pages(const struct trace *t, struct lane *l, struct order *o)
{
	for (u32 i = 0; i < o->n; i++) {
		struct page *g = &o->page[i];
		struct sub whole = g->sub;
		bool partial = false;
		u64 limit = next_time(o, i);

		if (g->state != GOOD)
			continue;
		g->last = ring_walk(t, &g->sub, limit, &g->partial);
		if (!g->partial || limit == UINT64_MAX)
			continue;
		ring_walk(t, &whole, UINT64_MAX - 1, &partial);
		if (partial)
			continue;
		out_of_order(l, g);
		while (o->page[++i].state != GOOD)
			;
		out_of_order(l, &o->page[i]);
	}
}

/*
 * ring_collect - fill the lane of a CPU with its sub-buffers in order of time,
 * and say what of it cannot be read. l->cpu and l->at are the caller's.
 */
void ring_collect(struct trace *t, struct lane *l, const struct ring_cpu *c)
{
	struct order o;
	u32 *to = mem_get(2 * (size_t)t->slots * sizeof(*to)), *place = to + t->slots;
	u32 live = 0, good = 0;
	bool pointers = false, indexed, unused;

	o.n = t->slots;
	o.scrambled = false;
	o.page = mem_get((size_t)o.n * sizeof(*o.page));
	o.chain = mem_get(2 * (size_t)o.n * sizeof(*o.chain));
	o.back = o.chain + o.n;
	l->total = t->slots;
	l->first = t->nsub;
	unused = c->head && !get_long(t, c->head + t->word) && !get_long(t, c->head + 2 * t->word);
	indexed = c->index && permutation(t, c->index, to, place);
	if (indexed)
		pointers = by_pointers(t, c, to, place, &live);
	if (!indexed)
		for (u32 i = 0; i < t->slots; i++)
			to[i] = i;
	for (u32 i = 0; i < t->slots; i++) {
		struct page *g = &o.page[i];

		look(t, l, g, c->at + (u64)to[i] * t->page);
		good += g->state == GOOD;
		g->live = pointers && i >= t->slots - live;
	}
	if (!pointers && !(unused && !good))
		l->why |= WHY_HEADER;
	settle(&o, l, pointers ? 0 : indexed ? oldest(&o) : guess_order(&o));
	if (!(unused && !good))
		judge_blank(t, l, &o, good, live, pointers);
	drop_twins(t, &o);
	walk_pages(t, l, &o);
	find_gaps(t, l, &o);
	for (u32 i = 0; i < o.n; i++)
		if (o.page[i].state == GOOD)
			t->sub[t->nsub++] = o.page[i].sub;
	l->n = t->nsub - l->first;
	l->any = l->n != 0;
	l->last_sure = pointers && o.page[o.n - 1].state == GOOD && !o.page[o.n - 1].partial;
	mem_drop(o.chain);
	mem_drop(o.page);
	mem_drop(to);
}

/* The time of the last event of a lane; 0 = it has none. */
static u64 end_of_lane(const struct trace *t, const struct lane *l)
{
	struct sub s;
	bool partial = false;

	if (!l->n)
		return 0;
	s = t->sub[l->first + l->n - 1];
	return ring_walk(t, &s, UINT64_MAX, &partial);
}

static void drop_page(struct trace *t, struct lane *l, u32 at, u64 from, u64 to)
{
	struct sub *s = t->sub + l->first;

	memmove(s + at, s + at + 1, (l->n - at - 1) * sizeof(*s));
	l->n--;
	l->any = l->n != 0;
	l->discarded++;
	l->unreadable++;
	l->why |= WHY_ORDER;
	gap_add(t, l->cpu, from, to, 1);
}

/*
 * ring_outliers - leave out first and last sub-buffers whose time has a flipped
 * bit: nothing before or behind them shows it, but no other CPU was there then
 */
void ring_outliers(struct trace *t)
{
	u64 *end = mem_get(t->nlane * sizeof(*end) + 1);

	for (u32 i = 0; i < t->nlane; i++)
		end[i] = end_of_lane(t, &t->lane[i]);
	for (u32 i = 0; i < t->nlane; i++) {
		struct lane *l = &t->lane[i];
		struct sub *s = t->sub + l->first;
		bool partial = false;
		u64 before = 0, own = 0;

		if (!l->n)
			continue;
		for (u32 k = 0; k < t->nlane; k++)
			if (k != i && end[k] < s[l->n - 1].time && end[k] > before)
				before = end[k];
		if (l->n > 1) {
			struct sub copy = s[l->n - 2];

			own = ring_walk(t, &copy, UINT64_MAX, &partial);
			before = own > before ? own : before;
		}
		if (before && flipped(before, s[l->n - 1].time)) {
			l->last_sure = false;
			drop_page(t, l, l->n - 1, own, UINT64_MAX);
			end[i] = own;
		}
		if (l->n > 1) {
			struct sub copy = s[0];
			u64 last = ring_walk(t, &copy, UINT64_MAX, &partial);

			if (flipped(last, s[1].time))
				drop_page(t, l, 0, 0, s[1].time);
		}
	}
	mem_drop(end);
}
