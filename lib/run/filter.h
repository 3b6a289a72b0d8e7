#ifndef HP_RUN_FILTER_H
#define HP_RUN_FILTER_H

/*
 * The program of --compress-program, run as sort(1) runs it: PROG packs and
 * PROG -d unpacks, from standard input to standard output.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct filter;

/* Packs what filter_write is given, to the file from `at` on. */
struct filter *
filter_pack(const char *program, int fd, off_t at, struct hp_err *);
int filter_write(struct filter *, const void *, size_t n, struct hp_err *);
/* After the last: where what was packed ends in the file, or -1.  Frees. */
off_t filter_end(struct filter *, struct hp_err *);

/* A program that unpacks n bytes of the file, which can be read from *out. */
struct filter *filter_unpack(const char *program, int fd, off_t at, uint64_t n,
    int *out, struct hp_err *);
/*
 * After the last byte that is expected of it: whether that was all, and the
 * program has ended well.  One that finds its input damaged may tell so last.
 */
bool filter_is_done(struct filter *);
/* Ends and frees a filter that is not needed any more; NULL is harmless. */
void filter_stop(struct filter *);

#endif
