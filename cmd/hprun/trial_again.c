#include <stdlib.h>

#include "share/fit.h"
#include "trial_again.h"
#include "trial_deal.h"
#include "trial_run.h"

enum {
	REPEATED = 4 /* number of whole runs */
};

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
	double begin_s[REPEATED], finish_s[REPEATED];
	int rc = 0;

	if (node == NULL || n == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "trial");

	for (size_t i = 0; rc == 0 && i < REPEATED; i++) {
		struct trial_run r = { .input = input,
			.without = i == 1 ? weakest(run, n) : NULL,
			.n = n + i * nodes,
			.fit = { .node = node + i * nodes } };

		/* By a plan for the cluster as it is known now. */
		if ((rc = trial_write(c, &r.cluster, e)) == -1 ||
		    (rc = trial_pause(run, e)) == -1 ||
		    (rc = trial_run(run, &r, e)) == -1)
			break;
		done[i] = (struct fit_run){ r.fit, r.n, run->records };
		begin_s[i] = r.begin_s;
		finish_s[i] = r.finish_s;
		fit_runs(c, item_bytes, done, i + 1);
	}
	if (rc == 0) {
		c->launcher.begin_s = trial_median(begin_s, REPEATED);
		c->launcher.finish_s = trial_median(finish_s, REPEATED);
	}
	free(node);
	free(n);
	return rc;
}
