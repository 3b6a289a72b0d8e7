#ifndef HP_CMD_HPRUN_UNPACK_H
#define HP_CMD_HPRUN_UNPACK_H

/*
 * Runs on a node, for --map --files: unpacks the files that the node has
 * received, and runs the user's command on them.
 */

#include "base/err.h"

/*
 * Unpacks files from a bundle into the directory `tree`: `hprun --do unpack
 * [OFFSET BYTES FILE]`.  Removes an older `tree` first.  Writes the names of
 * the files to the file `names`, each with a NUL at its end.  The bundle is
 * standard input, or a part of FILE.
 */
int unpack_do(char *words[], struct hp_err *);

#endif
