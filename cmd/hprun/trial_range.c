#include <math.h>
#include <stdlib.h>

#include "doc/nodes.h"
#include "file.h"
#include "trial_range.h"
#include "trial_run.h"

enum {
	REPEATED = 2 /* number of runs; the faster one counts */
};

/* The cluster file of these runs, in the work directory. */
#define CLUSTER "trial.range"

/*
 * Writes the nodes without their times, so that each of them gets batches, even
 * if a plan would leave it out.
 */
static int
write_nodes(const struct cluster *c, struct hp_err *e)
{
	struct file_out f;

	if (file_begin(&f, CLUSTER, e) == -1)
		return -1;
	return file_end(&f, doc_nodes_write(f.file, c, e), e);
}

/*
 * Stores the time that each host needs for a record.  Only the records of a
 * run in batches move in both directions at the same time.
 */
static void
take_batches(struct cluster *c, const struct trial_run *r)
{
	for (size_t i = 0; i < c->n; i++)
		c->node[i].batch_s_per_item = r->batched && r->n[i] > 0
		    ? fmax(r->sorted_s[i], 0) / (double)r->n[i]
		    : 0;
}

static int
do_runs(
    struct run *run, struct cluster *c, struct trial_run *r, struct hp_err *e)
{
	struct launcher *l = &c->launcher;
	double least_s = INFINITY, divide_s = INFINITY;

	for (int i = 0; i < REPEATED; i++) {
		if (trial_pause(run, e) == -1 || trial_run(run, r, e) == -1)
			return -1;
		divide_s = fmin(divide_s, r->divide_s);
		l->finish_s = fmin(l->finish_s, r->finish_s);
		if (r->fit.gather < least_s) {
			least_s = r->fit.gather;
			take_batches(c, r);
		}
	}
	l->divide_s_per_item = divide_s / (double)run->records;
	return 0;
}

int
trial_range(
    struct run *run, struct cluster *c, const char *input, struct hp_err *e)
{
	struct trial_run r = {
		.range = true, .cluster = CLUSTER, .input = input
	};
	int rc = -1;

	if (run->o.order.unique)
		return 0;
	r.n = calloc(run->nodes, sizeof *r.n);
	r.sorted_s = calloc(run->nodes, sizeof *r.sorted_s);
	r.fit.node = calloc(run->nodes, sizeof *r.fit.node);
	if (r.n == NULL || r.sorted_s == NULL || r.fit.node == NULL)
		hp_fail_errno(e, HP_NOMEM, "trial");
	else if (write_nodes(c, e) == 0)
		rc = do_runs(run, c, &r, e);
	free(r.n);
	free(r.sorted_s);
	free(r.fit.node);
	return rc;
}
