#ifndef HP_CMD_HPRUN_CLASHES_H
#define HP_CMD_HPRUN_CLASHES_H

/*
 * Finds different files that would have the same place on a node: files of the
 * same name, or a file that has the name of another file's directory.
 */

#include <sys/stat.h>

#include "base/err.h"

struct placed;

struct clashes {
	struct placed *file;
	size_t n, cap;
};

/* Adds a file with its relative name on the node. */
int clashes_add(
    struct clashes *, const char *name, const struct stat *, struct hp_err *);
/* Calls the function for each clash. */
void clashes_each(
    struct clashes *, void (*)(void *, const char *name), void *context);
void clashes_fini(struct clashes *);

#endif
