// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reserved region: may we have it, is something worth keeping in it, and
 * laying it out. All copies go through memcpy_fromio/toio: it may be device memory.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/utsname.h>

#include "ftrec.h"

#define ANCHOR			register_ftrace_function
#define RING_BUFFER_MAGIC	0x0badfeedu	/* the kernel's own persistent buffer */
#define MIN_RECORDS		64u
#define MAX_RECORDS		0x40000000u

static struct ftrec_header head;	/* our copy of what is in the region */
static char *base;			/* the region, mapped */

static void __iomem *io(size_t offset)
{
	return (void __iomem __force *)(base + offset);
}

/* clean: write LEN bytes from OFFSET on back to memory, if they are cached at all. */
static void clean(size_t offset, size_t len)
{
	size_t end = offset + len;

	offset &= ~((size_t)FTREC_LINE - 1);
	if (FTREC_CAN_CLEAN && head.mem_type == FTREC_MEM_WB)
		for (; offset < end; offset += FTREC_LINE)
			ftrec_clean_line(base + offset);
	mb();	/* and drain the write-combining buffers */
}

/* put: copy LEN bytes to OFFSET in the region, and on into memory. */
static void put(size_t offset, const void *from, size_t len)
{
	memcpy_toio(io(offset), from, len);
	clean(offset, len);
}

/* put_head: LEN bytes of the header from OFFSET on. */
static void put_head(size_t offset, size_t len)
{
	put(offset, (char *)&head + offset, len);
}

/* put_text: FROM into the N bytes at TO, cut if need be, always ended. (No str*cpy is in all kernels.) */
static void put_text(char *to, size_t n, const char *from)
{
	snprintf(to, n, "%s", from);
}

static int refuse(int err, const char *why)
{
	pr_err("region refused: %s\n", why);
	return err;
}

/* check_place: is this a place that can be recorded into at all? 0 or -errno. */
static int check_place(const struct ftrec_setup *setup)
{
	if (!setup->addr || !setup->size)
		return refuse(-EINVAL, "addr= and size= are needed");
	if (setup->addr + setup->size < setup->addr)
		return refuse(-EINVAL, "it wraps around");
	if ((setup->addr | setup->size) & ~PAGE_MASK)
		return refuse(-EINVAL, "address and size must be multiples of the page size");
	if (ftrec_is_ram(setup->addr, setup->size))
		return refuse(-EBUSY, "it is System RAM; reserve it first (memmap=, mem=, device tree)");
	if (ftrec_is_taken(setup->addr, setup->size))
		return refuse(-EBUSY, "a device or a driver owns it (see /proc/iomem)");
	return 0;
}

/* map: the region with the memory type asked for; 0 or -errno. */
static int map(const struct ftrec_setup *setup)
{
	switch (setup->mem_type) {
	case FTREC_MEM_WB:
		base = ftrec_map_wb(setup->addr, setup->size);
		break;
	case FTREC_MEM_WC:
		base = (char __force *)ioremap_wc(setup->addr, setup->size);
		break;
	default:
		base = (char __force *)ioremap(setup->addr, setup->size);
		break;
	}
	return base ? 0 : refuse(-ENOMEM, "it cannot be mapped with this memtype");
}

static void unmap(void)
{
	if (head.mem_type == FTREC_MEM_WB)
		ftrec_unmap_wb(base);
	else
		iounmap(io(0));
	base = NULL;
}

/*
 * has_records: does the trace that OLD describes hold any? Slot 0 and the hint
 * are written first. Sizes that cannot be ours count as yes: not our call.
 */
static bool has_records(const struct ftrec_header *old, size_t size)
{
	struct ftrec_area area;
	u64 offset = old->area_offset;
	u32 i, tag;

	if (old->area_header_size != sizeof(area) || old->record_size < sizeof(tag))
		return true;
	for (i = 0; i < old->nr_areas; i++, offset += old->area_size) {
		if (offset > size || size - offset < sizeof(area) + old->record_size)
			return true;
		memcpy_fromio(&area, io(offset), sizeof(area));
		memcpy_fromio(&tag, io(offset + sizeof(area) + old->record_size -
				       sizeof(tag)), sizeof(tag));
		if (tag || area.next_slot || area.next_lap > 1)
			return true;
	}
	return false;
}

