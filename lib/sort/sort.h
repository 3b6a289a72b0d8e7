#ifndef HP_SORT_SORT_H
#define HP_SORT_SORT_H

/*
 * Sorts or merges files on this machine, with several threads and limited
 * memory.
 */

#include "base/err.h"
#include "sort/job.h"

/*
 * Sorts the files, and writes the result to a descriptor; `name` is its name in
 * messages. First writes the header of the first file that is not empty. The
 * descriptor may be that of an input, unless the files have headers.
 */
int sort_files(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

/*
 * Merges files, which must be sorted. If one is not, fails with HP_INPUT; the
 * message names the file and the record.
 */
int sort_merge(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

#endif
