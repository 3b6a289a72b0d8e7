#ifndef HP_CMD_HPRUN_UNPACK_H
#define HP_CMD_HPRUN_UNPACK_H

/*
 * The node's side of --map --files: the files that a node was sent, and the
 * user's command on them.
 */

#include "base/err.h"

/*
 * `hprun --do unpack [OFFSET BYTES FILE]` makes the directory `tree` with the
 * files of a bundle, and the file `names` with their names, each ended by NUL.
 * An older tree is removed. The bundle is standard input or a part of FILE.
 */
int unpack_do(char *words[], struct hp_err *);
/*
 * `hprun --do each COMMAND...` runs the command in `tree`: with the names as
 * its last arguments, as many as fit, or once for each file if a word contains
 * `{file}`. Ends like the first command that fails: by the same exit status or
 * signal.
 */
int each_do(char *words[], struct hp_err *);

#endif
