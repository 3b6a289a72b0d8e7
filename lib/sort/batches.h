#ifndef HP_SORT_BATCHES_H
#define HP_SORT_BATCHES_H

/*
 * Sorts the input in batches. A batch is as much of the input as fits into
 * memory.
 */

#include "base/err.h"
#include "record/header.h"
#include "sort/job.h"

/*
 * Sorts the records of the files; `header` describes the headers of the files,
 * which are not sorted (see input_open).
 */
int batches_sort(const struct sort_job *, struct header *, int fd,
    const char *name, struct sort_stats *, struct hp_err *);

#endif
