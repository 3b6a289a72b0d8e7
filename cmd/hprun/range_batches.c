#include <stdio.h>
#include <stdlib.h>

#include "batch_list.h"
#include "doc/summary.h"
#include "file.h"
#include "gather.h"
#include "growing.h"
#include "range_batches.h"
#include "returned.h"

/* Checks that the batches are the whole divided input. */
static int
check_all(struct run *run, const struct growing *g, const size_t *order,
    struct hp_err *e)
{
	uint64_t bytes = 0, records = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct extent *x = &g->batch[order[i]];

		if (x->offset != bytes)
			break;
		bytes += x->bytes;
		records += x->records;
	}
	if (bytes == g->bytes && records == run->records)
		return 0;
	run_say(run, "the batches are not the whole input");
	return run_not_proven(run, e);
}

/* Writes given.jsonl: the checksum of each batch, with its node. */
static int
write_given(const struct growing *g, struct hp_err *e)
{
	struct file_out f;
	int rc = file_begin(&f, "given.jsonl", e);

	if (rc == -1)
		return -1;
	for (size_t i = 0; rc == 0 && i < g->n; i++)
		rc = doc_sum_write(f.file, &g->sent[i], &g->batch[i].rank, e);
	return file_end(&f, rc, e);
}

/*
 * Writes summary.R: the summaries of all batches that node R has sorted, in the
 * order of the result.
 */
static int
write_summaries(
    const struct growing *g, const size_t *order, size_t rank, struct hp_err *e)
{
	const struct checktap **tap = calloc(g->n + 1, sizeof *tap);
	size_t n = 0;
	int rc;

	if (tap == NULL)
		return hp_fail_errno(e, HP_NOMEM, "summaries");
	for (size_t i = 0; i < g->n; i++)
		if (g->batch[order[i]].rank == rank)
			tap[n++] = &g->tap[order[i]];
	rc = checktaps_write(tap, n, rank, e);
	free(tap);
	return rc;
}

/* Writes parts.jsonl: each batch is a part of the result. */
static int
write_parts(const struct run *run, const struct growing *g, const size_t *order,
    struct hp_err *e)
{
	struct parts l = { .v = calloc(g->n + 1, sizeof *l.v) };
	int rc;

	if (l.v == NULL)
		return hp_fail_errno(e, HP_NOMEM, "parts");
	for (l.n = 0; l.n < g->n; l.n++) {
		const struct extent *x = &g->batch[order[l.n]];

		l.v[l.n] = (struct part){ .sublist = l.n,
			.rank = x->rank,
			.offset = x->offset,
			.bytes = x->bytes,
			.records = x->records,
			.at = run->header_bytes + x->offset };
	}
	rc = file_parts(&l, e);
	parts_fini(&l);
	return rc;
}

/* Writes the documents of which the proof is made. */
static int
write_all(struct run *run, const struct growing *g, struct hp_err *e)
{
	size_t *order = batch_order(g, e);
	int rc = order == NULL ? -1 : check_all(run, g, order, e);

	if (rc == 0 && (rc = growing_write(g, e)) == 0 &&
	    (rc = write_given(g, e)) == 0)
		rc = write_parts(run, g, order, e);
	for (size_t i = 0; rc == 0 && i < run->nodes; i++)
		rc = write_summaries(g, order, i, e);
	free(order);
	return rc;
}

int
range_batches(struct run *run, struct hp_err *e)
{
	struct growing g = { 0 };
	int rc = -1;

	/* What an earlier attempt has written into the result stays there. */
	if ((run->returned.n > 0 || gather_begin(run, run->beside, e) == 0) &&
	    growing_init(&g, run, false, e) == 0) {
		if ((rc = growing_run(&g, e)) == 0)
			rc = write_all(run, &g, e);
		/* A host may also be lost later, while the result is proven. */
		returned_keep(&g);
	}
	growing_fini(&g);
	return rc;
}
