// SPDX-License-Identifier: GPL-2.0-only
/*
 * util.c - errors, strict numbers, memory, small files
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracemem.h"

/* A fuzzer sets it to get control back instead of an exit. */
void (*die_hook)(int code);

static void error_line(const char *text, va_list more)
{
	char line[1024] = "tracemem: ";
	size_t n = strlen(line);

	for (; text; text = va_arg(more, const char *)) {
		size_t len = strlen(text);

		if (len > sizeof(line) - 1 - n)
			len = sizeof(line) - 1 - n;
		memcpy(line + n, text, len);
		n += len;
	}
	line[n++] = '\n';
	if (!die_hook && write(2, line, n) < 0)
		return;		/* nobody left to tell */
}

/* warn - one line on standard error, put together from the texts up to NULL */
void warn(const char *text, ...)
{
	va_list more;

	va_start(more, text);
	error_line(text, more);
	va_end(more);
}

/* die - as warn(), then exit with code */
void die(int code, const char *text, ...)
{
	va_list more;

	va_start(more, text);
	error_line(text, more);
	va_end(more);
	out_give_up();
	if (die_hook)
		die_hook(code);
	exit(code);
}

static char *scratch(void)
{
	static char ring[8][24];
	static unsigned int next;

	return ring[next++ % 8];
}