/*
 * check_content: is there a trace nobody has saved? One of this very boot may
 * be dropped, so may an empty or a dumped one. 0 or -EBUSY.
 */
static int check_content(const struct ftrec_setup *setup)
{
	struct ftrec_header old;

	memcpy_fromio(&old, io(0), sizeof(old));
	if (old.magic == RING_BUFFER_MAGIC)
		return refuse(-EBUSY, "the kernel's persistent ring buffer is in it (overwrite=1 to drop that)");
	if (old.magic == swab32(FTREC_MAGIC))
		return refuse(-EBUSY, "a trace of the other byte order is in it (overwrite=1 to drop that)");
	if (old.magic != FTREC_MAGIC)
		return 0;
	if (old.version == FTREC_VERSION &&
	    old.check == ftrec_hash(&old, FTREC_CHECKED)) {
		if (old.dumped || !has_records(&old, setup->size))
			return 0;
		if (old.boot_id[0] && !strncmp(old.boot_id, setup->boot_id, sizeof(old.boot_id)))
			return 0;
	}
	return refuse(-EBUSY, "an earlier trace is in it that was not dumped (overwrite=1 to drop that)");
}

/* lay_out: fill in the sizes of `head` and the geometry; 0 or -EINVAL. */
static int lay_out(const struct ftrec_setup *setup)
{
	size_t size = setup->size, used, area, capacity;
	unsigned int bits;

	head.module_offset = sizeof(head);
	head.module_slots = size >= 0x100000 ? 256 : 32;
	used = ALIGN(sizeof(head) + head.module_slots * sizeof(struct ftrec_module), 64);
	if (size < used)
		return refuse(-EINVAL, "it is too small");
	area = ((size - used) / head.nr_areas) & ~(size_t)63;
	capacity = area < sizeof(struct ftrec_area) ? 0 :
		(area - sizeof(struct ftrec_area)) / sizeof(struct ftrec_record);
	if (capacity < MIN_RECORDS)
		return refuse(-EINVAL, "it is too small for this many possible CPUs");
	capacity = min_t(size_t, capacity, MAX_RECORDS);
	bits = fls(capacity - 1);
	head.area_offset = used;
	head.area_size = area;
	head.capacity = capacity;
	head.laps = min_t(unsigned long, 65535, (1UL << (BITS_PER_LONG - bits)) - 1);

	ftrec_geometry.capacity = capacity;
	ftrec_geometry.laps = head.laps;
	ftrec_geometry.slot_bits = bits;
	ftrec_geometry.clean = setup->flush && setup->mem_type == FTREC_MEM_WB;
	ftrec_geometry.drain = setup->flush && setup->mem_type == FTREC_MEM_WC;
	ftrec_geometry.hint_often = !setup->flush && setup->mem_type == FTREC_MEM_WB;
	return 0;
}

/* describe: fill in `head` but for the sizes. */
static void describe(const struct ftrec_setup *setup)
{
	memset(&head, 0, sizeof(head));
	head.version = FTREC_VERSION;
	head.header_size = sizeof(head);
	head.word_size = sizeof(long);
	head.record_size = sizeof(struct ftrec_record);
	head.nr_areas = num_possible_cpus();
	head.clock_id = FTREC_CLOCK_LOCAL;
	head.mem_type = setup->mem_type;
	head.flush = setup->flush;
	head.page_size = PAGE_SIZE;
	head.region_addr = setup->addr;
	head.region_size = setup->size;
	head.area_header_size = sizeof(struct ftrec_area);
	head.module_size = sizeof(struct ftrec_module);
	head.text_addr = setup->text_addr;
	head.anchor_addr = ftrec_function(ANCHOR);
	put_text(head.anchor_name, sizeof(head.anchor_name), __stringify(ANCHOR));
	head.load_time = FTREC_NS(ftrec_clock());
	head.load_wall = ftrec_wall();
	put_text(head.boot_id, sizeof(head.boot_id), setup->boot_id);
	put_text(head.machine, sizeof(head.machine), init_utsname()->machine);
	put_text(head.release, sizeof(head.release), init_utsname()->release);
	put_text(head.build, sizeof(head.build), init_utsname()->version);
}

