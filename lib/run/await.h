#ifndef HP_RUN_AWAIT_H
#define HP_RUN_AWAIT_H

/*
 * Waits for data of one pipe. Also reads the other pipes meanwhile, so that the
 * processes that write to them are not blocked.
 */

#include "base/err.h"
#include "run/feed.h"

/*
 * Waits until the given feed, an input that cannot seek, has data to read.
 * Meanwhile, reads the other feeds into the buffers of their sources. After a
 * grace period, data that fits into no buffer goes to the spool, a temporary
 * file, if the disk has space. Without the spool, a process that writes several
 * inputs in turn and this process could wait for each other forever.
 */
int feeds_await(struct feed *, struct hp_err *);

#endif
