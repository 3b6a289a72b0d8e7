#ifndef HP_SORT_PRESORTED_H
#define HP_SORT_PRESORTED_H

/*
 * Files that do not fit into memory and are in order already, or in the
 * opposite one, are copied: one pass, and no temporary files.  To look costs
 * nothing where it soon finds otherwise, and one copy at worst.
 */

#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "sort/sort.h"

/*
 * Copy all of the job's input to the descriptor if it is ordered.  Returns 1,
 * with the figures, or 0: then all is as it was, but that what comes next to
 * fd, and is as much or more, may write over something.  first: the first file
 * if it is open already, or -1.
 */
int presorted_copy(const struct sort_job *, const struct view *, int first,
    unsigned threads, uint64_t memory, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

#endif
