#ifndef HP_CMD_HPRUN_STORE_H
#define HP_CMD_HPRUN_STORE_H

/*
 * Input that is not one regular file is stored in the work directory first,
 * without its header, so that it can be dealt as often as needed.
 */

#include "run.h"

int store_input(struct run *, struct hp_err *);
/* --in-place: the header is on top of the first node's file. */
int store_header_in_place(struct run *, struct hp_err *);

/*
 * The commands `hprun --do store` and `hprun --do header`; the words behind
 * their names.  store FORMAT HEADER FILE... writes the header to the file
 * `header`, and the rest to standard output.  header FORMAT HEADER FILE writes
 * the header of the file to standard output, as it is.
 */
int store_do(char *words[], struct hp_err *);
int header_do(char *words[], struct hp_err *);
/* cat FILE... writes the files to standard output. */
int cat_do(char *words[], struct hp_err *);
/* body FORMAT HEADER FILE prints where the rest of the file is. */
int body_do(char *words[], struct hp_err *);

#endif
