/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracemem.h - what the parts of tracemem share
 *
 *	region.c, proc.c	find a region, say whether it may be touched, copy it
 *	image.c			the header of an image file
 *	trace.c			which layout is it; layout_*.c, one for each
 *	ring_order.c		the sub-buffers of a CPU in order, and which of them are damaged
 *	salvage.c		what can be had where no header can be read
 *	health.c		what of it all can be read, in words
 *	symbols.c, reloc.c	addresses to names, also over a reboot
 *	walk.c			all records in time order, filters, totals
 *	out_*.c			text, Chrome JSON, trace.dat, summaries
 *	util.c, out.c		errors, strict numbers, memory; buffered output
 *
 * Every byte of a region or an image is hostile: no length, index or offset
 * taken from it is used before it was compared with what is really there.
 */
#ifndef TRACEMEM_H
#define TRACEMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ftimage.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

/* Exit codes, the same table as the shell commands use. */
enum {
	EX_FAIL = 1, EX_USE = 2, EX_PERM = 3, EX_LACK = 4, EX_BUSY = 5,
	EX_OUTPUT = 9, EX_NODATA = 10
};

#define MAX_REGION	0x7fff0000u	/* offsets are kept in 32 bits */
#define MAX_CPUS	4096u
#define NAME_LEN	56		/* room for a module's name */

/* --- util.c ------------------------------------------------------------ */
#if defined(__GNUC__)
#define SENTINEL __attribute__((sentinel))
#define NORETURN __attribute__((noreturn))
#else
#define SENTINEL
#define NORETURN
#endif

extern void (*die_hook)(int code);
void warn(const char *text, ...) SENTINEL;
void die(int code, const char *text, ...) SENTINEL NORETURN;
void die_file(const char *doing, const char *path) NORETURN;
char *join(char *to, size_t room, ...) SENTINEL;
const char *dec(u64 value);
const char *hex(u64 value);
const char *sys_error(void);
bool parse_u64(const char **text, u64 *value);
bool parse_size(const char **text, u64 *value);
bool parse_hex(const char **text, u64 *value);
bool parse_seconds(const char **text, u64 *ns);
u64 need_u64(const char *what, const char *text, u64 max);
/* value of a hexadecimal digit, 16 for anything else */
static inline u32 hex_digit(char c)
{
	u32 v = (u32)(u8)c - '0';

	if (v > 9)
		v = ((u32)(u8)c | 0x20) - 'a' < 6 ? ((u32)(u8)c | 0x20) - 'a' + 10 : 16;
	return v;
}

void *mem_get(size_t size);
void *mem_grow(void *old, size_t size);
void mem_drop(void *old);
void mem_drop_all(void);
void sort(void *table, size_t n, size_t item, int (*compare)(const void *, const void *));
bool copy_text(char *to, size_t room, const char *from, size_t len);
bool copy_word(char *to, size_t room, const char *from);
int open_read(const char *path);
long read_some(int fd, void *to, size_t room);
u8 *read_file(const char *path, size_t *len, u64 max);
bool read_small(const char *path, char *to, size_t room);
u32 crc32_of(const void *data, size_t len, u32 crc);

/* --- out.c --------------------------------------------------------------- */
#define OUT_SIZE 65536u

struct out {
	int fd;			/* -1 throws everything away */
	size_t used;
	u64 total;		/* bytes handed to us so far */
	const char *path;	/* NULL: standard output */
	bool renames;		/* what is written goes to temp first */
	char temp[4096];
	u8 buf[OUT_SIZE];
};

void out_open(struct out *o, const char *path);
void out_close(struct out *o);
void out_abandon(struct out *o);
void out_give_up(void);
u64 out_born(const struct out *o);
void out_flush(struct out *o);
u8 *out_room(struct out *o, size_t len);
void out_done(struct out *o, const u8 *end);
void out_bytes(struct out *o, const void *data, size_t len);
void out_zero(struct out *o, u64 len);
void out_str(struct out *o, const char *text);
void out_chr(struct out *o, char c);
void out_u64(struct out *o, u64 value);
void out_s64(struct out *o, s64 value);
void out_hex(struct out *o, u64 value, unsigned int min_digits);
void out_padded(struct out *o, u64 value, unsigned int digits);
void out_frac(struct out *o, u64 value, unsigned int digits);
void out_right(struct out *o, const char *text, size_t len, size_t width);
void out_safe(struct out *o, const u8 *text, size_t len);
void out_word(struct out *o, const void *text, size_t len);
void out_key(struct out *o, const char *key, const char *value);
void out_key_u64(struct out *o, const char *key, u64 value);
void out_key_hex(struct out *o, const char *key, u64 value);

