#ifndef HP_RUN_FILTER_H
#define HP_RUN_FILTER_H

/*
 * The program of --compress-program, run as sort(1) runs it: PROG packs and
 * PROG -d unpacks, from standard input to standard output.  What it packs is
 * taken from it and lies on a tape as any run does, in one directory or, when
 * that takes no more, in another.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "run/tape.h"

struct filter;

/* Packs what filter_write is given onto a new tape of the store. */
struct filter *filter_pack(struct store *, struct tape *, struct hp_err *);
int filter_write(struct filter *, const void *, size_t n, struct hp_err *);
/* After the last of so many bytes: the tape is complete, or -1.  Frees. */
int filter_end(struct filter *, uint64_t bytes, struct hp_err *);

/* A program that unpacks the tape, which can be read from *out. */
struct filter *
filter_unpack(struct store *, const struct tape *, int *out, struct hp_err *);
/*
 * After the last byte that is expected of it, or that came (all: they are the
 * same): whether that was all, and the program has ended well.  One that finds
 * its input damaged may tell so last.
 */
int filter_done(struct filter *, bool all, struct hp_err *);
/* Ends and frees a filter that is not needed any more; NULL is harmless. */
void filter_stop(struct filter *);

#endif
