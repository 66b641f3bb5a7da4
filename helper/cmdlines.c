// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmdlines.c - names of processes from a table "PID NAME" (tracefs' saved_cmdlines)
 */
#include "tracemem.h"

struct task {
	s32 pid;
	u32 at, len;
};

static const char *text;
static size_t text_len;
static struct task *tasks;
static u32 ntask;

static int by_pid(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* cmdlines_load - read the table; lines that are none are passed over */
void cmdlines_load(const char *path)
{
	u8 *data = read_file(path, &text_len, 64u << 20);
	u32 room = 0;

	text = (const char *)data;
	for (size_t at = 0; at < text_len; at++) {
		const char *p = text + at, *end = memchr(p, '\n', text_len - at);
		size_t len = end ? (size_t)(end - p) : text_len - at;
		const char *name = p;
		u64 pid;

		while (*name == ' ')
			name++;
		if (parse_u64(&name, &pid) && pid <= INT32_MAX && *name == ' ' && name + 1 < p + len) {
			if (ntask == room) {
				room = room ? 2 * room : 1024;
				tasks = mem_grow(tasks, room * sizeof(*tasks));
			}
			tasks[ntask].pid = (s32)pid;
			tasks[ntask].at = (u32)(name + 1 - text);
			tasks[ntask++].len = (u32)(p + len - name - 1);
		}
		at += len;
	}
	if (ntask)
		sort(tasks, ntask, sizeof(*tasks), by_pid);
}

/* cmdline_of - the name of a process, not ended by 0; NULL if it is not in the table */
const char *cmdline_of(s32 pid, size_t *len)
{
	u32 low = 0, high = ntask;

	if (!pid) {
		*len = 6;
		return "<idle>";
	}
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (tasks[mid].pid < pid)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == ntask || tasks[low].pid != pid)
		return NULL;
	*len = tasks[low].len;
	return text + tasks[low].at;
}

/* cmdlines_text - the table as read */
const char *cmdlines_text(size_t *len)
{
	*len = text_len;
	return text;
}

/* cmdline_nth - entry n in order of PID; false behind the last */
bool cmdline_nth(u32 n, s32 *pid, const char **comm, size_t *len)
{
	if (n >= ntask)
		return false;
	*pid = tasks[n].pid;
	*comm = text + tasks[n].at;
	*len = tasks[n].len;
	return true;
}

/* cmdlines_reset - forget the table (memory is the caller's to drop) */
void cmdlines_reset(void)
{
	text = NULL;
	tasks = NULL;
	ntask = 0;
	text_len = 0;
}
