#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "gen/gensort.h"

#define WIDE(high, low) ((gensort_number)(high) << 64 | (low))

static const gensort_number MULTIPLIER = WIDE(
    0x2360ed051fc65da4, 0x4385df649fccf645);
static const gensort_number INCREMENT = WIDE(
    0x4a696d4772617952, 0x4950202020202001);

/*
 * A binary record consists of ten pieces of ten bytes, from ten successive
 * states of the random generator. The first piece is the key. Each of the other
 * nine is combined with a mask of its own.
 */
static const unsigned char mask[GENSORT_SIZE] = {
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* key */
	0xF0, 0xE8, 0xE4, 0xE2, 0xE1, 0xD8, 0xD4, 0xD2, 0xD1, 0xCC, /* 1 */
	0xCA, 0xC9, 0xC6, 0xC5, 0xC3, 0xB8, 0xB4, 0xB2, 0xB1, 0xAC, /* 2 */
	0xAA, 0xA9, 0xA6, 0xA5, 0xA3, 0x9C, 0x9A, 0x99, 0x96, 0x95, /* 3 */
	0x93, 0x8E, 0x8D, 0x8B, 0x87, 0x78, 0x74, 0x72, 0x71, 0x6C, /* 4 */
	0x6A, 0x69, 0x66, 0x65, 0x63, 0x5C, 0x5A, 0x59, 0x56, 0x55, /* 5 */
	0x53, 0x4E, 0x4D, 0x4B, 0x47, 0x3C, 0x3A, 0x39, 0x36, 0x35, /* 6 */
	0x33, 0x2E, 0x2D, 0x2B, 0x27, 0x1E, 0x1D, 0x1B, 0x17, 0x0F, /* 7 */
	0xC8, 0xC4, 0xC2, 0xC1, 0x98, 0x94, 0x92, 0x91, 0x8C, 0xE0, /* 8 */
	0x17, 0x0F, 0x33, 0x2E, 0x2D, 0x2B, 0x27, 0x1E, 0x1D, 0x1B, /* 9 */
};

static uint64_t
high(gensort_number x)
{
	return (uint64_t)(x >> 64);
}

static uint64_t
low(gensort_number x)
{
	return (uint64_t)x;
}

static gensort_number
step(gensort_number x)
{
	return x * MULTIPLIER + INCREMENT;
}

/*
 * Returns the state of the random generator after a number of steps from state
 * 0. 2^k steps are one step of a generator of the same form, whose constants
 * follow from those for 2^(k-1) steps (Knuth vol. 2, 3.2.1 eq. 6).
 */
static gensort_number
jump(gensort_number steps)
{
	gensort_number x = 0, a = MULTIPLIER, c = INCREMENT;

	for (; steps != 0; steps >>= 1) {
		if (steps & 1)
			x = x * a + c;
		c *= a + 1;
		a *= a;
	}
	return x;
}

static void
binary_key(gensort_number x, unsigned char out[GENSORT_KEY])
{
	uint64_t h = htobe64(high(x));
	uint16_t l = htobe16((uint16_t)(low(x) >> 48));

	memcpy(out, &h, 8);
	memcpy(out + 8, &l, 2);
}

static void
ascii_key(gensort_number x, unsigned char out[GENSORT_KEY])
{
	uint64_t h = high(x), l = low(x);

	for (int i = 0; i < 8; i++, h /= 95)
		out[i] = (unsigned char)(' ' + h % 95);
	for (int i = 8; i < GENSORT_KEY; i++, l /= 95)
		out[i] = (unsigned char)(' ' + l % 95);
}

int
gensort_number_parse(
    const char *arg, gensort_number *n, const char *what, struct hp_err *e)
{
	static const char units[] = "kMGT";
	const gensort_number most = ~(gensort_number)0;
	const char *s = arg, *unit;
	unsigned digit;

	*n = 0;
	for (; *s >= '0' && *s <= '9'; s++) {
		digit = (unsigned)(*s - '0');
		if (*n > (most - digit) / 10)
			goto large;
		*n = *n * 10 + digit;
	}
	if (s == arg || (*s != '\0' && s[1] != '\0') ||
	    (unit = strchr(units, *s == 'K' ? 'k' : *s)) == NULL)
		return hp_fail(e, HP_USAGE,
		    "%s '%s': must be an integer with an optional unit k, M, G "
		    "or T",
		    what, arg);
	for (; *s != '\0' && unit >= units; unit--) {
		if (*n > most / 1000)
			goto large;
		*n *= 1000;
	}
	return 0;
large:
	return hp_fail(e, HP_USAGE, "%s '%s': must be below 2^128", what, arg);
}

