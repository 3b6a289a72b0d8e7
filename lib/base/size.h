#ifndef HP_BASE_SIZE_H
#define HP_BASE_SIZE_H

/*
 * Parsers for numbers on the command line, and the amount of memory that a
 * program may use. Malformed numbers fail with HP_USAGE; the message contains
 * the argument.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Parses a number of bytes like sort(1)'s -S: a number and a unit b (bytes), K,
 * M, G, T, P, E (powers of 1024; k m g t, too) or % of mem_limit. Without a
 * unit, the number is in KiB. A unit alone means 1 of it.
 */
int size_parse(const char *, uint64_t *, struct hp_err *);

/*
 * The largest number of items, records or bytes in a document. JSON readers may
 * lose precision above 2^53.
 */
#define COUNT_MOST ((uint64_t)1 << 53)

/*
 * Parses a count: an integer with an optional unit k, M, G or T (powers of
 * 1000), at most COUNT_MOST.
 */
int count_parse(const char *, uint64_t *, struct hp_err *);

/*
 * Returns the text after leading blanks and a plus sign, which sort(1) allows
 * before a number.
 */
const char *unsigned_part(const char *);

/*
 * Parses an integer from low to high, inclusive. Error messages call the number
 * by the name `what`.
 */
int int_parse(const char *, uint64_t low, uint64_t high, uint64_t *,
    const char *what, struct hp_err *);

/* Parses a number of threads, 1 or more. At most 1024 are used. */
int threads_parse(const char *, unsigned *, struct hp_err *);

/*
 * Parses OFFSET:BYTES, each with an optional unit K, M, G or T, at most
 * INT64_MAX.
 */
int
extent_parse(const char *, uint64_t *offset, uint64_t *bytes, struct hp_err *);

/* Parses an offset in bytes with an optional unit K, M, G or T. */
int offset_parse(const char *, uint64_t *offset, struct hp_err *);

/*
 * Parses a finite decimal number above 0. Error messages call the number by the
 * name `what`.
 */
int positive_parse(const char *, double *, const char *what, struct hp_err *);

/*
 * Returns the memory in bytes that this process may use: the least of the
 * physical memory, the limit of its cgroup (version 1 or 2) and the result of
 * mem_addresses. Never returns 0.
 */
uint64_t mem_limit(void);
/*
 * Returns how much memory in bytes a process can use without being killed:
 * mem_limit less a reserve for the kernel's page cache.
 */
uint64_t mem_most(void);
/*
 * Returns half of the address space in bytes that ulimit -v or -d leaves.
 * Returns UINT64_MAX if there is no limit.
 */
uint64_t mem_addresses(void);

/* Returns the number of processors that this process may use, at least 1. */
unsigned cpu_count(void);

/* Limits x to the range from low to high. */
static inline size_t
size_clamp(uint64_t x, size_t low, size_t high)
{
	return x < low ? low : x > high ? high : (size_t)x;
}

#endif
