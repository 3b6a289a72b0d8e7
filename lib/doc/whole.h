#ifndef HP_DOC_WHOLE_H
#define HP_DOC_WHOLE_H

/*
 * Measures the time that a run needs on a node besides the learned step. A run
 * starts with the first step of any node, and ends on a node with the last step
 * of this node. The result is this time minus the time of the learned step. It
 * includes waiting for other nodes.
 */

#include "doc/lines.h"

/*
 * Returns an empty JSON object that collects trace lines by run. NULL if memory
 * is short.
 */
json_t *whole_new(void);

/*
 * Adds a trace line of the node `name`. `step` tells whether the line is about
 * the step whose time the node's points describe. `n` is the number of records
 * of the step. Lines without a run are ignored. Returns -1 if memory is short.
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
