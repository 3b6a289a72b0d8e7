#ifndef HP_DOC_TRACE_H
#define HP_DOC_TRACE_H

/* Reads and writes hp-trace(5): what each node did, and when. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct trace_step {
	const char *node; /* name of the node */
	uint64_t rank;
	const char *name;	 /* name of the step */
	double start_s, end_s;	 /* seconds since 1970 */
	uint64_t records, bytes; /* output of the step */
	/* the launcher itself ran the step, so the step has no rank */
	bool launcher;
	const char *run; /* name of the run; NULL: unknown */
};

int doc_step_write(FILE *, const struct trace_step *, struct hp_err *);
/* Appends a line to a file. Other programs may append at the same time. */
int
doc_step_append(const char *path, const struct trace_step *, struct hp_err *);
/*
 * Reads the records and bytes of the last step in the trace of one node's
 * exchange; 0 if there is none. An hpexchange that was killed at its end, and
 * resumed, has written its step twice.
 */
int doc_trace_last(
    const char *path, uint64_t *records, uint64_t *bytes, struct hp_err *);

/*
 * Calls the function for each step in a file. The names in the struct are valid
 * during the call. If the function returns -1, stops and returns -1.
 */
int doc_trace_each(const char *path,
    int (*)(void *context, const struct trace_step *, struct hp_err *),
    void *context, struct hp_err *);

#endif
