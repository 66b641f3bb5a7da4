// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - tracemem: look at, keep and put back what a trace left in memory
 *
 * Everything on the command line is checked before anything is touched.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tracemem.h"

/* Each fits a terminal of 24 lines of 80 columns, and ends in examples: on a small target there is nothing else. */
static const char usage_text[] =
"usage: tracemem info [hint]... REGION\n"
"       tracemem snapshot [hint]... REGION FILE\n"
"       tracemem restore [-f] FILE REGION\n"
"       tracemem clear REGION\n"
"       tracemem decode [option]... FILE|REGION\n"
"Reads, keeps and puts back what a trace left in memory that survived a reset.\n"
"  REGION      ADDR:SIZE (physical memory; K, M, G), @NAME (trace instance or\n"
"              reserve_mem label of this boot, ramoops, ftrec), a file, a device\n"
"  FILE        an image made by snapshot, or the bare bytes; - is standard\n"
"              output (snapshot) or input (decode, info)\n"
"  -f          restore although address, size or checksum differ\n"
"  --proc DIR  instead of /proc (every command)\n"
"  -h          this help; after info, snapshot or decode: their options\n"
"exit: 0 done, 1 failed, 2 usage, 3 not permitted, 4 kernel lacks it,\n"
"      5 in use, 9 output failed, 10 no recorded data\n"
"eg,\n"
"  tracemem info @crash                # is there a trace?\n"
"  tracemem snapshot @crash crash.img  # keep it\n"
"  tracemem decode --symbols kallsyms --last 20 crash.img\n"
"  tracemem restore crash.img 0x18000000:1M\n";

static const char usage_decode[] =
"usage: tracemem decode [option]... FILE|REGION\n"
"Prints one record a line, oldest first; 'tracemem info -h' has more options:\n"
"  TIME CPU PID FLAGS KIND IP PARENT_IP [MORE]\n"
"  --symbols FILE      names from this /proc/kallsyms (of any boot)\n"
"  --modules FILE      /proc/modules of the same boot as the symbols\n"
"  --old-modules FILE  /proc/modules of the traced boot\n"
"  --loads FILE        or modules with times: NAME BASE SIZE LOADED UNLOADED\n"
"  --symbols-build B   build of the symbols' kernel, as uname tells it\n"
"  --symbols-anyway    names although they may be of another kernel, marked\n"
"  --delta [-]N        distance from the traced kernel to the symbols'\n"
"  --cmdlines FILE     names of processes, lines PID NAME\n"
"  --last N            only the last N records of each CPU\n"
"  --since SECONDS     only the last SECONDS before the newest record\n"
"  --cpu N             only this CPU\n"
"  --format F          text, trace (as the kernel prints), json, trace.dat\n"
"  --salvage           where no header can be read, what can be had without\n"
"  --summary           totals instead of records\n"
"  --who N             or who ran most in the last 1, 10 and 100 ms: N of them\n"
"  --report N          or info, the last N records of each CPU, and --who 5\n"
"  -o FILE             write there\n"
"eg,\n"
"  tracemem decode --symbols kallsyms --modules modules --last 20 crash.img\n"
"  tracemem decode --format trace.dat -o trace.dat crash.img\n"
"  tracemem decode --plain 4096,4,be,ipx 0x0ff00000:64K\n";

static const char usage_hints[] =
"usage: tracemem info [hint]... REGION\n"
"       tracemem snapshot [hint]... REGION FILE\n"
"What a region does not say of itself (decode takes these, too):\n"
"  --machine NAME      uname -m of the traced kernel\n"
"  --kernel RELEASE    uname -r of the traced kernel\n"
"  --word 4|8          bytes of an address in pstore records\n"
"  --ecc N             bytes of error correction of a pstore block\n"
"  --cpu-bits N        low bits of an address that hold the CPU, pstore\n"
"  --plain N,WORD,ENDIAN,ORDER   bare arrays: N entries of WORD 4 or 8 bytes, le\n"
"                      or be, ORDER of i (ip), p (parent_ip), r (both in turn),\n"
"                      x (32-bit index) or X (index of a word): ipx\n"
"eg,\n"
"  tracemem info --machine ppc --kernel 3.4.113 board.bin\n"
"  tracemem snapshot --word 4 @ramoops board.img\n";

