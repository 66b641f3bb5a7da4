// SPDX-License-Identifier: GPL-2.0-only
/*
 * proc.c - what the running kernel says: where a named region is, whether a
 * range is System RAM, whether somebody is recording into it
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tracemem.h"

const char *proc_dir = "/proc", *sys_dir = "/sys", *mem_path = "/dev/mem";

/* proc_paths - take places from the option, else the environment (tests point them at copies) */
void proc_paths(const char *proc_option)
{
	const char *e;

	if ((e = getenv("FIELDTRACE_PROC")) && *e)
		proc_dir = e;
	if (proc_option)
		proc_dir = proc_option;
	if ((e = getenv("FIELDTRACE_SYS")) && *e)
		sys_dir = e;
	if ((e = getenv("FIELDTRACE_MEM")) && *e)
		mem_path = e;
}

static const char *path2(const char *dir, const char *file)
{
	static char path[4096];

	return join(path, sizeof(path), dir, "/", file, NULL);
}

static bool exists(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

/* The kernel's log: FIELDTRACE_DMESG, else the kernel. Empty when it may not be read. */
static const char *kernel_log(void)
{
	static char *log;
	const char *file = getenv("FIELDTRACE_DMESG");
	size_t len;
	int n;

	if (log)
		return log;
	if (file && *file)
		return log = (char *)read_file(file, &len, 64u << 20);
	n = klogctl(10, NULL, 0);	/* size of its buffer */
	if (n <= 0)
		n = 1 << 20;
	log = mem_get((size_t)n + 1);
	n = klogctl(3, log, n);		/* all that is in it */
	log[n > 0 ? n : 0] = 0;
	return log;
}

/* --- the command line -------------------------------------------------------------- */
static const char *command_line(void)
{
	static char line[8192];

	if (!line[0] && !read_small(path2(proc_dir, "cmdline"), line, sizeof(line)))
		die_file("read", path2(proc_dir, "cmdline"));
	return line;
}

/* The next parameter KEY= at or behind *at; its value, of *len characters. NULL when there is none. */
static const char *parameter(const char **at, const char *key, size_t *len)
{
	const char *s = *at;
	size_t klen = strlen(key);

	while (*s) {
		s += strspn(s, " \n\"");
		*len = strcspn(s, " \n\"");
		if (*len > klen && !strncmp(s, key, klen) && s[klen] == '=') {
			*at = s + *len;
			*len -= klen + 1;
			return s + klen + 1;
		}
		s += *len;
	}
	return NULL;
}

/* trace_instance=NAME[^flag][@ADDR:SIZE or @LABEL][,events] taken apart. */
struct instance {
	char name[32], label[32];	/* label "": see addr; both none: no region */
	u64 addr, size;
};

static bool next_instance(const char **at, struct instance *in)
{
	size_t len, n;
	const char *v = parameter(at, "trace_instance", &len), *where;

	if (!v)
		return false;
	memset(in, 0, sizeof(*in));
	n = strcspn(v, "^@, \n\"");
	copy_text(in->name, sizeof(in->name), v, n < len ? n : len);
	n = strcspn(v, ", \n\"");
	where = memchr(v, '@', n < len ? n : len);
	if (!where)
		return true;
	where++;
	if (*where >= '0' && *where <= '9') {
		if (!parse_size(&where, &in->addr) || *where++ != ':' || !parse_size(&where, &in->size))
			in->addr = in->size = 0;
	} else {
		copy_text(in->label, sizeof(in->label), where, strcspn(where, ", \n\""));
	}
	return true;
}

/*
 * The text of the log's next line behind the log's own prefix ("<6>", "[ 1.234567] ", "[ T1] "), *at one line on; NULL at
 * the end. Texts of others, a device's name for one, stand anywhere in a line but there.
 */
static const char *log_line(const char **at)
{
	const char *s = *at;

	if (!*s)
		return NULL;
	*at = s + strcspn(s, "\n");
	*at += **at == '\n';
	while (*s == '<' || *s == '[') {
		const char *end = s + 1 + strspn(s + 1, " 0123456789.TC");

		if (*end != '>' && *end != ']')
			break;
		s = end + 1;
		s += *s == ' ';
	}
	return s;
}

/* Does *at go on with `with`, a number, `then` and another one? Then *at is behind it. */
static bool two_numbers(const char **at, const char *with, u64 *a, const char *then, u64 *b)
{
	size_t len = strlen(with);

	if (strncmp(*at, with, len))
		return false;
	*at += len;
	if (!parse_hex(at, a) || strncmp(*at, then, strlen(then)))
		return false;
	*at += strlen(then);
	return parse_hex(at, b);
}

/*
 * The two numbers in the log's lines that begin with `with`, the second behind `then`, at the line's end unless `more`
 * goes on there. Lines that disagree are as none.
 */
static bool log_numbers(const char *with, u64 *a, const char *then, u64 *b, char more)
{
	const char *at = kernel_log(), *s;
	bool found = false;
	u64 x, y;

	while ((s = log_line(&at))) {
		if (!two_numbers(&s, with, &x, then, &y) || (*s && *s != '\n' && *s != more))
			continue;
		if (found && (x != *a || y != *b))
			return false;
		found = true;
		*a = x;
		*b = y;
	}
	return found;
}

/* "Tracing: mapped boot instance NAME at physical memory ADDR of size SIZE" (kernel/trace/trace.c) */
static bool log_instance(const char *name, u64 *addr, u64 *size)
{
	char with[128];

	join(with, sizeof(with), "Tracing: mapped boot instance ", name, " at physical memory ", NULL);
	return log_numbers(with, addr, " of size ", size, '\n');
}

static bool parameter_file(const char *module, const char *name, u64 *value)
{
	char file[128], text[64];
	const char *p = text;

	join(file, sizeof(file), "module/", module, "/parameters/", name, NULL);
	return read_small(path2(sys_dir, file), text, sizeof(text)) && parse_size(&p, value) && !*p;
}

static bool ramoops_range(u64 *addr, u64 *size)
{
	*addr = *size = 0;
	if (!exists(path2(sys_dir, "module/ramoops")))
		return false;
	if (parameter_file("ramoops", "mem_address", addr) && *addr &&
	    parameter_file("ramoops", "mem_size", size) && *size)
		return true;
	/* fs/pstore/ram.c */
	return log_numbers("ramoops: using ", size, "@", addr, ',') && *addr && *size;
}

static bool recorder_range(u64 *addr, u64 *size)
{
	*addr = *size = 0;
	return parameter_file("ftrec", "addr", addr) && *addr &&
	       parameter_file("ftrec", "size", size) && *size;
}

static bool has_label(const char *label)
{
	const char *at = command_line(), *v;
	size_t len;

	while ((v = parameter(&at, "reserve_mem", &len))) {
		const char *colon = v;

		/* the label follows the second colon */
		for (int i = 0; i < 2 && colon; i++) {
			colon = memchr(colon, ':', len - (size_t)(colon - v));
			colon += colon != NULL;
		}
		if (colon && (size_t)(v + len - colon) == strlen(label) &&
		    !strncmp(colon, label, strlen(label)))
			return true;
	}
	return false;
}

static bool place_instance(const struct instance *in, u64 *addr, u64 *size)
{
	*addr = in->addr;
	*size = in->size;
	return (in->addr && in->size) || log_instance(in->name, addr, size);
}

/*
 * proc_find - the range of @NAME: a trace instance on the command line, a
 * reserve_mem label one of them uses, "ramoops", "ftrec" (the recorder)
 */
void proc_find(struct region *r, const char *name)
{
	const char *at = command_line();
	bool known = has_label(name);
	struct instance in;

	if (!copy_text(r->name, sizeof(r->name), name, strlen(name)) || !*name)
		die(EX_USE, "no such name: '@", name, "'", NULL);
	while (next_instance(&at, &in)) {
		if (strcmp(in.name, name) && strcmp(in.label, name))
			continue;
		known = true;
		if (place_instance(&in, &r->addr, &r->size)) {
			r->reserve_mem = in.label[0] != 0;
			return;
		}
	}
	if (!strcmp(name, "ramoops") && ramoops_range(&r->addr, &r->size)) {
		u64 ecc;

		if (parameter_file("ramoops", "ecc", &ecc) && ecc <= 64)
			r->im.hint.ecc = ecc == 1 ? 16 : (u32)ecc;
		return;
	}
	if (!strcmp(name, "ftrec") && recorder_range(&r->addr, &r->size))
		return;
	if (known)
		die(EX_FAIL, "'", name, "' is on the command line, but where it lies is only in the kernel log, and "
		    "there is no 'mapped boot instance' line for it (log overwritten, or not readable: dmesg)", NULL);
	die(EX_FAIL, "nothing named '", name, "': no trace_instance=, no reserve_mem= of that name in ",
	    path2(proc_dir, "cmdline"), NULL);
}

/* --- may it be touched? --------------------------------------------------------------- */
static bool may_hold_a_region(const char *what)
{
	static const char *const good[] = {
		"Reserved", "reserved", "Soft Reserved", "Persistent Memory", "RAM buffer", "ramoops",
		"ftrec", "persistent_ram", "namespace", "Unknown E820 type"
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!strncmp(what, good[i], strlen(good[i])))
			return true;
	return false;
}

/* One line of iomem: "  START-END : NAME"; false when it is none. */
static bool iomem_line(const char *line, u64 *start, u64 *end, const char **name)
{
	line += strspn(line, " ");
	if (!parse_hex(&line, start) || *line++ != '-' || !parse_hex(&line, end) ||
	    strncmp(line, " : ", 3))
		return false;
	*name = line + 3;
	return *end >= *start;
}

/* Kernels that do not list RAM: what lies above the limit given with mem= is not theirs. */
static bool above_mem_limit(u64 addr)
{
	const char *at = command_line(), *v;
	bool given = false;
	size_t len;
	u64 limit;

	while ((v = parameter(&at, "mem", &len))) {
		const char *p = v;

		if (!parse_size(&p, &limit) || p != v + len || addr < limit)
			return false;
		given = true;
	}
	return given;
}

/*
 * proc_allow - return only if the range may be read and written through
 * physical memory: no System RAM in it but what reserve_mem= set apart, and
 * nothing of a device's or the kernel's own
 */
void proc_allow(const struct region *r)
{
	u64 last = r->addr + r->size - 1, start, end;
	bool any_ram = false, any_address = false;
	const char *name;
	size_t len;
	char *text, *line, *next;

	if (access(path2(proc_dir, "iomem"), R_OK))
		die(EX_PERM, "cannot read ", path2(proc_dir, "iomem"), " (", sys_error(),
		    "): no telling whether that is System RAM", NULL);
	text = (char *)read_file(path2(proc_dir, "iomem"), &len, 16u << 20);
	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		if (!iomem_line(line, &start, &end, &name))
			continue;
		any_address |= end != 0;
		if (!strncmp(name, "System RAM", 10)) {
			any_ram |= end != 0;
			/* reserve_mem= sets apart a piece of one range */
			if (r->addr <= end && start <= last && (!r->reserve_mem || r->addr < start || last > end))
				die(EX_PERM, "refused: ", hex(r->addr), "-", hex(last),
				    " overlaps System RAM ", hex(start), "-", hex(end), " (",
				    path2(proc_dir, "iomem"), "); reserve it with memmap=, mem= or reserve_mem=", NULL);
		} else if (r->addr <= end && start <= last &&
			   (*line != ' ' ? !may_hold_a_region(name) :
			    r->reserve_mem && (!strncmp(name, "Kernel ", 7) || !strncmp(name, "Crash kernel", 12)))) {
			die(EX_PERM, "refused: ", hex(r->addr), "-", hex(last), " belongs to '", name,
			    "' (", path2(proc_dir, "iomem"), ")", NULL);
		}
	}
	mem_drop(text);
	if (!any_address)
		die(EX_PERM, path2(proc_dir, "iomem"),
		    " hides its addresses: root (CAP_SYS_ADMIN) is needed to see whether that is System RAM", NULL);
	if (!any_ram && !above_mem_limit(r->addr))
		die(EX_PERM, path2(proc_dir, "iomem"), " lists no System RAM, and ", hex(r->addr),
		    " is not above a mem= limit: no telling whose it is", NULL);
}

