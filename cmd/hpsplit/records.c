/* The actions that read records: deal, sample, count and cut. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "actions.h"
#include "base/outfile.h"
#include "doc/candidates.h"
#include "doc/extents.h"
#include "split/cut.h"
#include "split/exact.h"
#include "split/sample.h"

static int
open_records(const struct job *j, struct records *r, struct hp_err *e)
{
	const struct opts *o = j->o;
	const char *path;

	if (job_input(j, &path, e) == -1)
		return -1;
	return records_open(r, path, &o->range, &o->order.format, e);
}

static int
open_reader(const struct job *j, struct reader *r, struct hp_err *e)
{
	const struct range *range = &j->o->range;
	const char *path;

	if (job_input(j, &path, e) == -1 ||
	    reader_open(r, path, &j->o->order.format, e) == -1)
		return -1;
	if ((range->offset != 0 || range->bytes != UINT64_MAX) &&
	    reader_extent(r, range->offset, range->bytes, e) == -1) {
		reader_close(r);
		return -1;
	}
	return 0;
}

/* The next n records, from the one numbered *first on. */
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
		    "%s: %" PRIu64 " records, the plan is for %" PRIu64,
		    r->name, r->n, j->plan.n);
	for (size_t i = 0; rc == 0 && i < j->plan.nodes; i++)
		rc = put_extent(r, i, i, j->plan.share[i].n, &first, e);
	return rc;
}

/* The sublists that the node was assigned, one behind the other. */
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

	if (shares ? job_plan(j, e) == -1
		   : job_sublists(j, e) == -1 || job_rank(j, e) == -1)
		return -1;
	if (open_records(j, &r, e) == -1)
		return -1;
	rc = shares ? deal_shares(j, &r, e) : deal_sublists(j, &r, e);
	records_close(&r);
	return rc;
}

/* The candidates of a node with n records. */
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
		? exact_candidates(j->plan.nodes)
		: demand_candidates(m->demand, sum, j->plan.nodes),
	    n, j->plan.n);
	return 0;
}

