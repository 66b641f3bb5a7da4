// SPDX-License-Identifier: GPL-2.0-only
/*
 * load.c - the module under load, and the witness: load LOOP-DEVICE FILE
 *
 * For N = 1, 2, 3, ... it says "seq N." on its standard output, a serial line,
 * and waits until the last bit has left the machine; only then comes operation
 * N, which leaves N itself in the trace. Functions are all that is recorded,
 * so the number is spelled in calls: one of loop_attr_do_show_offset (a read
 * of an attribute of the loop device) begins it, then BITS times, highest bit
 * first, loop_attr_do_show_dio for 1 or loop_attr_do_show_autoclear for 0.
 * Before each bit goes a write to the device, past the page cache, so that a
 * reset is likely to come in the middle of an operation.
 *
 * A trace that ends where the machine stopped therefore ends in operation W or
 * W - 1 when the line has heard "seq W." last: judge.awk.
 *
 * FILE is made when the first READY operations are complete: from then on there
 * is something to judge.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { BITS = 16, BLOCK = 4096, BLOCKS = 1024, READY = 3 };

static char block[BLOCK] __attribute__((aligned(BLOCK)));

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

/* The attribute NAME of the loop device, open for reading. */
static int attribute(const char *device, const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/block/%s/loop/%s", device, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		give_up(path);
	return fd;
}

/* One call of the attribute's show function. */
static void show(int fd)
{
	char text[4096];

	if (pread(fd, text, sizeof(text), 0) <= 0)
		give_up("read of an attribute");
}

static void say(unsigned long n)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "seq %lu.\n", n);

	if (write(1, text, (size_t)len) != len || tcdrain(1))
		give_up("witness");
}

int main(int argc, char **argv)
{
	const char *name;
	int device, begin, one, zero;

	if (argc != 3)
		return 2;
	name = strrchr(argv[1], '/');
	if (!name)
		return 2;
	device = open(argv[1], O_WRONLY | O_DIRECT);
	if (device < 0)
		give_up(argv[1]);
	begin = attribute(name + 1, "offset");
	one = attribute(name + 1, "dio");
	zero = attribute(name + 1, "autoclear");
	for (unsigned long n = 1;; n++) {
		say(n);
		show(begin);
		for (int bit = BITS - 1; bit >= 0; bit--) {
			off_t at = (off_t)((n * BITS + bit) % BLOCKS) * BLOCK;

			if (pwrite(device, block, BLOCK, at) != BLOCK)
				give_up("write");
			show(n >> bit & 1 ? one : zero);
		}
		if (n == READY && close(open(argv[2], O_CREAT | O_WRONLY, 0600)))
			give_up(argv[2]);
	}
}
