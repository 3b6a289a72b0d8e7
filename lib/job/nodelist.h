#ifndef HP_JOB_NODELIST_H
#define HP_JOB_NODELIST_H

/*
 * Node lists of Slurm, such as `login,n[08-11,20]-ib`: names separated by
 * commas, where brackets list numbers and ranges of numbers. The numbers of a
 * range have at least as many digits as its first number. Several brackets in a
 * name stand for all combinations. slurm(1), scontrol(1): show hostnames.
 */

#include <stddef.h>

#include "base/err.h"

enum {
	/* maximum number of names in a list, and of nodes on one machine */
	NODELIST_MOST = 10000,
	NODELIST_NAME = 255 /* bytes of a name */
};

struct nodelist {
	char **name;
	size_t n, cap;
};

/*
 * Appends the names of the list. Fails with HP_INPUT if Slurm would not write
 * such a list. Names consist of letters, digits, dots, hyphens and underscores.
 */
int nodelist_add(struct nodelist *, const char *text, struct hp_err *);
/* Harmless on a zeroed struct. */
void nodelist_fini(struct nodelist *);

#endif
