#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/batches.h"
#include "doc/parts.h"
#include "doc/trace.h"
#include "job/journal.h"
#include "batch_work.h"
#include "direct.h"
#include "trace.h"
#include "words.h"

struct amount {
	uint64_t records, bytes;
};

struct tracer {
	struct run *run;
	FILE *out;
	/* records and bytes of each rank, then of all */
	struct amount *dealt, *received;
	/* index in the journal, and number of entries of --profile to skip */
	size_t passed, skip;
	/* batches of a run that deals or probes in batches */
	struct batch_steps batches;
};

/*
 * Steps that process the records which a node has received.  A node has a step
 * `deal` only with the method psop (find_sublists).
 */
static const struct {
	const char *step;
	/* receives in methods that sort first, or sort last */
	bool first, last;
} receives[] = { { "exchange", true, true }, { "merge", true, true },
	{ "gather", true, true }, { "leave", true, true },
	{ "prove", true, true }, { "sort", false, true },
	{ "deal", false, true } };

/*
 * Returns whether a step of this name processes the records that the node has
 * received from other nodes.
 */
static bool
counts_received(const struct run *run, const char *step)
{
	bool last = !sorts_first(run);

	for (size_t i = 0; i < sizeof receives / sizeof *receives; i++)
		if (strcmp(receives[i].step, step) == 0)
			return last ? receives[i].last : receives[i].first;
	return false;
}

static int
find_profile(void *context, const struct journal_entry *j, struct hp_err *e)
{
	struct tracer *t = context;

	(void)e;
	t->passed++;
	if (strcmp(j->name, "profile") == 0)
		t->skip = t->passed;
	return 0;
}

/* Returns the records and bytes that a step processed. */
static struct amount
amount_of(const struct tracer *t, const struct journal_entry *j)
{
	const struct amount *of = t->dealt;

	if (j->rank == STEP_LAUNCHER)
		return of[t->run->nodes];
	if (j->index < t->batches.n &&
	    (strcmp(j->name, batch_sort_name(t->run->probed)) == 0 ||
		strcmp(j->name, batch_send_name(t->run->probed)) == 0)) {
		const struct extent *x = &t->batches.v[j->index].of;

		return (struct amount){ x->records, x->bytes };
	}
	if (counts_received(t->run, j->name))
		of = t->received;
	return of[j->rank];
}

static int
put_entry(void *context, const struct journal_entry *j, struct hp_err *e)
{
	struct tracer *t = context;
	struct run *run = t->run;
	bool launcher = j->rank == STEP_LAUNCHER;
	struct amount of;
	struct trace_step s;

	if (t->passed++ < t->skip || strcmp(j->name, "setup") == 0 ||
	    j->rank >= (int)run->nodes)
		return 0;
	of = amount_of(t, j);
	s = (struct trace_step){ .node = launcher ? "launcher"
						  : run->node[j->rank].name,
		.rank = launcher ? 0 : (uint64_t)j->rank,
		.launcher = launcher,
		.name = j->name,
		.start_s = j->start_s,
		.end_s = j->end_s,
		.records = of.records,
		.bytes = of.bytes,
		/*
		 * A resumed run has times of several processes, so its steps do
		 * not have a tag.
		 */
		.run = run->resumed ? NULL : run->tag };
	return doc_step_write(t->out, &s, e);
}

/*
 * Reads how much each node received, from the traces of the exchange or from
 * the merged extents.
 */
static int
read_received(struct tracer *t, struct hp_err *e)
{
	struct run *run = t->run;
	struct node_runs runs = { 0 };
	char name[64];
	int rc = run->direct ? direct_read(run, &runs, e) : 0;

	for (size_t i = 0; rc == 0 && i < run->nodes; i++) {
		struct amount *a = &t->received[i];

		snprintf(name, sizeof name, "trace.%zu", i);
		if (run->direct)
			direct_received(&runs, i, &a->records, &a->bytes);
		else if (divides_by_key(run))
			*a = t->dealt[i];
		else
			rc = doc_trace_last(name, &a->records, &a->bytes, e);
	}
	direct_fini(&runs);
	return rc;
}

/*
 * In a job, nothing moves between nodes, so each step processes the node's
 * share.
 */
static int
read_shares(struct tracer *t)
{
	const struct run *run = t->run;
	struct amount *all = &t->dealt[run->nodes];

	for (size_t i = 0; i < run->nodes; i++) {
		const struct run_node *n = &run->node[i];

		t->dealt[i] = (struct amount){ n->share, n->bytes };
		t->received[i] = t->dealt[i];
		all->records += n->share;
		all->bytes += n->bytes;
	}
	t->received[run->nodes] = *all;
	return 0;
}

static int
read_amounts(struct tracer *t, struct hp_err *e)
{
	struct run *run = t->run;
	struct parts l = { 0 };
	int rc;

	if (run->o.mode != MODE_SORT)
		return read_shares(t);
	rc = doc_deal_read("deal.jsonl", &l, e);
	for (size_t i = 0; i < l.n; i++) {
		/*
		 * If the input was dealt in batches, a node has several parts.
		 */
		size_t rank = l.v[i].rank < run->nodes ? l.v[i].rank : 0;

		t->dealt[rank].records += l.v[i].records;
		t->dealt[rank].bytes += l.v[i].bytes;
		t->dealt[run->nodes].records += l.v[i].records;
		t->dealt[run->nodes].bytes += l.v[i].bytes;
	}
	parts_fini(&l);
	if (rc == 0 && (run->batched || run->probed))
		rc = doc_batches_read("batches.jsonl", &t->batches, e);
	return rc == -1 ? -1 : read_received(t, e);
}

/*
 * Appends the text with one write, so that the steps of concurrent runs do not
 * mix.
 */
static int
append(const char *path, const char *text, size_t size, struct hp_err *e)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	int rc = 0;

	if (fd == -1 || io_write(fd, text, size) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	if (fd != -1 && close(fd) == -1 && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	return rc;
}

int
trace_append(struct run *run, const char *path, struct hp_err *e)
{
	struct tracer t = { .run = run };
	char *text = NULL;
	size_t size;
	int rc = -1;

	t.dealt = calloc(run->nodes + 1, sizeof *t.dealt);
	t.received = calloc(run->nodes + 1, sizeof *t.received);
	t.out = open_memstream(&text, &size);
	if (t.dealt == NULL || t.received == NULL || t.out == NULL)
		hp_fail_errno(e, HP_NOMEM, "trace");
	else if (read_amounts(&t, e) == 0 &&
	    journal_each("journal", find_profile, &t, e) == 0) {
		t.passed = 0;
		rc = journal_each("journal", put_entry, &t, e);
	}
	if (t.out != NULL && fclose(t.out) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_NOMEM, "trace");
	if (rc == 0)
		rc = append(path, text, size, e);
	free(text);
	batch_steps_fini(&t.batches);
	free(t.dealt);
	free(t.received);
	return rc;
}

int
trace_write(struct run *run, struct hp_err *e)
{
	return run->trace == NULL ? 0 : trace_append(run, run->trace, e);
}