enum { INFO = 1, SNAPSHOT = 2, RESTORE = 4, CLEAR = 8, DECODE = 16 };

struct options {
	u32 command;
	const char *operand[2];
	int operands;
	bool force, summary, anyway, have_delta;
	u64 delta;
	u32 who, report;
	const char *symbols, *build, *loads, *modules, *old_modules, *cmdlines, *format, *output, *proc;
	struct filter filter;
	struct hints hint;
};

static struct out out;

/* What a command takes, on standard output; on standard error when code says that it was called wrongly. */
static void NORETURN usage(u32 command, int code)
{
	out_open(&out, NULL);
	out.fd = code ? 2 : 1;
	out_str(&out, command == DECODE ? usage_decode : command & (INFO | SNAPSHOT) ? usage_hints : usage_text);
	out_flush(&out);
	exit(code);
}

static u32 command_of(const char *name)
{
	static const char *const names[] = { "info", "snapshot", "restore", "clear", "decode" };

	for (u32 i = 0; i < 5; i++)
		if (!strcmp(name, names[i]))
			return 1u << i;
	if (!strcmp(name, "-h") || !strcmp(name, "--help") || !strcmp(name, "help"))
		usage(0, 0);
	warn("no such command: '", name, "'", NULL);
	usage(0, EX_USE);
}

/* Seconds, with a fraction if wanted, as nanoseconds. */
static u64 seconds(const char *text)
{
	const char *s = text;
	u64 ns;

	if (*s == '-' || !parse_seconds(&s, &ns) || *s || !ns)
		die(EX_USE, "--since: not a number of seconds: '", text, "'", NULL);
	return ns;
}

/* N,WORD,ENDIAN,ORDER */
static void plain_option(struct hints *h, const char *text)
{
	const char *s = text;
	u64 n, word;

	if (!parse_u64(&s, &n) || *s++ != ',' || !parse_u64(&s, &word) || *s++ != ',' ||
	    !n || n > MAX_REGION / 4 || (word != 4 && word != 8) ||
	    (strncmp(s, "le,", 3) && strncmp(s, "be,", 3)) ||
	    !copy_word(h->plain_order, sizeof(h->plain_order), s + 3))
		die(EX_USE, "--plain: not N,WORD,ENDIAN,ORDER: '", text, "'", NULL);
	h->plain_n = (u32)n;
	h->plain_word = (u32)word;
	h->plain_big = *s == 'b';
}

static void delta_option(struct options *o, const char *text)
{
	const char *s = text + (*text == '-');

	if (!parse_u64(&s, &o->delta) || *s)
		die(EX_USE, "--delta: not a number: '", text, "'", NULL);
	if (*text == '-')
		o->delta = 0 - o->delta;
	o->have_delta = true;
}

/* Options with a value. `in` are the commands that have it. */
static const struct {
	const char *name;
	u32 in;
	char key;
} valued[] = {
	{ "--symbols", DECODE, 's' }, { "--symbols-build", DECODE, 'B' }, { "--loads", DECODE, 'L' }, { "--modules", DECODE, 'm' },
	{ "--old-modules", DECODE, 'M' }, { "--delta", DECODE, 'd' },
	{ "--cmdlines", DECODE, 'c' }, { "--last", DECODE, 'l' },
	{ "--since", DECODE, 'S' }, { "--cpu", DECODE, 'C' },
	{ "--format", DECODE, 'F' }, { "--who", DECODE, 'w' },
	{ "--report", DECODE, 'r' },
	{ "-o", DECODE, 'o' }, { "--output", DECODE, 'o' },
	{ "--machine", INFO | DECODE | SNAPSHOT, 'a' },
	{ "--kernel", INFO | DECODE | SNAPSHOT, 'k' },
	{ "--word", INFO | DECODE | SNAPSHOT, 'W' },
	{ "--ecc", INFO | DECODE | SNAPSHOT, 'e' },
	{ "--cpu-bits", INFO | DECODE | SNAPSHOT, 'b' },
	{ "--plain", INFO | DECODE | SNAPSHOT, 'p' },
	{ "--proc", INFO | SNAPSHOT | RESTORE | CLEAR | DECODE, 'P' },
};

