#ifndef HP_NET_REPORTING_H
#define HP_NET_REPORTING_H

/*
 * Reports the peers that this node does not reach. While there are such peers,
 * the report is written again at each heartbeat. So the report is up to date
 * even if this process is killed.
 */

#include "net/receiving.h"
#include "net/sending.h"

/* Writes the first report, which is empty. */
int reporting_open(struct engine *, struct hp_err *);
/*
 * Writes the report if it is due. If sending and receiving run in separate
 * threads, each thread passes NULL for the other one's struct.
 */
void reporting_turn(struct engine *, struct sending *, struct receiving *);
/*
 * Writes the last report, which also lists the peers that this node has given
 * up.
 */
void reporting_end(struct engine *, struct sending *, struct receiving *);

#endif
