#include <stdatomic.h>
#include <stdlib.h>

#include "base/io.h"
#include "base/team.h"
#include "run/divide.h"
#include "run/merge.h"
#include "run/probe.h"

enum {
	/*
	 * Number of parts per thread. Parts take unequal time, and several
	 * small ones keep all threads busy to the end.
	 */
	PARTS = 4,
	/*
	 * Minimum size of a part in bytes: smaller parts cost more than they
	 * save.
	 */
	PART_LEAST = 1 << 22,
	/*
	 * Size in bytes of a part that is written in turn. On a disk, each cut
	 * costs several seeks. In the page cache, it costs only a few reads,
	 * and small parts have buffers that stay in the processor's cache. Such
	 * a part has PART_OF_RUN bytes of each run, on average.
	 */
	PART_IN_TURN = 1 << 24,
	PART_OF_RUN = 1 << 19,
	PARTS_MOST = 1 << 11,
	/*
	 * Maximum number of cuts. Each part needs one cut in each run, and each
	 * cut takes several reads.
	 */
	CUTS_MOST = 1 << 14,
	/*
	 * Maximum size in bytes of a read buffer. A larger buffer would not
	 * make reading faster.
	 */
	BUFFER_MOST = 1 << 18,
	/*
	 * Maximum size in bytes of a read buffer if the file is read through
	 * the page cache. The buffer should stay in an L2 cache of the
	 * processor.
	 */
	BUFFER_CACHED = 1 << 16,
	/*
	 * Maximum size in bytes of the output buffer if the output goes through
	 * the page cache. A thread fills its buffer while another thread
	 * writes.
	 */
	BUFFER_OUT = 1 << 19,
	/*
	 * Maximum size in bytes of the output buffer if the page cache is
	 * bypassed: disks are faster with large writes.
	 */
	BUFFER_DISK = 1 << 22,
	OUT = 16 /* the output buffer gets at least 1/16 of a thread's memory */
};

struct division {
	struct cuts cuts;
	struct output *to;
	off_t start;
	/*
	 * [parts + 1]: offset of each part in the output. NULL if the offsets
	 * are not known in advance, so that the parts must be written in turn.
	 */
	uint64_t *place;
	/* size in bytes of a read buffer, and size of an output buffer */
	size_t in, out;
	struct room room; /* growth of the buffers of all threads */
	_Atomic bool full;
	struct merging *merging; /* one per thread */
	_Atomic size_t next;
};

/*
 * Returns 1 if the last line of the run lacks the delimiter, which the merge
 * will add. Returns 0 if the delimiter is present, and -1 on an error.
 */
static int
lacks_delimiter(const struct cuts *c, size_t i, struct hp_err *e)
{
	const struct extent_run *r = &c->run[i];
	const struct format *f = &c->view->order->format;
	unsigned char last;

	if (scan_delim(f) == 0 || r->bytes == 0 || r->tape != NULL)
		return 0;
	if (io_pread(r->fd, &last, 1, (off_t)(r->off + r->bytes) - 1) != 1)
		return hp_fail_errno(e, HP_IO, "%s", r->name);
	return scan_is_cut(f, &last, &last + 1);
}

