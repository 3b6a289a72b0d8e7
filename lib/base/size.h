#ifndef HP_BASE_SIZE_H
#define HP_BASE_SIZE_H

/*
 * Numbers as people write them on the command line, and how much memory there
 * is to use.  What cannot be read is HP_USAGE, with the argument in the text.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Bytes, as sort(1)'s -S: a number and a unit b (bytes), K, M, G, T, P, E
 * (powers of 1024; k m g t, too) or % of the memory that mem_limit tells.
 * Without a unit, kibibytes; a unit alone is one of it.
 */
int size_parse(const char *, uint64_t *, struct hp_err *);

/*
 * The most items, records or bytes that documents can tell of: integers beyond
 * 2^53 are not whole in JSON everywhere.
 */
#define COUNT_MOST ((uint64_t)1 << 53)

/* A count: an integer and a unit k, M, G, T (powers of 1000); at most 2^53. */
int count_parse(const char *, uint64_t *, struct hp_err *);

/* Where a number of sort(1)'s options starts: behind blanks and a plus. */
const char *unsigned_part(const char *);

/* A plain integer between the two bounds, both included; what: its name. */
int int_parse(const char *, uint64_t low, uint64_t high, uint64_t *,
    const char *what, struct hp_err *);

/* How many threads: 1 or more, of which as many are taken as make sense. */
int threads_parse(const char *, unsigned *, struct hp_err *);

/* OFFSET:BYTES, each with a unit K, M, G, T or none, at most INT64_MAX. */
int
extent_parse(const char *, uint64_t *offset, uint64_t *bytes, struct hp_err *);

/* A finite decimal number above 0; what: its name. */
int positive_parse(const char *, double *, const char *what, struct hp_err *);

/*
 * Physical memory, or what the cgroup (version 1 or 2) of this process allows
 * where that is less, or what mem_addresses tells.  Bytes, never 0.
 */
uint64_t mem_limit(void);
/*
 * The same without what the kernel takes for this process: who needs more would
 * be killed.
 */
uint64_t mem_most(void);
/* Half of the addresses that ulimit -v or -d allows; UINT64_MAX without one. */
uint64_t mem_addresses(void);

/* Processors that this process may run on, at least 1. */
unsigned cpu_count(void);

/* x, or the bound that it is beyond. */
static inline size_t
size_clamp(uint64_t x, size_t low, size_t high)
{
	return x < low ? low : x > high ? high : (size_t)x;
}

#endif