static void set_value(struct options *o, char key, const char *v)
{
	switch (key) {
	case 's': o->symbols = v; break;
	case 'B': o->build = v; break;
	case 'L': o->loads = v; break;
	case 'm': o->modules = v; break;
	case 'M': o->old_modules = v; break;
	case 'c': o->cmdlines = v; break;
	case 'F': o->format = v; break;
	case 'o': o->output = v; break;
	case 'P': o->proc = v; break;
	case 'd': delta_option(o, v); break;
	case 'p': plain_option(&o->hint, v); break;
	case 'S': o->filter.since = seconds(v); break;
	case 'l':
		o->filter.last = need_u64("--last", v, UINT32_MAX);
		if (!o->filter.last)
			die(EX_USE, "--last: 0 records are none", NULL);
		break;
	case 'C':
		o->filter.cpu = (u32)need_u64("--cpu", v, MAX_CPUS - 1);
		o->filter.one_cpu = true;
		break;
	case 'w': o->who = (u32)need_u64("--who", v, 8192); break;
	case 'r':
		o->report = (u32)need_u64("--report", v, UINT32_MAX);
		o->who = 5;
		break;
	case 'e': o->hint.ecc = (u32)need_u64("--ecc", v, 64); break;
	case 'b': o->hint.cpu_bits = (u32)need_u64("--cpu-bits", v, 8); break;
	case 'W':
		o->hint.word = (u32)need_u64("--word", v, 8);
		if (o->hint.word != 4 && o->hint.word != 8)
			die(EX_USE, "--word: not 4 or 8: '", v, "'", NULL);
		break;
	case 'a':
		if (!copy_word(o->hint.machine, sizeof(o->hint.machine), v))
			die(EX_USE, "--machine: '", v, "'", NULL);
		break;
	default:
		if (!copy_word(o->hint.release, sizeof(o->hint.release), v))
			die(EX_USE, "--kernel: '", v, "'", NULL);
		break;
	}
}

/* One option at argv[*i]; moves *i over its value. */
static void option(struct options *o, int argc, char **argv, int *i)
{
	const char *a = argv[*i], *equal = strchr(a, '=');
	size_t len = equal ? (size_t)(equal - a) : strlen(a);

	if (!strcmp(a, "-h") || !strcmp(a, "--help"))
		usage(o->command, 0);
	if ((!strcmp(a, "-f") || !strcmp(a, "--force")) && o->command == RESTORE) {
		o->force = true;
		return;
	}
	if (!strcmp(a, "--summary") && o->command == DECODE) {
		o->summary = true;
		return;
	}
	if (!strcmp(a, "--symbols-anyway") && o->command == DECODE) {
		o->anyway = true;
		return;
	}
	if (!strcmp(a, "--salvage") && o->command == DECODE) {
		o->hint.salvage = true;
		return;
	}
	for (size_t k = 0; k < sizeof(valued) / sizeof(valued[0]); k++) {
		if (strlen(valued[k].name) != len || strncmp(a, valued[k].name, len) ||
		    !(valued[k].in & o->command))
			continue;
		if (!equal && ++*i == argc)
			die(EX_USE, a, ": a value is missing", NULL);
		set_value(o, valued[k].key, equal ? equal + 1 : argv[*i]);
		return;
	}
	warn("unknown option for ", argv[1], ": '", a, "'", NULL);
	usage(o->command, EX_USE);
}

