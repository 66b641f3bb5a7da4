// SPDX-License-Identifier: GPL-2.0-only
/*
 * out_text.c - records as lines: fields for other programs, or the look of the
 * kernel's own function tracer
 *
 *	time cpu pid flags kind ip parent_ip [more]
 *
 * Fields are set apart by one space and hold none. Time is in seconds, or a
 * count where the recorder had no clock. "-" stands for what was not recorded.
 * A name is function, function[module], with +0xOFFSET where it is a return
 * address; without symbols it is 0xADDRESS.
 */
#include "tracemem.h"

#define NS 1000000000u

const char *const kind_name[K_COUNT] = {
	"function", "graph_entry", "graph_exit", "stack", "user_stack",
	"print", "bprint", "repeats", "event"
};

/* out_time - seconds with nine digits behind the point, or the count */
void out_time(struct out *o, const struct trace *t, u64 time)
{
	out_u64(o, t->timed ? time / NS : time);
	if (t->timed) {
		out_chr(o, '.');
		out_frac(o, time % NS, 9);
	}
}

static char need_resched(u8 f)
{
	/* need-resched, preempt-resched, and (6.13 up) lazy; index is those three bits */
	static const char letter[] = ".lnbpLNB";

	return letter[(f & 0x02 ? 1 : 0) | (f & 0x04 ? 2 : 0) | (f & 0x20 ? 4 : 0)];
}

/*
 * out_flags - the five characters of the tracer's latency format: interrupts
 * off, need-resched, context, preempt depth, migrate-disable depth
 */
void out_flags(struct out *o, const struct trace *t, const struct rec *r)
{
	u8 f = r->flags;
	char c[5];

	c[0] = f & 0x01 ? (f & 0x80 ? 'D' : 'd') : f & 0x80 ? 'b' : '.';
	/* up to 6.12 the second bit said that the machine cannot tell */
	if (!t->shifted && f & 0x02) {
		c[0] = 'X';
		f &= (u8)~0x02;
	}
	c[1] = need_resched(f);
	if (f & 0x40)
		c[2] = f & 0x08 ? 'Z' : 'z';
	else if (f & 0x08)
		c[2] = f & 0x10 ? 'H' : 'h';
	else
		c[2] = f & 0x10 ? 's' : '.';
	c[3] = r->preempt & 15 ? "0123456789abcdef"[r->preempt & 15] : '.';
	c[4] = r->preempt >> 4 ? "0123456789abcdef"[r->preempt >> 4] : '.';
	out_bytes(o, c, sizeof(c));
}

/* out_name_by - an address as text, its names through the function given */
void out_name_by(struct out *o, u64 addr, u64 time, bool with_off,
		 void (*text)(struct out *o, const void *text, size_t len))
{
	/* without an offset it is where a function called the tracer */
	const struct named *n = with_off ? resolve(addr, time) : resolve_entry(addr, time);

	if (n->name)
		text(o, n->name, n->len);
	else if (n->mod)
		out_chr(o, '?');
	if (n->name ? with_off : n->mod != NULL) {
		out_bytes(o, "+0x", 3);
		out_hex(o, n->off, 1);
	}
	if (n->mod) {
		out_chr(o, '[');
		text(o, n->mod, strlen(n->mod));
		out_chr(o, ']');
	} else if (!n->name) {
		out_bytes(o, "0x", 2);
		out_hex(o, addr, 1);
	}
}

/* out_name - an address as text */
void out_name(struct out *o, u64 addr, u64 time, bool with_off)
{
	out_name_by(o, addr, time, with_off, out_word);
}

/* A process's name has blanks at times: they become underscores. */
static void out_comm(struct out *o, const char *comm, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (comm[i] == ' ')
			out_chr(o, '_');
		else
			out_word(o, comm + i, 1);
	}
}

