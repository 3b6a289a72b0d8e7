#ifndef HP_CMD_JOB_H
#define HP_CMD_JOB_H

/*
 * The options of hpsort and hpmerge that say how they work, not what they make:
 * memory, threads, how many files are merged at once, how temporary files are
 * compressed.
 */

#include "options.h"
#include "sort/sort.h"

/* The table of a part whose struct is a struct sort_job. */
extern const struct cmd_option job_options[];

#endif
