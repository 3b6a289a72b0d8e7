#ifndef HP_RUN_AWAIT_H
#define HP_RUN_AWAIT_H

/*
 * Waiting for one of many inputs that cannot be sought in, while the others
 * come.
 */

#include "base/err.h"
#include "run/feed.h"

/*
 * Until there is something to read from the feed, what comes from the others
 * goes to their readers' buffers; and if it is silent for long, what has no
 * room there to the temporary file, as long as the disk has some: then somebody
 * may be waiting for us.
 */
int feeds_await(struct feed *, struct hp_err *);

#endif