/* dec - value as text; stays valid for the next seven calls of dec() or hex() */
const char *dec(u64 value)
{
	char *s = scratch() + 23;

	*s = 0;
	do {
		*--s = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return s;
}

/* hex - value as text with 0x in front; valid as long as dec()'s */
const char *hex(u64 value)
{
	char *s = scratch() + 23;

	*s = 0;
	do {
		*--s = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value);
	*--s = 'x';
	*--s = '0';
	return s;
}

/* sys_error - text for errno: what can happen here, without libc's whole table */
const char *sys_error(void)
{
	switch (errno) {
	case EPERM: return "operation not permitted";
	case ENOENT: return "no such file";
	case EIO: return "input/output error";
	case EBADF: return "not open";
	case ENOMEM: return "out of memory";
	case EACCES: return "permission denied";
	case EFAULT: return "address not mapped by the kernel (EFAULT)";
	case EBUSY: return "busy";
	case EEXIST: return "exists already";
	case ENOTDIR: return "not a folder";
	case EISDIR: return "is a folder";
	case EINVAL: return "invalid argument";
	case EFBIG: return "file too large";
	case ENOSPC: return "no space left on device";
	case EROFS: return "read-only file system";
	case EPIPE: return "broken pipe";
	case ENAMETOOLONG: return "name too long";
	case ELOOP: return "too many symbolic links";
	case EDQUOT: return "disk quota exceeded";
	default: return dec((u64)errno);
	}
}

static bool parse_base(const char **text, u64 *value, unsigned int base)
{
	const char *s = *text;
	u64 v = 0;
	u32 d;

	for (; (d = hex_digit(*s)) < base; s++) {
		if (v > (UINT64_MAX - d) / base)
			return false;
		v = v * base + d;
	}
	if (s == *text)
		return false;
	*text = s;
	*value = v;
	return true;
}

/* parse_u64 - decimal or 0x number at *text, moved behind it; false on none or too big */
bool parse_u64(const char **text, u64 *value)
{
	const char *s = *text;
	bool is_hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');

	if (is_hex)
		s += 2;
	if (!parse_base(&s, value, is_hex ? 16 : 10))
		return false;
	*text = s;
	return true;
}

/* parse_hex - hexadecimal number with or without 0x */
bool parse_hex(const char **text, u64 *value)
{
	const char *s = *text;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		s += 2;
	if (!parse_base(&s, value, 16))
		return false;
	*text = s;
	return true;
}

/* parse_size - as parse_u64, with K, M or G behind it as the kernel's memparse has it */
bool parse_size(const char **text, u64 *value)
{
	const char *s = *text;
	unsigned int shift = 0;

	if (!parse_u64(&s, value))
		return false;
	switch (*s) {
	case 'k': case 'K': shift = 10; break;
	case 'm': case 'M': shift = 20; break;
	case 'g': case 'G': shift = 30; break;
	default: break;
	}
	if (shift) {
		if (*value >> (64 - shift))
			return false;
		*value <<= shift;
		s++;
	}
	*text = s;
	return true;
}

/* need_u64 - the whole of text is a number up to max, or the end with usage */
u64 need_u64(const char *what, const char *text, u64 max)
{
	const char *s = text;
	u64 v;

	if (!parse_u64(&s, &v) || *s || v > max)
		die(EX_USE, what, ": not a number from 0 to ", dec(max), ": '", text, "'", NULL);
	return v;
}

/*
 * Memory comes in a few large blocks: pages straight from the kernel, which
 * needs no allocator in a static program. A build for finding faults uses
 * malloc instead, so that a sanitizer sees where each block ends.
 */
struct block {
	struct block *next, *prev;
	size_t size;
};

static struct block blocks = { &blocks, &blocks, 0 };

#define BLOCK_HEAD 32u		/* keeps what follows aligned for anything */

#ifdef TRACEMEM_MALLOC
static void *pages_get(size_t size)
{
	return calloc(1, size);
}

static void *pages_grow(struct block *b, size_t size)
{
	return realloc(b, size);
}

static void pages_drop(struct block *b)
{
	free(b);
}
#else
static void *pages_get(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void *pages_grow(struct block *b, size_t size)
{
	void *p = mremap(b, b->size, size, MREMAP_MAYMOVE);

	return p == MAP_FAILED ? NULL : p;
}

static void pages_drop(struct block *b)
{
	munmap(b, b->size);
}
#endif

static void *enlist(struct block *b, size_t size)
{
	b->size = size;
	b->next = blocks.next;
	b->prev = &blocks;
	blocks.next->prev = b;
	blocks.next = b;
	return (u8 *)b + BLOCK_HEAD;
}

static struct block *delist(void *memory)
{
	struct block *b = (struct block *)(void *)((u8 *)memory - BLOCK_HEAD);

	b->next->prev = b->prev;
	b->prev->next = b->next;
	return b;
}

/* mem_get - zeroed memory, or the end */
void *mem_get(size_t size)
{
	struct block *b = size < SIZE_MAX - BLOCK_HEAD ? pages_get(size + BLOCK_HEAD) : NULL;

	if (!b)
		die(EX_FAIL, "out of memory (", dec(size), " bytes)", NULL);
	return enlist(b, size + BLOCK_HEAD);
}

/* mem_grow - old (NULL or from mem_get) made size bytes long */
void *mem_grow(void *old, size_t size)
{
	struct block *b, *new;

	if (!old)
		return mem_get(size);
	b = delist(old);
	new = size < SIZE_MAX - BLOCK_HEAD ? pages_grow(b, size + BLOCK_HEAD) : NULL;
	if (!new) {
		enlist(b, b->size);
		die(EX_FAIL, "out of memory (", dec(size), " bytes)", NULL);
	}
	return enlist(new, size + BLOCK_HEAD);
}

/* mem_drop - give back memory of mem_get or mem_grow; NULL is fine */
void mem_drop(void *old)
{
	if (old)
		pages_drop(delist(old));
}

/* mem_drop_all - give back everything */
void mem_drop_all(void)
{
	while (blocks.next != &blocks)
		mem_drop((u8 *)blocks.next + BLOCK_HEAD);
}

static void swap_items(u8 *a, u8 *b, size_t len)
{
	u8 c[64];

	memcpy(c, a, len);
	memcpy(a, b, len);
	memcpy(b, c, len);
}

/* sort - heap sort: no memory, no worst case. Items of up to 64 bytes; compare tells equal ones apart. */
void sort(void *table, size_t n, size_t item, int (*compare)(const void *, const void *))
{
	u8 *t = table;

	for (size_t start = n / 2, end = n; end > 1;) {
		size_t at, child;

		if (start) {
			start--;
		} else {
			end--;
			swap_items(t, t + end * item, item);
		}
		for (at = start; (child = 2 * at + 1) < end; at = child) {
			if (child + 1 < end && compare(t + child * item, t + (child + 1) * item) < 0)
				child++;
			if (compare(t + at * item, t + child * item) >= 0)
				break;
			swap_items(t + at * item, t + child * item, item);
		}
	}
}

/* copy_text - len bytes as a text that ends in 0; false when it had to be cut */
bool copy_text(char *to, size_t room, const char *from, size_t len)
{
	bool fits = len < room;

	if (!fits)
		len = room - 1;
	memcpy(to, from, len);
	to[len] = 0;
	return fits;
}

/* join - the texts up to NULL, one behind the other; cut when there is no room */
char *join(char *to, size_t room, ...)
{
	va_list more;
	const char *text;
	size_t n = 0;

	va_start(more, room);
	to[0] = 0;
	while ((text = va_arg(more, const char *)) && n < room) {
		copy_text(to + n, room - n, text, strlen(text));
		n += strlen(to + n);
	}
	va_end(more);
	return to;
}

/* die_file - cannot DOING (read, write) that file, for the reason in errno */
void die_file(const char *doing, const char *path)
{
	die(errno == EACCES || errno == EPERM ? EX_PERM : *doing == 'w' ? EX_OUTPUT : EX_FAIL,
	    "cannot ", doing, " ", path, ": ", sys_error(), NULL);
}

/* copy_word - the characters up to white space; false when cut or empty */
bool copy_word(char *to, size_t room, const char *from)
{
	size_t len = strcspn(from, " \t\r\n");

	return copy_text(to, room, from, len) && len;
}

/* open_read - open a file, "-" being standard input; a FIFO that nobody has open does not hold us up; ends when it cannot */
int open_read(const char *path)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : 0;

	if (fd < 0)
		die_file("read", path);
	return fd;
}

/* read_some - read(), which waits only for a pipe that somebody writes to */
long read_some(int fd, void *to, size_t room)
{
	for (;;) {
		ssize_t n = read(fd, to, room);

		if (n < 0 && errno == EAGAIN && !fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK))
			continue;
		if (n >= 0 || errno != EINTR)
			return n;
	}
}

