#ifndef HP_CMD_HPRUN_FILES_H
#define HP_CMD_HPRUN_FILES_H

/*
 * Finds the files of the input, the output and the trace.  Checks before the
 * sort begins that they can be read and written.
 */

#include "run.h"

int files_find(struct run *, struct hp_err *);
/*
 * Renames the complete result, which has so many bytes, from its temporary to
 * its final name.  This is the last stage if the output is a file.  Fails if
 * the result has another size.
 */
int files_appear(struct run *, uint64_t bytes, struct hp_err *);
/*
 * Creates the result file under the temporary name run.beside.  The guard
 * process removes it if the run fails.
 */
int files_make_beside(struct run *, struct hp_err *);
/*
 * Returns an absolute path for a path that is relative to the directory where
 * hprun was started.  The caller frees it.
 */
char *files_absolute(const struct run *, const char *path, struct hp_err *);
/*
 * Returns the total size of the input files in bytes, or 0 if one of them is
 * not a regular file.
 */
uint64_t files_input_bytes(const struct run *);

#endif
