// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk.c - the records of all lanes in order of time; filters and totals
 *
 * Nothing is sorted or kept: the lanes are in order, so the next record is the
 * least of those the cursors are at (a binary heap of the lanes).
 */
#include "tracemem.h"

struct head {
	struct lane *lane;
	struct rec rec;
};

static bool before(const struct head *a, const struct head *b)
{
	if (a->rec.time != b->rec.time)
		return a->rec.time < b->rec.time;
	return a->lane < b->lane;
}

/* The top of the heap got greater: let it sink. */
static void sink(struct head **heap, u32 n, u32 at)
{
	struct head *h = heap[at];

	for (;;) {
		u32 child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && before(heap[child + 1], heap[child]))
			child++;
		if (!before(heap[child], h))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = h;
}

static bool in_window(const struct filter *f, const struct totals *all, const struct rec *r)
{
	if (f->one_cpu && r->cpu != f->cpu)
		return false;
	return !f->since || all->last - r->time <= f->since;
}

/*
 * Let the cursor begin behind the sub-buffers of which the filter wants
 * nothing: older than since, or all of it among the records to skip.
 */
static void skip_subs(const struct trace *t, struct lane *l, const struct filter *f, u64 newest, u64 *skip)
{
	const struct sub *s = t->sub ? t->sub + l->first : NULL;

	for (; s && l->i + 1 < l->n; l->i++, s++) {
		if (f->since ? newest - s[1].time <= f->since : s->n > *skip)
			break;
		if (!f->since)
			*skip -= s->n;
	}
}

static void count(struct totals *n, const struct rec *r)
{
	struct cpu_stat *c = &n->cpu[r->cpu];

	if (!n->n || r->time < n->first)
		n->first = r->time;
	if (r->time > n->last)
		n->last = r->time;
	if (!c->n || r->time < c->first)
		c->first = r->time;
	if (r->time > c->last)
		c->last = r->time;
	c->n++;
	n->n++;
	n->kinds[r->kind]++;
	if (r->kind == K_GRAPH_ENTRY)
		n->entry_len = r->raw_len;
	else if (r->kind == K_GRAPH_EXIT)
		n->exit_len = r->raw_len;
}

/* keep_last - leave only the last n records of each CPU to walk(); 0 leaves all */
void keep_last(const struct trace *t, u64 n, struct totals *kept)
{
	for (u32 i = 0; n && i < t->ncpu; i++)
		if (kept->cpu[i].n > n)
			kept->cpu[i].skip = kept->cpu[i].n - n;
}

/*
 * scan - count what is there (all) and what the filter leaves (kept). The
 * cpu tables are allocated here. Lanes one after the other: order is no matter.
 */
void scan(struct trace *t, const struct filter *f, struct totals *all, struct totals *kept)
{
	struct rec r;

	memset(all, 0, sizeof(*all));
	memset(kept, 0, sizeof(*kept));
	all->cpu = mem_get((t->ncpu + 1) * sizeof(*all->cpu));
	kept->cpu = mem_get((t->ncpu + 1) * sizeof(*kept->cpu));
	trace_rewind(t);
	for (u32 i = 0; i < t->nsub; i++)
		t->sub[i].n = 0;
	for (u32 i = 0; i < t->nlane; i++) {
		struct lane *l = &t->lane[i];

		while (t->next(t, l, &r)) {
			count(all, &r);
			if (t->sub)
				t->sub[l->first + l->i - 1].n++;
		}
		all->bad += l->bad;
	}
	if (!f->since && !f->one_cpu) {
		struct cpu_stat *c = kept->cpu;

		*kept = *all;
		kept->cpu = c;
		memcpy(c, all->cpu, t->ncpu * sizeof(*c));
	} else {
		trace_rewind(t);
		for (u32 i = 0; i < t->nlane; i++)
			while (t->next(t, &t->lane[i], &r))
				if (in_window(f, all, &r))
					count(kept, &r);
	}
	keep_last(t, f->last, kept);
	kept->bad = all->bad;
}

/*
 * walk - call fn for each record the filter leaves, in order of time; only
 * those of one CPU if only_cpu is not negative
 */
void walk(struct trace *t, const struct filter *f, const struct totals *all,
	  const struct totals *kept, s64 only_cpu, rec_fn fn, void *ctx)
{
	struct head *heads = mem_get((t->nlane + 1) * sizeof(*heads));
	struct head **heap = mem_get((t->nlane + 1) * sizeof(struct head *));
	u64 *skip = mem_get((t->ncpu + 1) * sizeof(*skip));
	u32 n = 0;

	for (u32 i = 0; i < t->ncpu; i++)
		skip[i] = kept->cpu[i].skip;
	trace_rewind(t);
	for (u32 i = 0; i < t->nlane; i++) {
		struct head *h = &heads[n];

		h->lane = &t->lane[i];
		if (only_cpu >= 0 && !h->lane->mixed && h->lane->cpu != only_cpu)
			continue;
		skip_subs(t, h->lane, f, all->last, &skip[h->lane->cpu]);
		if (t->next(t, h->lane, &h->rec))
			heap[n++] = h;
	}
	for (u32 i = n / 2; i-- > 0;)
		sink(heap, n, i);
	while (n) {
		struct rec *r = &heap[0]->rec;

		if ((only_cpu < 0 || r->cpu == only_cpu) && in_window(f, all, r)) {
			if (skip[r->cpu])
				skip[r->cpu]--;
			else
				fn(ctx, r);
		}
		if (!t->next(t, heap[0]->lane, r))
			heap[0] = heap[--n];
		if (n)
			sink(heap, n, 0);
	}
	mem_drop(skip);
	mem_drop(heap);
	mem_drop(heads);
}
