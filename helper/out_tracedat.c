// SPDX-License-Identifier: GPL-2.0-only
/*
 * out_tracedat.c - a trace.dat file, version 6, for trace-cmd and KernelShark
 *
 * Sub-buffers of a ring are copied as they are (cut behind the last event that
 * can be read); what comes from other layouts, or through a filter, is put
 * into sub-buffers made here. All numbers are in the traced machine's order.
 * The kallsyms in the file has the addresses of the traced boot.
 */
#include "tracemem.h"

#define SUB_HEAD	16u		/* of sub-buffers made here: room for both word sizes */

struct dat {
	struct view *v;
	struct out *o;		/* where to, or &nowhere to measure */
	bool raw;
	u32 page, ncpu;
	u64 *bytes;		/* of each CPU */
	/* the sub-buffer being made */
	u8 *buf;
	u32 used;
	u64 time, pages;
	bool dry;
};

static struct out nowhere;	/* only its total is of use */

static void put(struct dat *d, u64 value, unsigned int size)
{
	u8 b[8];

	for (unsigned int i = 0; i < size; i++)
		b[d->v->t->big ? size - 1 - i : i] = (u8)(value >> 8 * i);
	out_bytes(d->o, b, size);
}

static void set(const struct dat *d, u8 *at, u64 value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		at[d->v->t->big ? size - 1 - i : i] = (u8)(value >> 8 * i);
}

/* What fn writes, with its length in front. */
static void sized(struct dat *d, unsigned int size_bytes, void (*fn)(struct dat *d, u32 arg), u32 arg)
{
	struct out *real = d->o;

	nowhere.fd = -1;
	nowhere.used = 0;
	nowhere.total = 0;
	d->o = &nowhere;
	fn(d, arg);
	d->o = real;
	put(d, nowhere.total, size_bytes);
	fn(d, arg);
}

static void field(struct dat *d, const char *what, u32 offset, u32 size, bool is_signed)
{
	out_str(d->o, "\tfield:");
	out_str(d->o, what);
	out_str(d->o, ";\toffset:");
	out_u64(d->o, offset);
	out_str(d->o, ";\tsize:");
	out_u64(d->o, size);
	out_str(d->o, is_signed ? ";\tsigned:1;\n" : ";\tsigned:0;\n");
}

static void header_page(struct dat *d, u32 unused)
{
	u32 w = d->v->t->word;

	(void)unused;
	field(d, " u64 timestamp", 0, 8, false);
	field(d, " local_t commit", 8, w, true);
	field(d, " int overwrite", 8, 1, true);
	field(d, " char data", 8 + w, d->page - 8 - w, false);
}

static void header_event(struct dat *d, u32 unused)
{
	(void)unused;
	out_str(d->o, "# compressed entry header\n"
		"\ttype_len    :    5 bits\n"
		"\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n\n"
		"\tpadding     : type == 29\n"
		"\ttime_extend : type == 30\n"
		"\ttime_stamp : type == 31\n"
		"\tdata max type_len  == 28\n");
}

/*
 * The formats of the kernel's own entries. The graph entry's depth is 4 or, in
 * 7.0 and up, 8 bytes, and the exit may hold the return value: as seen.
 */
static const u32 format_ids[] = { 1, 4, 5, 10, 11 };

static void common(struct dat *d, const char *name, u32 id)
{
	out_str(d->o, "name: ");
	out_str(d->o, name);
	out_str(d->o, "\nID: ");
	out_u64(d->o, id);
	out_str(d->o, "\nformat:\n");
	field(d, "unsigned short common_type", 0, 2, false);
	field(d, "unsigned char common_flags", 2, 1, false);
	field(d, "unsigned char common_preempt_count", 3, 1, false);
	field(d, "int common_pid", 4, 4, true);
	out_chr(d->o, '\n');
}

static void exit_fields(struct dat *d)
{
	u32 w = d->v->t->word, at = 8 + w;

	field(d, "unsigned long func", 8, w, false);
	if (d->v->all.exit_len >= 8 + 2 * w + 24) {
		field(d, "unsigned long retval", at, w, false);
		at += w;
	}
	field(d, "int depth", at, 4, true);
	field(d, "unsigned int overrun", at + 4, 4, false);
	field(d, "unsigned long long calltime", at + 8, 8, false);
	field(d, "unsigned long long rettime", at + 16, 8, false);
}

