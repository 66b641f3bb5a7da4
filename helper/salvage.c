// SPDX-License-Identifier: GPL-2.0-only
/*
 * salvage.c - what can be had of a region whose header cannot be read: as a
 * layout whose parts are where they would be, else sub-buffers one by one
 */
#include "tracemem.h"

/* Could a sub-buffer be here? Its events fill it to the last byte, and nearly all are records of kinds that we know. */
static bool plausible(struct trace *t, u64 at, struct sub *s)
{
	const u8 *p = t->base + at;
	struct lane l;
	struct rec r;
	u32 known = 0, all = 0;
	bool partial = false;

	s->time = get64(t, p);
	s->at = (u32)at;
	s->len = get32(t, p + 8 + (t->big && t->word == 8 ? 4 : 0)) & 0x3fffffff;
	if (!s->time || s->len < 16 || s->len % 4 || s->len > t->page - t->data_at)
		return false;
	ring_walk(t, s, UINT64_MAX - 1, &partial);
	if (partial)
		return false;
	memset(&l, 0, sizeof(l));
	l.p = p + t->data_at;
	l.end = l.p + s->len;
	l.time = s->time;
	while (t->next(t, &l, &r)) {
		all++;
		known += r.kind != K_EVENT;
	}
	return known && known * 4 >= all * 3;
}

static int by_time(const void *a, const void *b)
{
	const struct sub *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/*
 * Sub-buffers wherever they lie. Of which CPU they are nobody knows: those that
 * overlap in time are of different ones, so each goes to the first lane that
 * had ended before it.
 */
static void into_lanes(struct trace *t, struct sub *found, u32 n)
{
	u64 end[256];
	u8 *lane = mem_get(n + 1);

	sort(found, n, sizeof(*found), by_time);
	for (u32 i = 0; i < n; i++) {
		struct sub copy = found[i];
		bool partial = false;
		u32 k;

		for (k = 0; k < t->nlane && end[k] > found[i].time && k < 255; k++)
			;
		if (k == t->nlane)
			t->nlane++;
		lane[i] = (u8)k;
		end[k] = ring_walk(t, &copy, UINT64_MAX - 1, &partial);
	}
	t->lane = mem_get((t->nlane + 1) * sizeof(*t->lane));
	for (u32 k = 0; k < t->nlane; k++) {
		struct lane *l = &t->lane[k];

		l->cpu = k;
		l->mixed = l->any = true;
		l->first = t->nsub;
		for (u32 i = 0; i < n; i++)
			if (lane[i] == k)
				t->sub[t->nsub++] = found[i];
		l->n = l->total = t->nsub - l->first;
	}
	mem_drop(lane);
}

static bool pages(struct trace *t)
{
	struct sub *found = mem_get((t->size / 4096 + 1) * sizeof(*found));
	u32 most = 0, page = 0, word = 0;
	bool big = false;

	/* twice: find out which word size, order and page size gives most; then take those */
	for (int take = 0; take < 2; take++) {
		for (t->page = 4096; t->page <= 65536; t->page *= 4) {
			for (int kind = 0; kind < 4; kind++) {
				u32 n = 0;

				t->word = kind & 1 ? 4 : 8;
				set_order(t, kind & 2);
				if (take && (t->word != word || t->big != big || t->page != page))
					continue;
				t->layout = FTIMAGE_RING_B;
				ring_reads(t);
				for (u64 at = 0; at + t->page <= t->size; at += t->page)
					n += plausible(t, at, &found[n]);
				if (take) {
					t->sub = mem_get((n + 1) * sizeof(*t->sub));
					t->no_cpu = true;
					into_lanes(t, found, n);
					mem_drop(found);
					return true;
				}
				if (n > most) {
					most = n;
					page = t->page;
					word = t->word;
					big = t->big;
				}
			}
		}
		if (!most)
			break;
	}
	mem_drop(found);
	return false;
}

/* salvage_open - fill t with what can be had; false when nothing looks like a record */
bool salvage_open(struct trace *t)
{
	t->nlane = t->nsub = t->nmod = t->ngap = t->header_bit = 0;
	t->text_addr = t->anchor2_addr = 0;
	t->anchor[0] = t->anchor2[0] = 0;
	t->truncated = t->damaged_modules = false;
	t->salvaged = t->damaged = true;
	if (recorder_salvage(t))
		return true;
	t->clock = "";
	return ring_salvage(t) || pages(t);
}
