#ifndef HP_CMD_HPSIM_LOG_H
#define HP_CMD_HPSIM_LOG_H

/* The steps that were simulated, and the documents made of them. */

#include <stdio.h>

#include "work.h"

/* The stages, in the order in which methods that sort first have them. */
enum log_stage {
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
	bool short_of_memory; /* a step is missing */
};

void log_add(struct log *, struct log_step);
/* Adds a step of the launcher that spans all steps of this name, if any. */
void log_span(struct log *, enum log_stage, const char *name);
void log_fini(struct log *);
/* Returns the end of the last step, in seconds; 0 if there is none. */
double log_end(const struct log *);
/* Writes a line for each stage that has steps, in the order of their ends. */
int log_write_stages(FILE *, const struct log *, size_t nodes, struct hp_err *);
/* Appends all steps to the file, in the order of their starts. */
int log_append(const char *path, const struct log *, const struct work *,
    const char *run, struct hp_err *);

#endif
