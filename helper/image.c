// SPDX-License-Identifier: GPL-2.0-only
/*
 * image.c - the header of an image file (ftimage.h says what is where)
 */
#include "tracemem.h"

static void put_le(u8 *p, u64 value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		p[i] = (u8)(value >> 8 * i);
}

static u64 get_le(const u8 *p, unsigned int size)
{
	u64 v = 0;

	while (size--)
		v = v << 8 | p[size];
	return v;
}

/* What is where: offset and size in the header, place in struct image; texts end in a zero. */
static const struct {
	u16 at, size, member;
	bool is_text;
} fields[] = {
#define NUMBER(at, member) { at, sizeof(((struct image *)0)->member), offsetof(struct image, member), false }
#define TEXT(at, member) { at, sizeof(((struct image *)0)->member), offsetof(struct image, member), true }
	NUMBER(16, layout), NUMBER(20, word), NUMBER(24, order), NUMBER(28, page),
	NUMBER(32, addr), NUMBER(40, size), NUMBER(48, created), NUMBER(56, data_crc),
	TEXT(64, clock), TEXT(80, boot_id), TEXT(120, hint.machine), TEXT(152, hint.release),
	TEXT(224, build), TEXT(296, name),
	NUMBER(328, hint.plain_n), NUMBER(332, hint.plain_word), NUMBER(336, hint.plain_big),
	TEXT(340, hint.plain_order), NUMBER(348, hint.cpu_bits), NUMBER(352, hint.ecc)
};

#define NFIELD (sizeof(fields) / sizeof(fields[0]))

/* image_is - do these bytes begin like an image? */
bool image_is(const u8 *p, size_t len)
{
	return len >= 8 && !memcmp(p, FTIMAGE_MAGIC, 8);
}

/* image_parse - read a header and check it against the len bytes there are; NULL, or what is wrong */
const char *image_parse(const u8 *p, size_t len, struct image *im)
{
	u8 head[FTIMAGE_SIZE];

	memset(im, 0, sizeof(*im));
	if (len < FTIMAGE_SIZE || !image_is(p, len))
		return "no image header";
	memcpy(head, p, sizeof(head));
	put_le(head + 60, 0, 4);
	if (crc32_of(head, sizeof(head), 0) != get_le(p + 60, 4))
		return "the image's header is damaged";
	if (get_le(p + 8, 4) != FTIMAGE_VERSION || get_le(p + 12, 4) != FTIMAGE_SIZE)
		return "image of a version this tracemem does not know";
	for (size_t i = 0; i < NFIELD; i++) {
		u8 *to = (u8 *)im + fields[i].member;
		u32 size = fields[i].size, v32;
		u64 v = get_le(p + fields[i].at, size);

		v32 = (u32)v;
		if (fields[i].is_text) {
			memcpy(to, p + fields[i].at, size);
			to[size - 1] = 0;
		} else if (size == 4) {
			memcpy(to, &v32, 4);
		} else {
			memcpy(to, &v, 8);
		}
	}
	im->hint.plain_big = im->hint.plain_big == 2;
	if (im->layout == FTIMAGE_PSTORE && (im->word == 4 || im->word == 8))
		im->hint.word = im->word;
	if (im->hint.cpu_bits > 8 || im->hint.ecc > 64) {
		memset(im, 0, sizeof(*im));
		return "the image's header makes no sense";
	}
	if (im->size != len - FTIMAGE_SIZE)
		return "the image is cut short, or longer than its header says";
	return NULL;
}

/* image_build - make the header's bytes */
void image_build(const struct image *image, u8 p[FTIMAGE_SIZE])
{
	struct image im = *image;

	memset(p, 0, FTIMAGE_SIZE);
	memcpy(p, FTIMAGE_MAGIC, 8);
	put_le(p + 8, FTIMAGE_VERSION, 4);
	put_le(p + 12, FTIMAGE_SIZE, 4);
	im.hint.plain_big = im.hint.plain_n ? im.hint.plain_big + 1 : 0;
	for (size_t i = 0; i < NFIELD; i++) {
		const u8 *from = (const u8 *)&im + fields[i].member;
		u32 size = fields[i].size, v32;
		u64 v;

		if (fields[i].is_text) {
			copy_text((char *)p + fields[i].at, size, (const char *)from, strlen((const char *)from));
			continue;
		}
		memcpy(&v32, from, 4);
		v = v32;
		if (size == 8)
			memcpy(&v, from, 8);
		put_le(p + fields[i].at, v, size);
	}
	put_le(p + 60, crc32_of(p, FTIMAGE_SIZE, 0), 4);
}
