#include "record/scan.h"

enum {
	/*
	 * number of bytes to search per call of memrchr; a sanitizer checks the
	 * whole range of each call, so it must be small
	 */
	NEAR = 1 << 10
};

const unsigned char *
scan_skip(const struct format *f, const unsigned char *s,
    const unsigned char *end, uint64_t n)
{
	const unsigned char *p;

	if (f->kind != FORMAT_LINE)
		return n < (size_t)(end - s) / f->size ? s + n * f->size : end;
	for (; n > 0 && s < end; n--) {
		p = memchr(s, f->delim, (size_t)(end - s));
		s = p == NULL ? end : p + 1;
	}
	return s;
}

const unsigned char *
scan_from(const struct format *f, const unsigned char *start,
    const unsigned char *s, const unsigned char *end)
{
	if (s >= end)
		return end;
	if (s == start)
		return start;
	if (f->kind != FORMAT_LINE)
		return start +
		    ((size_t)(s - start) + f->size - 1) / f->size * f->size;
	return scan_skip(f, s - 1, end, 1);
}

/* Returns the last delimiter between start and end, or NULL. */
static const unsigned char *
last_delim(const struct format *f, const unsigned char *start,
    const unsigned char *end)
{
	const unsigned char *p;
	size_t n;

	for (; end > start; end -= n) {
		n = (size_t)(end - start) < NEAR ? (size_t)(end - start) : NEAR;
		if ((p = memrchr(end - n, f->delim, n)) != NULL)
			return p;
	}
	return NULL;
}

const unsigned char *
scan_start(
    const struct format *f, const unsigned char *start, const unsigned char *s)
{
	const unsigned char *p;

	if (f->kind != FORMAT_LINE)
		return s - (size_t)(s - start) % f->size;
	p = last_delim(f, start, s);
	return p == NULL ? start : p + 1;
}

const unsigned char *
scan_whole(const struct format *f, const unsigned char *start,
    const unsigned char *end)
{
	const unsigned char *p;

	if (f->kind != FORMAT_LINE)
		return end - (size_t)(end - start) % f->size;
	p = last_delim(f, start, end);
	return p == NULL ? start : p + 1;
}

/*
 * Counts delimiters in words of eight bytes. In t, the top bit of each byte is
 * set if the byte equals the delimiter (Warren, Hacker's Delight, 6-1). At most
 * 255 words are added up, because otherwise the sum in a byte could overflow.
 */
static uint64_t
count_delims(const unsigned char *p, size_t n, unsigned char delim)
{
	const uint64_t ones = UINT64_MAX / 255, low = ones * 127;
	const uint64_t pattern = ones * delim, pairs = UINT64_MAX / 65535;
	uint64_t count = 0;
	size_t i = 0;

	while (n - i >= 8) {
		size_t words = (n - i) / 8 < 255 ? (n - i) / 8 : 255;
		uint64_t sums = 0;

		for (size_t k = 0; k < words; k++, i += 8) {
			uint64_t x, t;

			memcpy(&x, p + i, sizeof x);
			x ^= pattern;
			t = ~(((x & low) + low) | x | low);
			sums += t >> 7;
		}
		sums = (sums & pairs * 255) + ((sums >> 8) & pairs * 255);
		count += (sums * pairs) >> 48;
	}
	for (; i < n; i++)
		count += p[i] == delim;
	return count;
}

uint64_t
scan_count(const struct format *f, const unsigned char *start,
    const unsigned char *end)
{
	size_t n = (size_t)(end - start);

	return f->kind == FORMAT_LINE ? count_delims(start, n, f->delim)
				      : n / f->size;
}

bool
scan_is_cut(const struct format *f, const unsigned char *start,
    const unsigned char *end)
{
	return f->kind == FORMAT_LINE && start < end && end[-1] != f->delim;
}

void
scan_sum(const struct format *f, struct span record, struct sum *sum)
{
	if (f->kind == FORMAT_LINE)
		sum_line(sum, record.at, record.len, f->delim);
	else
		sum_record(sum, record.at, record.len);
}
