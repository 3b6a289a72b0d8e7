#ifndef HP_SORT_PRESORTED_H
#define HP_SORT_PRESORTED_H

/*
 * Files that are in order already, or in the opposite one, are copied: one
 * pass, no memory and no temporary files.  To look costs nothing where it soon
 * finds otherwise, and one copy at worst.
 */

#include <stdint.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "sort/input.h"
#include "sort/sort.h"

/*
 * Copy all of the job's input to the descriptor if it is ordered.  Returns 1,
 * with the figures, or 0: then all is as it was, but that what comes next to
 * fd, and is as much or more, may write over something.  The input is used as
 * it is where it is mapped and nothing was taken from it; else it is mapped for
 * this alone, and first is the first file if it is open already, or -1.
 */
int presorted_copy(const struct sort_job *, const struct view *, struct input *,
    int first, unsigned threads, uint64_t memory, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

#endif
