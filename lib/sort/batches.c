#include <inttypes.h>

#include "base/clock.h"
#include "bucket/buckets.h"
#include "input/ahead.h"
#include "numbers/numbers.h"
#include "sort/batches.h"
#include "sort/ordered.h"

/*
 * Tells the store of temporary files how many bytes they and the output will
 * take, if this is known. It is unknown with -u or compression.
 */
static void
expect_bytes(struct store *s, const struct sort_job *j, uint64_t total)
{
	if (j->order->unique)
		return;
	s->tmp.output_need = total;
	if (j->codec == CODEC_NONE && j->program == NULL)
		s->need = total;
}

/* The state of a sort, which its batches share. */
struct sorter {
	struct input in;
	struct ordered ordered;
	struct batch *batch; /* made by the engine */
	struct runs runs;
	struct view view;
};

/*
 * Fails unless the engine has written all bytes of the batch. Without this
 * check, incomplete output of a defective engine would pass as a result. With
 * -u, the number of bytes is not known, so nothing is checked.
 */
static int
check_written(
    const struct sorter *t, const struct output *out, struct hp_err *e)
{
	uint64_t n = (uint64_t)(out->at - out->start);

	if (t->view.order->unique || n == t->batch->bytes)
		return 0;
	return hp_fail(e, HP_IO,
	    "internal error: %" PRIu64 " of %" PRIu64
	    " bytes were written: please report this",
	    n, t->batch->bytes);
}

static int
spill(struct sorter *t, uint64_t *records, struct hp_err *e)
{
	struct runs *r = &t->runs;
	struct tape tape = { 0 };
	struct ahead ahead = { 0 };
	struct output out;
	int rc;

	if (output_to_tape(&out, &r->store, &tape, e) == -1)
		return -1;
	out.progress = r->progress;
	/*
	 * Read ahead only if the disk is known to be fast. On a slow disk,
	 * reading ahead would slow down writing.
	 */
	if (store_is_fast(&r->store))
		ahead_start(&ahead, &t->in);
	rc = ordered_write(&t->ordered, t->batch, &out, records, e);
	ahead_end(&ahead);
	if (rc == 0)
		rc = check_written(t, &out, e);
	if (output_close(&out, e) == 0 && rc == 0 &&
	    runs_add_tape(r, &tape, e) == 0)
		return 0;
	tape_fini(&tape);
	return -1;
}

static int
write_all(struct sorter *t, int fd, const char *name, uint64_t *records,
    struct hp_err *e)
{
	struct output out;
	int rc;

	output_init(&out, fd, name);
	out.progress = t->runs.progress;
	rc = ordered_write(&t->ordered, t->batch, &out, records, e);
	if (rc == 0)
		rc = check_written(t, &out, e);
	return output_close(&out, e) == -1 ? -1 : rc;
}

/*
 * Sorts all batches. A single batch is written to the output. If there are
 * more, each is written to a temporary file as a sorted run.
 */
static int
sort_batches(struct sorter *t, int fd, const char *name, double start,
    struct sort_stats *s, struct hp_err *e)
{
	struct batch *b = t->batch;
	double now;
	int more;

	do {
		more = ordered_read(&t->ordered, b, &t->in, e);
		if (more == -1)
			return -1;
		now = clock_now_s();
		s->read_s += now - start;
		start = now;
		s->records += b->records;
		s->bytes += b->bytes;
		t->runs.longest = b->longest;
		if (more == 0 && t->runs.n == 0) {
			if (write_all(t, fd, name, &s->written, e) == -1)
				return -1;
		} else if (b->records > 0 && spill(t, &s->written, e) == -1)
			return -1;
		now = clock_now_s();
		s->sort_s += now - start;
		start = now;
	} while (more == 1);
	return 0;
}

static void
end_batches(struct sorter *t)
{
	batch_fini(t->batch);
	t->batch = NULL;
	input_close(&t->in);
}

/*
 * Sorts the whole input in batches, and merges the sorted runs if there is more
 * than one batch.
 */
static int
sort_and_merge(struct sorter *t, const struct sort_job *j,
    const struct budget *g, int fd, const char *name, struct sort_stats *s,
    struct hp_err *e)
{
	struct merged count = { 0 };
	double start = clock_now_s();
	int rc = 0;

	t->batch = (t->view.kind == VIEW_NUMBER ? numbers_new : buckets_new)(
	    j->order, &t->in, g, e);
	if (t->batch == NULL || sort_batches(t, fd, name, start, s, e) == -1)
		return -1;
	dropped_add(&s->dropped, &t->batch->dropped);
	/* Free the memory of the batches, because the merge needs it. */
	end_batches(t);
	s->runs = t->runs.n;
	start = clock_now_s();
	if (t->runs.n > 0) {
		rc = runs_merge(&t->runs, fd, name, &count, e);
		s->written = count.records - count.repeats;
	}
	s->merge_s = clock_now_s() - start;
	job_tell(s, &t->runs, &count);
	return rc;
}

int
batches_sort(const struct sort_job *j, struct header *header, int fd,
    const char *name, struct sort_stats *s, struct hp_err *e)
{
	struct input_range extent = { j->extent_off, j->extent_bytes };
	bool numbers;
	struct budget g;
	struct sorter t = { .in.fd = -1 };
	double start;
	int rc = -1;

	view_init(&t.view, j->order);
	numbers = t.view.kind == VIEW_NUMBER;
	job_runs(j, &t.view, &t.runs, &g);
	if (ordered_init(&t.ordered, j->order, &t.view, &g, e) == -1 ||
	    input_open(&t.in, &j->order->format, j->file, j->nfiles, header,
		&extent, budget_mapped(&g, numbers), fd, e) == -1)
		goto out;
	expect_bytes(&t.runs.store, j, t.in.total);
	if (tmp_output_fits(&t.runs.store.tmp, fd, e) == -1)
		goto out;
	t.in.progress = j->progress;
	if (j->progress != NULL)
		j->progress->total = t.in.total;
	start = clock_now_s();
	rc = t.in.total == 0
	    ? 0
	    : ordered_copy(&t.ordered, j, &t.in, header, fd, name, s, e);
	if (rc == 0)
		rc = sort_and_merge(&t, j, &g, fd, name, s, e);
	else {
		s->sort_s = clock_now_s() - start;
		rc = rc == 1 ? 0 : -1;
	}
out:
	end_batches(&t);
	ordered_fini(&t.ordered);
	runs_fini(&t.runs);
	return rc;
}
