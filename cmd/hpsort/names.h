#ifndef HP_CMD_HPSORT_NAMES_H
#define HP_CMD_HPSORT_NAMES_H

/* Reads the names of --files0-from. */

#include "opts.h"

/*
 * Reads the file of --files0-from.  It contains file names, each terminated by
 * a NUL.
 */
void opts_read_names(struct opts *);

#endif
