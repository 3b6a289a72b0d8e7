#ifndef HP_CMD_HPRUN_STORE_H
#define HP_CMD_HPRUN_STORE_H

/*
 * Copies the input to the work directory without its header, so that it can be
 * read several times.  A single regular file without a header is read where it
 * is.
 */

#include "run.h"

int store_input(struct run *, struct hp_err *);
/*
 * With --in-place, copies the header of the input.  The first node's file
 * begins with it.
 */
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
/*
 * Concatenates files: `hprun --do cat FILE...`  writes them to standard output.
 */
int cat_do(char *words[], struct hp_err *);
/*
 * Prints the extent of a file after its header: `hprun --do body FORMAT HEADER
 * FILE`.
 */
int body_do(char *words[], struct hp_err *);

#endif
