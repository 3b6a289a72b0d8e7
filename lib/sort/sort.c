#include <string.h>

#include "base/clock.h"
#include "base/io.h"
#include "bucket/buckets.h"
#include "input/ahead.h"
#include "input/budget.h"
#include "numbers/numbers.h"
#include "record/stream.h"
#include "run/merge.h"
#include "run/runs.h"
#include "sort/presorted.h"
#include "sort/sort.h"

static void
start_runs(struct runs *r, const struct view *v, const struct sort_job *j,
    struct budget *g)
{
	budget_init(g, sort_memory(j), j->threads);
	runs_init(r, v, &j->tmp, j->codec, j->program, g->memory, j->batch);
	budget_spill(g, store_memory(&r->store));
	r->memory = g->memory;
	r->threads = g->threads;
	r->way = j->way;
	r->progress = j->progress;
}

/* What temporary files and the output are going to take, where that is known:
 * compressed or without what is equal it may be much less. */
static void
expect_bytes(struct store *s, const struct sort_job *j, uint64_t total)
{
	if (j->order->unique)
		return;
	s->tmp.output_need = total;
	if (j->codec == CODEC_NONE && j->program == NULL)
		s->need = total;
}

static void
tell(struct sort_stats *s, const struct runs *r, const struct merged *m)
{
	if (r->view->order->sum_dropped)
		dropped_add(&s->dropped,
		    &(struct dropped){ m->repeats, m->repeated, m->checksum });
	s->passes = r->passes;
	s->moved = r->moved;
	s->spilled = r->store.spilled;
	s->stored = r->store.stored;
}

/* What the batches of a sort go through. */
struct sorter {
	struct input in;
	struct presorted presorted;
	struct batch *batch; /* the engine's */
	struct runs runs;
	struct view view;
};

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
	/* Not to disturb what measures the disk, nor one that is slow. */
	if (store_is_fast(&r->store))
		ahead_start(&ahead, &t->in);
	rc = presorted_write(&t->presorted, t->batch, &out, records, e);
	ahead_end(&ahead);
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
	rc = presorted_write(&t->presorted, t->batch, &out, records, e);
	return output_close(&out, e) == -1 ? -1 : rc;
}

/* Batch after batch: the only one to the output, else all to runs. */
static int
sort_batches(struct sorter *t, int fd, const char *name, double start,
    struct sort_stats *s, struct hp_err *e)
{
	struct batch *b = t->batch;
	double now;
	int more;

	do {
		more = presorted_read(&t->presorted, b, &t->in, e);
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

/* All of the input into batches, and the runs that these become into the
 * output. */
static int
sort_and_merge(struct sorter *t, const struct sort_job *j,
    const struct budget *g, int fd, const char *name, struct sort_stats *s,
    struct hp_err *e)
{
	const struct order *o = j->order;
	struct merged count = { 0 };
	double start = clock_now_s();
	int rc = 0;

	t->batch = (o->format.kind == FORMAT_NUMBER
		? numbers_new
		: buckets_new)(o, &t->in, g, e);
	if (t->batch == NULL || sort_batches(t, fd, name, start, s, e) == -1)
		return -1;
	dropped_add(&s->dropped, &t->batch->dropped);
	/* The memory of the batches goes to the merge. */
	end_batches(t);
	s->runs = t->runs.n;
	start = clock_now_s();
	if (t->runs.n > 0) {
		rc = runs_merge(&t->runs, fd, name, &count, e);
		s->written = count.records - count.repeats;
	}
	s->merge_s = clock_now_s() - start;
	tell(s, &t->runs, &count);
	return rc;
}

/* header: of each file; that of the first file was written. */
static int
sort_below(const struct sort_job *j, struct header *header, int fd,
    const char *name, struct sort_stats *s, struct hp_err *e)
{
	struct extent extent = { j->extent_off, j->extent_bytes };
	bool numbers = j->order->format.kind == FORMAT_NUMBER;
	struct budget g;
	struct sorter t = { .in.fd = -1 };
	double start;
	int rc = -1;

	view_init(&t.view, j->order);
	start_runs(&t.runs, &t.view, j, &g);
	if (presorted_init(&t.presorted, j->order, &t.view, &g, e) == -1 ||
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
	    : presorted_copy(&t.presorted, j, &t.in, header, fd, name, s, e);
	if (rc == 0)
		rc = sort_and_merge(&t, j, &g, fd, name, s, e);
	else {
		s->sort_s = clock_now_s() - start;
		rc = rc == 1 ? 0 : -1;
	}
out:
	end_batches(&t);
	presorted_fini(&t.presorted);
	runs_fini(&t.runs);
	return rc;
}

/* The i-th file becomes a run.  The first one is open behind its header, and
 * stays so if it cannot be opened again. */
static int
add_file(struct runs *r, const struct sort_job *j, size_t i, struct hp_err *e)
{
	const char *file = j->nfiles == 0 ? "-" : j->file[i];
	int fd = -1;

	if (j->part != NULL)
		return runs_add_extent(
		    r, file, j->part[i].off, j->part[i].bytes, e);
	if (i == 0 && r->header != NULL &&
	    (strcmp(file, "-") == 0 || feed_is(file, -1)))
		fd = r->header->fd;
	return runs_add_file(r, file, fd, fd == -1, e);
}

static int
merge_below(const struct sort_job *j, struct header *header, int fd,
    const char *name, struct sort_stats *s, struct hp_err *e)
{
	struct budget g;
	double start = clock_now_s();
	struct merged count = { 0 };
	struct runs r;
	struct view v;
	int rc = 0;

	view_init(&v, j->order);
	start_runs(&r, &v, j, &g);
	r.header = header;
	for (size_t i = 0; rc == 0 && (i == 0 || i < j->nfiles); i++)
		rc = add_file(&r, j, i, e);
	if (rc == 0)
		rc = runs_merge(&r, fd, name, &count, e);
	s->records = count.records;
	s->bytes = count.bytes;
	s->written = count.records - count.repeats;
	s->merge_s = clock_now_s() - start;
	tell(s, &r, &count);
	runs_fini(&r);
	return rc;
}

typedef int way(const struct sort_job *, struct header *, int fd,
    const char *name, struct sort_stats *, struct hp_err *);

/*
 * Writes the first header there is.  Files in front of it are empty, and leave
 * the job: a FIFO cannot be opened again.
 */
static int
write_header(struct sort_job *j, struct header *h, int fd, const char *name,
    struct hp_err *e)
{
	const char *file = j->nfiles > 0 ? j->file[0] : "-";

	while (header_take(h, file, fd, name, e) == 0) {
		if (h->first.bytes > 0 || j->nfiles < 2)
			return 0;
		io_close(h->fd);
		h->fd = -1;
		j->nfiles--;
		file = *++j->file;
	}
	return -1;
}

static int
below_header(way *rest, const struct sort_job *job, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	struct sort_job j = *job;
	struct header h = {
		.format = &j.order->format, .n = j.header, .fd = -1
	};
	int rc;

	*s = (struct sort_stats){ 0 };
	if (j.header == 0)
		return rest(&j, NULL, fd, name, s, e);
	if (write_header(&j, &h, fd, name, e) == -1)
		return -1;
	rc = rest(&j, &h, fd, name, s, e);
	io_close(h.fd);
	h.fd = -1;
	s->header = h;
	return rc;
}

int
sort_files(const struct sort_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	return below_header(sort_below, j, fd, name, s, e);
}

int
sort_merge(const struct sort_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	return below_header(merge_below, j, fd, name, s, e);
}
