// SPDX-License-Identifier: GPL-2.0-only
/*
 * rs.c - Reed-Solomon over GF(256) with the parameters ramoops gives the
 * kernel's codec: polynomial x^8+x^4+x^3+x^2+1, first root 1, roots one apart.
 * Parity is the remainder, highest power first, kept apart from the data.
 */
#include "tracemem.h"

#define MAX_ROOTS 64u

static u8 antilog[512];		/* twice as long: no modulo for a sum of logs */
static u8 logarithm[256];
static u8 generator[MAX_ROOTS + 1];	/* lowest power first; its top is 1 */
static unsigned int roots;

static u8 mul(u8 a, u8 b)
{
	return a && b ? antilog[logarithm[a] + logarithm[b]] : 0;
}

static u8 inverse(u8 a)
{
	return antilog[255 - logarithm[a]];
}

/* rs_init - use nroots (1 to 64) parity bytes from now on */
void rs_init(unsigned int nroots)
{
	unsigned int v = 1;

	if (roots == nroots)
		return;
	roots = nroots;
	for (unsigned int i = 0; i < 255; i++) {
		antilog[i] = antilog[i + 255] = (u8)v;
		logarithm[v] = (u8)i;
		v = v & 0x80 ? (v << 1 ^ 0x11d) & 0xff : v << 1;
	}
	memset(generator, 0, sizeof(generator));
	generator[0] = 1;
	for (unsigned int i = 0; i < roots; i++) {
		/* times (x + a^i) */
		for (unsigned int k = i + 1; k; k--)
			generator[k] = generator[k - 1] ^ mul(generator[k], antilog[i]);
		generator[0] = mul(generator[0], antilog[i]);
	}
}

/* rs_parity - the parity of len bytes of data (at most 255 - nroots) */
void rs_parity(const u8 *data, size_t len, u8 *parity)
{
	memset(parity, 0, roots);
	for (size_t i = 0; i < len; i++) {
		u8 feed = data[i] ^ parity[0];

		for (unsigned int k = 0; k + 1 < roots; k++)
			parity[k] = parity[k + 1] ^ mul(feed, generator[roots - 1 - k]);
		parity[roots - 1] = mul(feed, generator[0]);
	}
}

/* Syndromes of data and parity as one word; false when all are zero: no error. */
static bool syndromes(const u8 *data, size_t len, const u8 *parity, u8 *s)
{
	bool wrong = false;

	for (unsigned int i = 0; i < roots; i++) {
		u8 v = 0;

		for (size_t k = 0; k < len; k++)
			v = data[k] ^ mul(v, antilog[i]);
		for (unsigned int k = 0; k < roots; k++)
			v = parity[k] ^ mul(v, antilog[i]);
		s[i] = v;
		wrong |= v != 0;
	}
	return wrong;
}

/* Berlekamp-Massey: the locator polynomial of the errors; returns its degree. */
static unsigned int locator(const u8 *s, u8 *loc)
{
	u8 old[MAX_ROOTS + 1] = { 1 }, save[MAX_ROOTS + 1];
	unsigned int degree = 0, gap = 1;
	u8 last = 1;

	memset(loc, 0, MAX_ROOTS + 1);
	loc[0] = 1;
	for (unsigned int n = 0; n < roots; n++, gap++) {
		u8 d = s[n], scale;

		for (unsigned int i = 1; i <= degree; i++)
			d ^= mul(loc[i], s[n - i]);
		if (!d)
			continue;
		memcpy(save, loc, sizeof(save));
		scale = mul(d, inverse(last));
		for (unsigned int i = 0; i + gap <= MAX_ROOTS; i++)
			loc[i + gap] ^= mul(scale, old[i]);
		if (2 * degree <= n) {
			degree = n + 1 - degree;
			memcpy(old, save, sizeof(old));
			last = d;
			gap = 0;
		}
	}
	return degree;
}

/* Value of the error at the place whose locator's inverse is x (Forney). */
static u8 error_value(const u8 *s, const u8 *loc, unsigned int degree, u8 x)
{
	u8 omega = 0, slope = 0, power = 1;

	for (unsigned int i = 0; i < degree; i++) {
		u8 coeff = 0;

		for (unsigned int k = 0; k <= i; k++)
			coeff ^= mul(s[i - k], loc[k]);
		omega ^= mul(coeff, power);
		if (!(i & 1))		/* derivative: odd powers only, one lower */
			slope ^= mul(loc[i + 1], power);
		power = mul(power, x);
	}
	/* the first root is a^0: one more factor of the locator */
	return slope ? mul(mul(omega, inverse(slope)), inverse(x)) : 0;
}

/*
 * rs_correct - correct data and parity in place. Returns the number of bytes
 * changed, -1 if there are more errors than can be corrected (nothing changed).
 */
int rs_correct(u8 *data, size_t len, u8 *parity)
{
	u8 s[MAX_ROOTS], loc[MAX_ROOTS + 1], where[MAX_ROOTS], value[MAX_ROOTS];
	unsigned int degree, found = 0;
	size_t total = len + roots;

	if (total > 255 || !syndromes(data, len, parity, s))
		return total > 255 ? -1 : 0;
	degree = locator(s, loc);
	if (degree > roots / 2)
		return -1;
	/* byte k from the end has locator a^k: try all */
	for (size_t k = 0; k < total; k++) {
		u8 x = antilog[(255 - k) % 255], v = 0, power = 1;

		for (unsigned int i = 0; i <= degree; i++) {
			v ^= mul(loc[i], power);
			power = mul(power, x);
		}
		if (v)
			continue;
		if (found == degree)
			return -1;
		where[found] = (u8)k;
		value[found++] = error_value(s, loc, degree, x);
	}
	if (found != degree)
		return -1;
	for (unsigned int i = 0; i < found; i++) {
		size_t at = total - 1 - where[i];

		*(at < len ? data + at : parity + (at - len)) ^= value[i];
	}
	return (int)found;
}
