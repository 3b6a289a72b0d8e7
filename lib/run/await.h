#ifndef HP_RUN_AWAIT_H
#define HP_RUN_AWAIT_H

/*
 * Waiting for one of many inputs that cannot seek, without blocking the
 * processes that write to the others.
 */

#include "base/err.h"
#include "run/feed.h"

/*
 * Waits until `until` has data to read. Meanwhile, data from the other feeds
 * goes into the buffers of their sources. After a grace period, data that fits
 * into no buffer goes to the spool if the disk has space. Otherwise a process
 * that writes several inputs in turn and this process would wait for each other
 * forever.
 */
int feeds_await(struct feed *, struct hp_err *);

#endif
