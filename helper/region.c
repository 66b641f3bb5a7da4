// SPDX-License-Identifier: GPL-2.0-only
/*
 * region.c - read and write the bytes of a region
 *
 * Physical memory may be device memory here (a no-map region on ARM), where an
 * unaligned or wide access is a bus error: it is only touched one aligned word
 * at a time, and copied before anything looks at it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__mips__)
#include <sys/syscall.h>
#endif

#include "tracemem.h"

/*
 * Write-back caching is what we want next to a kernel that maps the region
 * write-back. 32-bit ARM cannot clean its cache from user space: uncached.
 */
#if defined(__arm__)
#define MEM_WRITE_FLAGS (O_RDWR | O_CLOEXEC | O_SYNC)
#else
#define MEM_WRITE_FLAGS (O_RDWR | O_CLOEXEC)
#endif

static void on_bus_error(int sig)
{
	static const char text[] = "tracemem: bus error: nothing answers at these addresses\n";

	(void)sig;
	if (write(2, text, sizeof(text) - 1) < 0)
		_exit(EX_FAIL);
	_exit(EX_FAIL);
}

/* ADDR:SIZE, strictly. False when it is something else. */
static bool is_range(const char *spec, u64 *addr, u64 *size)
{
	const char *s = spec;

	if (*s < '0' || *s > '9' || !strchr(s, ':') || strchr(s, '/'))
		return false;
	if (!parse_size(&s, addr) || *s++ != ':' || !parse_size(&s, size) || *s)
		die(EX_USE, "not ADDR:SIZE: '", spec, "'", NULL);
	return true;
}

static void check_range(const struct region *r)
{
	if (!r->size || r->size > MAX_REGION || r->addr + r->size < r->addr)
		die(EX_USE, "size of ", r->spec, " is not 1 to ", dec(MAX_REGION), NULL);
	if (r->addr % 8 || r->size % 8)
		die(EX_USE, "address and size of ", r->spec, " are not multiples of 8", NULL);
}

/* A block device on persistent memory says where it lies: needed to know who else uses it. */
static u64 device_address(const char *path)
{
	const char *base = strrchr(path, '/');
	char file[4096], text[64];
	const char *p = text;
	u64 addr;

	join(file, sizeof(file), sys_dir, "/class/block/", base ? base + 1 : path, "/device/resource", NULL);
	return read_small(file, text, sizeof(text)) && parse_u64(&p, &addr) && !*p ? addr : 0;
}

/*
 * region_find - what spec names: ADDR:SIZE, @NAME, a file or a device. Touches
 * nothing; ends on a bad spec.
 */
void region_find(struct region *r, const char *spec)
{
	struct stat st;

	memset(r, 0, sizeof(*r));
	r->spec = spec;
	if (*spec == '@') {
		proc_find(r, spec + 1);
		check_range(r);
		return;
	}
	if (is_range(spec, &r->addr, &r->size)) {
		check_range(r);
		return;
	}
	if (!*spec || !copy_text(r->path, sizeof(r->path), spec, strlen(spec)))
		die(EX_USE, "not a region: '", spec, "'", NULL);
	r->regular = !strcmp(spec, "-");
	if (r->regular)
		return;
	if (stat(spec, &st))
		die_file("read", spec);
	r->regular = S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode);
	if (!r->regular && !S_ISBLK(st.st_mode) && !S_ISCHR(st.st_mode))
		die(EX_USE, "neither a file nor a device: ", spec, NULL);
	if (S_ISBLK(st.st_mode))
		r->addr = device_address(spec);
}

/* --- physical memory ------------------------------------------------------------------- */
struct window {
	int fd;
	void *map;		/* MAP_FAILED: not mapped */
	size_t map_len;
	u8 *at;			/* the region's first byte */
};

