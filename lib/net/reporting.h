#ifndef HP_NET_REPORTING_H
#define HP_NET_REPORTING_H

/*
 * Reports the peers that this node does not reach. The report is written again
 * at each heartbeat while there are such peers. So it is up to date even if
 * this process is killed.
 */

#include "net/receiving.h"
#include "net/sending.h"

/* Writes the first report, which is empty. */
int reporting_open(struct engine *, struct hp_err *);
/*
 * Writes the report if it is due. If each half is a thread of its own, the
 * pointer to the other half is NULL.
 */
void reporting_turn(struct engine *, struct sending *, struct receiving *);
/* Writes the last report, which lists the peers that a half has given up. */
void reporting_end(struct engine *, struct sending *, struct receiving *);

#endif
