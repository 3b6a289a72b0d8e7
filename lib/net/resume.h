#ifndef HP_NET_RESUME_H
#define HP_NET_RESUME_H

/*
 * Resuming the receiving half, and the entries of its resume logs.  Without a
 * spool these functions do nothing.
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
 * Whether the sender may be restarted without knowing that all is stored here.
 */
bool resume_owes(const struct receiving *, const struct inlet *);
/* Verifies an inherited frame.  Returns 1 if there was one, 0, or -1. */
int resume_verify(struct receiving *, const struct inlet *, struct hp_err *);

#endif