/*
 * A skewed key begins with bytes from this table. The index into the table is
 * the bit length of the record number. So the keys of a large data set have
 * only a few different prefixes.
 */
static void
make_skew_table(struct gensort *g)
{
	unsigned char key[GENSORT_KEY];
	gensort_number x = INCREMENT;

	for (int i = 0; i <= 128; i++, x = step(x)) {
		if (g->ascii)
			ascii_key(x, key);
		else
			binary_key(x, key);
		memcpy(g->skew[i], key, sizeof g->skew[i]);
	}
}

void
gensort_init(struct gensort *g, gensort_number first, bool ascii, bool skewed)
{
	g->ascii = ascii;
	g->skewed = skewed;
	g->number = first;
	g->key = jump(first + 1);
	g->last = g->key;
	g->pos = 0;
	for (size_t i = 0; i < GENSORT_SIZE; i += GENSORT_KEY) {
		if (i > 0)
			g->last = step(g->last);
		binary_key(g->last, g->piece + i);
	}
	if (skewed)
		make_skew_table(g);
}

/*
 * Returns the bit length of n as gensort computes it, so that the records are
 * identical to those of gensort. gensort searches four bits at a time. So a
 * number whose top four bits are not all 0 has the full length.
 */
static int
bit_length(gensort_number n)
{
	uint64_t h = high(n), l = low(n);

	if (h != 0)
		return h >> 60 != 0 ? 128 : 128 - __builtin_clzll(h);
	if (l != 0)
		return l >> 60 != 0 ? 64 : 64 - __builtin_clzll(l);
	return 0;
}

static void
skew_key(const struct gensort *g, unsigned char key[GENSORT_KEY])
{
	const unsigned char *from = g->skew[bit_length(g->number)];
	uint64_t random = low(g->key) >> 32;
	unsigned n = random & (g->ascii ? 7 : 63);
	unsigned keep;

	if (g->ascii) {
		if (n <= 6)
			memcpy(key, from, n);
	} else if (n <= 48) {
		memcpy(key, from, n / 8);
		keep = 0xff >> n % 8;
		if (n % 8 != 0)
			key[n / 8] = (unsigned char)((key[n / 8] & keep) |
			    (from[n / 8] & ~keep));
	}
}

/*
 * XORs the 100 bytes of a record with a constant mask, 8 bytes at a time.
 * Compilers do not vectorize a loop over 100 bytes.
 */
static void
unmask(const unsigned char *piece, unsigned char *out)
{
	uint64_t a, b;
	uint32_t c, d;
	size_t i;

	for (i = 0; i + sizeof a <= GENSORT_SIZE; i += sizeof a) {
		memcpy(&a, piece + i, sizeof a);
		memcpy(&b, mask + i, sizeof b);
		a ^= b;
		memcpy(out + i, &a, sizeof a);
	}
	memcpy(&c, piece + i, sizeof c);
	memcpy(&d, mask + i, sizeof d);
	c ^= d;
	memcpy(out + i, &c, sizeof c);
}

static void
binary_record(struct gensort *g, unsigned char *out)
{
	unsigned char *end;

	unmask(g->piece + g->pos, out);
	if (g->skewed)
		skew_key(g, out);
	g->pos += GENSORT_KEY;
	if (g->pos + GENSORT_SIZE > sizeof g->piece) {
		memcpy(g->piece, g->piece + g->pos, GENSORT_SIZE - GENSORT_KEY);
		g->pos = 0;
	}
	end = g->piece + g->pos + GENSORT_SIZE - GENSORT_KEY;
	g->last = step(g->last);
	binary_key(g->last, end);
}

static void
ascii_record(const struct gensort *g, unsigned char *out)
{
	static const char digits[] = "0123456789ABCDEF";

	ascii_key(g->key, out);
	if (g->skewed)
		skew_key(g, out);
	out += GENSORT_KEY;
	*out++ = ' ';
	*out++ = ' ';
	for (int shift = 124; shift >= 0; shift -= 4)
		*out++ = (unsigned char)digits[g->number >> shift & 15];
	*out++ = ' ';
	*out++ = ' ';
	for (int shift = 48; shift >= 0; shift -= 4, out += 4)
		memset(out, digits[g->key >> shift & 15], 4);
	*out++ = '\r';
	*out = '\n';
}

void
gensort_next(struct gensort *g, unsigned char out[GENSORT_SIZE])
{
	if (g->ascii)
		ascii_record(g, out);
	else
		binary_record(g, out);
	g->number++;
	g->key = step(g->key);
}
