#include <stdio.h>

#include "actions.h"
#include "doc/candidates.h"
#include "share/rounds.h"
#include "split/exact.h"

/* Computes how many candidates to take from a node with n records. */
static int
choose_count(const struct job *j, const struct method *m, uint64_t n,
    uint64_t *count, struct hp_err *e)
{
	uint64_t sum;

	*count = j->o->count;
	if (j->o->count_given)
		return 0;
	if (j->o->plan == NULL)
		return job_missing("-c, a count, or -P, a plan,", e);
	if (job_performance(j, &sum, e) == -1)
		return -1;
	*count = demand_part(m->demand == DEMAND_EXACT
		? rounds_candidates(j->plan.nodes, j->plan.n)
		: demand_candidates(m->demand, sum, j->plan.nodes),
	    n, j->plan.n);
	return 0;
}

/*
 * Takes a sample from a pipe, whose number of records is unknown until its end.
 */
static int
sample_pipe(const struct job *j, const struct method *m,
    const struct sampling *s, uint64_t *n, struct hp_err *e)
{
	struct reader r;
	uint64_t count;
	int rc;

	*n = j->rank < j->plan.nodes ? j->plan.share[j->rank].n : 0;
	if (choose_count(j, m, *n, &count, e) == -1 ||
	    job_open_reader(j, &r, e) == -1)
		return -1;
	rc = sample_stream(s, &r, count, e);
	*n = r.nrec;
	reader_close(&r);
	return rc;
}

static int
sample_file(const struct job *j, const struct method *m,
    const struct sampling *s, const struct records *r, struct hp_err *e)
{
	uint64_t count;

	if (j->o->sublists != NULL)
		return exact_sample(s, r, &j->sublists, e);
	if (choose_count(j, m, r->n, &count, e) == -1)
		return -1;
	if (r->n == 0 || count == 0)
		return 0;
	if (m->demand == DEMAND_EXACT)
		return exact_begin(s, r, (r->n + count - 1) / count, e);
	return m->sorted ? sample_regular(s, r, count, e)
			 : sample_random(s, r, count, e);
}

int
action_sample(struct job *j, struct hp_err *e)
{
	const struct opts *o = j->o;
	const struct method *m = job_method(j, e);
	struct pivots found = { 0 };
	struct sampling s = {
		.order = &o->order, .seed = o->seed, .found = &found
	};
	struct records r;
	uint64_t n = 0;
	int rc = -1;

	if (m == NULL || (o->plan != NULL && job_plan(j, e) == -1) ||
	    (o->sublists != NULL && job_sublists(j, e) == -1) ||
	    job_rank(j, e) == -1)
		return -1;
	s.rank = j->rank;
	if (job_open_records(j, &r, e) == 0) {
		n = r.n;
		rc = sample_file(j, m, &s, &r, e);
		records_close(&r);
	} else if (e->kind == HP_USAGE && !m->sorted)
		rc = sample_pipe(j, m, &s, &n, e);
	for (size_t i = 0; rc == 0 && i < found.n; i++)
		rc = doc_candidate_write(stdout, &found.v[i], n, e);
	pivots_fini(&found);
	return rc;
}
