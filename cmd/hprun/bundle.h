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

/* Names of files in the work directory. */
#define BUNDLE "files"
/* bytes of each file, one number per line */
#define BUNDLE_SIZES "files.sizes"
/* for each file, the offset of its end in the bundle */
#define BUNDLE_ENDS "files.ends"

enum {
	BUNDLE_HEAD = 32, /* bytes of the head of a file */
	/* most bytes of a file's name (PATH_MAX of Linux) */
	BUNDLE_NAME_MOST = 4096
};

struct bundle_head {
	uint64_t bytes; /* bytes of the file's contents */
	int64_t mtime_s;
	uint32_t mtime_ns;
	uint32_t name_bytes;
	bool executable;
};

void bundle_head_put(const struct bundle_head *, unsigned char *);
/*
 * Decodes the head of a file in the bundle.  Fails with HP_INPUT if the bytes
 * are not a valid head.
 */
int
bundle_head_get(struct bundle_head *, const unsigned char *, struct hp_err *);

/*
 * Returns the name that the node's command gets for a file.  It has no leading
 * `/` and `../`.  It has `./` before a leading dash, because the command would
 * read an option.  The caller frees it.  Returns NULL with errno EINVAL if
 * another component of the name is `..`.
 */
char *bundle_name(const char *);
/*
 * Returns whether a node may create a file with this name: the name must not
 * lead out of the node's directory.
 */
bool bundle_is_safe(const char *name);

#endif
