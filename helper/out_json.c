// SPDX-License-Identifier: GPL-2.0-only
/*
 * out_json.c - Chrome trace events, as Perfetto and chrome://tracing open them
 *
 * Functions are instants, graph entries and exits begin and end a slice; a
 * function that was still running when the machine stopped stays open. A row
 * is a task; the idle task's rows are CPUs, as each CPU has one.
 */
#include "tracemem.h"

struct json {
	struct view *v;
	bool first;
};

/* Text inside quotes. Bytes that are no ASCII are taken for Latin-1: always valid, whatever they were. */
static void string(struct out *o, const void *from, size_t len)
{
	const char *text = from;

	for (size_t i = 0; i < len; i++) {
		u8 c = (u8)text[i];

		if (c == '"' || c == '\\') {
			out_chr(o, '\\');
			out_chr(o, (char)c);
		} else if (c < 0x20 || c >= 0x7f) {
			out_str(o, "\\u00");
			out_hex(o, c, 2);
		} else {
			out_chr(o, (char)c);
		}
	}
}

static void name(struct out *o, const char *key, u64 addr, u64 time, bool with_off)
{
	out_str(o, key);
	out_name_by(o, addr, time, with_off, string);
	out_chr(o, '"');
}

/* Microseconds; a count stays what it is. */
static void stamp(struct out *o, const struct trace *t, u64 time)
{
	out_u64(o, t->timed ? time / 1000 : time);
	if (t->timed) {
		out_chr(o, '.');
		out_frac(o, time % 1000, 3);
	}
}

static void next_item(struct json *j)
{
	out_str(j->v->o, j->first ? "\n" : ",\n");
	j->first = false;
}

static void row(struct out *o, const struct rec *r)
{
	out_str(o, "\",\"pid\":");
	out_s64(o, r->pid < 0 ? 0 : r->pid);
	out_str(o, ",\"tid\":");
	out_s64(o, r->pid <= 0 ? (s64)r->cpu : r->pid);
}

static void json_rec(void *ctx, const struct rec *r)
{
	struct json *j = ctx;
	struct out *o = j->v->o;
	const char *phase = r->kind == K_GRAPH_ENTRY ? "B" : r->kind == K_GRAPH_EXIT ? "E" : "i";

	next_item(j);
	if (r->ip && r->kind != K_PRINT) {
		name(o, "{\"name\":\"", r->ip, r->time, false);
	} else {
		out_str(o, "{\"name\":\"");
		out_str(o, kind_name[r->kind]);
		out_chr(o, '"');
	}
	out_str(o, ",\"cat\":\"");
	out_str(o, kind_name[r->kind]);
	out_str(o, "\",\"ph\":\"");
	out_str(o, phase);
	row(o, r);
	out_str(o, *phase == 'i' ? ",\"s\":\"t\",\"ts\":" : ",\"ts\":");
	stamp(o, j->v->t, r->time);
	out_str(o, ",\"args\":{\"cpu\":");
	out_u64(o, r->cpu);
	if (r->parent)
		name(o, ",\"caller\":\"", r->parent, r->time, true);
	if (r->context) {
		out_str(o, ",\"flags\":\"");
		out_flags(o, j->v->t, r);
		out_chr(o, '"');
	}
	if (r->kind == K_PRINT) {
		out_str(o, ",\"text\":\"");
		string(o, (const char *)r->more, r->more_len);
		out_chr(o, '"');
	}
	if (r->kind == K_EVENT) {
		out_str(o, ",\"id\":");
		out_u64(o, r->id);
	}
	out_str(o, "}}");
}

/* json_write - all records of the view */
void json_write(struct view *v)
{
	struct json j = { v, true };
	const char *comm;
	size_t len;
	s32 pid;

	out_str(v->o, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	for (u32 i = 0; cmdline_nth(i, &pid, &comm, &len); i++) {
		next_item(&j);
		out_str(v->o, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":");
		out_s64(v->o, pid);
		out_str(v->o, ",\"tid\":");
		out_s64(v->o, pid);
		out_str(v->o, ",\"args\":{\"name\":\"");
		string(v->o, comm, len);
		out_str(v->o, "\"}}");
	}
	walk(v->t, v->f, &v->all, &v->kept, -1, json_rec, &j);
	out_str(v->o, "\n]}\n");
}
