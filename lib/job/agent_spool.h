#ifndef HP_JOB_AGENT_SPOOL_H
#define HP_JOB_AGENT_SPOOL_H

/* Streams from the launcher to files. */

#include "job/agent_own.h"

/*
 * Notes which streams belong to a step that is about to begin. Their data may
 * be on the way even if the step then cannot begin. Fails with HP_INPUT if the
 * number of a stream is not above all earlier ones.
 */
int spool_expect(struct agent *, const struct message *, struct hp_err *);
/* Prepares the files and feeds of the step that take these streams. */
int spool_init(struct agent_step *, struct hp_err *why);
void spool_fini(struct agent_step *);
struct agent_spool *spool_of(struct agent_step *, size_t action);
/*
 * Stores data of a stream in its spool. 0 bytes mean the end of the stream.
 * Sets *ready to the step that waited for this stream and can now continue, or
 * to NULL.
 */
int spool_data(struct agent *, uint32_t stream, const void *, size_t,
    struct agent_step **ready, struct hp_err *);
/*
 * Returns the state of the PUT action whose stream goes to this spool:
 * ACTION_DONE if the stream is complete, ACTION_WAITS if more data must arrive,
 * or ACTION_FAILED if the spool could not be written. `name` is for the error
 * text.
 */
enum action_state
spool_state(const struct agent_spool *, const char *name, struct hp_err *why);

#endif
