// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - find out what a region holds and open it
 */
#define LOADS_HERE
#include "tracemem.h"

/* set_order - the region is in this byte order from now on */
void set_order(struct trace *t, bool big)
{
	t->big = big;
	t->swap = big != host_is_big();
}

/* layout_name - the word info prints for a layout */
const char *layout_name(u32 layout)
{
	switch (layout) {
	case FTIMAGE_RING_A: return "ring-a";
	case FTIMAGE_RING_B: return "ring-b";
	case FTIMAGE_PSTORE: return "pstore";
	case FTIMAGE_RECORDER: return "recorder";
	case FTIMAGE_PLAIN: return "plain";
	default: return "unknown";
	}
}

static bool probe(const u8 *base, size_t size, struct trace *t)
{
	return ring_probe(base, size, t) || recorder_probe(base, size, t) ||
	       pstore_probe(base, size, t);
}

/* trace_probe - which layout (FTIMAGE_UNKNOWN if none), and its word size (0 unknown) and order */
u32 trace_probe(const u8 *base, size_t size, u32 *word, bool *big)
{
	struct trace t;

	memset(&t, 0, sizeof(t));
	if (!probe(base, size, &t))
		return FTIMAGE_UNKNOWN;
	*word = t.word;
	*big = t.big;
	return t.layout;
}

static bool all_zero(const u8 *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

static void number_cpus(struct trace *t)
{
	for (u32 i = 0; i < t->nlane; i++)
		if ((t->no_cpu || !t->lane[i].mixed) && t->lane[i].cpu >= t->ncpu)
			t->ncpu = t->lane[i].cpu + 1;
}

/* Say the state of what cannot be opened. */
static void tell_state(struct out *o, const char *state)
{
	if (!o)
		return;
	out_key(o, "state", state);
	out_flush(o);
}

/* There are bytes, but nobody knows what they are: how many records could be had all the same, and the end. */
static void NORETURN unreadable(struct trace *t, const char *why, struct out *tell)
{
	struct filter f;
	struct totals all, kept;

	tell_state(tell, "unreadable");
	if (tell) {
		memset(&f, 0, sizeof(f));
		memset(&all, 0, sizeof(all));
		if (salvage_open(t)) {
			number_cpus(t);
			scan(t, &f, &all, &kept);
		}
		out_key_u64(tell, "salvage", all.n);
		out_flush(tell);
	}
	die(EX_FAIL, why, NULL);
}

/*
 * trace_open - fill t for reading the region's bytes, which must stay where
 * they are. Ends when the layout is none we know (EX_FAIL; EX_NODATA for a
 * region of zeros), after saying the state of it to tell, if not NULL. h may
 * give what the bytes do not say, NULL for nothing.
 */
void trace_open(struct trace *t, const u8 *base, size_t size, const struct hints *h, struct out *tell)
{
	const char *why = NULL;

	memset(t, 0, sizeof(*t));
	if (h)
		t->hint = *h;
	t->base = base;
	t->size = size;
	t->clock = "";
	if (size > MAX_REGION)
		die(EX_FAIL, "region of more than ", dec(MAX_REGION), " bytes", NULL);
	if (t->hint.plain_n) {
		t->layout = FTIMAGE_PLAIN;
		plain_open(t);
	} else if (!probe(base, size, t)) {
		if (all_zero(base, size)) {
			tell_state(tell, "empty");
			die(EX_NODATA, "the region is all zeros: never written, or cleared at boot", NULL);
		}
		why = "no known layout: no ring buffer, recorder or ramoops header there";
	} else if (t->layout == FTIMAGE_RECORDER) {
		why = recorder_open(t);
	} else if (t->layout == FTIMAGE_PSTORE) {
		pstore_open(t);
	} else {
		why = ring_open(t);
	}
	if (why && !(t->hint.salvage && salvage_open(t)))
		unreadable(t, why, tell);
	number_cpus(t);
}

/* trace_rewind - set the cursors of all lanes to their oldest record */
void trace_rewind(struct trace *t)
{
	for (u32 i = 0; i < t->nlane; i++) {
		struct lane *l = &t->lane[i];

		l->i = 0;
		l->p = l->end = NULL;
		l->time = l->seq = l->bad = 0;
	}
}