/* --- a region's bytes and what they hold ----------------------------------- */
struct rec;
struct lane;
struct trace;

/* What the bytes do not say of themselves: from options, the live system or the image's header. */
struct hints {
	u32 plain_n, plain_word;
	u32 plain_big;		/* 0, 1; in an image 0 unknown, 1 little, 2 big */
	char plain_order[8];
	u32 word;		/* 4, 8, 0 = find out */
	u32 cpu_bits;		/* pstore: low bits of ip that hold the CPU */
	u32 ecc;		/* pstore: parity bytes a block, 0 = find out */
	char machine[32];	/* uname -m of the traced kernel, "" = unknown */
	char release[72];
	bool salvage;		/* go on where no header can be read */
};

/* A kernel sub-buffer with data, or a pstore zone, or a recorder area. */
struct sub {
	u64 time;
	u32 at;			/* offset of the sub-buffer in the region */
	u32 len;		/* bytes of events, or of records */
	u32 n;			/* records, once scanned */
};

/* A stream of records in time order, with a cursor: a CPU's, or a zone's of all CPUs. */
struct lane {
	u32 cpu;
	bool mixed;		/* records of any CPU */
	bool cut;		/* pstore: the records of an earlier boot are out of it */
	u32 first, n;		/* its part of trace.sub[]; or first slot, slots */
	u32 at;			/* where its records begin */
	u32 lap, prev_lap;	/* recorder */
	u64 discarded;		/* sub-buffers the kernel or we found damaged */
	u64 missed;		/* lost events the writer knew of */
	u64 stale;		/* records older than their neighbours, or torn */
	u64 partial;		/* sub-buffers whose end cannot be read */
	u32 why;		/* bits of WHY_*: what of it cannot be read, and why */
	u32 unreadable, total;	/* of its sub-buffers or slots */
	bool any;		/* it has records */
	bool last_sure;		/* nothing can have come behind its last record */
	/* cursor */
	u32 i;
	const u8 *p, *end;
	u64 time;
	u64 seq;
	u64 bad;		/* sub-buffers that ended early, this walk */
};

/* Why something cannot be read; the words are in health.c, in this order. */
enum {
	WHY_HEADER = 1, WHY_ZEROED = 2, WHY_TRUNCATED = 4, WHY_COMMIT = 8, WHY_EVENTS = 16, WHY_ORDER = 32,
	WHY_REJECTED = 64, WHY_CHECKSUM = 128, WHY_STALE = 256, WHY_BLANK = 512, WHY_ECC = 1024,
	WHY_CLEARED = 2048	/* no damage: emptied by the kernel */
};

/* From here to there n sub-buffers or records of a CPU cannot be read; 0 and UINT64_MAX: open ends. */
struct gap {
	u64 from, to;
	u32 cpu, n;
};

struct oldmod {
	char name[NAME_LEN];
	u64 base, size;		/* size 0 = unknown */
	u64 since, until;	/* times between which it counts; until 0 = no end */
	u64 now;		/* base in the symbols' boot, 0 = not loaded */
};

struct trace {
	const u8 *base;
	size_t size;
	u32 layout;		/* FTIMAGE_* */
	u32 word;		/* 4 or 8 */
	bool big, swap;
	bool timed;		/* times are nanoseconds, not a count */
	bool shifted;		/* dynamic of 6.13: ids from 12 on are one higher */
	bool truncated, damaged;
	bool salvaged;		/* opened without a header that can be read */
	bool no_cpu;		/* and nobody knows which CPU the records are of */
	bool damaged_modules;
	u32 header_bit;		/* recorder: 1 + the byte in which one bit was flipped */
	u8 head[512];		/* recorder: the header, with that bit put right */
	struct gap *gap;
	u32 ngap, gap_room;
	u32 sizes;		/* ring: of its structures, as its header has them */
	u64 first_at;		/* where CPU 0's header begins */
	u32 page;		/* sub-buffer size; ring only */
	u32 data_at;		/* offset of the events in a sub-buffer */
	u32 slots;		/* sub-buffers a CPU, records an area */
	u32 record;		/* record size; not ring */
	u32 version;		/* pstore: LINUX_VERSION_CODE of the writer */
	u32 zones, ecc;
	u64 corrected, uncorrectable;
	const char *clock;
	u64 text_addr;		/* old address of the symbol `anchor`, 0 = unknown */
	char anchor[32];
	u64 anchor2_addr;	/* a second chance: recorder */
	char anchor2[32];
	char build[72];		/* uname -v of the traced kernel, "" = not told */
	u32 ncpu;		/* CPU numbers are below */
	struct lane *lane;
	u32 nlane;
	struct sub *sub;
	u32 nsub;
	struct oldmod *mod;
	u32 nmod;
	struct hints hint;
	u8 *side;		/* pstore: the records of all zones, put straight and corrected */
	bool (*next)(const struct trace *t, struct lane *l, struct rec *r);
	void (*info)(const struct trace *t, struct out *o);
};

