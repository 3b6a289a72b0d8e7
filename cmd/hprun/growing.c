#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/io.h"
#include "batch_list.h"
#include "batch_work.h"
#include "doc/batches.h"
#include "file.h"
#include "growing.h"
#include "moving.h"
#include "progress.h"
#include "returned.h"
#include "words.h"

enum {
	FIRST_BYTES = 1 << 20, /* least bytes of the first batch of a node */
	/* or the first batch is 1/64 of an equal share, if that is more */
	FIRST_PART = 64,
	PROBE_FIRST_BYTES = 256 << 10,
	PROBE_PART = 32 /* a probe sorts 1/32 of the input */
};

/* Returns where the sorted batch goes. */
static struct port
output_of(const struct growing *g, size_t b)
{
	const struct extent *x = &g->batch[b];
	struct port p;

	if (g->tap == NULL)
		return port_none();
	p = port_part(
	    g->run->beside, g->run->header_bytes + x->offset, x->bytes);
	p.tap = &g->tap[b].tap;
	return p;
}

/*
 * Adds the step that sorts batch b.  The step first removes the input of the
 * batch before, which has returned.
 */
static void
sort_step(struct growing *g, size_t rank, size_t b)
{
	struct worker *w = &g->worker[rank];
	bool spent = w->spent != NO_BATCH && !batch_is_read(g->run, rank);

	batch_sort(g->run, &g->stage, rank, b, &g->batch[b], output_of(g, b),
	    spent ? &w->spent : NULL, g->probe);
	w->spent = NO_BATCH;
}

/*
 * Adds the step that sends or sorts batch b.  Records the number of the batch,
 * so that the step's index leads to it.
 */
