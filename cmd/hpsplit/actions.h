#ifndef HP_CMD_HPSPLIT_ACTIONS_H
#define HP_CMD_HPSPLIT_ACTIONS_H

/*
 * The actions of hpsplit, such as sample and pivots.  Each is in the file with
 * its name, except count, which is in cut.c.  actions.c contains functions that
 * several actions use.
 */

#include "cmd.h"
#include "ordering.h"
#include "record/stream.h"
#include "share/plan.h"
#include "split/demand.h"
#include "split/pivot.h"
#include "split/records.h"

struct opts {
	const char *algorithm, *cluster, *cost, *node, *output, *plan, *refine,
	    *sublists, *sums;
	bool approximate, count_given, extents, no_exchange, sorted;
	uint64_t count, seed;
	unsigned threads; /* --parallel; 0: not given */
	struct range range;
	struct order order;
	char **file;
	int nfiles;
};

/* The documents and options of an action. */
struct job {
	const struct opts *o;
	struct plan plan;
	struct sublists sublists;
	/* the file of -L contains candidates instead of sublists */
	bool probes;
	uint64_t rank;
};

/* An algorithm, as chosen by -a. */
struct method {
	const char *name;
	/* the action pivots accepts the algorithm, too */
	bool pivots;
	bool sorted; /* takes regular samples, which needs sorted inputs */
	enum demand_method demand;
};

const struct method *job_method(const struct job *, struct hp_err *);

/* Read the documents of -P and of -L.  Fail if the option is missing. */
int job_plan(struct job *, struct hp_err *);
int job_sublists(struct job *, struct hp_err *);
/*
 * Reads the document of -L, which may contain candidates instead of sublists.
 */
int job_bounds(struct job *, struct hp_err *);
/*
 * Finds the rank of the node given by -N: a number, or a name in the plan or
 * the sublists.
 */
int job_rank(struct job *, struct hp_err *);
/*
 * Computes the sum of the performance vector P' of the plan (split/demand.h).
 */
int job_performance(const struct job *, uint64_t *sum, struct hp_err *);
/* Reports that a required option is missing.  Always fails, with HP_USAGE. */
int job_missing(const char *what, struct hp_err *);

/*
 * Sets the path of the input file: the only operand, or "-" for standard input.
 * Fails with HP_USAGE if there are more operands.
 */
int job_input(const struct job *, const char **path, struct hp_err *);
/* Opens the input file, limited to the extent of --extent. */
int job_open_records(const struct job *, struct records *, struct hp_err *);
int job_open_reader(const struct job *, struct reader *, struct hp_err *);
/* Calls `read` for the document of each operand, or once for standard input. */
int job_each_document(const struct job *,
    int (*read)(const char *, void *, struct hp_err *), void *arg,
    struct hp_err *);

/*
 * Reports that the input contains no lines of the kind `what`.  Always fails,
 * with HP_INPUT.
 */
int job_none(const struct job *, const char *what, struct hp_err *);

int action_assign(struct job *, struct hp_err *);
int action_count(struct job *, struct hp_err *);
int action_cut(struct job *, struct hp_err *);
int action_deal(struct job *, struct hp_err *);
int action_pivots(struct job *, struct hp_err *);
int action_range(struct job *, struct hp_err *);
int action_sample(struct job *, struct hp_err *);
int action_show(struct job *, struct hp_err *);

#endif
