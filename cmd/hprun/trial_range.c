#include <stdlib.h>

#include "doc/nodes.h"
#include "file.h"
#include "trial_range.h"
#include "trial_run.h"

enum {
	REPEATED = 5 /* number of runs; the medians count */
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
 * Stores the seconds that each node needed for a record in run i; 0: unknown.
 * Only a run in batches counts, because only its records move in both
 * directions at the same time.  For every node, the time ends when the last
 * node has ended, because all nodes get batches until the input ends.  If the
 * time of a node ended with its own last batch, plans would be too short.
 */
static void
note_batches(const struct trial_run *r, size_t nodes,
    double (*item_s)[REPEATED], size_t i)
{
	for (size_t k = 0; k < nodes; k++)
		item_s[k][i] = r->batched && r->n[k] > 0
		    ? r->fit.gather / (double)r->n[k]
		    : 0;
}

/*
 * Returns the median of the times that are known.  A node may have got no batch
 * in some run: the time is 0 then.
 */
static double
median_known(double *item_s)
{
	size_t n = 0;

	for (size_t i = 0; i < REPEATED; i++)
		if (item_s[i] > 0)
			item_s[n++] = item_s[i];
	return n == 0 ? 0 : trial_median(item_s, n);
}

static int
do_runs(
    struct run *run, struct cluster *c, struct trial_run *r, struct hp_err *e)
{
	double(*item_s)[REPEATED] = calloc(run->nodes, sizeof *item_s);
	double divide_s[REPEATED], begin_s[REPEATED], finish_s[REPEATED];
	size_t batched = 0;
	int rc = 0;

	if (item_s == NULL)
		return hp_fail_errno(e, HP_NOMEM, "trial");
	for (size_t i = 0; rc == 0 && i < REPEATED; i++) {
		if ((rc = trial_pause(run, e)) == -1 ||
		    (rc = trial_run(run, r, e)) == -1)
			break;
		note_batches(r, run->nodes, item_s, i);
		divide_s[i] = r->divide_s;
		if (!r->batched)
			continue;
		begin_s[batched] = r->begin_s;
		finish_s[batched++] = r->finish_s;
	}
	if (rc == 0) {
		c->launcher.divide_s_per_item = trial_median(
						    divide_s, REPEATED) /
		    (double)run->records;
		for (size_t k = 0; k < run->nodes; k++)
			c->node[k].batch_s_per_item = median_known(item_s[k]);
	}
	if (rc == 0 && batched > 0) {
		c->launcher.batch_begin_s = trial_median(begin_s, batched);
		c->launcher.batch_finish_s = trial_median(finish_s, batched);
	}
	free(item_s);
	return rc;
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
	r.fit.node = calloc(run->nodes, sizeof *r.fit.node);
	if (r.n == NULL || r.fit.node == NULL)
		hp_fail_errno(e, HP_NOMEM, "trial");
	else if (write_nodes(c, e) == 0)
		rc = do_runs(run, c, &r, e);
	free(r.n);
	free(r.fit.node);
	return rc;
}
