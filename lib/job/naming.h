#ifndef HP_JOB_NAMING_H
#define HP_JOB_NAMING_H

/*
 * Gives the result of a node (--leave) its final name, in a way that can be
 * repeated.
 *
 * An agent may be killed after it has renamed the file and before the launcher
 * knows.  So it first notes in the node's directory which file it will rename.
 * A later agent of the same run finds this file under its final name, and knows
 * that nothing is left to do.
 */

#include <stdbool.h>

/* Returns whether an agent of the node has begun to rename the result. */
bool naming_begun(const char *dir);
/* Returns whether `path` is the file that was to be renamed. */
bool naming_done(const char *dir, const char *path);
/*
 * Renames the result, unless this is done already.  The note is on disk before.
 * Returns -1 and sets errno on failure.
 */
int naming_do(const char *dir, const char *from, const char *to);

#endif
