#ifndef HP_SORT_SORT_H
#define HP_SORT_SORT_H

/*
 * Sorts and merges files of records on this machine, with several threads and a
 * given amount of memory.
 */

#include "base/err.h"
#include "sort/job.h"

/*
 * Sorts the files into a descriptor. name is for messages. Writes the header of
 * the first nonempty file first.
 */
int sort_files(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

/*
 * Merges the files, each of which must be sorted. If one is not, fails with
 * HP_INPUT and names the file and the record.
 */
int sort_merge(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

#endif
