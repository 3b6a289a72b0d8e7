#ifndef HP_CMD_HPSIM_LOG_H
#define HP_CMD_HPSIM_LOG_H

/*
 * Collects the simulated steps and writes them as documents: the stages of a
 * plan, and a trace.
 */

#include <stdio.h>

#include "work.h"

/*
 * The stages of a sort, in the order of methods that sort before the exchange.
 */
enum log_stage {
	LOG_START,
	LOG_SEND,
	LOG_SORT,
	LOG_PIVOTS,
	LOG_EXCHANGE,
	LOG_MERGE,
	LOG_GATHER,
	LOG_STAGES
};

#define LOG_LAUNCHER SIZE_MAX

struct log_step {
	const char *name;
	size_t rank; /* or LOG_LAUNCHER */
	enum log_stage stage;
	double start_s, end_s;
};

struct log {
	struct log_step *v;
	size_t n, cap;
	bool short_of_memory; /* memory was too short to add a step */
};

void log_add(struct log *, struct log_step);
/*
 * Adds a step of the launcher that spans all steps of this name.  Adds nothing
 * if there are no such steps.
 */
void log_span(struct log *, enum log_stage, const char *name);
void log_fini(struct log *);
/*
 * Returns the time in seconds at which the last step ends; 0 if there are no
 * steps.
 */
double log_end(const struct log *);
/*
 * Writes one line for each stage that has steps, in the order in which the
 * stages end.
 */
int log_write_stages(FILE *, const struct log *, size_t nodes, struct hp_err *);
/* Appends all steps to the trace file, in the order in which they start. */
int log_append(const char *path, const struct log *, const struct work *,
    const char *run, struct hp_err *);

#endif