static void out_pid(struct out *o, const struct rec *r)
{
	size_t len;
	const char *comm;

	if (!r->context) {
		out_chr(o, '-');
		return;
	}
	comm = cmdlines_text(&len) ? cmdline_of(r->pid, &len) : NULL;
	if (comm) {
		out_comm(o, comm, len);
		out_chr(o, '-');
	}
	out_s64(o, r->pid);
}

static void out_addresses(struct out *o, const struct trace *t, const struct rec *r, const char *between)
{
	for (u32 at = 0; at + t->word <= r->more_len; at += t->word) {
		u64 addr = get_long(t, r->more + at);

		/* the kernel fills up with zeros, or marks the end with all ones */
		if (!addr || addr == (t->word == 8 ? UINT64_MAX : UINT32_MAX))
			break;
		out_str(o, between);
		if (r->kind == K_USER_STACK) {
			out_str(o, "0x");
			out_hex(o, addr, 1);
		} else {
			out_name(o, addr, r->time, true);
		}
	}
}

static void out_number(struct out *o, const char *key, u64 value)
{
	out_str(o, key);
	out_u64(o, value);
}

/* What comes behind the two addresses. */
static void out_more(struct out *o, const struct trace *t, const struct rec *r)
{
	switch (r->kind) {
	case K_FUNCTION:
	case K_GRAPH_ENTRY:
		if (r->kind == K_GRAPH_ENTRY)
			out_number(o, " depth=", (u64)(u32)r->depth);
		for (u32 at = 0; at + t->word <= r->more_len; at += t->word) {
			out_str(o, at ? ",0x" : " args=0x");
			out_hex(o, get_long(t, r->more + at), 1);
		}
		break;
	case K_GRAPH_EXIT:
		out_number(o, " depth=", (u64)(u32)r->depth);
		out_number(o, " ns=", r->ret - r->call);
		if (r->count)
			out_number(o, " overrun=", r->count);
		break;
	case K_STACK:
	case K_USER_STACK:
		out_addresses(o, t, r, " ");
		break;
	case K_PRINT:
		out_chr(o, ' ');
		out_safe(o, r->more, r->more_len);
		break;
	case K_REPEATS:
		out_number(o, " count=", r->count);
		out_number(o, " last=-", r->ret);
		break;
	case K_BPRINT:
		out_str(o, " format=0x");
		out_hex(o, get_long(t, r->more), 1);
		break;
	default:
		out_number(o, " id=", r->id);
		out_str(o, " data=");
		for (u32 i = 0; i < r->more_len && i < 64; i++)
			out_hex(o, r->more[i], 2);
		break;
	}
}

/* The two hot pieces, straight into the buffer: a record costs little more than its characters. */
static u8 *fast_u32(u8 *p, u32 v)
{
	u8 text[10];
	int n = 0;

	do
		text[n++] = (u8)('0' + v % 10);
	while (v /= 10);
	while (n)
		*p++ = text[--n];
	return p;
}

static u8 *fast_time(u8 *p, u64 time)
{
	u32 frac = (u32)(time % NS);

	p = fast_u32(p, (u32)(time / NS));
	*p++ = '.';
	for (int i = 8; i >= 0; i--, frac /= 10)
		p[i] = (u8)('0' + frac % 10);
	return p + 9;
}

/* Up to and with the blank behind the CPU. */
static void out_start(struct out *o, const struct trace *t, const struct rec *r)
{
	u8 *p;

	if (!t->timed || r->time / NS > UINT32_MAX) {
		out_time(o, t, r->time);
		p = out_room(o, 32);
	} else {
		p = fast_time(out_room(o, 64), r->time);
	}
	*p++ = ' ';
	if (t->no_cpu)
		*p++ = '?';
	else
		p = fast_u32(p, r->cpu);
	*p++ = ' ';
	out_done(o, p);
}

/* The end of a line, with what may be wrong in it. */
static void out_end(struct out *o, const struct trace *t)
{
	if (symbols_unsure())
		out_str(o, " unsure-names");
	out_str(o, t->salvaged ? " salvaged\n" : "\n");
}

