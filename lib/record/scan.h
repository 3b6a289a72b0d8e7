#ifndef HP_RECORD_SCAN_H
#define HP_RECORD_SCAN_H

/*
 * Finds the records in a text. Only these functions depend on how the records
 * of a format end, so other code works with each new format.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/sum.h"
#include "record/format.h"

/* Some bytes, such as a record or a key. */
struct span {
	const unsigned char *at;
	size_t len;
};

/*
 * Returns the size in bytes of the delimiter after each record: 0 for records
 * of a fixed size. The delimiter does not belong to the record.
 */
static inline size_t
scan_delim(const struct format *f)
{
	return f->kind == FORMAT_LINE;
}

/*
 * Returns the end of the record that begins at s, before its delimiter. Returns
 * NULL if the text ends inside the record. The caller knows that the first
 * `seen` bytes contain no delimiter.
 */
static inline const unsigned char *
scan_find(const struct format *f, const unsigned char *s, size_t seen,
    const unsigned char *end)
{
	if (f->kind != FORMAT_LINE)
		return f->size <= (size_t)(end - s) ? s + f->size : NULL;
	return memchr(s + seen, f->delim, (size_t)(end - s) - seen);
}

/*
 * Returns the end of the record that begins at s, before its delimiter. The
 * text ends with a record, but its last delimiter may be missing. If the text
 * ends inside a record of fixed size, the result lies behind the text.
 */
static inline const unsigned char *
scan_end(
    const struct format *f, const unsigned char *s, const unsigned char *end)
{
	const unsigned char *p;

	if (f->kind != FORMAT_LINE)
		return s + f->size;
	p = memchr(s, f->delim, (size_t)(end - s));
	return p == NULL ? end : p;
}

/*
 * Returns the record at *at, without its delimiter. Advances *at to the next
 * record. The text ends with a record, but its last delimiter may be missing.
 */
static inline struct span
scan_record(
    const struct format *f, const unsigned char **at, const unsigned char *end)
{
	struct span s = { *at, f->size };
	const unsigned char *p;

	if (f->kind != FORMAT_LINE) {
		*at += f->size;
		return s;
	}
	p = memchr(s.at, f->delim, (size_t)(end - s.at));
	*at = p == NULL ? end : p + 1;
	s.len = (size_t)((p == NULL ? end : p) - s.at);
	return s;
}

/*
 * Returns the end of the n-th record from s on, with its delimiter, or the end
 * of the text if it has fewer records.
 */
const unsigned char *scan_skip(const struct format *, const unsigned char *s,
    const unsigned char *end, uint64_t n);
/*
 * Returns the start of the first record that begins at `s` or later, or `end`.
 * The text begins at `start`.
 */
const unsigned char *
scan_from(const struct format *, const unsigned char *start,
    const unsigned char *s, const unsigned char *end);
/*
 * Returns the start of the record that contains the byte at `s`. A delimiter
 * counts as part of its record.
 */
const unsigned char *scan_start(
    const struct format *, const unsigned char *start, const unsigned char *s);
/*
 * Returns the end of the last record that is complete, with its delimiter, or
 * `start` if no record is complete.
 */
const unsigned char *scan_whole(const struct format *,
    const unsigned char *start, const unsigned char *end);

/* Returns how many records end in the text. A line ends with its delimiter. */
uint64_t scan_count(const struct format *, const unsigned char *start,
    const unsigned char *end);
/* Returns true if the text ends with a line that lacks its delimiter. */
bool scan_is_cut(const struct format *, const unsigned char *start,
    const unsigned char *end);

/* Adds the checksum of a record with its delimiter. */
void scan_sum(const struct format *, struct span record, struct sum *);

#endif