static void format(struct dat *d, u32 id)
{
	u32 w = d->v->t->word;

	switch (id) {
	case 1:
		common(d, "function", 1);
		field(d, "unsigned long ip", 8, w, false);
		field(d, "unsigned long parent_ip", 8 + w, w, false);
		out_str(d->o, "\nprint fmt: \" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip\n");
		break;
	case 4:
		common(d, "kernel_stack", 4);
		field(d, "int size", 8, 4, true);
		field(d, "unsigned long caller[]", 8 + w, 0, false);
		out_str(d->o, "\nprint fmt: \"\\t=> %ps\\n\", (void *)REC->caller[0]\n");
		break;
	case 5:
		common(d, "print", 5);
		field(d, "unsigned long ip", 8, w, false);
		field(d, "char buf[]", 8 + w, 0, false);
		out_str(d->o, "\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n");
		break;
	case 10:
		common(d, "funcgraph_exit", 10);
		exit_fields(d);
		out_str(d->o, "\nprint fmt: \"<-- %ps (%d)\", (void *)REC->func, REC->depth\n");
		break;
	default:
		common(d, "funcgraph_entry", 11);
		field(d, "unsigned long func", 8, w, false);
		if (d->v->all.entry_len >= 8 + 2 * w && w == 8)
			field(d, "unsigned long depth", 16, 8, false);
		else
			field(d, "int depth", 8 + w, 4, true);
		out_str(d->o, "\nprint fmt: \"--> %ps (%d)\", (void *)REC->func, REC->depth\n");
		break;
	}
}

static void kallsyms(struct dat *d, u32 unused)
{
	(void)unused;
	symbols_write(d->o, d->v->t->word);
}

static void cmdlines(struct dat *d, u32 unused)
{
	size_t len = 0;
	const char *text = cmdlines_text(&len);

	(void)unused;
	if (text)
		out_bytes(d->o, text, len);
}

/* --- sub-buffers made here ---------------------------------------------------------- */
static void sub_end(struct dat *d)
{
	u32 w = d->v->t->word;

	if (!d->used)
		return;
	d->pages++;
	if (!d->dry) {
		set(d, d->buf + 8, d->used - 8 - w, w);
		memset(d->buf + d->used, 0, d->page - d->used);
		out_bytes(d->o, d->buf, d->page);
	}
	d->used = 0;
}

/* An entry as the kernel would have written it for a function record; 8 + 2 words. */
static u32 make_entry(const struct dat *d, const struct rec *r, u8 *to)
{
	u32 w = d->v->t->word;

	set(d, to, 1, 2);
	to[2] = r->flags;
	to[3] = r->preempt;
	set(d, to + 4, r->pid < 0 ? 0 : (u32)r->pid, 4);
	set(d, to + 8, r->ip, w);
	set(d, to + 8 + w, r->parent, w);
	return 8 + 2 * w;
}

static void made_rec(void *ctx, const struct rec *r)
{
	struct dat *d = ctx;
	u8 entry[24];
	const u8 *data = r->raw;
	u32 len = r->raw_len, w = d->v->t->word, head;
	bool big = d->v->t->big;
	u64 step;

	if (!data) {
		len = make_entry(d, r, entry);
		data = entry;
	}
	head = len && len <= 112 ? 4 : 8;
	/* time runs back, or too far for the 27 bits of an event: a new sub-buffer has a time of its own */
	if (d->used && (r->time < d->time || r->time - d->time >= 1u << 27 ||
			d->used + head + len > d->page))
		sub_end(d);
	if (!d->used) {
		if (head + len > d->page - SUB_HEAD)
			return;		/* cannot be: it came out of a sub-buffer of this size */
		set(d, d->buf, r->time, 8);
		d->used = 8 + w;
		d->time = r->time;
	}
	step = r->time - d->time;
	d->time = r->time;
	if (head == 4) {
		u64 type = len / 4;

		set(d, d->buf + d->used, big ? type << 27 | step : step << 5 | type, 4);
	} else {
		set(d, d->buf + d->used, big ? step : step << 5, 4);
		set(d, d->buf + d->used + 4, len + 4, 4);
	}
	memcpy(d->buf + d->used + head, data, len);
	d->used += head + len;
}

