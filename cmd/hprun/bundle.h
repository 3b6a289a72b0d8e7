#ifndef HP_CMD_HPRUN_BUNDLE_H
#define HP_CMD_HPRUN_BUNDLE_H

/*
 * The files of `hprun --map --files` as one file of the work directory, the
 * bundle. So a node's part of the files is an extent, like a part of records.
 * For each file the bundle has a head, the name and the contents.
 *
 * The name is the one that the node's command gets. It is relative and has no
 * component `..`, so that a node never writes outside of its own directory.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/* Files of the work directory. */
#define BUNDLE "files"
#define BUNDLE_SIZES "files.sizes" /* bytes of each file, a weight per line */
#define BUNDLE_ENDS "files.ends"   /* where each file ends in the bundle */

enum {
	BUNDLE_HEAD = 32,	/* bytes of a head */
	BUNDLE_NAME_MOST = 4096 /* bytes of a name, PATH_MAX of Linux */
};

struct bundle_head {
	uint64_t bytes; /* of the contents */
	int64_t mtime_s;
	uint32_t mtime_ns;
	uint32_t name_bytes;
	bool executable;
};

void bundle_head_put(const struct bundle_head *, unsigned char *);
/* Fails with HP_INPUT if the bytes are no head. */
int
bundle_head_get(struct bundle_head *, const unsigned char *, struct hp_err *);

/*
 * Returns the name of a file for the node's command: without leading `/` and
 * `../`, and with `./` before a dash, as a command would read an option. The
 * caller frees it. NULL with errno EINVAL: another component is `..`.
 */
char *bundle_name(const char *);
/* Tells whether a node may create a file of this name. */
bool bundle_is_safe(const char *name);

/*
 * `hprun --do pack FORMAT LIST DIR` copies the files that LIST names, relative
 * to DIR, to the bundle in the current directory. Prints a line for each name
 * that is no readable regular file, and fails then.
 */
int pack_do(char *words[], struct hp_err *);
/*
 * Writes the sizes of the files, one on each line, without reading the files.
 *   delim  ends each name of the list
 */
int bundle_sizes(
    const char *list, int delim, const char *dir, FILE *to, struct hp_err *);
#endif
