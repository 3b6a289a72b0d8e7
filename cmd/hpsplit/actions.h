#ifndef HP_CMD_HPSPLIT_ACTIONS_H
#define HP_CMD_HPSPLIT_ACTIONS_H

/*
 * hpsplit's actions, each in a file of its name, but count, which is in cut.c;
 * and what they have in common, in actions.c.
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
	    *sublists;
	bool count_given, extents, sorted;
	uint64_t count, seed;
	struct range range;
	struct order order;
	char **file;
	int nfiles;
};

/* What an action reads besides its input. */
struct job {
	const struct opts *o;
	struct plan plan;
	struct sublists sublists;
	bool probes; /* the sublists were candidates */
	uint64_t rank;
};

/* An algorithm of -a. */
struct method {
	const char *name;
	bool pivots; /* a word of pivots too, not of sample alone */
	bool sorted; /* of sorted inputs, by regular samples */
	enum demand_method demand;
};

const struct method *job_method(const struct job *, struct hp_err *);

/* -P and -L, which must be given. */
int job_plan(struct job *, struct hp_err *);
int job_sublists(struct job *, struct hp_err *);
/* -L, which may hold candidates in place of sublists. */
int job_bounds(struct job *, struct hp_err *);
/* The rank of -N, a number or a name in the plan or the sublists read. */
int job_rank(struct job *, struct hp_err *);
/* P' of the plan. */
int job_performance(const struct job *, uint64_t *sum, struct hp_err *);
/* HP_USAGE: what is needed. */
int job_missing(const char *what, struct hp_err *);

/* The one operand, or standard input; HP_USAGE when there are more. */
int job_input(const struct job *, const char **path, struct hp_err *);
/* The same opened, and the extent of it that was asked for. */
int job_open_records(const struct job *, struct records *, struct hp_err *);
int job_open_reader(const struct job *, struct reader *, struct hp_err *);
/* Calls for each operand, or for standard input. */
int job_each_document(const struct job *,
    int (*read)(const char *, void *, struct hp_err *), void *arg,
    struct hp_err *);

/* HP_INPUT: none of `what` in any of the operands, or in standard input. */
int job_none(const struct job *, const char *what, struct hp_err *);

int action_assign(struct job *, struct hp_err *);
int action_count(struct job *, struct hp_err *);
int action_cut(struct job *, struct hp_err *);
int action_deal(struct job *, struct hp_err *);
int action_pivots(struct job *, struct hp_err *);
int action_sample(struct job *, struct hp_err *);

#endif
