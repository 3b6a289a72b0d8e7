#ifndef HP_JOB_AGENT_FEED_H
#define HP_JOB_AGENT_FEED_H

/* Streams from the launcher to the standard input of commands. */

#include "job/agent_own.h"

int feed_add(
    struct agent_step *, uint32_t stream, size_t action, struct hp_err *why);
void feed_fini(struct agent_step *);
/*
 * The agent calls feed_begin when the command of the step's current action has
 * started, and feed_end when that command has ended.
 */
int feed_begin(struct agent *, struct agent_step *, struct hp_err *);
void feed_end(struct agent *, struct agent_step *);
/*
 * Writes bytes from the feed of the step's current command to the command's
 * pipe. Closes the pipe after the last byte of the stream.
 */
int feed_push(struct agent *, struct agent_step *, struct hp_err *);
/* Passes data of the stream to the feed. 0 bytes mean the end of the stream. */
int feed_data(struct agent *, struct agent_step *, struct agent_feed *,
    const unsigned char *, size_t, struct hp_err *);

#endif
