#ifndef HP_INPUT_HEADER_H
#define HP_INPUT_HEADER_H

/*
 * The first records of the first input, which are to stay on top.
 */

#include <stdint.h>

#include "base/err.h"
#include "record/format.h"

/*
 * Copy the first n records of the file, or all that it has, to the descriptor
 * `to` (-1: nowhere).  Returns a descriptor of the file that stands behind
 * them, for io_close, or -1.  A pipe is read byte by byte, lest more is taken
 * from it.
 */
int header_take(const char *file, const struct format *, uint64_t n, int to,
    const char *to_name, struct hp_err *);

#endif
