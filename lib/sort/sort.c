#include "base/clock.h"
#include "base/io.h"
#include "base/size.h"
#include "base/team.h"
#include "record/stream.h"
#include "run/merge.h"
#include "run/runs.h"
#include "sort/ahead.h"
#include "sort/batch.h"
#include "sort/header.h"
#include "sort/numbers.h"
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

/* What fits into memory at once, of numbers or of other records. */
struct some {
	struct input *in;
	bool numbers;
	struct numbers n;
	struct batch b;
	uint64_t records, bytes; /* in it */
};

static int
some_init(struct some *s, const struct order *o, struct input *in,
    unsigned threads, uint64_t memory, struct hp_err *e)
{
	s->in = in;
	s->numbers = o->format.kind == FORMAT_NUMBER;
	return s->numbers ? numbers_init(&s->n, o, in, threads, memory, e)
			  : batch_init(&s->b, o, in, threads, memory, e);
}

static void
some_fini(struct some *s)
{
	numbers_fini(&s->n);
	batch_fini(&s->b);
}

static int
some_read(struct some *s, struct hp_err *e)
{
	int rc = s->numbers ? numbers_read(&s->n, e) : batch_read(&s->b, e);

	s->records = s->numbers ? s->n.records : s->b.records;
	s->bytes = s->numbers ? s->n.bytes : s->b.bytes;
	return rc;
}

static int
some_write(
    struct some *s, struct output *out, uint64_t *records, struct hp_err *e)
{
	return s->numbers ? numbers_write(&s->n, out, records, e)
			  : batch_write(&s->b, out, records, e);
}

static int
spill(struct some *b, struct runs *r, uint64_t *records, struct hp_err *e)
{
	struct tape t = { 0 };
	struct ahead ahead = { 0 };
	struct output out;
	int rc;

	if (output_to_tape(&out, &r->store, &t, e) == -1)
		return -1;
	out.progress = r->progress;
	/* Not to disturb what measures the disk, nor one that is slow. */
	if (store_is_fast(&r->store))
		ahead_start(&ahead, b->in);
	rc = some_write(b, &out, records, e);
	ahead_end(&ahead);
	if (output_close(&out, e) == 0 && rc == 0 &&
	    runs_add_tape(r, &t, e) == 0)
		return 0;
	tape_fini(&t);
	return -1;
}

static int
write_all(struct some *b, const struct runs *r, int fd, const char *name,
    uint64_t *records, struct hp_err *e)
{
	struct output out;
	int rc;

	output_init(&out, fd, name);
	out.progress = r->progress;
	rc = some_write(b, &out, records, e);
	return output_close(&out, e) == -1 ? -1 : rc;
}

/* Batch after batch: the only one to the output, else all to runs. */
static int
sort_batches(struct some *b, struct runs *r, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	double start = clock_now_s(), now;
	int more;

	do {
		if ((more = some_read(b, e)) == -1)
			return -1;
		now = clock_now_s();
		s->read_s += now - start;
		start = now;
		s->records += b->records;
		s->bytes += b->bytes;
		r->longest = b->b.longest;
		if (more == 0 && r->n == 0) {
			if (write_all(b, r, fd, name, &s->written, e) == -1)
				return -1;
		} else if (b->records > 0 && spill(b, r, &s->written, e) == -1)
			return -1;
		now = clock_now_s();
		s->sort_s += now - start;
		start = now;
	} while (more == 1);
	return 0;
}

/* first: the first file if it is open already, or -1. */
static int
sort_from(const struct sort_job *j, int first, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	struct extent extent = { j->extent_off, j->extent_bytes };
	unsigned threads = j->threads;
	uint64_t memory = memory_for_data(j, &threads);
	struct input in;
	struct some b = { 0 };
	struct runs r = { 0 };
	struct merged count = { 0 };
	struct view v;
	double start;
	int rc = -1;

	view_init(&v, j->order);
	start_runs(&r, &v, j, &threads, &memory);
	if (input_open(&in, &j->order->format, j->file, j->nfiles, first,
		&extent, map_most(j->order, memory), fd, e) == -1)
		goto out;
	expect_bytes(&r.store, j, in.total);
	if (tmp_output_fits(&r.store.tmp, fd, e) == -1)
		goto out;
	in.progress = j->progress;
	if (j->progress != NULL)
		j->progress->total = in.total;
	start = clock_now_s();
	if (in.total > 0 &&
	    (rc = presorted_copy(
		 j, &v, &in, first, threads, memory, fd, name, s, e)) != 0) {
		s->sort_s = clock_now_s() - start;
		rc = rc == 1 ? 0 : -1;
		goto out;
	}
	rc = -1;
	if (some_init(&b, j->order, &in, threads, memory, e) == -1 ||
	    sort_batches(&b, &r, fd, name, s, e) == -1)
		goto out;
	dropped_add(&s->dropped, &b.n.dropped);
	dropped_add(&s->dropped, &b.b.dropped);
	/* The memory of the batches goes to the merge. */
	some_fini(&b);
	input_close(&in);
	s->runs = r.n;
	start = clock_now_s();
	rc = r.n == 0 ? 0 : runs_merge(&r, fd, name, &count, e);
	if (r.n > 0)
		s->written = count.records - count.repeats;
	s->merge_s = clock_now_s() - start;
	tell(s, &r, &count);
out:
	some_fini(&b);
	input_close(&in);
	runs_fini(&r);
	return rc;
}

static int
merge_from(const struct sort_job *j, int first, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
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
	for (size_t i = 0; rc == 0 && i < j->nfiles; i++)
		rc = runs_add_file(&r, j->file[i], i == 0 ? first : -1, e);
	if (rc == 0 && j->nfiles == 0)
		rc = runs_add_file(&r, "-", -1, e);
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

typedef int way(const struct sort_job *, int first, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

/* The header goes first, the rest its way. */
static int
under_header(way *rest, const struct sort_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	const char *file = j->nfiles > 0 ? j->file[0] : "-";
	int first = -1, rc;

	*s = (struct sort_stats){ 0 };
	if (j->header > 0 &&
	    (first = header_take(
		 file, &j->order->format, j->header, fd, name, e)) == -1)
		return -1;
	rc = rest(j, first, fd, name, s, e);
	if (first != -1)
		io_close(first);
	return rc;
}

int
sort_files(const struct sort_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	return under_header(sort_from, j, fd, name, s, e);
}

int
sort_merge(const struct sort_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	return under_header(merge_from, j, fd, name, s, e);
}
