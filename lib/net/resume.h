#ifndef HP_NET_RESUME_H
#define HP_NET_RESUME_H

/*
 * Restores the receiving state of a killed process from its resume logs, and
 * writes these logs. Does nothing if the node has no spool directory
 * (--resume).
 */

#include "net/receiving.h"

/* Restores the inlets from the resume logs. */
int resume_open(struct receiving *, struct hp_err *);
void resume_close(struct receiving *);
/* Logs that a frame of the sender is stored. */
int resume_stored(struct receiving *, const struct inlet *, struct hp_err *);
/* Logs that all frames of the sender are stored. */
int resume_ended(struct receiving *, const struct inlet *, struct hp_err *);
/* Logs the bye of the sender. */
int resume_bye(struct receiving *, const struct inlet *, struct hp_err *);
/*
 * Returns whether the sender may still ask whether all its data are stored
 * here. It asks again if it is killed before it has recorded the answer, and is
 * then restarted.
 */
bool resume_owes(const struct receiving *, const struct inlet *);
/*
 * Verifies the next frame that an earlier process stored. Returns 1, or 0 if no
 * such frame is left, or -1 on error.
 */
int resume_verify(struct receiving *, const struct inlet *, struct hp_err *);

#endif
