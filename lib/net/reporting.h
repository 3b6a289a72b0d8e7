#ifndef HP_NET_REPORTING_H
#define HP_NET_REPORTING_H

/*
 * The report on the peers that this node does not reach.  It is written again
 * at each heartbeat while there are such peers, so that it is up to date even
 * if this process is killed.
 */

#include "net/receiving.h"
#include "net/sending.h"

/* Writes the first report, which lists no peer. */
int reporting_open(struct engine *, struct hp_err *);
/* One half is NULL when each half is a thread with turns of its own. */
void reporting_turn(struct engine *, struct sending *, struct receiving *);
/* Writes the last report, which has the peers that a half gave up. */
void reporting_end(struct engine *, struct sending *, struct receiving *);

#endif
