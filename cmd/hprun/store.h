#ifndef HP_CMD_HPRUN_STORE_H
#define HP_CMD_HPRUN_STORE_H

/*
 * Input other than a single regular file is first copied to the work directory,
 * without its header.  So it can be read several times.
 */

#include "run.h"

int store_input(struct run *, struct hp_err *);
/* --in-place: copies the header, which the first node's file begins with. */
int store_header_in_place(struct run *, struct hp_err *);

/*
 * Commands of `hprun --do`:
 *
 * store FORMAT HEADER FILE... writes the header to the file `header` and the
 * rest to standard output.
 *
 * header FORMAT HEADER FILE writes the unchanged header to standard output.
 */
int store_do(char *words[], struct hp_err *);
int header_do(char *words[], struct hp_err *);
/* cat FILE... writes the files to standard output. */
int cat_do(char *words[], struct hp_err *);
/* body FORMAT HEADER FILE prints the extent behind the header. */
int body_do(char *words[], struct hp_err *);

#endif