/*
 * read_file - the whole of a file, "-" being standard input, with a zero byte
 * behind it; the end when it cannot be read or is longer than max. Files of
 * /proc have no size: reads until the end.
 */
u8 *read_file(const char *path, size_t *len, u64 max)
{
	int fd = open_read(path);
	size_t have = 0, room = 65536;
	bool fifo = false;
	struct stat st;
	u8 *p;

	if (!fstat(fd, &st)) {
		fifo = fd && S_ISFIFO(st.st_mode);
		if (st.st_size > 0 && (u64)st.st_size <= max)
			room = (size_t)st.st_size + 2;
		else if (S_ISREG(st.st_mode) && st.st_size > 0)
			die(EX_FAIL, path, " is longer than ", dec(max), " bytes", NULL);
	}
	p = mem_grow(NULL, room);
	for (;;) {
		long n = read_some(fd, p + have, room - 1 - have);

		if (n < 0)
			die_file("read", path);
		if (!n && !have && fifo)
			die(EX_FAIL, path, " is a FIFO that nobody writes to; - reads standard input", NULL);
		if (!n)
			break;
		have += (size_t)n;
		if (have > max)
			die(EX_FAIL, path, " is longer than ", dec(max), " bytes", NULL);
		if (have == room - 1) {
			room += room / 2;
			p = mem_grow(p, room);
		}
	}
	if (fd)
		close(fd);
	p[have] = 0;
	*len = have;
	return p;
}

/* parse_seconds - seconds with a fraction if wanted, as ns; "-" is 0 */
bool parse_seconds(const char **text, u64 *ns)
{
	u64 unit = 1000000000u;

	*ns = 0;
	if (**text == '-') {
		++*text;
		return true;
	}
	if (!parse_u64(text, ns) || *ns > UINT32_MAX)
		return false;
	*ns *= unit;
	if (**text != '.')
		return true;
	for (++*text; **text >= '0' && **text <= '9'; ++*text) {
		unit /= 10;
		*ns += unit * (u64)(**text - '0');
	}
	return true;
}

/* read_small - the first bytes of a file as text without the last newline; false if it cannot be read */
bool read_small(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;

	to[0] = 0;
	if (fd < 0)
		return false;
	while (n < room - 1) {
		ssize_t got = read(fd, to + n, room - 1 - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	close(fd);
	if (n && to[n - 1] == '\n')
		n--;
	to[n] = 0;
	return true;
}

/* crc32_of - CRC-32 as gzip has it, four bytes a step; begin with crc 0, or go on with an earlier result */
u32 crc32_of(const void *data, size_t len, u32 crc)
{
	static u32 table[1024];	/* four of 256 */
	const u8 *p = data;

	if (!table[1]) {
		for (u32 i = 0; i < 256; i++) {
			u32 v = i;

			for (int k = 0; k < 8; k++)
				v = v & 1 ? v >> 1 ^ 0xedb88320u : v >> 1;
			table[i] = v;
		}
		/* from the second on: with one zero byte more behind it */
		for (u32 i = 256; i < 1024; i++)
			table[i] = table[i - 256] >> 8 ^ table[table[i - 256] & 0xff];
	}
	crc = ~crc;
	for (; len >= 4; len -= 4, p += 4) {
		crc ^= p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
		crc = table[768 + (crc & 0xff)] ^ table[512 + (crc >> 8 & 0xff)] ^ table[256 + (crc >> 16 & 0xff)] ^ table[crc >> 24];
	}
	while (len--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 0xff];
	return ~crc;
}