/* Map exactly the pages of the region: one page more may belong to somebody. */
static int map_window(struct window *w, const struct region *r, int flags)
{
	u64 page = (u64)getpagesize(), skip = r->addr & (page - 1);
	bool writes = (flags & O_ACCMODE) == O_RDWR;

	w->map = MAP_FAILED;
	w->fd = open(mem_path, flags);
	if (w->fd < 0)
		return errno;
	w->map_len = (size_t)((skip + r->size + page - 1) & ~(page - 1));
	if ((u64)(off_t)(r->addr - skip) != r->addr - skip)
		return EOVERFLOW;
	w->map = mmap(NULL, w->map_len, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
		      w->fd, (off_t)(r->addr - skip));
	if (w->map == MAP_FAILED)
		return errno;
	w->at = (u8 *)w->map + skip;
	signal(SIGBUS, on_bus_error);
	return 0;
}

static void unmap_window(struct window *w)
{
	if (w->map != MAP_FAILED)
		munmap(w->map, w->map_len);
	if (w->fd >= 0)
		close(w->fd);
}

/* One aligned machine word at a time; volatile, or the compiler makes memcpy of it. */
static void words_from(u8 *to, const u8 *from, size_t len)
{
	const volatile unsigned long *f = (const volatile unsigned long *)(const void *)from;

	for (size_t i = 0; i < len / sizeof(*f); i++) {
		unsigned long v = f[i];

		memcpy(to + i * sizeof(v), &v, sizeof(v));
	}
}

static void words_to(u8 *to, const u8 *from, size_t len)
{
	volatile unsigned long *t = (volatile unsigned long *)(void *)to;

	for (size_t i = 0; i < len / sizeof(*t); i++) {
		unsigned long v;

		memcpy(&v, from + i * sizeof(v), sizeof(v));
		t[i] = v;
	}
}

/* Write what the cache holds of the range to memory: a warm reset may not. */
static void flush_cache(u8 *at, size_t len)
{
#if defined(__x86_64__) || defined(__i386__)
	for (size_t i = 0; i < len; i += 32)
		__asm__ volatile("clflush %0" : "+m"(at[i]));
#if defined(__x86_64__)
	__asm__ volatile("mfence" ::: "memory");
#else
	__asm__ volatile("lock; addl $0,(%%esp)" ::: "memory");
#endif
#elif defined(__aarch64__)
	u64 ctr, line;

	__asm__ volatile("mrs %0, ctr_el0" : "=r"(ctr));
	line = 4ull << (ctr >> 16 & 15);
	for (size_t i = 0; i < len; i += line)
		__asm__ volatile("dc civac, %0" :: "r"(at + i) : "memory");
	__asm__ volatile("dsb sy" ::: "memory");
#elif defined(__powerpc__)
	for (size_t i = 0; i < len; i += 16)
		__asm__ volatile("dcbf 0,%0" :: "r"(at + i) : "memory");
	__asm__ volatile("sync" ::: "memory");
#elif defined(__mips__)
	syscall(__NR_cacheflush, at, len, 2 /* data */);
#else
	(void)at;
	(void)len;
#endif
}