static void text_rec(void *ctx, const struct rec *r)
{
	struct view *v = ctx;
	struct out *o = v->o;

	out_start(o, v->t, r);
	out_pid(o, r);
	out_chr(o, ' ');
	if (r->context)
		out_flags(o, v->t, r);
	else
		out_chr(o, '-');
	out_chr(o, ' ');
	out_str(o, kind_name[r->kind]);
	out_chr(o, ' ');
	if (r->ip)
		out_name(o, r->ip, r->time, r->kind == K_PRINT || r->kind == K_BPRINT);
	else
		out_chr(o, '-');
	out_chr(o, ' ');
	if (r->parent)
		out_name(o, r->parent, r->time, true);
	else
		out_chr(o, '-');
	if (r->kind != K_FUNCTION || r->more_len)
		out_more(o, v->t, r);
	out_end(o, v->t);
}

/* name or name [module], as the kernel prints it */
static void look_name(struct out *o, u64 addr, u64 time, bool entry)
{
	const struct named *n;

	n = entry ? resolve_entry(addr, time) : resolve(addr, time);
	if (n->name) {
		out_word(o, n->name, n->len);
		if (n->mod) {
			out_str(o, " [");
			out_word(o, n->mod, strlen(n->mod));
			out_chr(o, ']');
		}
	} else {
		out_name(o, addr, time, !entry);
	}
}

static void look_task(struct out *o, const struct trace *t, const struct rec *r)
{
	size_t len = 5;
	const char *comm = r->context ? cmdline_of(r->pid, &len) : NULL;

	if (!comm)
		comm = "<...>";
	out_right(o, "", 0, len < 16 ? 16 - len : 0);
	out_safe(o, (const u8 *)comm, len);
	out_chr(o, '-');
	if (r->context) {
		const char *pid = dec((u64)(u32)r->pid);

		out_str(o, pid);
		out_right(o, "", 0, strlen(pid) < 7 ? 7 - strlen(pid) : 0);
	} else {
		out_str(o, "-      ");
	}
	out_str(o, " [");
	if (t->no_cpu)
		out_str(o, "???");
	else
		out_padded(o, r->cpu, 3);
	out_str(o, "] ");
}

static void look_rec(void *ctx, const struct rec *r)
{
	struct view *v = ctx;
	struct out *o = v->o;
	/* microseconds, rounded as the kernel and trace-cmd do */
	u64 at = v->t->timed ? (r->time + 500) / 1000 : r->time;
	const char *sec = dec(v->t->timed ? at / 1000000 : at);

	look_task(o, v->t, r);
	if (r->context)
		out_flags(o, v->t, r);
	else
		out_str(o, ".....");
	/* Room for a count of calls, which has no fraction. */
	out_right(o, sec, strlen(sec), v->t->timed ? 6 : 13);
	if (v->t->timed) {
		out_chr(o, '.');
		out_frac(o, at % 1000000, 6);
	}
	out_str(o, ": ");
	if (r->kind == K_PRINT) {
		if (r->ip)
			look_name(o, r->ip, r->time, false);
		out_str(o, ": ");
		out_safe(o, r->more, r->more_len);
	} else if (r->kind == K_STACK || r->kind == K_USER_STACK) {
		out_str(o, r->kind == K_STACK ? "<stack trace>" : "<user stack trace>");
		out_addresses(o, v->t, r, "\n => ");
	} else {
		if (r->kind != K_FUNCTION) {
			out_str(o, kind_name[r->kind]);
			out_str(o, ": ");
		}
		if (r->ip)
			look_name(o, r->ip, r->time, true);
		if (r->parent) {
			out_str(o, " <-");
			look_name(o, r->parent, r->time, false);
		}
		out_more(o, v->t, r);
	}
	out_end(o, v->t);
}

/* text_write - all records of the view, one a line; in the look of the kernel's tracer if asked for */
void text_write(struct view *v, bool tracer_look)
{
	walk(v->t, v->f, &v->all, &v->kept, -1, tracer_look ? look_rec : text_rec, v);
}
