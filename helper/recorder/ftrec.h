/* SPDX-License-Identifier: GPL-2.0-only */
/* What the module's parts know of each other. Lock order: all but ring.c runs under main.c's mutex. */
#ifndef FTREC_H
#define FTREC_H

#include <linux/percpu.h>
#include <asm/local.h>

#include "compat.h"
#include "ftrec_format.h"

#undef pr_fmt
#define pr_fmt(fmt) "ftrec: " fmt

#if BITS_PER_LONG == 64
#define ftrec_record	ftrec_record64
#else
#define ftrec_record	ftrec_record32
#endif

/* One writer: a CPU's claim counter (lap << slot_bits | slot) and its area. */
struct ftrec_ring {
	local_t next;
	unsigned long busy;		/* contexts inside the callback, a bit each */
	unsigned long missed;
	unsigned long wraps;
	struct ftrec_area *area;
	struct ftrec_record *records;
};
DECLARE_PER_CPU(struct ftrec_ring, ftrec_ring);

/* What the callback needs to know of the region; constant while it is registered. */
struct ftrec_geometry {
	u32 capacity;
	u32 laps;
	unsigned int slot_bits;
	bool clean;			/* clean each record out of the cache */
	bool drain;			/* drain the write-combining buffer instead */
	bool hint_often;		/* next_slot, next_lap at each record */
};
extern struct ftrec_geometry ftrec_geometry;

/* region.c */
struct ftrec_setup {
	phys_addr_t addr;
	size_t size;
	u32 mem_type;
	bool flush;
	bool overwrite;
	u64 text_addr;
	const char *boot_id;
};
int ftrec_region_open(const struct ftrec_setup *setup);
void ftrec_region_close(void);
void ftrec_region_recording(bool on);
void ftrec_region_clean(void);
void ftrec_region_module(const char *name, u64 base, u32 size);
void ftrec_region_module_gone(const char *name);

/* filter.c */
int ftrec_filter_words(char *text);
int ftrec_filter_module(const char *name);
int ftrec_filter_coming(struct module *mod);
void ftrec_filter_clear(void);
unsigned int ftrec_filter_entries(void);
int ftrec_start(void);
void ftrec_stop(void);
bool ftrec_running(void);

/* ring.c */
FTREC_CALLBACK(ftrec_call);
void ftrec_ring_init(struct ftrec_ring *ring, struct ftrec_area *area);
u64 ftrec_ring_records(const struct ftrec_ring *ring);

#endif
