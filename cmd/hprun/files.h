#ifndef HP_CMD_HPRUN_FILES_H
#define HP_CMD_HPRUN_FILES_H

/*
 * Finds the input, the output and the trace, and checks before the run that
 * they can be read and written.
 */

#include "run.h"

int files_find(struct run *, struct hp_err *);
/*
 * Renames the complete result to its name; the last stage of a run to a file.
 */
int files_appear(struct run *, struct hp_err *);
/*
 * Creates the temporary result run.beside; the guard removes it if the run
 * fails.
 */
int files_make_beside(struct run *, struct hp_err *);
/*
 * Makes a path absolute, relative to the directory where hprun was started. The
 * caller frees it.
 */
char *files_absolute(const struct run *, const char *path, struct hp_err *);
/* Total size of the input in bytes; 0 if some input is not a regular file. */
uint64_t files_input_bytes(const struct run *);

#endif
