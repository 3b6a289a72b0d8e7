#ifndef HP_CMD_HPRUN_CLASHES_H
#define HP_CMD_HPRUN_CLASHES_H

/*
 * Finds different files that would get the same path on a node: two files of
 * one name, or a file whose name is another file's directory.
 */

#include <sys/stat.h>

#include "base/err.h"

struct placed;

struct clashes {
	struct placed *file;
	size_t n, cap;
};

/*
 * Adds a file.  `name` is the relative path that the file would get on the
 * node.
 */
int clashes_add(
    struct clashes *, const char *name, const struct stat *, struct hp_err *);
/* Calls the function for each path that two files would share. */
void clashes_each(
    struct clashes *, void (*)(void *, const char *name), void *context);
void clashes_fini(struct clashes *);

#endif