/* How many records there are is not known before the end. */
static int
sample_pipe(const struct job *j, const struct method *m,
    const struct sampling *s, uint64_t *n, struct hp_err *e)
{
	struct reader r;
	uint64_t count;
	int rc;

	*n = j->rank < j->plan.nodes ? j->plan.share[j->rank].n : 0;
	if (choose_count(j, m, *n, &count, e) == -1 ||
	    open_reader(j, &r, e) == -1)
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
	if (open_records(j, &r, e) == 0) {
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

/* Candidates bound places, so they do it with -u too. */
static int
open_classifier(const struct job *j, struct classifier *by, struct hp_err *e)
{
	struct hp_err why = { 0 };

	if (classify_init(by, &j->sublists, &j->o->order, j->rank, &why) == -1)
		return hp_fail(
		    e, why.kind, "%.256s: %s", j->o->sublists, why.text);
	if (j->probes)
		by->together = false;
	return 0;
}

static int
put_sorted(const struct job *j, const struct records *r, const uint64_t *end,
    bool extents, struct hp_err *e)
{
	uint64_t from = 0, before = 0, after;
	struct extent x;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < j->sublists.n; i++) {
		after = records_index(r, end[i]);
		x = (struct extent){ i, j->rank, r->offset + from,
			end[i] - from, after - before };
		if (extents)
			rc = doc_extent_write(stdout, &x, e);
		else if (x.records > 0 || !j->probes)
			rc = doc_count_write(stdout, i, j->rank, x.records, e);
		from = end[i];
		before = after;
	}
	return rc;
}

/* What each sublist of a sorted file is, as extents or as counts. */
static int
cut_file(const struct job *j, bool extents, struct hp_err *e)
{
	uint64_t *end = reallocarray(NULL, j->sublists.n, sizeof *end);
	struct classifier by = { 0 };
	struct records r = { 0 };
	int rc = -1;

	if (end == NULL)
		hp_fail(e, HP_NOMEM, "%zu sublists", j->sublists.n);
	else if (open_classifier(j, &by, e) == 0 &&
	    open_records(j, &r, e) == 0 &&
	    cut_sorted(&r, &by, j->sublists.n, end, e) == 0)
		rc = put_sorted(j, &r, end, extents, e);
	records_close(&r);
	classify_fini(&by);
	free(end);
	return rc;
}

static int
count_each(const struct job *j, struct reader *r, struct classifier *by,
    struct hp_err *e)
{
	size_t n = j->sublists.n;
	uint64_t *count = calloc(n, sizeof *count);
	int rc = -1;

	if (count == NULL)
		hp_fail(e, HP_NOMEM, "%zu sublists", n);
	else
		rc = cut_count(r, by, n, count, e);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = doc_count_write(stdout, i, j->rank, count[i], e);
	free(count);
	return rc;
}

/* The rank of the node that each sublist belongs to. */
static uint32_t *
owners(const struct job *j, struct hp_err *e)
{
	const struct sublist *s = j->sublists.v;
	size_t n = j->sublists.n;
	uint32_t *to = calloc(n, sizeof *to);

	if (to == NULL)
		hp_fail(e, HP_NOMEM, "%zu sublists", n);
	for (size_t i = 0; to != NULL && i < n; i++)
		to[i] = (uint32_t)(s[i].assigned ? s[i].rank : i);
	return to;
}

static int
cut_frames(const struct job *j, struct reader *r, struct classifier *by,
    struct hp_err *e)
{
	uint32_t *to = owners(j, e);
	int rc = to == NULL ? -1
			    : cut_stream(r, by, j->sublists.n, to,
				  (uint32_t)j->rank, STDOUT_FILENO, e);

	free(to);
	return rc;
}

static int
put_piece(void *arg, const struct piece *p, struct hp_err *e)
{
	const uint64_t *rank = arg;
	struct extent x = { p->to, *rank, p->offset, p->bytes, p->records };

	return doc_extent_write(stdout, &x, e);
}

/* The file appears once all of its extents are told. */
static int
cut_to_file(const struct job *j, struct reader *r, struct classifier *by,
    struct hp_err *e)
{
	struct outfile out = { .fd = -1 };
	uint32_t *to = owners(j, e);
	uint64_t rank = j->rank;
	int rc = -1;

	if (to == NULL || outfile_open(&out, j->o->output, e) == -1 ||
	    cut_pieces(r, by, j->sublists.n, to, out.fd, out.name, put_piece,
		&rank, e) == -1)
		goto out;
	rc = fflush(stdout) == EOF ? hp_fail_errno(e, HP_IO, "standard output")
				   : outfile_commit(&out, e);
out:
	outfile_abort(&out);
	free(to);
	return rc;
}

/* Record by record, from files and pipes. */
static int
in_turn(const struct job *j,
    int (*run)(const struct job *, struct reader *, struct classifier *,
	struct hp_err *),
    struct hp_err *e)
{
	struct classifier by = { 0 };
	struct reader r;
	int rc = -1;

	if (open_reader(j, &r, e) == -1)
		return -1;
	if (open_classifier(j, &by, e) == 0)
		rc = run(j, &r, &by, e);
	classify_fini(&by);
	reader_close(&r);
	return rc;
}

int
action_count(struct job *j, struct hp_err *e)
{
	const struct opts *o = j->o;
	const char *path;
	uint64_t n;

	if ((o->plan != NULL && job_plan(j, e) == -1) ||
	    (o->sublists != NULL && job_sublists(j, e) == -1) ||
	    job_rank(j, e) == -1 || job_input(j, &path, e) == -1)
		return -1;
	if (o->sublists != NULL)
		return o->sorted ? cut_file(j, false, e)
				 : in_turn(j, count_each, e);
	if (records_count(path, &o->range, &o->order.format, &n, e) == -1)
		return -1;
	return doc_count_write(stdout, 0, j->rank, n, e);
}

int
action_cut(struct job *j, struct hp_err *e)
{
	if (job_sublists(j, e) == -1 ||
	    (j->o->plan != NULL && job_plan(j, e) == -1) ||
	    job_rank(j, e) == -1)
		return -1;
	if (j->probes)
		return hp_fail(
		    e, HP_INPUT, "%s: no sublist in it", j->o->sublists);
	if (j->o->output != NULL)
		return in_turn(j, cut_to_file, e);
	return j->o->extents ? cut_file(j, true, e) : in_turn(j, cut_frames, e);
}
