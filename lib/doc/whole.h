#ifndef HP_DOC_WHOLE_H
#define HP_DOC_WHOLE_H

/*
 * What a node needs in a run beside the one step that its points are of: the
 * time from the begin of the run, the first step of any node, to the end of the
 * node's last step, without that one.  Waiting for others is in it.
 */

#include "doc/lines.h"

/* The lines of traces, by their run, as a JSON object; NULL without memory. */
json_t *whole_new(void);

/*
 * A line of the node `name`, of its points' step or not, with so many records.
 * Lines of no run do not count.  -1 without memory.
 */
int whole_add(json_t *, const json_t *line, const char *name, bool step,
    double start_s, double end_s, double n);

/*
 * Makes them the node's latency_s and seconds_per_item: the straight line
 * through the runs of different sizes by least squares, with neither below 0,
 * since no more than these is known of one that is not measured by itself. When
 * all sizes are much the same they tell nothing of a latency, and all counts by
 * the item.  Returns how many runs of the node there were, or -1 without
 * memory.
 */
int whole_learn(json_t *, json_t *node);

#endif
