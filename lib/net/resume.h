#ifndef HP_NET_RESUME_H
#define HP_NET_RESUME_H

/*
 * Resumes the receiving half from resume logs, and writes their entries.
 * Without a spool these functions do nothing.
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
 * Returns whether the sender may be restarted and then not know that everything
 * is stored here.
 */
bool resume_owes(const struct receiving *, const struct inlet *);
/*
 * Verifies the next frame that an earlier process stored. Returns 1, or 0 if no
 * such frame is left, or -1 on error.
 */
int resume_verify(struct receiving *, const struct inlet *, struct hp_err *);

#endif
