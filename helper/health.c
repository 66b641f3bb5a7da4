// SPDX-License-Identifier: GPL-2.0-only
/*
 * health.c - what of a region can be read, and what is missing: lines of info
 * whose words do not change
 */
#include "tracemem.h"

#define GAP_LINES 16u		/* for a CPU; with more of them one line says from where to where */

/* gap_add - n sub-buffers or records of a CPU are missing between two times */
void gap_add(struct trace *t, u32 cpu, u64 from, u64 to, u64 n)
{
	struct gap *g;

	if (t->ngap == t->gap_room) {
		t->gap_room = t->gap_room ? 2 * t->gap_room : 64;
		t->gap = mem_grow(t->gap, t->gap_room * sizeof(*t->gap));
	}
	g = &t->gap[t->ngap++];
	g->from = from;
	g->to = to;
	g->cpu = cpu;
	g->n = (u32)n;
}

static void gap_line(struct out *o, const struct trace *t, const struct gap *g)
{
	out_str(o, "gap ");
	out_u64(o, g->cpu);
	out_chr(o, ' ');
	if (g->from)
		out_time(o, t, g->from);
	else
		out_chr(o, '-');
	out_chr(o, ' ');
	if (g->to != UINT64_MAX)
		out_time(o, t, g->to);
	else
		out_chr(o, '-');
	out_chr(o, ' ');
	out_u64(o, g->n);
	out_chr(o, '\n');
}

static void gaps_of(struct out *o, const struct trace *t, u32 cpu)
{
	struct gap all;
	u32 n = 0;

	memset(&all, 0, sizeof(all));
	for (u32 i = 0; i < t->ngap; i++) {
		const struct gap *g = &t->gap[i];

		if (g->cpu != cpu)
			continue;
		if (!n || g->from < all.from)
			all.from = g->from;
		if (!n || g->to > all.to)
			all.to = g->to;
		all.n += g->n;
		n++;
	}
	all.cpu = cpu;
	if (n > GAP_LINES)
		gap_line(o, t, &all);
	for (u32 i = 0; n <= GAP_LINES && i < t->ngap; i++)
		if (t->gap[i].cpu == cpu)
			gap_line(o, t, &t->gap[i]);
}

static void cpu_line(struct out *o, const struct lane *l)
{
	static const char *const why[] = { "header", "zeroed", "truncated", "commit", "events", "order",
		"rejected", "checksum", "stale", "blank", "ecc", "cleared" };
	bool bad = l->why & ~(u32)WHY_CLEARED;
	char between = ' ';

	out_str(o, "cpu-state ");
	out_u64(o, l->cpu);
	out_str(o, l->any ? (bad ? " damaged" : " good") : bad ? " none" : " empty");
	out_str(o, " last ");
	out_str(o, !l->any ? "unknown" : l->last_sure ? "certain" : "uncertain");
	out_str(o, " unreadable ");
	out_u64(o, l->unreadable);
	out_str(o, " of ");
	out_u64(o, l->total);
	for (u32 i = 0; i < sizeof(why) / sizeof(why[0]); i++) {
		if (!(l->why >> i & 1))
			continue;
		if (between == ' ')
			out_str(o, " why");
		out_chr(o, between);
		out_str(o, why[i]);
		between = ',';
	}
	out_chr(o, '\n');
}

/* health_good - can all of it be read? */
bool health_good(const struct trace *t)
{
	if (t->truncated || t->damaged || t->damaged_modules || t->header_bit || t->uncorrectable)
		return false;
	for (u32 i = 0; i < t->nlane; i++)
		if (t->lane[i].why & ~(u32)WHY_CLEARED)
			return false;
	return true;
}

/* health_write - the lines state, damage, cpu-state, gap, readable, lost-known; image_bad: its checksum is wrong */
void health_write(struct out *o, const struct trace *t, bool image_bad)
{
	bool ring = t->layout == FTIMAGE_RING_A || t->layout == FTIMAGE_RING_B, good = health_good(t) && !image_bad;
	u64 item = ring ? t->page : t->record, total = 0, lost = 0;

	out_key(o, "state", t->salvaged ? "unreadable" : good ? "good" : "damaged");
	if (t->header_bit)
		out_key_u64(o, "damage header-bit", t->header_bit - 1);
	else if (t->damaged)
		out_key(o, "damage", "header");
	if (t->truncated)
		out_key(o, "damage", "truncated");
	if (t->damaged_modules)
		out_key(o, "damage", "modules");
	if (image_bad)
		out_key(o, "damage", "checksum");
	for (u32 i = 0; i < t->nlane; i++) {
		const struct lane *l = &t->lane[i];

		total += l->total * item;
		lost += l->unreadable * item;
		if (l->mixed || t->layout == FTIMAGE_PLAIN)
			continue;
		cpu_line(o, l);
		gaps_of(o, t, l->cpu);
	}
	if (t->layout == FTIMAGE_PSTORE)
		lost = t->uncorrectable * 128 < total ? t->uncorrectable * 128 : total;
	out_str(o, "readable ");
	out_u64(o, total - lost);
	out_str(o, " of ");
	out_u64(o, total);
	out_str(o, "\nlost-known ");
	out_str(o, good && (ring || t->layout == FTIMAGE_RECORDER) ? "yes\n" : "no\n");
}
