#ifndef HP_SORT_SORT_H
#define HP_SORT_SORT_H

/*
 * Sorting and merging files of records on this machine, with all its processors
 * and within a given amount of memory.
 */

#include "base/err.h"
#include "sort/job.h"

/*
 * Sorts the files into a descriptor; name is for messages.  The header of the
 * first file that is not empty goes first.
 */
int sort_files(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

/*
 * Merges the files, each of which is sorted.  HP_INPUT names the file and the
 * record where one is not.
 */
int sort_merge(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

#endif