/* --- /proc/kcore -------------------------------------------------------------------------- */
static bool read_at(int fd, void *to, size_t len, u64 off)
{
	u8 *p = to;

	if ((u64)(off_t)off != off)
		return false;
	while (len) {
		ssize_t n = pread(fd, p, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		off += (u64)n;
		len -= (size_t)n;
	}
	return true;
}

/*
 * Where the bytes at physical `addr` are in the core file; 0 = not there. Its
 * kernel may be 64-bit under us. Areas without a physical address have all ones
 * for it; on old kernels all have 0, which on new ones is where s390's RAM begins.
 */
static u64 core_offset(int fd, u64 addr, u64 size)
{
	u8 head[64], ph[56];
	struct trace t;		/* for the loads only */
	u64 table, at = 0;
	u32 n, step;
	bool wide, told = false;

	memset(&t, 0, sizeof(t));
	if (!read_at(fd, head, sizeof(head), 0) || memcmp(head, "\177ELF", 4))
		return 0;
	wide = head[4] == 2;
	t.word = wide ? 8 : 4;
	set_order(&t, head[5] == 2);
	table = get_long(&t, head + (wide ? 32 : 28));
	step = get16(&t, head + (wide ? 54 : 42));
	n = get16(&t, head + (wide ? 56 : 44));
	if (step < (wide ? 56u : 32u))
		return 0;
	for (u32 i = 0; i < n; i++) {
		u64 off, phys, len;

		if (!read_at(fd, ph, wide ? 56 : 32, table + (u64)i * step))
			return 0;
		if (get32(&t, ph) != 1)		/* PT_LOAD */
			continue;
		off = get_long(&t, ph + (wide ? 8 : 4));
		phys = get_long(&t, ph + (wide ? 24 : 12));
		len = get_long(&t, ph + (wide ? 40 : 20));
		told |= phys != 0;
		if (!at && addr >= phys && len >= size && addr - phys <= len - size)
			at = off + (addr - phys);
	}
	return told ? at : 0;
}

static bool load_core(struct region *r)
{
	char path[4096];
	u64 off;
	int fd;

	fd = open(join(path, sizeof(path), proc_dir, "/kcore", NULL), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	off = core_offset(fd, r->addr, r->size);
	r->way = "kcore";
	if (!off || !read_at(fd, r->data, r->len, off))
		r->way = NULL;
	close(fd);
	return r->way != NULL;
}

/* Say which rule closed /dev/mem: err is what it answered, at open or later. */
static void NORETURN refused(const struct region *r, const char *doing, bool opened, int err)
{
	char lock[32];

	proc_lockdown(lock, sizeof(lock));
	errno = err;
	if (err == ENOENT && !opened)
		die(EX_LACK, "cannot ", doing, " ", r->spec, ": no ", mem_path, " (CONFIG_DEVMEM)", NULL);
	if ((err == EPERM || err == EACCES) && lock[0] && strcmp(lock, "none"))
		die(EX_PERM, "cannot ", doing, " ", r->spec, ": kernel lockdown (", lock,
		    ", often from Secure Boot) closes ", mem_path, NULL);
	if ((err == EPERM || err == EACCES) && !opened)
		die(EX_PERM, "cannot ", doing, " ", r->spec, ": ", mem_path, ": ", sys_error(),
		    "; root (CAP_SYS_RAWIO) is needed", NULL);
	if (err == EPERM && r->reserve_mem)
		die(EX_PERM, "cannot ", doing, " ", r->spec, ": reserve_mem lies inside System RAM, which "
		    "CONFIG_STRICT_DEVMEM closes", strcmp(doing, "read") ?
		    "; write it from a kernel booted without the reservation" :
		    "; /proc/kcore (CONFIG_PROC_KCORE) would do, but is not readable", NULL);
	if (err == EPERM)
		die(EX_PERM, "cannot ", doing, " ", r->spec, ": CONFIG_STRICT_DEVMEM or CONFIG_IO_STRICT_DEVMEM: a page of it is "
		    "System RAM or claimed by a driver (see /proc/iomem; iomem=relaxed lifts the second)", NULL);
	die(EX_FAIL, "cannot ", doing, " ", r->spec, " through ", mem_path, ": ", sys_error(), NULL);
}

static void load_memory(struct region *r)
{
	struct window w;
	int err;
	bool opened;

	proc_allow(r);
	r->len = (size_t)r->size;
	r->data = mem_get(r->len);
	/* inside System RAM kcore is the way; /dev/mem only where it is not filtered */
	if (r->reserve_mem && load_core(r))
		return;
	err = map_window(&w, r, O_RDONLY | O_CLOEXEC);
	opened = w.fd >= 0;
	if (!err) {
		words_from(r->data, w.at, r->len);
		r->way = "mem-map";
	} else if (opened && read_at(w.fd, r->data, r->len, r->addr)) {
		r->way = "mem-read";
	}
	unmap_window(&w);
	if (!r->way && !load_core(r))
		refused(r, "read", opened, err);
}

/* --- files and devices ---------------------------------------------------------------------- */
static void load_device(struct region *r)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC);
	off_t end;

	if (fd < 0)
		die_file("read", r->path);
	end = lseek(fd, 0, SEEK_END);
	if (end <= 0 || (u64)end > MAX_REGION)
		die(EX_FAIL, "cannot read ", r->path, ": no size between 1 and ", dec(MAX_REGION), NULL);
	r->len = (size_t)end;
	r->data = mem_get(r->len);
	if (!read_at(fd, r->data, r->len, 0))
		die_file("read", r->path);
	close(fd);
	r->way = "device";
}

