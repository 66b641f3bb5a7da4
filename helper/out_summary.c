// SPDX-License-Identifier: GPL-2.0-only
/*
 * out_summary.c - key value lines: what there is, and who ran last
 */
#include "tracemem.h"

#define WINDOWS 3

static void times(struct out *o, const struct trace *t, u64 first, u64 last)
{
	out_str(o, " first ");
	out_time(o, t, first);
	out_str(o, " last ");
	out_time(o, t, last);
}

/* summary_write - totals of the view */
void summary_write(struct view *v)
{
	const struct totals *k = &v->kept;
	struct out *o = v->o;
	const struct trace *t = v->t;
	u64 discarded = 0, missed = 0, stale = 0, partial = 0, cpus = 0, shown = 0;

	for (u32 i = 0; i < t->nlane; i++) {
		discarded += t->lane[i].discarded;
		missed += t->lane[i].missed;
		stale += t->lane[i].stale;
		partial += t->lane[i].partial;
	}
	for (u32 i = 0; i < t->ncpu; i++) {
		cpus += k->cpu[i].n != 0;
		shown += k->cpu[i].n - k->cpu[i].skip;
	}
	out_key_u64(o, "records", shown);
	out_key_u64(o, "cpus-with-records", cpus);
	if (k->n) {
		out_str(o, "first ");
		out_time(o, t, k->first);
		out_str(o, "\nlast ");
		out_time(o, t, k->last);
		out_str(o, "\ncovered ");
		out_time(o, t, k->last - k->first);
		out_chr(o, '\n');
	}
	for (u32 i = 0; i < t->ncpu; i++) {
		const struct cpu_stat *c = &k->cpu[i];

		if (!c->n || t->no_cpu)
			continue;
		out_str(o, "cpu ");
		out_u64(o, i);
		out_str(o, " records ");
		out_u64(o, c->n - c->skip);
		times(o, t, c->first, c->last);
		out_chr(o, '\n');
	}
	for (u32 i = 0; i < K_COUNT; i++) {
		if (!k->kinds[i])
			continue;
		out_str(o, "kind ");
		out_str(o, kind_name[i]);
		out_chr(o, ' ');
		out_u64(o, k->kinds[i]);
		out_chr(o, '\n');
	}
	out_key_u64(o, "discarded-sub-buffers", discarded);
	out_key_u64(o, "damaged-sub-buffers", k->bad + partial);
	out_key_u64(o, "missed", missed);
	out_key_u64(o, "torn-or-stale", stale);
	if (symbols_there()) {
		out_key(o, "names", symbols_state());
		out_key_hex(o, "names-moved-by", symbols_delta());
	}
}

/*
 * Counting who ran: open addressing by the function's id or, without a name,
 * its address. Fixed in size: what finds no room is counted as "others".
 */
#define WHO_SLOTS 8192u

struct who {
	u64 key;		/* 0 = free */
	u64 addr, time;		/* one of its records, to find the name again */
	u32 n[WINDOWS];
};

struct counting {
	struct view *v;
	u64 width[WINDOWS];	/* ns before the last record; records if there is no clock */
	u64 left;		/* records still to come */
	struct who *func, *mod;
	u32 others[WINDOWS];
};

static struct who *slot_of(struct who *table, u64 key)
{
	u32 at = (u32)(key * 0x9e3779b97f4a7c15ull >> 51);

	for (u32 i = 0; i < WHO_SLOTS; i++) {
		struct who *w = &table[(at + i) % WHO_SLOTS];

		if (!w->key || w->key == key)
			return w;
	}
	return NULL;
}

static void add(struct counting *c, struct who *table, u64 key, const struct rec *r, const bool *in)
{
	struct who *w = slot_of(table, key);

	if (w && !w->key) {
		w->key = key;
		w->addr = r->ip;
		w->time = r->time;
	}
	for (int i = 0; i < WINDOWS; i++) {
		if (in[i] && w)
			w->n[i]++;
		else if (in[i] && table == c->func)
			c->others[i]++;
	}
}

