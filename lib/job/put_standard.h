#ifndef HP_JOB_PUT_STANDARD_H
#define HP_JOB_PUT_STANDARD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes as much to standard output as possible without blocking. Uses poll(2),
 * because O_NONBLOCK would affect other processes that share the open file.
 * `regular` means that standard output is a regular file, which never blocks.
 * Returns -1 with errno set.
 */
int put_standard(bool regular, const unsigned char *, size_t, size_t *written);

#endif