static bool overlaps(const struct region *r, u64 addr, u64 size)
{
	return size && r->addr < addr + size && addr < r->addr + r->size;
}

/* Is there a trace instance of that name, in whichever place tracefs is? */
static bool instance_runs(const char *name)
{
	static const char *const places[] = { "kernel/tracing/instances/", "kernel/debug/tracing/instances/" };
	char file[128];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		join(file, sizeof(file), places[i], name, NULL);
		if (exists(path2(sys_dir, file)))
			return true;
	}
	/* not mounted there: believe the command line */
	return !exists(path2(sys_dir, "kernel/tracing/instances")) &&
	       !exists(path2(sys_dir, "kernel/debug/tracing/instances"));
}

/* proc_not_live - return only if nobody in this kernel uses the range for recording */
void proc_not_live(const struct region *r)
{
	const char *at;
	struct instance in;
	u64 addr, size;

	if (!r->addr)
		return;
	at = command_line();
	while (next_instance(&at, &in))
		if (place_instance(&in, &addr, &size) && overlaps(r, addr, size) && instance_runs(in.name))
			die(EX_BUSY, "refused: trace instance '", in.name, "' of this kernel uses ", hex(addr), "-",
			    hex(addr + size - 1), "; boot with the reservation but without trace_instance=", NULL);
	if (ramoops_range(&addr, &size) && overlaps(r, addr, size))
		die(EX_BUSY, "refused: ramoops of this kernel uses ", hex(addr), "-", hex(addr + size - 1),
		    "; unload it first", NULL);
	if (recorder_range(&addr, &size) && overlaps(r, addr, size))
		die(EX_BUSY, "refused: the recorder module uses ", hex(addr), "-", hex(addr + size - 1),
		    "; unload it first (rmmod ftrec)", NULL);
}

/* proc_lockdown - the kernel's lockdown mode ("none", "integrity", ...), "" if it has none */
void proc_lockdown(char *to, size_t room)
{
	char text[128], *open, *close;

	to[0] = 0;
	if (!read_small(path2(sys_dir, "kernel/security/lockdown"), text, sizeof(text)))
		return;
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		copy_text(to, room, open + 1, (size_t)(close - open) - 1);
}

/* proc_running - fill in what an image keeps of the running kernel */
void proc_running(struct image *im)
{
	struct utsname u;

	im->page = (u32)getpagesize();
	read_small(path2(proc_dir, "sys/kernel/random/boot_id"), im->boot_id, sizeof(im->boot_id));
	if (uname(&u))
		return;
	copy_text(im->hint.machine, sizeof(im->hint.machine), u.machine, strlen(u.machine));
	copy_text(im->hint.release, sizeof(im->hint.release), u.release, strlen(u.release));
	copy_text(im->build, sizeof(im->build), u.version, strlen(u.version));
}
