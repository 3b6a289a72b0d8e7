#include <endian.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <zlib.h>

#include "base/sum.h"

static void
add64(struct sum *s, uint64_t n)
{
	s->low += n;
	s->high += s->low < n;
}

/*
 * crc32 of zlib is made for long buffers; most records are short.  Slicing by
 * 16 (Kounavis and Berry 2005): slice[k][b] is what byte b with k bytes behind
 * it contributes.
 */
enum {
	SLICES = 16,
	LONG_RECORD = 2048 /* zlib is faster from here */
};
static uint32_t slice[SLICES][256];
static pthread_once_t sliced = PTHREAD_ONCE_INIT;

static void
make_slices(void)
{
	const z_crc_t *table = get_crc_table();

	for (int b = 0; b < 256; b++) {
		slice[0][b] = (uint32_t)table[b];
		for (int k = 1; k < SLICES; k++)
			slice[k][b] = slice[k - 1][b] >> 8 ^
			    (uint32_t)table[slice[k - 1][b] & 0xff];
	}
}

/* Four bytes with `behind` bytes behind them. */
static inline uint32_t
word(const unsigned char *p, uint32_t crc, int behind)
{
	uint32_t w;

	memcpy(&w, p, sizeof w);
	w = le32toh(w) ^ crc;
	return slice[behind + 3][w & 0xff] ^ slice[behind + 2][w >> 8 & 0xff] ^
	    slice[behind + 1][w >> 16 & 0xff] ^ slice[behind][w >> 24];
}

static uint32_t
crc(uint32_t c, const unsigned char *p, size_t len)
{
	if (len >= LONG_RECORD)
		return (uint32_t)crc32_z(c, p, len);
	pthread_once(&sliced, make_slices);
	c = ~c;
	for (; len >= 16; len -= 16, p += 16)
		c = word(p, c, 12) ^ word(p + 4, 0, 8) ^ word(p + 8, 0, 4) ^
		    word(p + 12, 0, 0);
	for (; len >= 4; len -= 4, p += 4)
		c = word(p, c, 0);
	for (; len > 0; len--, p++)
		c = c >> 8 ^ slice[0][(c ^ *p) & 0xff];
	return ~c;
}

void
sum_record(struct sum *s, const void *record, size_t len)
{
	add64(s, crc(0, record, len));
}

void
sum_line(struct sum *s, const void *line, size_t len, unsigned char delim)
{
	add64(s, crc(crc(0, line, len), &delim, 1));
}

void
sum_add(struct sum *s, const struct sum *other)
{
	add64(s, other->low);
	s->high += other->high;
}

void
sum_format(const struct sum *s, char *out)
{
	if (s->high != 0)
		snprintf(
		    out, SUM_HEX, "%" PRIx64 "%016" PRIx64, s->high, s->low);
	else
		snprintf(out, SUM_HEX, "%" PRIx64, s->low);
}

int
sum_parse(const char *hex, struct sum *s)
{
	size_t len = strlen(hex);

	*s = (struct sum){ 0, 0 };
	if (len == 0 || len >= SUM_HEX ||
	    strspn(hex, "0123456789abcdef") != len)
		return -1;
	for (; *hex != '\0'; hex++) {
		s->high = s->high << 4 | s->low >> 60;
		s->low = s->low << 4 |
		    (uint64_t)(*hex <= '9' ? *hex - '0' : *hex - 'a' + 10);
	}
	return 0;
}