/* The ring does not say how many CPUs it has, its size does: of an image that was cut the rest is zeros. */
static void fill_up(struct region *r)
{
	u8 *whole;

	if (r->im.size <= r->len || r->im.size > MAX_REGION ||
	    (r->im.layout != FTIMAGE_RING_A && r->im.layout != FTIMAGE_RING_B))
		return;
	whole = mem_get((size_t)r->im.size);
	memcpy(whole, r->data, r->len);
	r->data = whole;
	r->len = (size_t)r->im.size;
}

/*
 * region_load - copy the region's bytes to r->data. For an image its header is
 * checked and left out. Ends with the rule that forbids it when it cannot.
 */
void region_load(struct region *r)
{
	const char *wrong;

	if (!r->path[0]) {
		load_memory(r);
		return;
	}
	if (!r->regular) {
		load_device(r);
		r->size = r->len;
		return;
	}
	r->data = read_file(r->path, &r->len, MAX_REGION);
	r->way = "file";
	r->is_image = image_is(r->data, r->len);
	if (r->is_image) {
		wrong = image_parse(r->data, r->len, &r->im);
		/* a cut image still has what is in it */
		if (wrong && r->im.size > r->len - FTIMAGE_SIZE)
			warn(r->path, ": ", wrong, NULL);
		else if (wrong && r->salvage && r->len > FTIMAGE_SIZE)
			warn(r->path, ": ", wrong, "; read without it", NULL);
		else if (wrong)
			die(EX_FAIL, r->path, ": ", wrong, NULL);
		r->is_image = !wrong || r->im.size;
		r->data += FTIMAGE_SIZE;
		r->len -= FTIMAGE_SIZE;
		r->addr = r->im.addr;
		copy_text(r->name, sizeof(r->name), r->im.name, strlen(r->im.name));
		fill_up(r);
	}
	r->size = r->len;
}

static void store_memory(struct region *r, const u8 *data, size_t len)
{
	struct window w;
	u8 *check = mem_get(len);
	int err;

	proc_allow(r);
	err = map_window(&w, r, MEM_WRITE_FLAGS);
	if (err)
		refused(r, "write", w.fd >= 0, err);
	words_to(w.at, data, len);
	flush_cache(w.at, len);
	words_from(check, w.at, len);
	unmap_window(&w);
	if (memcmp(check, data, len))
		die(EX_FAIL, "read back from ", r->spec, " is not what was written: not memory, or somebody else writes", NULL);
	mem_drop(check);
}

static void store_file(struct region *r, const u8 *data, size_t len)
{
	int fd = open(r->path, O_RDWR | O_CLOEXEC);
	u8 *check = mem_get(len);
	size_t done = 0;

	if (fd < 0)
		die_file("write", r->path);
	while (done < len) {
		ssize_t n = pwrite(fd, data + done, len - done, (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die_file("write", r->path);
		done += (size_t)n;
	}
	if (fsync(fd) && errno != EINVAL)
		die_file("write", r->path);
	if (!read_at(fd, check, len, 0) || memcmp(check, data, len))
		die(EX_FAIL, "read back from ", r->path, " is not what was written", NULL);
	close(fd);
	mem_drop(check);
}

/* region_store - write the first len bytes of the region (a multiple of 8), flush, read back, compare */
void region_store(struct region *r, const u8 *data, size_t len)
{
	if (r->path[0])
		store_file(r, data, len);
	else
		store_memory(r, data, len);
}
