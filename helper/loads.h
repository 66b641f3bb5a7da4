/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loads.h - loads in the byte order of the traced machine, from any address;
 * part of tracemem.h
 *
 * They are inline where speed is wanted. A build for size has one copy of each
 * (in trace.c, which defines LOADS_HERE): that is some 3 KiB.
 */
#if defined(__GNUC__)
#define swab16(v) __builtin_bswap16(v)
#define swab32(v) __builtin_bswap32(v)
#define swab64(v) __builtin_bswap64(v)
#else
#define swab16(v) ((u16)((v) << 8 | (v) >> 8))
#define swab32(v) ((v) >> 24 | ((v) >> 8 & 0xff00u) | ((v) << 8 & 0xff0000u) | (v) << 24)
#define swab64(v) ((u64)swab32((u32)(v)) << 32 | swab32((u32)((v) >> 32)))
#endif

#if defined(__OPTIMIZE_SIZE__)
u16 get16(const struct trace *t, const u8 *p);
u32 get32(const struct trace *t, const u8 *p);
u64 get64(const struct trace *t, const u8 *p);
u64 get_long(const struct trace *t, const u8 *p);
#define LOAD
#else
#define LOAD static inline
#endif

#if !defined(__OPTIMIZE_SIZE__) || defined(LOADS_HERE)
LOAD u16 get16(const struct trace *t, const u8 *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return t->swap ? swab16(v) : v;
}
LOAD u32 get32(const struct trace *t, const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return t->swap ? swab32(v) : v;
}
LOAD u64 get64(const struct trace *t, const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return t->swap ? swab64(v) : v;
}
LOAD u64 get_long(const struct trace *t, const u8 *p)
{
	return t->word == 8 ? get64(t, p) : get32(t, p);
}
#undef LOAD
#endif
