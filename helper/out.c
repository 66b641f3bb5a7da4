// SPDX-License-Identifier: GPL-2.0-only
/*
 * out.c - buffered output; a file appears under its name only when complete
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracemem.h"

/* What a signal must remove. */
static const char *volatile temp_now;

static void on_signal(int sig)
{
	if (temp_now)
		unlink(temp_now);
	_exit(128 + sig);
}

static void catch_signals(void)
{
	static const int sigs[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE };
	struct sigaction sa, old;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_signal;
	for (size_t i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (!sigaction(sigs[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(sigs[i], &sa, NULL);
}

/*
 * out_open - begin writing to path (NULL or "-": standard output). A regular
 * file is written under a temporary name beside it. Ends when it cannot.
 */
void out_open(struct out *o, const char *path)
{
	struct stat st;

	o->used = 0;
	o->total = 0;
	o->renames = false;
	o->path = path && strcmp(path, "-") ? path : NULL;
	o->fd = 1;
	if (!o->path)
		return;
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		/* a device or a pipe: renaming onto it would replace it */
		o->fd = open(path, O_WRONLY | O_CLOEXEC);
		if (o->fd < 0)
			die_file("write", path);
		return;
	}
	if (strlen(path) + 24 > sizeof(o->temp))
		die(EX_USE, "name too long: ", path, NULL);
	join(o->temp, sizeof(o->temp), path, ".tmp", dec((u64)getpid()), NULL);
	o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (o->fd < 0)
		die_file("write", o->temp);
	o->renames = true;
	temp_now = o->temp;
	catch_signals();
}

/* out_abandon - forget what was written; leaves no file behind */
void out_abandon(struct out *o)
{
	if (!o->renames)
		return;
	unlink(o->temp);
	temp_now = NULL;
	o->renames = false;
}

static void failed(struct out *o)
{
	int why = errno;

	out_abandon(o);
	errno = why;
	die_file("write", o->path ? o->path : "standard output");
}

static void write_all(struct out *o, const u8 *p, size_t len)
{
	while (len && o->fd >= 0) {
		ssize_t n = write(o->fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			failed(o);
		p += n;
		len -= (size_t)n;
	}
}

/*
 * out_born - seconds since 1970 when what is written to was made: now, for a
 * new file. (time() would bring the vdso's code into a static program: 1 KiB.)
 */
u64 out_born(const struct out *o)
{
	struct stat st;

	return fstat(o->fd, &st) ? 0 : (u64)st.st_mtime;
}

/* out_give_up - the program ends in an error: remove the file that is half written */
void out_give_up(void)
{
	if (temp_now)
		unlink(temp_now);
	temp_now = NULL;
}

/* out_flush - write what is buffered */
void out_flush(struct out *o)
{
	write_all(o, o->buf, o->used);
	o->used = 0;
}

/* The name must be on the disk too: sync the folder it is in. */
static void sync_folder(const char *path)
{
	char dir[4096];
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;
	int fd;

	if (!slash)
		copy_text(dir, sizeof(dir), ".", 1);
	else
		copy_text(dir, sizeof(dir), path, n ? n : 1);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fsync(fd) && errno != EINVAL)
		warn("cannot sync ", dir, ": ", sys_error(), NULL);
	close(fd);
}

/* out_close - finish: flush, and for a file sync, rename, sync its folder */
void out_close(struct out *o)
{
	out_flush(o);
	if (o->renames) {
		if (fsync(o->fd) && errno != EINVAL)
			failed(o);
		if (close(o->fd) || rename(o->temp, o->path))
			failed(o);
		temp_now = NULL;
		o->renames = false;
		sync_folder(o->path);
	} else if (o->fd > 1 && close(o->fd)) {
		failed(o);
	}
	o->fd = -1;
}

/* out_room - room for len bytes (at most OUT_SIZE), to be filled in place; then out_done with their end */
u8 *out_room(struct out *o, size_t len)
{
	if (len > OUT_SIZE - o->used)
		out_flush(o);
	return o->buf + o->used;
}

/* out_done - what was filled in at out_room ends here */
void out_done(struct out *o, const u8 *end)
{
	size_t used = (size_t)(end - o->buf);

	o->total += used - o->used;
	o->used = used;
}

/* out_bytes - add len bytes */
void out_bytes(struct out *o, const void *data, size_t len)
{
	o->total += len;
	if (len > OUT_SIZE - o->used) {
		out_flush(o);
		if (len >= OUT_SIZE) {
			write_all(o, data, len);
			return;
		}
	}
	memcpy(o->buf + o->used, data, len);
	o->used += len;
}

/* out_zero - add len zero bytes */
void out_zero(struct out *o, u64 len)
{
	static u8 zeros[512];	/* not const: costs no room in the file */

	for (; len > sizeof(zeros); len -= sizeof(zeros))
		out_bytes(o, zeros, sizeof(zeros));
	out_bytes(o, zeros, (size_t)len);
}

/* out_str - add a text */
void out_str(struct out *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

/* out_chr - add one character */
void out_chr(struct out *o, char c)
{
	if (o->used == OUT_SIZE)
		out_flush(o);
	o->buf[o->used++] = (u8)c;
	o->total++;
}

/* out_u64 - add a decimal number */
void out_u64(struct out *o, u64 value)
{
	char text[20];
	size_t at = sizeof(text);

	/* most numbers fit 32 bits, where a division costs much less */
	while (value > UINT32_MAX) {
		text[--at] = (char)('0' + value % 10);
		value /= 10;
	}
	for (u32 v = (u32)value; at == sizeof(text) || v; v /= 10)
		text[--at] = (char)('0' + v % 10);
	out_bytes(o, text + at, sizeof(text) - at);
}

/* out_s64 - add a decimal number with its sign */
void out_s64(struct out *o, s64 value)
{
	if (value < 0)
		out_chr(o, '-');
	out_u64(o, value < 0 ? 0 - (u64)value : (u64)value);
}

/* out_hex - add a hexadecimal number without 0x, with zeros in front up to min_digits */
void out_hex(struct out *o, u64 value, unsigned int min_digits)
{
	char text[16];
	size_t at = sizeof(text);

	do {
		text[--at] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value);
	while (sizeof(text) - at < min_digits && at)
		text[--at] = '0';
	out_bytes(o, text + at, sizeof(text) - at);
}

/* out_padded - add a decimal number with zeros in front up to `digits` */
void out_padded(struct out *o, u64 value, unsigned int digits)
{
	const char *text = dec(value);

	for (size_t n = strlen(text); n < digits; n++)
		out_chr(o, '0');
	out_str(o, text);
}

/* out_frac - add value with exactly that many digits (at most 9): what follows a decimal point */
void out_frac(struct out *o, u64 value, unsigned int digits)
{
	char text[9];
	u32 v = (u32)value;

	for (unsigned int i = digits; i-- > 0; v /= 10)
		text[i] = (char)('0' + v % 10);
	out_bytes(o, text, digits);
}

/* out_right - add a text, with spaces in front up to width */
void out_right(struct out *o, const char *text, size_t len, size_t width)
{
	for (; width > len; width--)
		out_chr(o, ' ');
	out_bytes(o, text, len);
}

/* What is not printable as \xNN, and what is below `low` as well. */
static void escaped(struct out *o, const u8 *text, size_t len, u8 low)
{
	for (size_t i = 0; i < len; i++) {
		u8 c = text[i];

		if (c < low || c >= 0x7f || c == '\\') {
			out_str(o, "\\x");
			out_hex(o, c, 2);
		} else {
			out_chr(o, (char)c);
		}
	}
}

/* out_safe - add a text of unknown origin: whatever a terminal or a reader of lines could stumble over as \xNN */
void out_safe(struct out *o, const u8 *text, size_t len)
{
	escaped(o, text, len, ' ');
}

/* out_word - as out_safe, blanks too: a name of unknown origin as one field of a line */
void out_word(struct out *o, const void *text, size_t len)
{
	const u8 *p = text;

	for (size_t i = 0; i < len; i++) {
		if (p[i] > ' ' && p[i] < 0x7f && p[i] != '\\')
			continue;
		escaped(o, p, len, '!');
		return;
	}
	out_bytes(o, p, len);
}

/* out_key - add a line "key value"; nothing for an empty value */
void out_key(struct out *o, const char *key, const char *value)
{
	if (!*value)
		return;
	out_str(o, key);
	out_chr(o, ' ');
	out_safe(o, (const u8 *)value, strlen(value));
	out_chr(o, '\n');
}

/* out_key_u64 - add a line "key number" */
void out_key_u64(struct out *o, const char *key, u64 value)
{
	out_str(o, key);
	out_chr(o, ' ');
	out_u64(o, value);
	out_chr(o, '\n');
}

/* out_key_hex - add a line "key 0xnumber" */
void out_key_hex(struct out *o, const char *key, u64 value)
{
	out_str(o, key);
	out_str(o, " 0x");
	out_hex(o, value, 1);
	out_chr(o, '\n');
}
