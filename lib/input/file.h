#ifndef HP_INPUT_FILE_H
#define HP_INPUT_FILE_H

/* Opens the files of an input. They are then mapped or read. */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "input/input.h"

/* Returns the name that messages use for a file. */
const char *input_name(const char *file);
/* Opens file number i.  Returns its descriptor, or -1. */
int input_open_file(const struct input *, size_t i, struct hp_err *);
/*
 * Moves the descriptor of file number i past the file's header. The first file
 * is already past its header when it is opened.
 */
int input_skip_header(const struct input *, size_t i, int fd, struct hp_err *);
/* Fails with HP_INPUT unless `bytes` bytes are whole records. */
int input_check_whole(
    const struct input *, const char *name, uint64_t bytes, struct hp_err *);

#endif
