#include <inttypes.h>
#include <stdio.h>

#include "actions.h"
#include "doc/extents.h"

/*
 * Writes the extent of the next n records of a sublist.  Advances *first by n.
 */
static int
put_extent(const struct records *r, uint64_t sublist, uint64_t rank, uint64_t n,
    uint64_t *first, struct hp_err *e)
{
	uint64_t from = records_offset(r, *first);
	struct extent x = { .sublist = sublist,
		.rank = rank,
		.offset = r->offset + from,
		.bytes = records_offset(r, *first + n) - from,
		.records = n };

	*first += n;
	return doc_extent_write(stdout, &x, e);
}

static int
deal_shares(const struct job *j, const struct records *r, struct hp_err *e)
{
	uint64_t first = 0;
	int rc = 0;

	if (r->n != j->plan.n)
		return hp_fail(e, HP_INPUT,
		    "%s: %" PRIu64 " records, but the plan is for %" PRIu64,
		    r->name, r->n, j->plan.n);
	for (size_t i = 0; rc == 0 && i < j->plan.nodes; i++)
		rc = put_extent(r, i, i, j->plan.share[i].n, &first, e);
	return rc;
}

/* Writes extents for the sublists of a node, one after the other. */
static int
deal_sublists(const struct job *j, const struct records *r, struct hp_err *e)
{
	uint64_t first = 0, n = 0;
	int rc = 0;

	for (size_t i = 0; i < j->sublists.n; i++) {
		const struct sublist *s = &j->sublists.v[i];

		if (!s->placed || !s->assigned)
			return hp_fail(e, HP_INPUT,
			    "%s: sublist %zu was not assigned", j->o->sublists,
			    i);
		if (s->rank == j->rank)
			n += s->records;
	}
	if (r->n != n)
		return hp_fail(e, HP_INPUT,
		    "%s: %" PRIu64 " records, the sublists of rank %" PRIu64
		    " have %" PRIu64,
		    r->name, r->n, j->rank, n);
	for (size_t i = 0; rc == 0 && i < j->sublists.n; i++)
		if (j->sublists.v[i].rank == j->rank)
			rc = put_extent(
			    r, i, j->rank, j->sublists.v[i].records, &first, e);
	return rc;
}

int
action_deal(struct job *j, struct hp_err *e)
{
	bool shares = j->o->sublists == NULL;
	struct records r;
	int rc;

	if (!shares && j->o->plan != NULL)
		return hp_fail(e, HP_USAGE, "-P and -L exclude each other");
	if (shares && j->o->node != NULL)
		return hp_fail(e, HP_USAGE, "-N needs -L, the sublists");
	if (shares ? job_plan(j, e) == -1
		   : job_sublists(j, e) == -1 || job_rank(j, e) == -1)
		return -1;
	if (job_open_records(j, &r, e) == -1)
		return -1;
	rc = shares ? deal_shares(j, &r, e) : deal_sublists(j, &r, e);
	records_close(&r);
	return rc;
}
