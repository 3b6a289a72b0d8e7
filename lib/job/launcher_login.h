#ifndef HP_JOB_LAUNCHER_LOGIN_H
#define HP_JOB_LAUNCHER_LOGIN_H

/* Logs in to machines. */

#include "job/launcher_own.h"

void login_all(struct launcher *);
void login_begin(struct launcher *, struct machine *);
/* Handles an event on the connection of a machine that is not ready yet. */
int login_hear(struct launcher *, struct machine *, struct wire_event *,
    struct hp_err *why);
/* Handles the end of the connection of a machine that is not ready yet. */
void login_broke(struct launcher *, struct machine *, const struct hp_err *why);
/*
 * Handles the end of a machine's connection while other machines are not ready
 * yet. No step has used the machine, so the agent is started again.
 */
void
login_undone(struct launcher *, struct machine *, const struct hp_err *why);
void login_said(struct launcher *, struct machine *);
void login_tick(struct launcher *);

#endif
