/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the recorder module leaves in the reserved region, and how to read it.
 * Shared by the module (ftrec.c) and by user space, hence only uintN_t.
 *
 * The region, from its first byte:
 *
 *	0				struct ftrec_header (header_size bytes)
 *	module_offset			module_slots * struct ftrec_module
 *	area_offset			area 0: struct ftrec_area (area_header_size
 *					bytes), then capacity records
 *	area_offset + area_size		area 1 ...   (nr_areas of them, equal size)
 *
 * There is one area for each possible CPU; its header says which one. All
 * numbers are in the traced CPU's byte order: read `magic` both ways to learn
 * it. The two structures of records differ only in the size of an address
 * (word_size 8 or 4); every other structure is the same on every machine, with
 * 64-bit members on multiples of 8, so no compiler adds padding.
 *
 * Everything here may have been cut short by a reset, or be the remains of
 * something else: check `magic`, `version`, the sizes and `check`, then that
 * all offsets stay inside the region, before using anything.
 *
 * READING ORDER OUT OF AN AREA
 *
 * A record's number is (lap, slot): slot = its place, 0 .. capacity-1, and lap
 * = how often the writer had come round, beginning with 1 and going back to 1
 * after `laps`. A lap of 0 means "never written". Slots are claimed in order,
 * one at a time, by the one CPU that owns the area.
 *
 * next_lap/next_slot in the area header say which record comes next, but only
 * as a hint: they are written after the record, not at every record with slow
 * memory types, and what was still in the CPU's cache at a reset is gone, a
 * line here, a line there. So the reader relies on the records:
 *
 * 1. A record is good if its lap is 1 .. laps and FTREC_CHECK(tag) equals
 *    ftrec_check(...) of its other members, its lap and its slot. One that is
 *    neither good nor all zero is torn (half written when the machine stopped,
 *    or half of it never left the cache): leave it out, count it.
 * 2. The newest: take the good record with the greatest time, lap L, slot S.
 *    (Two records of nested contexts may have their times swapped, so) while
 *    the following number, (L, S+1) or (L+1, 0), is there and good, go on to
 *    it. A lap after `laps` is 1, one before 1 is `laps`.
 * 3. Slots 0 .. S belong to lap L, slots S+1 .. capacity-1 to the lap before
 *    it. Good records with another lap are older than that: their successors
 *    were lost in the cache. Count them as lost, and leave them out or mark
 *    them, but never show them as if they followed their neighbours.
 * 4. Oldest to newest: S+1 .. capacity-1 of the lap before, then 0 .. S.
 *
 * Across CPUs sort by time (clock_id 0 is per CPU: neighbours on different
 * CPUs may be a little apart).
 *
 * WHEN THE ADDRESSES ARE OF
 *
 * ip and parent_ip are addresses of the boot that wrote them. text_addr (0 if
 * nobody told the module) is where `_text` was then; anchor_addr is where the
 * kernel function named anchor_name was then, always there. Their difference
 * to the same symbol in another kallsyms of the same build (release, build) is
 * the shift of the kernel's own text. Modules move on their own: the module
 * table has name, base (as in /proc/modules) and size of those known.
 */
#ifndef FTREC_FORMAT_H
#define FTREC_FORMAT_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

#define FTREC_MAGIC		0x46545243u	/* "FTRC" in memory if big-endian */
#define FTREC_AREA_MAGIC	0x46545241u	/* "FTRA" */
#define FTREC_VERSION		1u

#define FTREC_MEM_WB		0u	/* cached, write-back */
#define FTREC_MEM_WC		1u	/* write-combining */
#define FTREC_MEM_UC		2u	/* uncached */

/* Same numbers as the persistent ring buffer uses for trace clocks. */
#define FTREC_CLOCK_LOCAL	0u	/* trace_clock "local", nanoseconds */

#define FTREC_CHECKED		444u	/* header bytes covered by `check` */

/* At offset 0 of the region; 512 bytes. */
struct ftrec_header {
	uint32_t magic;			/*   0 FTREC_MAGIC, written last of all */
	uint32_t version;		/*   4 FTREC_VERSION */
	uint32_t header_size;		/*   8 sizeof(struct ftrec_header) */
	uint32_t word_size;		/*  12 8 or 4: which record structure */
	uint32_t record_size;		/*  16 32 or 24 */
	uint32_t nr_areas;		/*  20 possible CPUs */
	uint32_t clock_id;		/*  24 FTREC_CLOCK_* */
	uint32_t mem_type;		/*  28 FTREC_MEM_* in use */
	uint32_t flush;			/*  32 1: each record cleaned out of the cache */
	uint32_t page_size;		/*  36 of the traced kernel */
	uint64_t region_addr;		/*  40 physical address */
	uint64_t region_size;		/*  48 bytes */
	uint64_t area_offset;		/*  56 from the region's start; multiple of 64 */
	uint64_t area_size;		/*  64 from one area to the next; multiple of 64 */
	uint32_t area_header_size;	/*  72 sizeof(struct ftrec_area) */
	uint32_t capacity;		/*  76 records in each area */
	uint32_t laps;			/*  80 greatest lap number, <= 65535 */
	uint32_t module_offset;		/*  84 from the region's start */
	uint32_t module_size;		/*  88 sizeof(struct ftrec_module) */
	uint32_t module_slots;		/*  92 entries there is room for */
	uint64_t text_addr;		/*  96 `_text` of this boot, 0 = unknown */
	uint64_t anchor_addr;		/* 104 address of anchor_name in this boot */
	char anchor_name[32];		/* 112 a function in the kernel's text */
	uint64_t load_time;		/* 144 record clock when the region was set up */
	uint64_t load_wall;		/* 152 the same moment, ns since 1970 */
	char boot_id[40];		/* 160 as given at load, "" = unknown */
	char machine[24];		/* 200 uname -m (cut if longer) */
	char release[72];		/* 224 uname -r */
	char build[72];			/* 296 uname -v */
	uint32_t reserved1[19];		/* 368 zero */
	uint32_t check;			/* 444 ftrec_hash() of bytes 0 .. FTREC_CHECKED-1 */

