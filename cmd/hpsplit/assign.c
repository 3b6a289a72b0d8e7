#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "actions.h"
#include "cost/rises.h"
#include "doc/candidates.h"
#include "doc/cluster.h"
#include "doc/sublists.h"
#include "share/assign.h"

static int
read_tally(const char *path, void *arg, struct hp_err *e)
{
	return doc_counts_read(path, arg, e);
}

/*
 * Writes each sublist with the node that it is assigned to, and its position in
 * the result.
 */
static int
put_assigned(struct job *j, const struct cluster *c, const struct tally *t,
    const uint32_t *to, struct hp_err *e)
{
	const struct sublists_note note = { .nodes = c->n };
	uint64_t offset = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < j->sublists.n; i++) {
		struct sublist s = j->sublists.v[i];

		s.assigned = true;
		s.rank = to[i];
		s.node = c->node[to[i]].name;
		s.placed = true;
		s.offset = offset;
		s.records = tally_get(&t->sublist, i);
		offset += s.records;
		rc = doc_sublist_write(stdout, i, &s, &note, e);
	}
	return rc;
}

/*
 * Reads the counts of all nodes.  Each node must have counted every sublist,
 * also empty ones.
 */
static int
read_counts(const struct job *j, struct tally *t, struct hp_err *e)
{
	if (job_each_document(j, read_tally, t, e) == -1)
		return -1;
	return t->sublist.n > 0 ? 0 : job_none(j, "count", e);
}

/*
 * Reads the sublists of -L.  Without -L, creates as many sublists as the counts
 * mention; their ends are unknown.
 */
static int
take_sublists(struct job *j, const struct tally *t, struct hp_err *e)
{
	if (j->o->sublists != NULL) {
		if (job_sublists(j, e) == -1)
			return -1;
		if (t->sublist.n <= j->sublists.n)
			return 0;
		return hp_fail(e, HP_INPUT,
		    "a count is for sublist %zu, but %s has only %zu",
		    t->sublist.n - 1, j->o->sublists, j->sublists.n);
	}
	while (j->sublists.n < t->sublist.n)
		if (sublists_add(&j->sublists, e) == NULL)
			return -1;
	return 0;
}

/* Fails if the cost of some number of items makes no sense. */
static int
check_cost(const struct cost *cost, const struct tally *t, struct hp_err *e)
{
	uint64_t all = 0;
	bool rises;

	for (size_t i = 0; i < t->sublist.n; i++)
		all += tally_get(&t->sublist, i);
	if (cost_check(cost, (double)all, &rises, e) == -1)
		return -1;
	if (all > 0 && !isfinite(cost_at(cost, (double)all)))
		return hp_fail(e, HP_USAGE,
		    "cost '%.200s': infinite for %" PRIu64 " items", cost->text,
		    all);
	return 0;
}

static int
assign(struct job *j, const struct cluster *c, const struct tally *t,
    struct hp_err *e)
{
	size_t n = j->sublists.n;
	uint64_t *size = calloc(n + 1, sizeof *size);
	uint32_t *to = calloc(n + 1, sizeof *to);
	enum assign_method method = j->o->no_exchange ? ASSIGN_GREEDY
						      : ASSIGN_EXCHANGE;
	int rc = -1;

	if (size == NULL || to == NULL) {
		hp_fail(e, HP_NOMEM, "%zu sublists", n);
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		size[i] = tally_get(&t->sublist, i);
	if (share_assign(c, size, n, method, to, e) == 0)
		rc = put_assigned(j, c, t, to, e);
out:
	free(to);
	free(size);
	return rc;
}

int
action_assign(struct job *j, struct hp_err *e)
{
	struct cluster c = { 0 };
	struct cost cost = { 0 };
	struct tally t = { 0 };
	int rc = -1;

	if (j->o->cluster == NULL)
		return job_missing("-C, the cluster,", e);
	if (cost_parse(j->o->cost, &cost, e) == -1 ||
	    doc_cluster_read(j->o->cluster, &c, e) == -1)
		goto out;
	cluster_set_cost(&c, &cost);
	if (read_counts(j, &t, e) == 0 && take_sublists(j, &t, e) == 0 &&
	    check_cost(&cost, &t, e) == 0)
		rc = assign(j, &c, &t, e);
out:
	tally_fini(&t);
	cluster_fini(&c);
	cost_fini(&cost);
	return rc;
}
