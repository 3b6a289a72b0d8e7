#ifndef HP_JOB_LAUNCHER_NEW_H
#define HP_JOB_LAUNCHER_NEW_H

/* Makes and frees the launcher. */

#include "job/launcher_own.h"

/* Makes the launcher. Nothing is started yet. */
struct launcher *launcher_new(const struct job_config *, struct hp_err *);
/* Kills what is left of logins. */
void launcher_free(struct launcher *);

#endif