static void parse(struct options *o, int argc, char **argv)
{
	bool more = true;
	int want;

	if (argc < 2)
		usage(0, EX_USE);
	o->command = command_of(argv[1]);
	want = o->command & (SNAPSHOT | RESTORE) ? 2 : 1;
	for (int i = 2; i < argc; i++) {
		if (more && !strcmp(argv[i], "--")) {
			more = false;
		} else if (more && argv[i][0] == '-' && argv[i][1]) {
			option(o, argc, argv, &i);
		} else {
			if (o->operands == want)
				die(EX_USE, "one too many: '", argv[i], "'", NULL);
			o->operand[o->operands++] = argv[i];
		}
	}
	if (o->operands < want)
		usage(o->command, EX_USE);
	if (o->format && strcmp(o->format, "text") && strcmp(o->format, "trace") &&
	    strcmp(o->format, "json") && strcmp(o->format, "trace.dat"))
		die(EX_USE, "--format: not text, trace, json or trace.dat: '", o->format, "'", NULL);
	if (o->anyway && o->format && strcmp(o->format, "text") && strcmp(o->format, "trace"))
		die(EX_USE, "--format ", o->format, " has no place for the mark of --symbols-anyway: only text and trace", NULL);
	if (o->hint.salvage && o->format && strcmp(o->format, "text") && strcmp(o->format, "trace"))
		die(EX_USE, "--format ", o->format, " has no place for the mark of --salvage: only text and trace", NULL);
}

/* What the user says goes before what the image or the running system says. */
static struct hints merged(const struct options *o, const struct region *r)
{
	struct hints h = r->im.hint;

	if (o->hint.plain_n) {
		h.plain_n = o->hint.plain_n;
		h.plain_word = o->hint.plain_word;
		h.plain_big = o->hint.plain_big;
		memcpy(h.plain_order, o->hint.plain_order, sizeof(h.plain_order));
	}
	h.salvage = o->hint.salvage;
	if (o->hint.word)
		h.word = o->hint.word;
	if (o->hint.cpu_bits)
		h.cpu_bits = o->hint.cpu_bits;
	if (o->hint.ecc)
		h.ecc = o->hint.ecc;
	if (o->hint.machine[0])
		memcpy(h.machine, o->hint.machine, sizeof(h.machine));
	if (o->hint.release[0])
		memcpy(h.release, o->hint.release, sizeof(h.release));
	return h;
}

static void load(struct region *r, const struct options *o, const char *spec)
{
	region_find(r, spec);
	r->salvage = o->hint.salvage;
	region_load(r);
	/* live memory was written by a kernel of this machine, if not by this boot */
	if (!r->path[0] || !r->regular) {
		struct image im;

		memset(&im, 0, sizeof(im));
		proc_running(&im);
		memcpy(r->im.hint.machine, im.hint.machine, sizeof(im.hint.machine));
		memcpy(r->im.hint.release, im.hint.release, sizeof(im.hint.release));
	}
	r->im.hint = merged(o, r);
}

static void info_modules(const struct trace *t)
{
	for (u32 i = 0; i < t->nmod; i++) {
		out_str(&out, "module ");
		out_word(&out, t->mod[i].name, strlen(t->mod[i].name));
		out_str(&out, " 0x");
		out_hex(&out, t->mod[i].base, 1);
		out_chr(&out, '\n');
	}
}

static bool image_bad(const struct region *r)
{
	return r->is_image && crc32_of(r->data, r->len, 0) != r->im.data_crc;
}

static void info_image(const struct region *r)
{
	const struct image *im = &r->im;

	if (!r->is_image)
		return;
	out_key_u64(&out, "taken", im->created);
	out_key(&out, "taken-in-boot", im->boot_id);
	out_key(&out, "taken-by-kernel", im->hint.release);
	out_key(&out, "taken-by-build", im->build);
	out_key(&out, "taken-on", im->hint.machine);
	if (im->page)
		out_key_u64(&out, "taken-page-size", im->page);
	out_key(&out, "checksum", image_bad(r) ? "BAD" : "good");
}

