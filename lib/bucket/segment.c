#include <string.h>

#include "bucket/segment.h"

enum {
	AHEAD = 16 /* prefetch distance, in records */
};

/*
 * Copies a short record. This is faster than a call of memcpy for so few bytes.
 */
static inline void
copy(unsigned char *to, const unsigned char *from, size_t n)
{
	if (n >= 32) {
		size_t i = 0;

		do {
			memcpy(to + i, from + i, 32);
			i += 32;
		} while (i + 32 <= n);
		memcpy(to + n - 32, from + n - 32, 32);
	} else if (n >= 16) {
		memcpy(to, from, 16);
		memcpy(to + n - 16, from + n - 16, 16);
	} else if (n >= 8) {
		memcpy(to, from, 8);
		memcpy(to + n - 8, from + n - 8, 8);
	} else
		for (size_t i = 0; i < n; i++)
			to[i] = from[i];
}

/*
 * Prefetches the record of a later entry. If keys are built from records, two
 * loads are needed: first of the built key, which contains the record's
 * address, then of the record.
 */
static inline void
prefetch(const struct view *v, const struct entry *x, size_t i, size_t n)
{
	struct span s;

	if (v->kind == VIEW_BUILT && i + 2 * AHEAD < n)
		__builtin_prefetch(
		    (const void *)(uintptr_t)(x[i + 2 * AHEAD].place >> 16));
	if (i + AHEAD >= n)
		return;
	s = view_record(v, x[i + AHEAD].place);
	__builtin_prefetch(s.at);
	__builtin_prefetch(s.at + 64);
	__builtin_prefetch(s.at + s.len - (s.len > 0));
}

size_t
segment_gather(const struct view *v, const struct format *f,
    const struct segment *g, unsigned char *buf, size_t cap, size_t *len)
{
	size_t delim = scan_delim(f), i;
	unsigned char *to = buf + *len, *end = buf + cap;
	struct span s, prefix = g->prefix;

	for (i = 0; i < g->n; i++) {
		prefetch(v, g->x, i, g->n);
		s = view_record(v, g->x[i].place);
		if (prefix.len + s.len + delim > (size_t)(end - to))
			break;
		copy(to, prefix.at, prefix.len);
		to += prefix.len;
		copy(to, s.at, s.len);
		to += s.len;
		if (delim)
			*to++ = f->delim;
	}
	*len = (size_t)(to - buf);
	return i;
}

uint64_t
segment_bytes(
    const struct view *v, const struct format *f, const struct segment *g)
{
	uint64_t total = g->n * (g->prefix.len + scan_delim(f));

	if (f->size != 0)
		return (uint64_t)g->n * f->size;
	for (size_t i = 0; i < g->n; i++)
		total += view_record(v, g->x[i].place).len;
	return total;
}
