#include <math.h>
#include <stdlib.h>

#include "share/fit.h"
#include "trial_again.h"
#include "trial_deal.h"
#include "trial_run.h"

enum {
	REPEATED = 4 /* number of whole runs */
};

/*
 * Lowers a time, which is 0 at first. The begin and the end of a run take no
 * longer than the shortest ones, unless something else disturbs them.
 */
static void
shortest(double *seconds, double other)
{
	*seconds = *seconds == 0 ? other : fmin(*seconds, other);
}

/* Does a whole run by a plan for the cluster as it is known now. */
static int
do_run(struct run *run, struct cluster *c, const char *input,
    const char *without, struct fit_run *to, uint64_t *n, struct hp_err *e)
{
	struct trial_run r = {
		.input = input, .without = without, .n = n, .fit = to->times
	};

	if (trial_write(c, &r.cluster, e) == -1 || trial_pause(run, e) == -1 ||
	    trial_run(run, &r, e) == -1)
		return -1;
	*to = (struct fit_run){ r.fit, n, run->records };
	shortest(&c->launcher.begin_s, r.begin_s);
	shortest(&c->launcher.finish_s, r.finish_s);
	return 0;
}

/*
 * Returns the node with the fewest records, which the run may be faster
 * without, or NULL if fewer than three nodes have records.
 */
static const char *
weakest(const struct run *run, const uint64_t *n)
{
	size_t least = 0, used = 0;

	for (size_t i = 0; i < run->nodes; i++) {
		used += n[i] > 0;
		if (n[i] > 0 && (n[least] == 0 || n[i] < n[least]))
			least = i;
	}
	return used > 2 ? run->node[least].name : NULL;
}

int
trial_again(struct run *run, struct cluster *c, double item_bytes,
    const char *input, struct hp_err *e)
{
	size_t nodes = run->nodes;
	struct fit_node *node = calloc(REPEATED * nodes, sizeof *node);
	uint64_t *n = calloc(REPEATED * nodes, sizeof *n);
	struct fit_run done[REPEATED] = { 0 };
	int rc = 0;

	if (node == NULL || n == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "trial");

	for (size_t i = 0; rc == 0 && i < REPEATED; i++) {
		done[i].times.node = node + i * nodes;
		rc = do_run(run, c, input, i == 1 ? weakest(run, n) : NULL,
		    &done[i], n + i * nodes, e);
		if (rc == 0)
			fit_runs(c, item_bytes, done, i + 1);
	}
	free(node);
	free(n);
	return rc;
}