static int
find_places(struct division *d, struct hp_err *e)
{
	const struct cuts *c = &d->cuts;
	size_t p;
	int more;

	if ((d->place = calloc(c->parts + 1, sizeof *d->place)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu runs", c->n);
	for (size_t k = 0; k < c->parts * c->n; k++)
		d->place[k / c->n + 1] += c->at[k + c->n] - c->at[k];
	for (size_t i = 0; i < c->n; i++) {
		if ((more = lacks_delimiter(c, i, e)) == -1)
			return -1;
		/*
		 * The last line of input run i lacks its newline (or other
		 * delimiter), and the merge adds it to the output. So the
		 * output of the part that contains this line is one byte longer
		 * than the input of that part.
		 */
		for (p = c->parts; more == 1 && p > 0; p--)
			if (c->at[(p - 1) * c->n + i] < c->run[i].bytes) {
				d->place[p]++;
				break;
			}
	}
	for (p = 1; p <= c->parts; p++)
		d->place[p] += d->place[p - 1];
	return 0;
}

/* The state of one thread, reused for all its parts. */
struct merging {
	struct source *source; /* one per run */
	struct merge_out sink;
	struct hp_err err;
};

static int
merging_init(struct merging *m, struct division *d, struct hp_err *e)
{
	const struct cuts *c = &d->cuts;
	size_t buffer;

	if ((m->source = calloc(c->n, sizeof *m->source)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge");
	for (size_t i = 0; i < c->n; i++) {
		buffer = d->in < BUFFER_MOST ? d->in : BUFFER_MOST;
		if (c->run[i].tape == NULL && buffer > BUFFER_CACHED)
			buffer = BUFFER_CACHED;
		if (probe_open(c, i, 0, 0, buffer, &m->source[i], e) == -1)
			return -1;
		m->source[i].room = &d->room;
		d->room.left -= (int64_t)room_for(c->view, buffer);
	}
	return outbuf_init(&m->sink.out, d->to, d->out, e);
}

static void
merging_fini(struct merging *m, const struct division *d)
{
	for (size_t i = 0; m->source != NULL && i < d->cuts.n; i++)
		source_close(&m->source[i]);
	free(m->source);
	merge_out_fini(&m->sink);
}

static int
merge_part(struct division *d, size_t p, struct merging *m, struct hp_err *e)
{
	const struct cuts *c = &d->cuts;
	const uint64_t *from = &c->at[p * c->n], *to = from + c->n;
	int rc;

	for (size_t i = 0; i < c->n; i++)
		source_move(
		    &m->source[i], c->run[i].off + from[i], to[i] - from[i]);
	if (d->place == NULL)
		outbuf_start_in_turn(&m->sink.out, p);
	else
		outbuf_start(&m->sink.out, d->start + (off_t)d->place[p]);
	if ((rc = merge(c->view, m->source, c->n, &m->sink, e)) != 0) {
		d->full |= rc == MERGE_FULL;
		return -1;
	}
	for (size_t i = 0; i < c->n; i++)
		if (!cuts_hold(c, p, &m->source[i]))
			return hp_fail(
			    e, HP_INPUT, "%s: not sorted", c->run[i].name);
	if (d->place != NULL &&
	    m->sink.out.bytes != d->place[p + 1] - d->place[p])
		return hp_fail(
		    e, HP_INPUT, "an input changed while it was read");
	return outbuf_end(&m->sink.out);
}

static int
merge_worker(void *ctx, unsigned w)
{
	struct division *d = ctx;
	struct merging *m = &d->merging[w];
	size_t p;
	int rc = merging_init(m, d, &m->err);

	while (rc == 0 && (p = atomic_fetch_add(&d->next, 1)) < d->cuts.parts)
		rc = merge_part(d, p, m, &m->err);
	if (rc == -1) {
		d->next = d->cuts.parts; /* tell the other threads to stop */
		output_fail(d->to);
	}
	merging_fini(m, d);
	return rc;
}

/*
 * Returns the size of a part that is written in turn, as to a pipe. `out` is
 * the size of the output buffer, where the part waits for its turn.
 */
static uint64_t
part_in_turn(const struct extent_run *run, size_t n, size_t out)
{
	uint64_t part = 2 * out > PART_LEAST ? 2 * out : PART_LEAST;
	bool cached = true;

	for (size_t i = 0; i < n; i++)
		cached = cached && run[i].cached;
	if (cached)
		part = n * PART_OF_RUN;
	return part < PART_IN_TURN ? part : PART_IN_TURN;
}

/*
 * Returns the number of parts. If parts have known offsets in the output, a few
 * parts per thread keep all threads busy to the end. If they are written in
 * turn, there are more parts, because each waits in memory.
 */
static size_t
count_parts(const struct division *d, const struct extent_run *run, size_t n,
    unsigned workers, bool in_turn)
{
	size_t most = workers * PARTS, many = CUTS_MOST / n, parts;
	uint64_t total = 0, part = PART_LEAST;

	for (size_t i = 0; i < n; i++)
		total += run[i].bytes;
	if (in_turn) {
		part = part_in_turn(run, n, d->out);
		many = many < PARTS_MOST ? many : PARTS_MOST;
		most = most > many ? most : many;
	}
	parts = (size_t)(total / part) + 1;
	return parts < most ? parts : most;
}

static int
merge_parts(struct division *d, unsigned threads, struct merged *count,
    struct hp_err *e)
{
	unsigned workers = threads + TEAM_SPARE;

	if ((d->merging = calloc(workers, sizeof *d->merging)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge");
	d->to->turn = 0;
	if (team_run_spare(threads, merge_worker, d, e) == 0) {
		for (unsigned i = 0; i < workers; i++)
			merged_add(count, &d->merging[i].sink.count);
		return 0;
	}
	for (unsigned i = 0; i < workers && e->kind == HP_NONE; i++)
		*e = d->merging[i].err;
	return d->full && (e->kind == HP_NONE || e->kind == HP_INPUT)
	    ? MERGE_FULL
	    : -1;
}

int
merge_divided(const struct view *v, struct store *store,
    const struct extent_run *run, size_t n, unsigned threads, uint64_t memory,
    struct output *to, struct merged *count, struct hp_err *e)
{
	unsigned workers = threads + TEAM_SPARE;
	bool in_turn = !to->seekable || v->order->unique;
	struct division d = { .to = to, .start = to->at };
	size_t most;
	int rc;

	d.in = d.out = (size_t)(memory / workers / (n + 2));
	most = to->tape != NULL ? BUFFER_MOST
	    : to->uncached.on	? BUFFER_DISK
				: BUFFER_OUT;
	/*
	 * With many runs, all buffers would be small. The output buffer still
	 * gets at least 1/16 of a thread's memory.
	 */
	if (d.out < memory / workers / OUT) {
		d.out = (size_t)(memory / workers / OUT);
		d.in -= d.out / (n + 1);
	}
	d.out = d.out < most ? d.out : most;
	if (in_turn) {
		d.in /= 2;
		d.out = (size_t)(memory / workers / 2);
	}
	d.in = (size_t)room_buffer(v, d.in);
	rc = cuts_find(&d.cuts, v, store, run, n,
	    count_parts(&d, run, n, workers, in_turn), threads, memory, e);
	if (rc == 0 && !in_turn)
		rc = find_places(&d, e);
	/*
	 * Parts differ in size. A buffer of twice the mean size is large enough
	 * for most parts.
	 */
	if (d.out > d.cuts.total / d.cuts.parts * 2)
		d.out = (size_t)(d.cuts.total / d.cuts.parts * 2);
	d.room.left = (int64_t)(memory - workers * d.out);
	if (rc == 0)
		rc = merge_parts(&d, threads, count, e);
	if (rc == 0 && !in_turn)
		to->at += (off_t)d.place[d.cuts.parts];
	free(d.place);
	free(d.merging);
	cuts_fini(&d.cuts);
	return rc;
}