static int
add_step(struct growing *g, bool sends, size_t rank, size_t b, struct hp_err *e)
{
	struct stage *s = &g->stage;
	if (ARRAY_ROOM(g->of, g->nof, g->of_cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "batches");
	g->of[g->nof++] = b;
	g->batch[b].rank = rank;
	g->state[b] = sends ? BATCH_WAITS : BATCH_RUNS;
	if (!sends)
		g->worker[rank].sorting = b;
	if (sends)
		batch_send(g->run, s, rank, b, &g->batch[b], g->probe);
	else
		sort_step(g, rank, b);
	return 0;
}

/*
 * Adds a step for a batch.  First writes it to batches.jsonl, so that a resumed
 * run knows it.
 */
static int
issue(struct growing *g, bool sends, size_t rank, size_t b, struct hp_err *e)
{
	struct batch_step step = {
		.sends = sends, .batch = b, .of = g->batch[b]
	};

	step.of.rank = rank;
	if (doc_batch_write(g->log, &step, e) == -1)
		return -1;
	if (fflush(g->log) == EOF)
		return hp_fail_errno(e, HP_IO, "batches.jsonl");
	return add_step(g, sends, rank, b, e);
}

static void
add_sum(struct summary *to, const struct part_sum *unit)
{
	to->records += unit->records;
	to->bytes += unit->bytes;
	sum_add(&to->checksum, &unit->checksum);
}

/* Returns whether the unit lies directly before or after the batch. */
static bool
adjoins(const struct part *unit, const struct extent *batch)
{
	return unit->offset == batch->offset + batch->bytes ||
	    unit->offset + unit->bytes == batch->offset;
}

/*
 * Makes a batch of the next units, about `want` records and at least one unit.
 */
static int
take(struct growing *g, uint64_t want, size_t *out, struct hp_err *e)
{
	const struct part *u = g->units.v;
	struct extent *x;

	if (batch_room(g, e) == -1)
		return -1;
	x = &g->batch[g->n];
	*x = (struct extent){ .sublist = g->n, .offset = u[g->next].offset };
	g->sent[g->n] = (struct summary){ 0 };
	/*
	 * A resumed run passes the recorded size of the batch as `want`.  The
	 * loop must then end at the same unit as before.
	 */
	do {
		if (u[g->next].offset < x->offset)
			x->offset = u[g->next].offset;
		x->bytes += u[g->next].bytes;
		x->records += u[g->next].records;
		if (g->tap != NULL)
			add_sum(&g->sent[g->n], &g->sums.v[g->next]);
		g->left -= u[g->next].records;
		g->next++;
	} while (g->next < g->units.n && x->records < want &&
	    adjoins(&u[g->next], x) &&
	    x->records + u[g->next].records / 2 <= want);
	if (g->tap != NULL)
		checktap_init(&g->tap[g->n], &g->run->o.order);
	*out = g->n++;
	return 0;
}

static int
begin_sort(struct growing *g, size_t rank, size_t b, struct hp_err *e)
{
	g->worker[rank].sorts++;
	batches_begin(&g->speeds, rank, g->batch[b].records, clock_wall_s());
	return issue(g, false, rank, b, e);
}

/*
 * Gives a batch to a node.  The node sorts it at once, or the batch is sent to
 * the node and waits there.
 */
static int
give(struct growing *g, size_t rank, size_t b, struct hp_err *e)
{
	if (batch_is_read(g->run, rank))
		return begin_sort(g, rank, b, e);
	g->worker[rank].queued = b;
	g->worker[rank].sent = false;
	batches_send(&g->speeds, rank, g->batch[b].records, clock_wall_s());
	return issue(g, true, rank, b, e);
}

/* Gives the idle node a batch of a slow node, if that saves time. */
static int
move(struct growing *g, size_t to, struct hp_err *e)
{
	size_t b = moving_choose(g, to);

	if (b == NO_BATCH)
		return 0;
	moving_take(g, b);
	return give(g, to, b, e);
}

/*
 * Starts the next step of a node: sorts the batch that has arrived, and deals
 * the next batch to the node.
 */
static int
advance(struct growing *g, size_t rank, struct hp_err *e)
{
	struct worker *w = &g->worker[rank];
	uint64_t want;
	size_t b = w->queued;

	if (w->sorts == 0 && b != NO_BATCH && w->sent) {
		w->queued = NO_BATCH;
		if (begin_sort(g, rank, b, e) == -1)
			return -1;
	}
	/* A node that reads the input itself needs no batch in advance. */
	if (w->queued != NO_BATCH ||
	    (w->sorts > 0 && batch_is_read(g->run, rank)))
		return 0;
	/*
	 * In a probe, a batch of a slow node does not move, because it tells
	 * the node's speed.
	 */
	if (g->next == g->units.n)
		return w->sorts == 0 && !g->probe ? move(g, rank, e) : 0;
	want = batches_next(&g->speeds, rank, g->left, clock_wall_s());
	if (take(g, want, &b, e) == -1)
		return -1;
	return give(g, rank, b, e);
}

static int
advance_all(struct growing *g, struct hp_err *e)
{
	for (size_t i = 0; i < g->run->nodes; i++)
		if (advance(g, i, e) == -1)
			return -1;
	return 0;
}

/* Notes that a step has ended: batch b has arrived at its node, or is sorted.
 */
static int
note_end(struct growing *g, const struct step *step, size_t b, struct hp_err *e)
{
	size_t rank = (size_t)step->rank;
	struct worker *w = &g->worker[rank];

	/*
	 * With hosts, progress counts the bytes of each batch twice: for the
	 * transfer and for the sort.  A node that reads its batches has no
	 * transfers, so its sorts count twice.
	 */
	if (!g->probe)
		progress_batch(g->run,
		    g->batch[b].bytes *
			(g->run->remote && batch_is_read(g->run, rank) ? 2
								       : 1));
	if (strcmp(step->name, batch_send_name(g->probe)) == 0) {
		batches_sent(&g->speeds, rank, step->end_s);
		w->sent = w->sent || w->queued == b;
		return 0;
	}
	w->sorts--;
	w->sorting = w->sorting == b ? NO_BATCH : w->sorting;
	g->state[b] = BATCH_ENDED;
	batches_end(
	    &g->speeds, rank, g->batch[b].records, step->end_s - step->start_s);
	if (g->tap == NULL)
		return 0;
	w->spent = b;
	if (returned_check(g, b, e) == -1)
		return -1;
	returned_free(g);
	return 0;
}

static int
on_end(void *context, struct stage *s, size_t index, struct hp_err *e)
{
	struct growing *g = context;

	if (index != STAGE_TICK &&
	    note_end(g, s->step[index], g->of[index], e) == -1)
		return -1;
	/*
	 * When the whole input is dealt, every idle node may take a batch from
	 * another node. Also look for such batches from time to time: a step
	 * that takes too long does not end.
	 */
	if (g->next == g->units.n)
		return advance_all(g, e);
	return index == STAGE_TICK
	    ? 0
	    : advance(g, (size_t)s->step[index]->rank, e);
}

/*
 * Adds a step that an earlier process of this run has recorded in
 * batches.jsonl.
 */
static int
repeat(struct growing *g, const struct batch_step *x, struct hp_err *e)
{
	size_t b = (size_t)x->batch, rank = (size_t)x->of.rank;
	bool known = b < g->n;

	if (rank >= g->run->nodes || b > g->n ||
	    (b == g->n && g->next == g->units.n) ||
	    (b == g->n && take(g, x->of.records, &b, e) == -1) ||
	    g->batch[b].offset != x->of.offset ||
	    g->batch[b].bytes != x->of.bytes)
		return hp_fail(
		    e, HP_INPUT, "batches.jsonl: belongs to another run");
	if (known)
		moving_repeat(g, b, x);
	if (x->sends) {
		g->worker[rank].queued = b;
		g->worker[rank].sent = false;
	} else
		g->worker[rank].sorts++;
	return add_step(g, x->sends, rank, b, e);
}

static int
repeat_all(struct growing *g, struct hp_err *e)
{
	struct batch_steps l = { 0 };
	int rc = doc_batches_read("batches.jsonl", &l, e);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		rc = repeat(g, &l.v[i], e);
	batch_steps_fini(&l);
	return rc;
}

static uint64_t
first_size(const struct run *run, bool probe)
{
	uint64_t n = run->records / run->nodes / FIRST_PART;
	uint64_t least = (uint64_t)((double)run->records *
	    (probe ? PROBE_FIRST_BYTES : FIRST_BYTES) /
	    (double)run->input_bytes);

	n = n > least ? n : least;
	return n > 0 ? n : 1;
}

/*
 * Reads the units of the input.  A probe uses only the first ones.  If the
 * input is divided by key, units may be empty; these are left out.
 */
static int
read_units(struct growing *g, struct hp_err *e)
{
	uint64_t most = g->run->records / (g->probe ? PROBE_PART : 1);
	struct parts *u = &g->units;
	struct part_sums *sums = &g->sums;
	bool by_key = batches_return(g->run);
	size_t n = 0;

	if (doc_deal_read("units.jsonl", u, e) == -1 ||
	    (by_key && doc_sums_read("units.sums", 0, sums, e) == -1))
		return -1;
	if (by_key && sums->n != u->n)
		return hp_fail(
		    e, HP_INPUT, "units.sums: belongs to other units");
	for (size_t i = 0; i < u->n && (by_key || g->left < most); i++) {
		if (u->v[i].records == 0)
			continue;
		g->left += u->v[i].records;
		g->bytes += u->v[i].bytes;
		if (by_key)
			sums->v[n] = sums->v[i];
		u->v[n++] = u->v[i];
	}
	u->n = n;
	if (by_key && g->left != g->run->records)
		return hp_fail(
		    e, HP_INPUT, "units.jsonl: belongs to another input");
	return 0;
}

/*
 * Lets the last units be dealt first.  So the end of the divided input is free
 * first, and is cut off.
 */
static void
turn_units(struct growing *g)
{
	struct parts *u = &g->units;

	for (size_t i = 0, j = u->n; i + 1 < j; i++) {
		struct part unit = u->v[--j];
		struct part_sum sum = g->sums.v[j];

		u->v[j] = u->v[i];
		u->v[i] = unit;
		g->sums.v[j] = g->sums.v[i];
		g->sums.v[i] = sum;
	}
}

int
growing_init(struct growing *g, struct run *run, bool probe, struct hp_err *e)
{
	*g = (struct growing){ .run = run, .probe = probe };
	stage_init(&g->stage);
	if (read_units(g, e) == -1)
		return -1;
	g->worker = calloc(run->nodes, sizeof *g->worker);
	if (batches_return(run))
		g->tap = calloc(g->units.n + 1, sizeof *g->tap);
	if (g->worker == NULL || (batches_return(run) && g->tap == NULL))
		return hp_fail_errno(e, HP_NOMEM, "batches");
	if (g->tap != NULL) {
		if (returned_take(g, e) == -1)
			return -1;
		turn_units(g);
	}
	if (batches_init(&g->speeds, run->nodes, g->left,
		first_size(run, probe), e) == -1)
		return -1;
	for (size_t i = 0; i < run->nodes; i++)
		g->worker[i] = (struct worker){ .sorting = NO_BATCH,
			.queued = NO_BATCH,
			.spent = NO_BATCH };
	if (!run->resumed)
		unlink("batches.jsonl");
	g->log = fopen("batches.jsonl", "a+e");
	if (g->log == NULL || io_whole_lines(fileno(g->log)) == -1)
		return hp_fail_errno(e, HP_IO, "batches.jsonl");
	return repeat_all(g, e);
}

int
growing_run(struct growing *g, struct hp_err *e)
{
	int rc;

	g->stage.grow = on_end;
	g->stage.context = g;
	/*
	 * Limits the number of steps: each batch is sent, sorted, and perhaps
	 * moved to another node.
	 */
	g->stage.growth = 4 * g->units.n;
	if (advance_all(g, e) == -1)
		return -1;
	rc = run_and_keep(g->run, &g->stage, e);
	if (rc == 0 && g->run->o.keep != NULL &&
	    fdatasync(fileno(g->log)) == -1)
		rc = hp_fail_errno(e, HP_IO, "batches.jsonl");
	return rc;
}

int
growing_write(const struct growing *g, struct hp_err *e)
{
	struct file_out f;
	int rc = 0;

	if (file_begin(&f, "deal.jsonl", e) == -1)
		return -1;
	for (size_t i = 0; rc == 0 && i < g->n; i++)
		rc = doc_extent_write(f.file, &g->batch[i], e);
	return file_end(&f, rc, e);
}

double *
growing_seconds(const struct growing *g, uint64_t records, struct hp_err *e)
{
	size_t n = g->run->nodes;
	double *seconds = calloc(n, sizeof *seconds), now_s = clock_wall_s();
	/*
	 * transfers of a record after the batches: to the node that merges it,
	 * and without --leave also to the launcher
	 */
	unsigned moves = g->run->o.leave == NULL ? 2 : 1;

	if (seconds == NULL) {
		hp_fail_errno(e, HP_NOMEM, "batches");
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		seconds[i] = g->probe
		    ? (double)records / batches_mean_speed(&g->speeds, i, now_s)
		    : batches_later_s(&g->speeds, i, records, moves, now_s);
	return seconds;
}

void
growing_fini(struct growing *g)
{
	stage_fini(&g->stage);
	batches_fini(&g->speeds);
	parts_fini(&g->units);
	for (size_t i = 0; g->tap != NULL && i < g->n; i++)
		checktap_fini(&g->tap[i]);
	free(g->tap);
	part_sums_fini(&g->sums);
	free(g->sent);
	free(g->worker);
	free(g->batch);
	free(g->state);
	free(g->of);
	if (g->log != NULL)
		fclose(g->log);
	*g = (struct growing){ 0 };
}
