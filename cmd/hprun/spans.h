#ifndef HP_CMD_HPRUN_SPANS_H
#define HP_CMD_HPRUN_SPANS_H

/* Times of steps, read from the journal while a run goes on. */

#include "run.h"

struct span {
	double start_s, end_s; /* since 1970; 0: there was no such step */
};

/* Stores the times of each node's last step of this name, by rank. */
int spans_find(
    const struct run *, const char *name, struct span *, struct hp_err *);
/* Returns the time from the first start to the last end. */
struct span spans_all(const struct run *, const struct span *);
/* Returns the seconds of a span. */
double span_length(const struct span *);

#endif
