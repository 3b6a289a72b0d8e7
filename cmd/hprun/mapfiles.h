#ifndef HP_CMD_HPRUN_MAPFILES_H
#define HP_CMD_HPRUN_MAPFILES_H

/* The job on files. */

#include "job.h"

int map_files(struct run *, struct hp_err *);
/*
 * Prints the extent of each node in the bundle of files (bundle.h): `hprun --do
 * allot PLAN ENDS`.
 */
int allot_do(char *words[], struct hp_err *);

#endif
