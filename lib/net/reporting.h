#ifndef HP_NET_REPORTING_H
#define HP_NET_REPORTING_H

/*
 * Writes down which peers this node does not reach.  The report is written
 * anew each beat while there is one, so that it is there even if this process
 * is killed.
 */

#include "net/receiving.h"
#include "net/sending.h"

/* The first report: nothing is wrong yet. */
int reporting_open(struct engine *, struct hp_err *);
/* A half may be NULL: its thread has a turn of its own. */
void reporting_turn(struct engine *, struct sending *, struct receiving *);
/* The last report.  If a half has given up a peer, that one is in it. */
void reporting_end(struct engine *, struct sending *, struct receiving *);

#endif