static void made_cpu(struct dat *d, u32 cpu)
{
	d->used = 0;
	d->pages = 0;
	if (!d->v->kept.cpu[cpu].n)	/* a walk for each of 4096 CPUs would take its time */
		return;
	walk(d->v->t, d->v->f, &d->v->all, &d->v->kept, cpu, made_rec, d);
	sub_end(d);
}

/* --- sub-buffers as they are ----------------------------------------------------------- */
static void raw_cpu(struct dat *d, u32 cpu)
{
	const struct trace *t = d->v->t;
	const struct lane *l = &t->lane[cpu];

	d->pages = 0;
	for (u32 i = 0; i < l->n; i++) {
		const struct sub *s = &t->sub[l->first + i];
		u32 len = ring_valid(t, s);

		if (!len)
			continue;
		d->pages++;
		if (d->dry)
			continue;
		memcpy(d->buf, t->base + s->at, t->data_at + len);
		set(d, d->buf + 8, len, t->word);
		memset(d->buf + t->data_at + len, 0, d->page - t->data_at - len);
		out_bytes(d->o, d->buf, d->page);
	}
}

static void cpu_data(struct dat *d, u32 cpu, bool dry)
{
	d->dry = dry;
	if (d->raw)
		raw_cpu(d, cpu);
	else
		made_cpu(d, cpu);
	d->bytes[cpu] = d->pages * d->page;
}

static void clock_option(struct dat *d)
{
	const struct trace *t = d->v->t;
	const char *clock = !t->timed ? "counter" : t->clock[0] ? t->clock : "local";
	u32 len = (u32)strlen(clock);

	out_bytes(d->o, "options  ", 10);
	put(d, 4, 2);
	put(d, len + 3, 4);
	out_chr(d->o, '[');
	out_str(d->o, clock);
	out_str(d->o, "]");
	out_chr(d->o, 0);
	put(d, 0, 2);
}

static void head(struct dat *d)
{
	const struct trace *t = d->v->t;

	out_bytes(d->o, "\x17\x08\x44" "tracing6", 12);
	out_chr(d->o, (char)(t->big ? 1 : 0));
	out_chr(d->o, (char)t->word);
	put(d, d->page, 4);
	out_bytes(d->o, "header_page", 12);
	sized(d, 8, header_page, 0);
	out_bytes(d->o, "header_event", 13);
	sized(d, 8, header_event, 0);
	put(d, sizeof(format_ids) / sizeof(format_ids[0]), 4);
	for (size_t i = 0; i < sizeof(format_ids) / sizeof(format_ids[0]); i++)
		sized(d, 8, format, format_ids[i]);
	put(d, 0, 4);			/* event systems */
	sized(d, 4, kallsyms, 0);
	put(d, 0, 4);			/* printk formats */
	sized(d, 8, cmdlines, 0);
	put(d, d->ncpu, 4);
	clock_option(d);
	out_bytes(d->o, "flyrecord", 10);
}

static bool unfiltered(const struct filter *f)
{
	return !f->last && !f->since && !f->one_cpu;
}

/* tracedat_write - all records of the view */
void tracedat_write(struct view *v)
{
	struct dat d;
	u64 at;

	memset(&d, 0, sizeof(d));
	d.v = v;
	d.o = v->o;
	d.raw = v->t->page && unfiltered(v->f);
	d.page = v->t->page ? v->t->page : 4096;
	d.ncpu = v->t->ncpu;
	d.bytes = mem_get((d.ncpu + 1) * sizeof(*d.bytes));
	d.buf = mem_get(d.page);
	for (u32 i = 0; i < d.ncpu; i++)
		cpu_data(&d, i, true);
	head(&d);
	at = d.o->total + 16ull * d.ncpu;
	at = (at + d.page - 1) & ~((u64)d.page - 1);
	for (u32 i = 0; i < d.ncpu; i++) {
		put(&d, at, 8);
		put(&d, d.bytes[i], 8);
		at += d.bytes[i];
	}
	out_zero(d.o, -d.o->total & (d.page - 1));
	for (u32 i = 0; i < d.ncpu; i++)
		cpu_data(&d, i, false);
	mem_drop(d.buf);
	mem_drop(d.bytes);
}