enum kind {
	K_FUNCTION, K_GRAPH_ENTRY, K_GRAPH_EXIT, K_STACK, K_USER_STACK,
	K_PRINT, K_BPRINT, K_REPEATS, K_EVENT, K_COUNT
};

struct rec {
	u64 time, ip, parent;
	u64 call, ret;		/* graph exit: when it was called and came back */
	const u8 *raw;		/* the whole entry, common fields first; ring only */
	const u8 *more;		/* stack addresses, text, arguments, payload */
	u32 raw_len, more_len;
	s32 pid, depth;
	u32 cpu, count;		/* count: repeats, overrun */
	u16 id;
	u8 flags, preempt, kind;
	bool context;		/* pid, flags and preempt were recorded */
};

#include "loads.h"

static inline bool host_is_big(void)
{
	const u16 one = 1;
	u8 first;

	memcpy(&first, &one, 1);
	return first == 0;
}

/* trace.c, layout_*.c */
void trace_open(struct trace *t, const u8 *base, size_t size, const struct hints *h, struct out *tell);
u32 trace_probe(const u8 *base, size_t size, u32 *word, bool *big);
const char *layout_name(u32 layout);
void trace_rewind(struct trace *t);
bool ring_probe(const u8 *base, size_t size, struct trace *t);
const char *ring_open(struct trace *t);
bool ring_salvage(struct trace *t);
const char *ring_clock(const u8 *base, size_t size);
u32 ring_valid(const struct trace *t, const struct sub *s);
bool pstore_probe(const u8 *base, size_t size, struct trace *t);
void pstore_open(struct trace *t);
bool recorder_probe(const u8 *base, size_t size, struct trace *t);
const char *recorder_open(struct trace *t);
bool recorder_salvage(struct trace *t);
void plain_open(struct trace *t);
void set_order(struct trace *t, bool big);

/* ring_order.c: a CPU's part of a ring */
struct ring_cpu {
	u64 at;			/* of its sub-buffers */
	const u8 *head;		/* its header from `first_buffer` on; NULL = damaged or not there */
	const u8 *index;	/* the array of indexes; NULL like head */
};

bool next_event(const struct trace *t, struct lane *l, u32 *size, const u8 **data, u32 *len);
u64 ring_walk(const struct trace *t, struct sub *s, u64 limit, bool *partial);
void ring_reads(struct trace *t);
void ring_collect(struct trace *t, struct lane *l, const struct ring_cpu *c);
void ring_outliers(struct trace *t);

/* salvage.c */
bool salvage_open(struct trace *t);

/* health.c */
void gap_add(struct trace *t, u32 cpu, u64 from, u64 to, u64 n);
bool health_good(const struct trace *t);
void health_write(struct out *o, const struct trace *t, bool image_bad);

/* rs.c: Reed-Solomon as ramoops uses it */
void rs_init(unsigned int nroots);
void rs_parity(const u8 *data, size_t len, u8 *parity);
int rs_correct(u8 *data, size_t len, u8 *parity);

/* --- symbols.c ------------------------------------------------------------- */
struct symbol {
	u64 addr;
	u32 name;		/* offset in names */
	u16 mod;		/* index + 1, 0 = kernel */
	u8 len;			/* of the name; 255 = measure it */
	char type;
};

struct module {
	char name[NAME_LEN];
	u64 base, size;		/* from the modules file; size 0 = unknown */
	u64 low;		/* lowest text symbol */
};

