#ifndef HP_JOB_PUT_STANDARD_H
#define HP_JOB_PUT_STANDARD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes as much to standard output as it takes without blocking.  poll(2) is
 * used because other processes share the open file: O_NONBLOCK would affect
 * them.
 *   regular  standard output is a regular file, which never blocks
 * Returns -1 with errno set.
 */
int put_standard(bool regular, const unsigned char *, size_t, size_t *written);

#endif