/* What there is, before anything of it is counted. What was found of the region is out even if the trace is none. */
static void describe(const struct region *r, struct trace *t)
{
	out_key(&out, "source", r->way);
	out_key(&out, "name", r->name);
	if (r->addr)
		out_key_hex(&out, "address", r->addr);
	out_key_u64(&out, "size", r->len);
	info_image(r);
	out_flush(&out);
	trace_open(t, r->data, r->len, &r->im.hint, &out);
	out_key(&out, "layout", layout_name(t->layout));
	out_key_u64(&out, "word-size", t->word);
	out_key(&out, "byte-order", t->big ? "big" : "little");
	out_key_u64(&out, "cpus", t->ncpu);
	out_key(&out, "clock", t->timed ? (t->clock[0] ? t->clock : "local?") : "count");
	if (t->text_addr) {
		out_key_hex(&out, "text-address", t->text_addr);
		out_key(&out, "text-symbol", t->anchor);
	}
	out_key(&out, "truncated", t->truncated ? "yes" : "");
	out_key(&out, "damaged-header", t->damaged ? "yes" : "");
	t->info(t, &out);
	info_modules(t);
	health_write(&out, t, image_bad(r));
}

static void do_snapshot(const struct options *o)
{
	struct region r;
	struct image im;
	u8 head[FTIMAGE_SIZE];
	const char *clock;
	bool big = false;

	load(&r, o, o->operand[0]);
	memset(&im, 0, sizeof(im));
	im = r.im;
	if (!r.is_image) {	/* an image keeps what its header says of its origin */
		proc_running(&im);
		im.hint = r.im.hint;
		if (r.regular)	/* a bare file: who knows where it comes from */
			im.page = 0, im.boot_id[0] = im.build[0] = 0;
	}
	im.layout = im.hint.plain_n ? FTIMAGE_PLAIN : trace_probe(r.data, r.len, &im.word, &big);
	if (im.layout == FTIMAGE_PLAIN) {
		im.word = im.hint.plain_word;
		big = im.hint.plain_big;
	}
	/* pstore does not say it of itself: what the user said is kept */
	if (!im.word)
		im.word = im.hint.word;
	im.order = im.layout ? 1 + big : 0;
	clock = im.layout == FTIMAGE_RECORDER ? "local" : ring_clock(r.data, r.len);
	copy_text(im.clock, sizeof(im.clock), clock, strlen(clock));
	im.addr = r.addr;
	im.size = r.len;
	copy_text(im.name, sizeof(im.name), r.name, strlen(r.name));
	im.data_crc = crc32_of(r.data, r.len, 0);
	out_open(&out, o->operand[1]);
	if (!r.is_image)
		im.created = out_born(&out);
	image_build(&im, head);
	out_bytes(&out, head, sizeof(head));
	out_bytes(&out, r.data, r.len);
	out_close(&out);
}

/* What does not fit between image and target; each is an end without -f. */
static void compare(const struct options *o, const struct region *im, const struct region *to, u64 room)
{
	const char *wrong = NULL;

	if (crc32_of(im->data, im->len, 0) != im->im.data_crc)
		wrong = "the image's checksum is wrong";
	else if (im->im.addr && to->addr && im->im.addr != to->addr)
		wrong = "the image is of another address";
	else if (im->len != room)
		wrong = "the image is of another size";
	if (!wrong)
		return;
	if (!o->force)
		die(EX_FAIL, "refused: ", wrong, " (", hex(im->im.addr), " size ", dec(im->len), ", the region is ",
		    hex(to->addr), " size ", dec(room), "); -f restores it all the same", NULL);
	if (im->len > room)
		die(EX_FAIL, "refused: the image is larger than the region", NULL);
	warn(wrong, ": restored because of -f", NULL);
}

