#ifndef HP_NET_POLLSET_H
#define HP_NET_POLLSET_H

#include <poll.h>
#include <stddef.h>

/*
 * Does the same as poll(2), but passes it only the entries that have a
 * descriptor.  poll fails if there are more entries, with or without a
 * descriptor, than files may be open (`ulimit -n`).  `open` has room for n
 * entries.
 */
int
pollset_wait(struct pollfd *set, size_t n, struct pollfd *open, int timeout_ms);

#endif
