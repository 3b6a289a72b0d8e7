#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <libdeflate.h>

#include "base/sum.h"

static void
add64(struct sum *s, uint64_t n)
{
	s->low += n;
	s->high += s->low < n;
}

void
sum_record(struct sum *s, const void *record, size_t len)
{
	add64(s, libdeflate_crc32(0, record, len));
}

void
sum_line(struct sum *s, const void *line, size_t len, unsigned char delim)
{
	uint32_t crc = libdeflate_crc32(0, line, len);

	add64(s, libdeflate_crc32(crc, &delim, 1));
}

void
sum_pieces(struct sum *s, const struct iovec *piece, size_t n, uint64_t times)
{
	uint32_t crc = 0;
	unsigned __int128 all;

	for (size_t i = 0; i < n; i++)
		if (piece[i].iov_len > 0)
			crc = libdeflate_crc32(
			    crc, piece[i].iov_base, piece[i].iov_len);
	all = (unsigned __int128)crc * times;
	sum_add(s, &(struct sum){ (uint64_t)(all >> 64), (uint64_t)all });
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
