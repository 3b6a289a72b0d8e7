#include <endian.h>
#include <string.h>

#include "base/size.h"
#include "gen/gen.h"
#include "gen/random.h"

enum {
	DIGITS = 20, /* digits of the largest 64-bit number */
	WORD_MAX = 8,
	WORDS_MAX = 16
};

static const char words[64][WORD_MAX + 1] = { "and", "answer", "apple",
	"author", "bear", "belong", "block", "bottle", "buffer", "carry",
	"chain", "circle", "copper", "court", "deal", "desert", "divide",
	"eager", "early", "engine", "field", "final", "flow", "garden", "give",
	"harbour", "heap", "house", "idle", "index", "island", "join", "key",
	"kitchen", "ladder", "last", "letter", "line", "merge", "mirror",
	"node", "north", "of", "order", "pair", "paper", "pivot", "quarter",
	"quick", "radix", "river", "sample", "share", "sort", "stone", "table",
	"the", "tree", "under", "unequal", "valley", "water", "winter",
	"yellow" };

/*
 * Returns the largest number n for which the format can represent all numbers
 * from 0 to n.
 */
static uint64_t
largest(const struct format *f)
{
	size_t bits = 8 * f->size;

	if (f->kind == FORMAT_LINE)
		return COUNT_MOST;
	if (f->kind == FORMAT_RECORD)
		bits = 8 * f->key_len;
	else if (f->number == NUMBER_FLOAT)
		bits = f->size == 4 ? 24 : 53;
	else if (f->number == NUMBER_SIGNED)
		bits--;
	return bits > 53 ? COUNT_MOST : ((uint64_t)1 << bits) - 1;
}

int
gen_init(struct gen *g, const struct gen_options *o, struct hp_err *e)
{
	*g = (struct gen){ .format = o->format,
		.next = o->start,
		.max = o->format.kind == FORMAT_LINE
		    ? DIGITS + WORDS_MAX * (1 + WORD_MAX) + 1
		    : o->format.size };
	if (dist_parse(o->dist, &g->dist, e) == -1)
		return -1;
	dist_start(&g->dist, o->seed, o->total, largest(&g->format));
	return 0;
}

static size_t
line(const struct format *f, struct value v, unsigned char *out)
{
	struct random r = random_of(0, v.number);
	uint64_t n = v.number, bits;
	size_t len = DIGITS, word_len;
	const char *word;

	for (int i = DIGITS - 1; i >= 0; i--, n /= 10)
		out[i] = (unsigned char)('0' + n % 10);
	for (uint64_t i = 1 + random_below(&r, WORDS_MAX); i > 0; i--) {
		bits = random_next(&r);
		word = words[bits >> 58];
		word_len = strlen(word);
		out[len++] = ' ';
		memcpy(out + len, word, word_len);
		len += word_len;
	}
	out[len++] = f->delim;
	return len;
}

static void
put_random(struct random *r, unsigned char *out, size_t len)
{
	uint64_t bits;
	size_t n;

	for (; len > 0; out += n, len -= n) {
		bits = htole64(random_next(r));
		n = len < sizeof bits ? len : sizeof bits;
		memcpy(out, &bits, n);
	}
}

/*
 * Writes a key of len bytes for the value v. If v is a fraction, it fills the
 * first 8 bytes. The other bytes are pseudo-random, but depend on v alone. So
 * equal values have equal keys.
 */
static void
put_key(struct value v, unsigned char *out, size_t len)
{
	struct random r = random_of(1, v.number);
	uint64_t be = htobe64(v.number);
	size_t n = len < sizeof be ? len : sizeof be;

	if (v.fraction) {
		memcpy(out, &be, n);
		put_random(&r, out + n, len - n);
		return;
	}
	memset(out, 0, len - n);
	if (n < sizeof be && v.number >> 8 * n != 0)
		memset(out, 0xff, n);
	else
		memcpy(out + len - n, (unsigned char *)&be + sizeof be - n, n);
}

static void
put_payload(uint64_t seed, uint64_t record, unsigned char *out, size_t len)
{
	struct random r = random_of(seed + 1, record);
	uint64_t be = htobe64(record);
	size_t n = len < sizeof be ? len : sizeof be;

	memcpy(out, (unsigned char *)&be + sizeof be - n, n);
	put_random(&r, out + n, len - n);
}

static void
record(const struct gen *g, struct value v, unsigned char *out)
{
	const struct format *f = &g->format;

	/*
	 * The key lies inside the payload. Write the payload as one block. Then
	 * move the end of the payload to make room for the key.
	 */
	put_payload(g->dist.seed, g->next, out, f->size - f->key_len);
	memmove(out + f->key_off + f->key_len, out + f->key_off,
	    f->size - f->key_len - f->key_off);
	put_key(v, out + f->key_off, f->key_len);
}

/*
 * Converts a fraction to the bits of a floating-point number. Uses only as many
 * bits as the mantissa has, so that the result is never rounded up to 1.
 */
static uint64_t
float_bits(size_t size, struct value v)
{
	double x = !v.fraction	    ? (double)v.number
	    : size == sizeof(float) ? (double)(v.number >> 40) * 0x1p-23 - 1
				    : (double)(v.number >> 11) * 0x1p-52 - 1;
	float narrow = (float)x;
	uint32_t narrow_bits;
	uint64_t bits;

	if (size == sizeof narrow) {
		memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
		return narrow_bits;
	}
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static uint64_t
integer_bits(const struct format *f, struct value v)
{
	unsigned bits = 8 * (unsigned)f->size;
	bool is_signed = f->number == NUMBER_SIGNED;
	uint64_t most = UINT64_MAX >> (64 - bits) >> is_signed;

	if (!v.fraction)
		return v.number < most ? v.number : most;
	return v.number >> (64 - bits) ^ (uint64_t)is_signed << (bits - 1);
}

static void
number(const struct format *f, struct value v, unsigned char *out)
{
	uint64_t word = f->number == NUMBER_FLOAT ? float_bits(f->size, v)
						  : integer_bits(f, v);

	for (size_t i = 0; i < f->size; i++, word >>= 8)
		out[f->big_endian ? f->size - 1 - i : i] = (unsigned char)word;
}

size_t
gen_next(struct gen *g, unsigned char *out)
{
	struct value v = dist_value(&g->dist, g->next);
	size_t len = g->format.size;

	switch (g->format.kind) {
	case FORMAT_LINE:
		len = line(&g->format, v, out);
		break;
	case FORMAT_RECORD:
		record(g, v, out);
		break;
	case FORMAT_NUMBER:
		number(&g->format, v, out);
		break;
	}
	g->next++;
	return len;
}
