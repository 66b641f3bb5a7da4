/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftimage.h - the header of an image file
 *
 * An image is these 512 bytes, then the region's bytes as they lay in memory.
 * All numbers of the header are LITTLE ENDIAN whatever machine wrote them; the
 * region keeps the byte order of the traced machine, which `order` names.
 * Texts end in a zero byte and are padded with zeros. Bytes not named are zero.
 *
 *	offset	size	field
 *	  0	  8	magic: 89 46 54 49 4d 47 0d 0a. The first byte has bit 7
 *			set and the last two are CR LF, so a transfer as text
 *			that damages either is found at once
 *	  8	  4	version of this header: 1
 *	 12	  4	header size: 512
 *	 16	  4	layout (backend): FTIMAGE_RING_A ...
 *	 20	  4	word size of the traced kernel: 4, 8, 0 = unknown
 *	 24	  4	byte order of the traced kernel: 1 little, 2 big, 0 unknown
 *	 28	  4	page size of the machine that took the image
 *	 32	  8	physical address of the region, 0 = it was a file
 *	 40	  8	size of the region = bytes after the header
 *	 48	  8	when the image was taken, seconds since 1970
 *	 56	  4	CRC-32 (ISO 3309, as gzip) of the region's bytes
 *	 60	  4	CRC-32 of this header with this field as zero
 *	 64	 16	clock of the times ("local"), "" = unknown
 *	 80	 40	boot id of the boot that took the image
 *	120	 32	machine (uname -m) that took the image
 *	152	 72	kernel release (uname -r)
 *	224	 72	kernel build (uname -v)
 *	296	 32	name of the trace instance or label, "" = none
 *	328	  4	plain layout: entries in the ring
 *	332	  4	plain layout: word size
 *	336	  4	plain layout: byte order (1, 2)
 *	340	  8	plain layout: arrangement ("ipx"), see tracemem -h
 *	348	  4	pstore: bits of ip that hold the CPU
 *	352	  4	pstore: ECC bytes a block, 0 = unknown
 */
#ifndef FTIMAGE_H
#define FTIMAGE_H

#define FTIMAGE_MAGIC	"\x89" "FTIMG\r\n"
#define FTIMAGE_VERSION	1u
#define FTIMAGE_SIZE	512u

enum {
	FTIMAGE_UNKNOWN,
	FTIMAGE_RING_A,		/* persistent ring buffer, Linux 6.12 - 6.14 */
	FTIMAGE_RING_B,		/* persistent ring buffer, Linux 6.15 up */
	FTIMAGE_PSTORE,		/* ramoops region */
	FTIMAGE_RECORDER,	/* recorder/ftrec_format.h */
	FTIMAGE_PLAIN		/* bare ip[], parent_ip[], index */
};

#endif
