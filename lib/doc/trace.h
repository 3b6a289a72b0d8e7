#ifndef HP_DOC_TRACE_H
#define HP_DOC_TRACE_H

/*
 * hp-trace(5): which node did what, when.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct trace_step {
	const char *node; /* its name */
	uint64_t rank;
	const char *name;	 /* of the step */
	double start_s, end_s;	 /* since 1970 */
	uint64_t records, bytes; /* that the step put out */
	bool launcher;		 /* no node's step: it has no rank */
	const char *run;	 /* that the step is of; NULL: not told */
};

int doc_step_write(FILE *, const struct trace_step *, struct hp_err *);
/* Adds a line to a file that other programs may add to at the same time. */
int
doc_step_append(const char *path, const struct trace_step *, struct hp_err *);
/* The records and bytes of the steps of a file, added up. */
int doc_trace_totals(
    const char *path, uint64_t *records, uint64_t *bytes, struct hp_err *);

#endif