/* What resolve() found. name is NULL when the address has no name. */
struct named {
	const char *name;
	const char *mod;	/* NULL = kernel */
	u64 off;
	u32 len;		/* of the name */
	u32 id;			/* same function, same id */
};

void symbols_load(const char *path);
void modules_load(const char *path, bool old);
void loads_load(const char *path);
void symbols_trust(const char *build, bool anyway);
void symbols_relocate(struct trace *t, bool have_delta, u64 delta);
void symbols_learn(struct trace *t);
bool symbols_unsure(void);
bool symbols_there(void);
const struct named *resolve(u64 addr, u64 time);
const struct named *resolve_entry(u64 addr, u64 time);
const char *symbols_state(void);
u64 symbols_delta(void);
void symbols_write(struct out *o, unsigned int word);
void symbols_reset(void);

void cmdlines_load(const char *path);
const char *cmdline_of(s32 pid, size_t *len);
const char *cmdlines_text(size_t *len);
bool cmdline_nth(u32 n, s32 *pid, const char **comm, size_t *len);
void cmdlines_reset(void);

/* --- walk.c ------------------------------------------------------------------ */
struct filter {
	u64 last;		/* per CPU, 0 = all */
	u64 since;		/* ns before the newest, 0 = all */
	bool one_cpu;
	u32 cpu;
};

struct cpu_stat {
	u64 n, first, last, skip;
};

struct totals {
	struct cpu_stat *cpu;	/* trace.ncpu of them */
	u64 n, first, last;
	u64 kinds[K_COUNT];
	u64 bad;		/* sub-buffers that ended early */
	u32 entry_len, exit_len;	/* payload of graph records, 0 = none seen */
};

typedef void (*rec_fn)(void *ctx, const struct rec *r);
void scan(struct trace *t, const struct filter *f, struct totals *all, struct totals *kept);
void keep_last(const struct trace *t, u64 n, struct totals *kept);
void walk(struct trace *t, const struct filter *f, const struct totals *all,
	  const struct totals *kept, s64 only_cpu, rec_fn fn, void *ctx);

/* --- out_*.c ------------------------------------------------------------------ */
struct view {
	struct trace *t;
	const struct filter *f;
	struct totals all, kept;
	struct out *o;
};

void text_write(struct view *v, bool tracer_look);
void json_write(struct view *v);
void tracedat_write(struct view *v);
void summary_write(struct view *v);
void who_write(struct view *v, u32 top);
void out_time(struct out *o, const struct trace *t, u64 time);
void out_flags(struct out *o, const struct trace *t, const struct rec *r);
void out_name(struct out *o, u64 addr, u64 time, bool with_off);
void out_name_by(struct out *o, u64 addr, u64 time, bool with_off,
		 void (*text)(struct out *o, const void *text, size_t len));
extern const char *const kind_name[K_COUNT];

/* --- image.c --------------------------------------------------------------------- */
struct image {
	u32 layout, word, order, page;
	u64 addr, size, created;
	u32 data_crc;
	char clock[16], boot_id[40], name[32];
	char build[72];
	struct hints hint;
};

bool image_is(const u8 *p, size_t len);
const char *image_parse(const u8 *p, size_t len, struct image *im);
void image_build(const struct image *im, u8 head[FTIMAGE_SIZE]);

/* --- proc.c, region.c ---------------------------------------------------------------- */
struct region {
	const char *spec;	/* as the user gave it */
	char path[4096];	/* file or device; "" = physical memory */
	bool regular;		/* a plain file */
	bool is_image;		/* with our header in front */
	bool salvage;		/* an image header that is damaged is passed over */
	bool reserve_mem;	/* inside System RAM, reserved by label */
	char name[32];		/* of the instance or label, "" = none */
	u64 addr, size;		/* addr 0 = not known */
	u8 *data;		/* a copy of the region's bytes */
	size_t len;
	struct image im;	/* of the header, if is_image */
	const char *way;	/* how the bytes were got */
};

extern const char *proc_dir, *sys_dir, *mem_path;
void proc_paths(const char *proc_option);
void proc_find(struct region *r, const char *name);
void proc_allow(const struct region *r);
void proc_not_live(const struct region *r);
void proc_lockdown(char *to, size_t room);
void proc_running(struct image *im);
void region_find(struct region *r, const char *spec);
void region_load(struct region *r);
void region_store(struct region *r, const u8 *data, size_t len);

#endif