static void do_restore(const struct options *o)
{
	struct region im, to, now;
	const char *wrong;

	if (!strcmp(o->operand[1], "-"))
		die(EX_USE, "the region cannot be -", NULL);
	memset(&im, 0, sizeof(im));
	im.data = read_file(o->operand[0], &im.len, MAX_REGION);
	wrong = image_parse(im.data, im.len, &im.im);
	if (wrong)
		die(EX_FAIL, o->operand[0], ": ", wrong, NULL);
	im.data += FTIMAGE_SIZE;
	im.len -= FTIMAGE_SIZE;
	region_find(&to, o->operand[1]);
	proc_not_live(&to);
	now = to;
	if (to.path[0]) {	/* its size is not known before it was read */
		region_load(&now);
		if (now.is_image)
			die(EX_FAIL, "refused: ", to.path, " is itself an image", NULL);
	}
	compare(o, &im, &to, to.path[0] ? now.len : to.size);
	if (im.len % 8)
		die(EX_FAIL, "refused: the image's size is not a multiple of 8", NULL);
	to.size = im.len;
	region_store(&to, im.data, im.len);
}

static void do_clear(const struct options *o)
{
	struct region r, now;
	u8 *zeros;

	if (!strcmp(o->operand[0], "-"))
		die(EX_USE, "the region cannot be -", NULL);
	region_find(&r, o->operand[0]);
	proc_not_live(&r);
	if (r.path[0]) {
		now = r;
		region_load(&now);
		if (now.is_image)
			die(EX_FAIL, "refused: ", r.path, " is an image", NULL);
		r.size = now.len;
	}
	zeros = mem_get((size_t)r.size);
	region_store(&r, zeros, (size_t)r.size);
}

static void load_names(const struct options *o, struct trace *t)
{
	if (o->symbols)
		symbols_load(o->symbols);
	if (o->modules)
		modules_load(o->modules, false);
	if (o->old_modules && !o->loads)
		modules_load(o->old_modules, true);
	if (o->cmdlines)
		cmdlines_load(o->cmdlines);
	if (o->loads)
		loads_load(o->loads);
	symbols_trust(o->build, o->anyway);
	symbols_relocate(t, o->have_delta, o->delta);
	symbols_learn(t);
}

static void records_write(struct view *v, const struct options *o)
{
	const char *format = o->format ? o->format : "text";

	if (!v->kept.n)		/* and no empty file */
		die(EX_NODATA, "no records", v->all.n ? " left by the filter" : "", NULL);
	out_open(&out, o->output);
	if (o->who) {
		who_write(v, o->who);
	} else if (!strcmp(format, "json")) {
		json_write(v);
	} else if (!strcmp(format, "trace.dat")) {
		tracedat_write(v);
	} else {
		text_write(v, !strcmp(format, "trace"));
	}
}

/*
 * info and decode: what is there; totals; records. A report has a little of
 * each from one reading of the symbols, which is most of the work.
 */
static void do_look(const struct options *o)
{
	bool whole = o->command == INFO || o->report, totals = whole || o->summary;
	struct region r;
	struct trace t;
	struct view v;

	load(&r, o, o->operand[0]);
	if (totals)
		out_open(&out, o->output);
	if (whole)
		describe(&r, &t);
	else
		trace_open(&t, r.data, r.len, &r.im.hint, NULL);
	if (o->filter.since && !t.timed)
		die(EX_USE, "--since: these records have no time, only an order", NULL);
	load_names(o, &t);
	v.t = &t;
	v.f = &o->filter;
	v.o = &out;
	scan(&t, v.f, &v.all, &v.kept);
	if (totals)
		summary_write(&v);
	else
		records_write(&v, o);
	if (totals && o->who)
		who_write(&v, o->who);
	if (o->report) {
		keep_last(&t, o->report, &v.kept);
		text_write(&v, false);
	}
	out_close(&out);
	if (!v.kept.n && o->command == DECODE)
		exit(EX_NODATA);
}

int main(int argc, char **argv)
{
	struct options o;

	memset(&o, 0, sizeof(o));
	parse(&o, argc, argv);
	proc_paths(o.proc);
	switch (o.command) {
	case SNAPSHOT: do_snapshot(&o); break;
	case RESTORE: do_restore(&o); break;
	case CLEAR: do_clear(&o); break;
	default: do_look(&o); break;
	}
	return 0;
}
