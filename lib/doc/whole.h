#ifndef HP_DOC_WHOLE_H
#define HP_DOC_WHOLE_H

/*
 * Learns how long a run takes on a node, apart from the step with a known time
 * function (the learned step). On each node, a run lasts from the start of the
 * first step on any node to the end of the node's own last step. The time of
 * the learned step is subtracted. The rest includes waiting for other nodes.
 */

#include "doc/lines.h"

/*
 * Returns an empty JSON object that collects trace lines by run. NULL if memory
 * is short.
 */
json_t *whole_new(void);

/*
 * Adds a trace line about a step on the node `name`. `step` is true if the
 * node's measured points describe the time of this step. `n` is the number of
 * records of the step. Ignores a line without the member `run`. Returns -1 if
 * memory is short.
 */
int whole_add(json_t *, const json_t *line, const char *name, bool step,
    double start_s, double end_s, double n);

/*
 * Sets the node's latency_s and seconds_per_item from the collected times
 * (profile/overhead.h). Returns 1, 0 if the node has no run, or -1 if memory is
 * short.
 */
int whole_learn(json_t *, json_t *node);

#endif