	/* From here on not covered by `check`: changes while recording. */
	uint64_t armed_time;		/* 448 record clock at the last start */
	uint64_t armed_wall;		/* 456 the same moment, ns since 1970 */
	uint32_t arm_count;		/* 464 starts since the region was set up */
	uint32_t recording;		/* 468 1 = running (still 1 after a reset) */
	uint32_t dumped;		/* 472 a reader that has saved everything may
					 *     write 1: overwriting is then allowed */
	uint32_t modules_lost;		/* 476 modules there was no slot for */
	uint32_t reserved2[8];		/* 480 zero */
};

#define FTREC_MODULE_LIVE	1u
#define FTREC_MODULE_GONE	2u	/* unloaded; its records may still be there */

/*
 * Module table entry; 80 bytes; name[0] == 0 = free. Entries are in order of
 * loading; where two overlap, the later one counts from its `time` on.
 */
struct ftrec_module {
	uint64_t base;			/*  0 address as in /proc/modules */
	uint64_t time;			/*  8 record clock when it became known */
	uint32_t size;			/* 16 bytes of text known to belong to it */
	uint32_t state;			/* 20 FTREC_MODULE_* */
	char name[56];			/* 24 always ends in 0 */
};

/* At the start of each area; 64 bytes; records follow. */
struct ftrec_area {
	uint32_t magic;			/*  0 FTREC_AREA_MAGIC */
	uint32_t cpu;			/*  4 whose records */
	uint32_t next_slot;		/*  8 hint: where the next record goes */
	uint32_t next_lap;		/* 12 hint: its lap */
	uint64_t missed;		/* 16 hint: calls not recorded (recursion) */
	uint64_t wraps;			/* 24 hint: times the lap went back to 1 */
	uint32_t reserved[8];		/* 32 zero */
};

/*
 * `time`: bits 0-55 nanoseconds of the record clock (833 days), bits 56-63
 *	preempt_count depth at the call (255 = that or more).
 * `pid`: bits 0-23 thread id (0 = idle), bits 24-31 flags.
 * `tag`: bits 0-15 lap, bits 16-31 check. Written last.
 */
struct ftrec_record64 {
	uint64_t ip;			/*  0 the function called, as ftrace gives it */
	uint64_t parent_ip;		/*  8 return address in its caller */
	uint64_t time;			/* 16 */
	uint32_t pid;			/* 24 */
	uint32_t tag;			/* 28 */
};

struct ftrec_record32 {
	uint32_t ip;			/*  0 */
	uint32_t parent_ip;		/*  4 */
	uint64_t time;			/*  8 */
	uint32_t pid;			/* 16 */
	uint32_t tag;			/* 20 */
};

/* The flags have the values of the function tracer's flags byte. */
#define FTREC_F_IRQS_OFF	0x01u
#define FTREC_F_NEED_RESCHED	0x04u
#define FTREC_F_HARDIRQ		0x08u
#define FTREC_F_SOFTIRQ		0x10u
#define FTREC_F_NMI		0x40u
#define FTREC_F_BH_OFF		0x80u

#define FTREC_NS(time)		((time) & 0x00ffffffffffffffULL)
#define FTREC_DEPTH(time)	((uint32_t)((time) >> 56))
#define FTREC_PID(pid)		((pid) & 0xffffffu)
#define FTREC_FLAGS(pid)	((pid) >> 24)
#define FTREC_LAP(tag)		((tag) & 0xffffu)
#define FTREC_CHECK(tag)	((tag) >> 16)

/* One step of the record check: 32 bits in, mixed into h. */
#define FTREC_MIX(h, w)		(((h) ^ (uint32_t)(w)) * 0x9e3779b1u)
#define FTREC_FOLD(x)		((uint32_t)(x) ^ (uint32_t)((uint64_t)(x) >> 32))

/*
 * 16 bits over all of a record, its lap and its slot. Takes `time` and `pid`
 * as stored (upper bits included), in the reader's own byte order; an address
 * of a 32-bit machine is zero-extended.
 */
static inline uint32_t ftrec_check(uint64_t ip, uint64_t parent_ip,
				   uint64_t time, uint32_t pid,
				   uint32_t lap, uint32_t slot)
{
	uint32_t h = FTREC_MIX(lap << 16 | lap, slot);

	h = FTREC_MIX(h, FTREC_FOLD(ip));
	h = FTREC_MIX(h ^ h >> 15, FTREC_FOLD(parent_ip));
	h = FTREC_MIX(h ^ h >> 15, FTREC_FOLD(time));
	h = FTREC_MIX(h ^ h >> 15, pid);
	return h >> 16;
}

/* FNV-1a, 32 bits, over bytes as they lie in memory. */
static inline uint32_t ftrec_hash(const void *data, uint32_t len)
{
	const unsigned char *p = (const unsigned char *)data;
	uint32_t h = 0x811c9dc5u;

	while (len--)
		h = (h ^ *p++) * 0x01000193u;
	return h;
}

#endif
