#ifndef HP_SORT_PRESORTED_H
#define HP_SORT_PRESORTED_H

/*
 * A file that does not fit into memory and is in order already is copied: one
 * pass, and no temporary files.  To look costs nothing where it soon finds
 * otherwise, and one copy at worst.
 */

#include <sys/types.h>

#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "run/output.h"

/*
 * Copy `bytes` bytes of a file from `at` on as long as they are in order.
 * Returns 1 when all of them were, with their number in *records, or 0: then
 * the seekable output's `at` is where it was, and what was written is for the
 * caller to write over, as much or more.  So not for -u.
 */
int presorted_copy(const struct view *, int fd, off_t at, uint64_t bytes,
    const char *name, struct output *, uint64_t *records, struct hp_err *);

#endif