/* What a name counts for among the modules: an address of which nothing is known may be of any. */
static const char *module_text(const struct named *n)
{
	return n->mod ? n->mod : n->name ? "kernel" : "unknown";
}

/* A key for a module: its name's bytes mixed. */
static u64 mod_key(const char *name)
{
	u64 h = 0xcbf29ce484222325ull;

	for (; *name; name++)
		h = (h ^ (u8)*name) * 0x100000001b3ull;
	return h | 1;
}

static void who_rec(void *ctx, const struct rec *r)
{
	struct counting *c = ctx;
	const struct named *n;
	bool in[WINDOWS], any = false;
	u64 back = c->v->t->timed ? c->v->kept.last - r->time : --c->left;

	if (r->kind != K_FUNCTION && r->kind != K_GRAPH_ENTRY)
		return;
	for (int i = 0; i < WINDOWS; i++)
		any |= in[i] = c->v->t->timed ? back <= c->width[i] : back < c->width[i];
	if (!any)
		return;
	n = resolve_entry(r->ip, r->time);
	add(c, c->func, n->name ? n->id : r->ip | 1ull << 63, r, in);
	add(c, c->mod, mod_key(module_text(n)), r, in);
}

static int sort_window;

static int by_count(const void *a, const void *b)
{
	const struct who *x = a, *y = b;
	u32 m = x->n[sort_window], n = y->n[sort_window];

	if (m != n)
		return m > n ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* The used slots to the front; how many. Nothing can be looked up any more. */
static u32 pack(struct who *table)
{
	u32 n = 0;

	for (u32 i = 0; i < WHO_SLOTS; i++)
		if (table[i].key)
			table[n++] = table[i];
	return n;
}

static void rank(struct counting *c, struct who *table, u32 used, int w, const char *what, u32 top)
{
	struct out *o = c->v->o;
	const struct named *n;

	sort_window = w;
	sort(table, used, sizeof(*table), by_count);
	for (u32 i = 0; i < top && i < used && table[i].n[w]; i++) {
		out_str(o, what);
		out_chr(o, ' ');
		if (c->v->t->timed) {
			out_u64(o, c->width[w] / 1000000);
			out_str(o, "ms ");
		} else {
			out_u64(o, c->width[w]);
			out_str(o, "records ");
		}
		out_u64(o, table[i].n[w]);
		out_chr(o, ' ');
		if (table == c->func) {
			out_name(o, table[i].addr, table[i].time, false);
		} else {
			n = resolve_entry(table[i].addr, table[i].time);
			out_word(o, module_text(n), strlen(module_text(n)));
		}
		out_chr(o, '\n');
	}
}

/*
 * who_write - lines "who-function WINDOW COUNT NAME" and "who-module ...": the
 * `top` most frequent of the last 1, 10 and 100 ms (without a clock: of the
 * last 100, 1000, 10000 records)
 */
void who_write(struct view *v, u32 top)
{
	struct filter f = *v->f;
	struct counting c;
	u32 funcs, modules;

	memset(&c, 0, sizeof(c));
	c.v = v;
	for (u32 i = 0, ms = 1; i < WINDOWS; i++, ms *= 10)
		c.width[i] = v->t->timed ? ms * 1000000ull : ms * 100;
	for (u32 i = 0; i < v->t->ncpu; i++)
		c.left += v->kept.cpu[i].n - v->kept.cpu[i].skip;
	c.func = mem_get(WHO_SLOTS * sizeof(*c.func));
	c.mod = mem_get(WHO_SLOTS * sizeof(*c.mod));
	/* what is older than the longest window need not even be read */
	if (v->t->timed && !f.last && !f.since)
		f.since = c.width[WINDOWS - 1];
	walk(v->t, &f, &v->all, &v->kept, -1, who_rec, &c);
	funcs = pack(c.func);
	modules = pack(c.mod);
	for (int w = 0; w < WINDOWS; w++) {
		rank(&c, c.func, funcs, w, "who-function", top);
		rank(&c, c.mod, modules, w, "who-module", top);
		if (c.others[w])
			out_key_u64(v->o, "who-others", c.others[w]);
	}
	mem_drop(c.func);
	mem_drop(c.mod);
}
