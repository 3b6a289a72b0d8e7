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
 * Makes them the node's latency_s and seconds_per_item (profile/overhead.h): no
 * more is known of a time that is not measured by itself.  Returns 1, 0 when
 * there is no run of the node, or -1 without memory.
 */
int whole_learn(json_t *, json_t *node);

#endif
