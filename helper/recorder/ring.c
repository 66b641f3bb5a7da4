// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callback: one record for each call of a filtered function, on this CPU's
 * own ring, with no lock. Runs in any context up to NMI; built without tracing.
 */
#include "ftrec.h"

DEFINE_PER_CPU(struct ftrec_ring, ftrec_ring);
struct ftrec_geometry ftrec_geometry;

/* The region may be any kind of memory: plain aligned stores, none left out or merged. */
#define PUT(place, value)	(*(volatile typeof(place) *)&(place) = (value))

/* Bits of ring->busy. An interrupt is in TRANSITION before it has counted itself in. */
enum { IN_TASK, IN_SOFTIRQ, IN_HARDIRQ, IN_NMI, IN_TRANSITION };

static __always_inline int context_of(unsigned int count)
{
	if (count & NMI_MASK)
		return IN_NMI;
	if (count & HARDIRQ_MASK)
		return IN_HARDIRQ;
	if (count & SOFTIRQ_OFFSET)
		return IN_SOFTIRQ;
	return IN_TASK;
}

/*
 * enter: keep the callback from recording itself.
 * Returns the bit to hand to leave, or 0 (counted as missed) on recursion.
 * No atomics: whoever interrupts us puts the bits back before we go on.
 */
static __always_inline unsigned long enter(struct ftrec_ring *ring,
					   unsigned int count)
{
	unsigned long bit = 1UL << context_of(count);

	if (unlikely(ring->busy & bit)) {
		bit = 1UL << IN_TRANSITION;
		if (ring->busy & bit) {
			ring->missed++;
			return 0;
		}
	}
	PUT(ring->busy, ring->busy | bit);
	return bit;
}

static __always_inline void leave(struct ftrec_ring *ring, unsigned long bit)
{
	PUT(ring->busy, ring->busy & ~bit);
}

/* claim: the next (lap << slot_bits | slot), ours alone even against an NMI. */
static __always_inline unsigned long claim(struct ftrec_ring *ring,
					   const struct ftrec_geometry *geo)
{
	unsigned long mask = (1UL << geo->slot_bits) - 1;
	unsigned long old, new, lap;

	do {
		old = local_read(&ring->next);
		new = old + 1;
		if (unlikely((new & mask) == geo->capacity || !(new & mask))) {
			lap = old >> geo->slot_bits;
			new = (lap >= geo->laps ? 1 : lap + 1) << geo->slot_bits;
		}
	} while (local_cmpxchg(&ring->next, old, new) != old);
	if (unlikely(new < old))
		ring->wraps++;
	return old;
}

static __always_inline u32 flags_of(unsigned int count)
{
	u32 flags = 0;

	if (irqs_disabled())
		flags |= FTREC_F_IRQS_OFF;
	if (need_resched())
		flags |= FTREC_F_NEED_RESCHED;
	if (count & NMI_MASK)
		flags |= FTREC_F_NMI;
	if (count & HARDIRQ_MASK)
		flags |= FTREC_F_HARDIRQ;
	if (count & SOFTIRQ_OFFSET)
		flags |= FTREC_F_SOFTIRQ;
	if ((count & SOFTIRQ_MASK) > SOFTIRQ_OFFSET)
		flags |= FTREC_F_BH_OFF;
	return flags;
}

/* settle: see that the record leaves the CPU, as far as was asked for. */
static __always_inline void settle(const struct ftrec_record *record,
				   const struct ftrec_geometry *geo)
{
	unsigned long line = (unsigned long)record & -(unsigned long)FTREC_LINE;
	unsigned long end = (unsigned long)(record + 1);

	if (geo->clean)
		for (; line < end; line += FTREC_LINE)
			ftrec_clean_line((void *)line);
	else if (geo->drain)
		wmb();
}

/* hint: tell the area header how far we are; stale as soon as it is written. */
static __always_inline void hint(struct ftrec_ring *ring,
				 const struct ftrec_geometry *geo)
{
	unsigned long number = local_read(&ring->next);

	PUT(ring->area->next_slot, number & ((1UL << geo->slot_bits) - 1));
	PUT(ring->area->next_lap, number >> geo->slot_bits);
	if (unlikely(ring->missed))
		PUT(ring->area->missed, ring->missed);
	if (unlikely(ring->wraps))
		PUT(ring->area->wraps, ring->wraps);
}

/* store: claim a slot and fill it, the tag last. */
static __always_inline void store(struct ftrec_ring *ring, unsigned long ip,
				  unsigned long parent_ip, unsigned int count)
{
	const struct ftrec_geometry *geo = &ftrec_geometry;
	u64 time = FTREC_NS(ftrec_clock()) | (u64)(count & PREEMPT_MASK) << 56;
	u32 pid = ((u32)current->pid & 0xffffff) | flags_of(count) << 24;
	unsigned long number = claim(ring, geo);
	u32 slot = number & ((1UL << geo->slot_bits) - 1);
	u32 lap = number >> geo->slot_bits;
	struct ftrec_record *record = &ring->records[slot];

	PUT(record->ip, ip);
	PUT(record->parent_ip, parent_ip);
	PUT(record->time, time);
	PUT(record->pid, pid);
	PUT(record->tag, ftrec_check(ip, parent_ip, time, pid, lap, slot) << 16 | lap);
	settle(record, geo);

	if (geo->hint_often || !(slot & 63))
		hint(ring, geo);
}

/* ftrec_call: what ftrace calls at the entry of each filtered function. */
FTREC_CALLBACK(ftrec_call)
{
	unsigned int count = preempt_count();
	struct ftrec_ring *ring;
	unsigned long bit;

	preempt_disable_notrace();
	ring = &per_cpu(ftrec_ring, raw_smp_processor_id());
	bit = enter(ring, count);
	if (likely(bit)) {
		store(ring, ip, parent_ip, count);
		leave(ring, bit);
	}
	preempt_enable_notrace();
}

/* ftrec_ring_init: an empty ring on an area whose header is already there. */
void ftrec_ring_init(struct ftrec_ring *ring, struct ftrec_area *area)
{
	memset(ring, 0, sizeof(*ring));
	local_set(&ring->next, 1L << ftrec_geometry.slot_bits);
	ring->area = area;
	ring->records = (struct ftrec_record *)(area + 1);
}

/* ftrec_ring_records: how many have been written since the region was set up. */
u64 ftrec_ring_records(const struct ftrec_ring *ring)
{
	const struct ftrec_geometry *geo = &ftrec_geometry;
	unsigned long number = local_read((local_t *)&ring->next);
	u64 laps = (u64)ring->wraps * geo->laps + (number >> geo->slot_bits) - 1;

	return laps * geo->capacity + (number & ((1UL << geo->slot_bits) - 1));
}
