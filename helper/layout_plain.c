// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout_plain.c - bare arrays, as people patch them into a kernel by hand
 *
 * Nothing in the region says what it is: the user does (--plain). The order is
 * a word of letters, what comes first in the region first:
 *	i  ip[N]         p  parent_ip[N]      r  { ip, parent_ip }[N]
 *	x  the index, 32 bits                 X  the index, a word
 * The index says where the next record goes, counted modulo N. A record with
 * ip 0 was never written.
 */
#include "tracemem.h"

/* Offsets of the parts; the step is that from one ip to the next. */
struct plain {
	u64 ip, parent, index, size;
	u32 step, index_size;
	bool has_parent;
};

static bool arrange(const struct hints *h, struct plain *p)
{
	u64 array = (u64)h->plain_n * h->plain_word;
	bool ip = false, index = false;

	memset(p, 0, sizeof(*p));
	p->step = h->plain_word;
	for (const char *s = h->plain_order; *s; s++) {
		switch (*s) {
		case 'r':
			if (ip || p->has_parent)
				return false;
			p->parent = p->size + h->plain_word;
			p->step = 2 * h->plain_word;
			ip = p->has_parent = true;
			p->ip = p->size;
			p->size += 2 * array;
			break;
		case 'i':
			if (ip)
				return false;
			ip = true;
			p->ip = p->size;
			p->size += array;
			break;
		case 'p':
			if (p->has_parent)
				return false;
			p->has_parent = true;
			p->parent = p->size;
			p->size += array;
			break;
		case 'x': case 'X':
			if (index)
				return false;
			index = true;
			p->index_size = *s == 'x' ? 4 : h->plain_word;
			p->index = p->size;
			p->size += p->index_size;
			break;
		default:
			return false;
		}
	}
	return ip && index;
}

static bool plain_next(const struct trace *t, struct lane *l, struct rec *r)
{
	struct plain p;

	if (!arrange(&t->hint, &p))
		return false;
	while (l->i < l->n) {
		u32 slot = (u32)(((u64)l->at + l->i++) % l->n);

		r->ip = get_long(t, t->base + p.ip + (u64)slot * p.step);
		if (!r->ip)
			continue;
		memset((char *)r + sizeof(r->time), 0, sizeof(*r) - sizeof(r->time));
		r->ip = get_long(t, t->base + p.ip + (u64)slot * p.step);
		if (p.has_parent)
			r->parent = get_long(t, t->base + p.parent + (u64)slot * p.step);
		r->time = l->seq++;
		r->pid = -1;
		r->depth = -1;
		r->kind = K_FUNCTION;
		return true;
	}
	return false;
}

static void plain_info(const struct trace *t, struct out *o)
{
	out_key(o, "arrangement", t->hint.plain_order);
	out_key_u64(o, "entries", t->slots);
	out_key_u64(o, "next-entry", t->lane[0].at);
}

/* plain_open - as the hints say; the end when the region is too small for it */
void plain_open(struct trace *t)
{
	struct plain p;
	u64 index;

	if ((t->hint.plain_word != 4 && t->hint.plain_word != 8) || !arrange(&t->hint, &p))
		die(EX_USE, "--plain N,WORD,ENDIAN,ORDER: ORDER has one i or r, one x or X, perhaps a p", NULL);
	if (p.size > t->size)
		die(EX_FAIL, "plain: ", dec(t->hint.plain_n), " entries need ", dec(p.size),
		    " bytes, there are ", dec(t->size), NULL);
	t->word = t->hint.plain_word;
	set_order(t, t->hint.plain_big);
	t->slots = t->hint.plain_n;
	t->next = plain_next;
	t->info = plain_info;
	index = p.index_size == 8 ? get64(t, t->base + p.index) : get32(t, t->base + p.index);
	t->lane = mem_get(sizeof(*t->lane));
	t->nlane = 1;
	t->lane[0].n = t->slots;
	t->lane[0].at = (u32)(index % t->slots);
}
