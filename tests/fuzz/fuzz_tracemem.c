// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_tracemem.c - tracemem's decoder on hostile regions and symbol tables
 *
 * LLVMFuzzerTestOneInput() for libFuzzer; with -DFUZZ_MAIN a main() of its own
 * that mutates the files given: fuzz_tracemem SECONDS FILE...
 *
 * An input is 16 bytes of choices, then the region (or, if the first choice
 * says so, a kallsyms, /proc/modules or process table):
 *	0	what to run, see run_region() and run_names()
 *	1	bit 0: word size given (bit 1: 8), bits 2-4: CPU bits, bit 5: ecc 16
 *	2	filter: bit 0 --last 5, bit 1 --since 1 ms, bit 2 --cpu 1
 *	3	plain: bit 0 on, bit 1 word 8, bit 2 big endian, bits 3-5 arrangement
 *	4-5	plain: entries
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tracemem.h"

#define CHOICES 16u

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static jmp_buf back;
static struct out out;

static void on_die(int code)
{
	(void)code;
	longjmp(back, 1);
}

/* What is printed as text is lines of printable characters, whatever the names in the input were. */
static void printable(size_t from)
{
	for (size_t i = from; i < out.used; i++)
		if (out.buf[i] != '\n' && (out.buf[i] < ' ' || out.buf[i] > '~'))
			abort();
}

static void run_view(struct trace *t, u8 what, struct filter *f)
{
	struct view v;

	memset(&v, 0, sizeof(v));
	v.t = t;
	v.f = f;
	v.o = &out;
	scan(t, f, &v.all, &v.kept);
	if (!(what & 29)) {
		t->info(t, &out);
		health_write(&out, t, false);
		summary_write(&v);
	}
	if (what & 1)
		text_write(&v, what & 2);
	if (what & 16)
		who_write(&v, 5);
	printable(0);
	if (what & 4)
		json_write(&v);
	if (what & 8)
		tracedat_write(&v);
}

static void choose(const u8 *c, struct hints *h, struct filter *f)
{
	static const char *const order[] = { "ipx", "pix", "xip", "rx", "ix", "Xr", "ipX", "piiX" };

	memset(h, 0, sizeof(*h));
	memset(f, 0, sizeof(*f));
	if (c[1] & 1)
		h->word = c[1] & 2 ? 8 : 4;
	h->cpu_bits = c[1] >> 2 & 7;
	h->ecc = c[1] & 32 ? 16 : 0;
	h->salvage = c[1] & 64;
	f->last = c[2] & 1 ? 5 : 0;
	f->since = c[2] & 2 ? 1000000 : 0;
	f->one_cpu = c[2] & 4;
	f->cpu = 1;
	if (c[3] & 1) {
		h->plain_n = c[4] | (u32)c[5] << 8;
		h->plain_word = c[3] & 2 ? 8 : 4;
		h->plain_big = c[3] >> 2 & 1;
		strcpy(h->plain_order, order[c[3] >> 3 & 7]);
	}
}

/* A copy of exactly the right size: one byte behind it is a finding. */
static u8 *exact(const u8 *data, size_t size)
{
	u8 *p = mem_get(size);

	memcpy(p, data, size);
	return p;
}

static void run_region(const u8 *c, const u8 *data, size_t size)
{
	struct hints h;
	struct filter f;
	struct trace t;
	struct image im;

	choose(c, &h, &f);
	if (image_is(data, size) && !image_parse(data, size, &im))
		h = im.hint;
	trace_open(&t, exact(data, size), size, &h, &out);
	symbols_relocate(&t, false, 0);
	run_view(&t, c[0], &f);
}

/* The same bytes as each of the tables, then a small region with them. */
static void run_names(const u8 *c, const u8 *data, size_t size)
{
	static const u8 plain[4 + 8 * 4 * 2] = { 1, 0x10, 0x20, 0x30 };
	char path[64];
	int fd = memfd_create("names", 0);
	struct trace t;
	struct hints h;
	struct filter f;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!setjmp(back)) {
		symbols_load(path);
		modules_load(path, false);
		modules_load(path, c[1] & 1);
		cmdlines_load(path);
		choose(c, &h, &f);
		h.plain_n = 8;
		h.plain_word = 4;
		strcpy(h.plain_order, "ipx");
		trace_open(&t, plain, sizeof(plain), &h, NULL);
		if (c[2] & 8)
			loads_load(path);
		symbols_trust(c[2] & 16 ? "x" : NULL, c[2] & 32);
		t.text_addr = 0x1000;
		strcpy(t.anchor, "_text");
		symbols_relocate(&t, c[1] & 2, 0x100);
		symbols_learn(&t);
		f.since = 0;
		run_view(&t, c[0], &f);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	if (size < CHOICES)
		return 0;
	die_hook = on_die;
	out.fd = -1;
	out.used = 0;
	if (data[0] & 0x80)
		run_names(data, data + CHOICES, size - CHOICES);
	else if (!setjmp(back))
		run_region(data, data + CHOICES, size - CHOICES);
	mem_drop_all();
	symbols_reset();
	cmdlines_reset();
	return 0;
}

#ifdef FUZZ_MAIN
static u64 state = 1;

static u32 rnd(u32 below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(state >> 33) % below;
}

/* Headers are where most decisions are: half of the changes go to the first bytes. */
static size_t mutate(u8 *p, size_t size)
{
	static const u32 odd[] = { 0, 1, 3, 4, 7, 8, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x1000, 0xffff };

	for (u32 n = 1 + rnd(8); n && size > CHOICES + 8; n--) {
		size_t at = rnd(2) ? rnd((u32)size) : rnd(size < 512 ? (u32)size : 512);
		u32 v = rnd(2) ? odd[rnd(sizeof(odd) / sizeof(odd[0]))] : rnd(~0u);

		switch (rnd(6)) {
		case 0: p[at] ^= (u8)(1u << rnd(8)); break;
		case 1: p[at] = (u8)v; break;
		case 2: size = at > CHOICES ? at : size; break;
		case 3: memmove(p + at / 2, p + at, size - at); break;
		default:
			at &= ~3u;
			if (at + 4 <= size)
				memcpy(p + at, &v, 4);
		}
	}
	return size;
}

int main(int argc, char **argv)
{
	time_t end;
	unsigned long runs = 0;
	u8 *buf = malloc(8u << 20);

	if (argc < 3)
		return 2;
	end = time(NULL) + atoi(argv[1]);
	while (time(NULL) < end) {
		FILE *f = fopen(argv[2 + rnd((u32)argc - 2)], "rb");
		size_t size = f ? fread(buf, 1, 8u << 20, f) : 0;

		if (!f)
			return 2;
		fclose(f);
		size = mutate(buf, size);
		/* kept until the next run: what is there after a crash is the finding */
		f = fopen("last-input", "wb");
		if (!f || fwrite(buf, 1, size, f) != size || fclose(f))
			return 2;
		LLVMFuzzerTestOneInput(buf, size);
		runs++;
	}
	free(buf);
	printf("%lu runs, no finding\n", runs);
	return 0;
}
#endif