/* wipe: clear the region and write everything but records; the magic last. */
static void wipe(size_t size)
{
	struct ftrec_area area = { .magic = FTREC_AREA_MAGIC, .next_lap = 1 };
	size_t offset = head.area_offset;
	int cpu;

	memset_io(io(0), 0, size);
	for_each_possible_cpu(cpu) {
		area.cpu = cpu;
		put(offset, &area, sizeof(area));
		ftrec_ring_init(&per_cpu(ftrec_ring, cpu), (void *)(base + offset));
		offset += head.area_size;
	}
	head.magic = FTREC_MAGIC;
	head.check = ftrec_hash(&head, FTREC_CHECKED);
	put_head(sizeof(head.magic), sizeof(head) - sizeof(head.magic));
	ftrec_region_clean();
	put_head(0, sizeof(head.magic));
}

/*
 * ftrec_region_open: check, map and lay out the region as SETUP says.
 * Returns 0, or -errno after telling the reason; nothing was changed then.
 */
int ftrec_region_open(const struct ftrec_setup *setup)
{
	int err = check_place(setup);

	if (!err)
		err = map(setup);
	if (err)
		return err;
	describe(setup);
	err = lay_out(setup);
	if (!err && !setup->overwrite)
		err = check_content(setup);
	if (err)
		unmap();
	else
		wipe(setup->size);
	return err;
}

/* ftrec_region_close: let go of the region; what is in it stays. */
void ftrec_region_close(void)
{
	ftrec_region_clean();
	unmap();
}

/* ftrec_region_clean: write the caches back, all of the region. Any context. */
void ftrec_region_clean(void)
{
	clean(0, head.region_size);
}

/* ftrec_region_recording: note a start (with its time) or a stop in the header. */
void ftrec_region_recording(bool on)
{
	head.recording = on;
	if (on) {
		head.arm_count++;
		head.armed_time = FTREC_NS(ftrec_clock());
		head.armed_wall = ftrec_wall();
	}
	put_head(offsetof(struct ftrec_header, armed_time),
		   offsetof(struct ftrec_header, dumped) -
		   offsetof(struct ftrec_header, armed_time));
	if (!on)
		ftrec_region_clean();
}

/* module_slot: copy module table entry I out and return its place in the region. */
static size_t module_slot(u32 i, struct ftrec_module *entry)
{
	size_t offset = head.module_offset + i * sizeof(*entry);

	memcpy_fromio(entry, io(offset), sizeof(*entry));
	return offset;
}

/* ftrec_region_module: a module is at BASE; told twice, it is entered once. */
void ftrec_region_module(const char *name, u64 addr, u32 size)
{
	struct ftrec_module entry;
	size_t place = 0;
	u32 i;

	for (i = 0; i < head.module_slots && !place; i++) {
		size_t offset = module_slot(i, &entry);

		if (!entry.name[0])
			place = offset;
		else if (entry.state == FTREC_MODULE_LIVE && entry.base == addr &&
			 !strcmp(entry.name, name))
			return;
	}
	if (!place) {
		head.modules_lost++;
		put_head(offsetof(struct ftrec_header, modules_lost),
			   sizeof(head.modules_lost));
		return;
	}
	memset(&entry, 0, sizeof(entry));
	entry.base = addr;
	entry.time = FTREC_NS(ftrec_clock());
	entry.size = size;
	entry.state = FTREC_MODULE_LIVE;
	put_text(entry.name, sizeof(entry.name), name);
	put(place, &entry, sizeof(entry));
}

/* ftrec_region_module_gone: it was unloaded; its old records still want its name. */
void ftrec_region_module_gone(const char *name)
{
	struct ftrec_module entry;
	u32 i;

	for (i = 0; i < head.module_slots; i++) {
		size_t offset = module_slot(i, &entry);

		if (entry.state != FTREC_MODULE_LIVE || strcmp(entry.name, name))
			continue;
		entry.state = FTREC_MODULE_GONE;
		put(offset, &entry, sizeof(entry));
	}
}
