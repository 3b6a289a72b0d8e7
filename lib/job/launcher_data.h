#ifndef HP_JOB_LAUNCHER_DATA_H
#define HP_JOB_LAUNCHER_DATA_H

/* Moves data between files and agents. */

#include "job/launcher_own.h"

/* Queues data of streams for the machine until the machine's queue is full. */
void data_send(struct launcher *, struct machine *);
int data_hear(struct launcher *, struct machine *, struct wire_event *,
    struct hp_err *why);
/* Handles a message `credit`. */
int data_credit(struct launcher *, struct machine *, const struct message *,
    struct hp_err *why);
/* Call this four times a second. */
void data_tick(struct launcher *);
/* Stops sending to a step that has ended. */
void data_stop(struct launcher *, const struct task *);
/* Stops sending to a step that was dropped, and drops what it still sends. */
void data_drop(struct launcher *, const struct task *);
/* Continues streams that waited for room in standard output. */
void data_go_on(struct launcher *);

#endif
