#ifndef HP_JOB_LAUNCHER_TELL_H
#define HP_JOB_LAUNCHER_TELL_H

/* Messages for the user. */

#include "job/launcher_own.h"

const char *node_name(const struct launcher *, int rank);
void tell_line(struct launcher *, int rank, const char *, size_t);
void tell_note(struct launcher *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Tells that an agent was given up before it had removed its files. */
void tell_left(struct launcher *, const struct machine *);

#endif
