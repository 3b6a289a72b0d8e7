#ifndef HP_CMD_HPRUN_FILES_H
#define HP_CMD_HPRUN_FILES_H

/*
 * The input, the output and the trace: whether they can be read and written is
 * known before the run.
 */

#include "run.h"

int files_find(struct run *, struct hp_err *);
/* Gives the result its name: the last stage of a run to a file. */
int files_appear(struct run *, struct hp_err *);
/* Makes run.beside, which is removed if the run fails. */
int files_make_beside(struct run *, struct hp_err *);
/* The path as it counts from the directory where hprun was started. */
char *files_absolute(const struct run *, const char *path, struct hp_err *);
/* Bytes of the input; 0: not known, as some of it is no regular file. */
uint64_t files_input_bytes(const struct run *);

#endif
