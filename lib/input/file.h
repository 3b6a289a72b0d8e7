#ifndef HP_INPUT_FILE_H
#define HP_INPUT_FILE_H

/* Opens the files of an input, which other functions then map or read. */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "input/input.h"

/* Returns the name by which messages call the file. */
const char *input_name(const char *file);
/* Opens input file number i. Returns its descriptor, or -1 on failure. */
int input_open_file(const struct input *, size_t i, struct hp_err *);
/*
 * Moves the file offset of descriptor fd, of file number i, past the header.
 * File number 0 is already past its header when it is opened.
 */
int input_skip_header(const struct input *, size_t i, int fd, struct hp_err *);
/* Fails with HP_INPUT if `bytes` bytes are not a whole number of records. */
int input_check_whole(
    const struct input *, const char *name, uint64_t bytes, struct hp_err *);

#endif
