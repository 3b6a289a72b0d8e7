/*
 * The actions count and cut, which find the sublist of each record of a node.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "actions.h"
#include "base/outfile.h"
#include "doc/candidates.h"
#include "doc/extents.h"
#include "split/cut.h"
#include "split/sorted.h"

/*
 * Prepares to find the sublist of a record.  If candidates bound the sublists,
 * records with equal keys may fall into different sublists, even with -u: a
 * candidate names one record, not a key.
 */
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

/* Writes the sublists of a sorted file, as extents or as counts of records. */
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
	    job_open_records(j, &r, e) == 0 &&
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

/*
 * Returns an array with the rank of the node that receives each sublist. Fails
 * if a sublist is not assigned to a node.
 */
static uint32_t *
owners(const struct job *j, struct hp_err *e)
{
	const struct sublist *s = j->sublists.v;
	size_t n = j->sublists.n;
	uint32_t *to = calloc(n, sizeof *to);

	if (to == NULL)
		hp_fail(e, HP_NOMEM, "%zu sublists", n);
	for (size_t i = 0; to != NULL && i < n; i++) {
		to[i] = (uint32_t)s[i].rank;
		if (s[i].assigned)
			continue;
		hp_fail(e, HP_INPUT,
		    "%s: sublist %zu has no rank: use hpsplit assign",
		    j->o->sublists, i);
		free(to);
		to = NULL;
	}
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
put_piece(void *arg, const struct cut_piece *p, struct hp_err *e)
{
	const uint64_t *rank = arg;
	struct extent x = { p->to, *rank, p->offset, p->bytes, p->records };

	return doc_extent_write(stdout, &x, e);
}

/*
 * Writes the records sublist by sublist to a file, and prints the extent of
 * each sublist.  The file appears after all extents are printed.
 */
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

/*
 * Reads the input record by record, because it is unsorted or a pipe, and calls
 * `run`.
 */
static int
in_turn(const struct job *j,
    int (*run)(const struct job *, struct reader *, struct classifier *,
	struct hp_err *),
    struct hp_err *e)
{
	struct classifier by = { 0 };
	struct reader r;
	int rc = -1;

	if (job_open_reader(j, &r, e) == -1)
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
	    (o->sublists != NULL && job_bounds(j, e) == -1) ||
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
	if (j->o->output != NULL)
		return in_turn(j, cut_to_file, e);
	return j->o->extents ? cut_file(j, true, e) : in_turn(j, cut_frames, e);
}
