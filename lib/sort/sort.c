#include <string.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/size.h"
#include "base/team.h"
#include "bucket/buckets.h"
#include "input/ahead.h"
#include "numbers/numbers.h"
#include "record/stream.h"
#include "run/merge.h"
#include "run/runs.h"
#include "sort/presorted.h"
#include "sort/sort.h"

enum {
	PROCESS = 4 << 20, /* what the program takes without any data */
	THREAD = 1 << 18,  /* and each thread: a stack, what malloc keeps */
	SMALL = 128 << 20,
	LEAST = 2 << 20,
	SHARE = 1 << 20 /* of a thread's part, for each of the threads */
};

/* What is left of the memory for the data with so many threads. */
static uint64_t
memory_beside(uint64_t all, unsigned threads)
{
	uint64_t taken = PROCESS + (uint64_t)threads * THREAD;

	return all > taken + LEAST ? all - taken : LEAST;
}

/* No more threads than there is memory for: each has a list of its own of all
 * that the others have one of, with a chunk that is not full. */
static uint64_t
memory_for_data(const struct sort_job *j, unsigned *threads)
{
	uint64_t all = sort_memory(j);
	uint64_t m = memory_beside(all, *threads);

	for (; *threads > 1 && m / *threads < (uint64_t)*threads * SHARE;
	     m = memory_beside(all, *threads))
		--*threads;
	return m;
}

/* Writing to temporary files takes memory, too: of more than half of it, fewer
 * threads. */
static void
start_runs(struct runs *r, const struct view *v, const struct sort_job *j,
    unsigned *threads, uint64_t *memory)
{
	uint64_t each;

	runs_init(r, v, &j->tmp, j->codec, j->program, *memory, j->batch);
	each = store_memory(&r->store);
	while (*threads > 1 && (*threads + TEAM_SPARE) * each > *memory / 2)
		--*threads;
	*memory -= (*threads + TEAM_SPARE) * each;
	r->memory = *memory;
	r->threads = *threads;
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

/*
 * How much input is mapped: what leaves room for the entries.  Numbers only
 * pass through; but then large pages of a file stay longer than is known here,
 * which a small budget cannot bear.
 */
static uint64_t
map_most(const struct order *o, uint64_t memory)
{
	if (o->format.kind == FORMAT_NUMBER && memory < SMALL)
		return 0;
	return memory / 4 * 3;
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
sort_and_merge(struct sorter *t, const struct sort_job *j, unsigned threads,
    uint64_t memory, int fd, const char *name, struct sort_stats *s,
    struct hp_err *e)
{
	const struct order *o = j->order;
	struct merged count = { 0 };
	double start = clock_now_s();
	int rc = 0;

	t->batch = (o->format.kind == FORMAT_NUMBER
		? numbers_new
		: buckets_new)(o, &t->in, threads, memory, e);
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
	unsigned threads = j->threads;
	uint64_t memory = memory_for_data(j, &threads);
	struct sorter t = { .in.fd = -1 };
	double start;
	int rc = -1;

	view_init(&t.view, j->order);
	start_runs(&t.runs, &t.view, j, &threads, &memory);
	if (presorted_init(
		&t.presorted, j->order, &t.view, threads, memory, e) == -1 ||
	    input_open(&t.in, &j->order->format, j->file, j->nfiles, header,
		&extent, map_most(j->order, memory), fd, e) == -1)
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
		rc = sort_and_merge(&t, j, threads, memory, fd, name, s, e);
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
	unsigned threads = j->threads;
	uint64_t memory = memory_for_data(j, &threads);
	double start = clock_now_s();
	struct merged count = { 0 };
	struct runs r;
	struct view v;
	int rc = 0;

	view_init(&v, j->order);
	start_runs(&r, &v, j, &threads, &memory);
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
