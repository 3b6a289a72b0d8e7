#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "bucket/emit.h"
#include "bucket/kind.h"
#include "bucket/loader.h"
#include "bucket/phase.h"
#include "bucket/segment.h"
#include "input/blocks.h"

enum {
	/*
	 * Small adjacent buckets are combined into one task for a thread, as
	 * long as their entries have at most this many bytes.
	 */
	TOGETHER = 1 << 17,
	/* maximum size in bytes of the records in one task */
	RECORDS_TOGETHER = 1 << 19
};

struct task {
	size_t from, to; /* range of buckets */
};

struct emission {
	struct buckets *buckets;
	struct output *out;
	struct task *task;
	/*
	 * `cap` is the maximum number of entries that a thread sorts at once.
	 */
	size_t ntasks, cap;
	size_t most; /* most buckets in a task */
	_Atomic size_t next;
	_Atomic uint64_t records;
	pthread_mutex_t lock; /* protects batch.dropped */
};

/* The state of one thread. */
struct emitter {
	struct emission *m;
	struct buckets *b;
	unsigned w;
	struct dropped dropped;
	struct loader loader;
	struct entry *x;
	unsigned char *buf;
	struct segment *segment;
	size_t ticket;
	/*
	 * offset in the output file of this thread's next write; -1: not known
	 * yet, because the output of earlier tasks is not complete
	 */
	off_t at;
	bool passed;
};

/* Divides the buckets into tasks. A task is one large bucket, or several small
 * adjacent buckets. */
static void
make_tasks(struct emission *m)
{
	struct buckets *b = m->buckets;
	size_t most = TOGETHER / sizeof(struct entry), held = 0, bytes = 0;

	/* A disk is faster with large writes. */
	most = most < b->leaf && m->out->tape == NULL ? most : b->leaf;
	for (size_t i = 0; i < b->nbuckets; i++) {
		size_t n = b->bucket[i].n;

		if (m->ntasks == 0 || held + n > most ||
		    bytes + b->bucket[i].bytes > RECORDS_TOGETHER) {
			m->task[m->ntasks++] = (struct task){ i, i };
			held = bytes = 0;
		}
		m->task[m->ntasks - 1].to = i + 1;
		if (i + 1 - m->task[m->ntasks - 1].from > m->most)
			m->most = i + 1 - m->task[m->ntasks - 1].from;
		held += n;
		bytes += b->bucket[i].bytes;
		if (held > m->cap)
			m->cap = held;
	}
	if (m->cap > b->leaf)
		m->cap = b->leaf;
}

/*
 * Writes n bytes at the file offset of this task. `left` is the number of bytes
 * that the task still has to write, as far as is known. Only the first call
 * uses it. If `last` is set, `left` is complete, so the next task's offset is
 * known. The thread of the next task may then write at the same time.
 */
static int
put_out(struct emitter *t, const void *s, size_t n, uint64_t left, bool last)
{
	struct output *o = t->m->out;

	if (t->at == -1) {
		if ((t->at = output_wait(o, t->ticket)) == -1)
			return -1;
		if (o->seekable && last) {
			output_pass(o, t->at + (off_t)left);
			t->passed = true;
		}
	}
	if (output_write(o, s, n, t->at, &t->b->err[t->w]) == -1)
		return -1;
	t->at += (off_t)n;
	return 0;
}

/*
 * Writes the first record of the segment. It is longer than the output buffer,
 * so it is not copied there.
 */
static int
put_long(struct emitter *t, const struct segment *g, uint64_t left, bool last)
{
	struct span s = view_record(&t->b->view, g->x->place);

	if (g->prefix.len > 0 &&
	    put_out(t, g->prefix.at, g->prefix.len, left, last) == -1)
		return -1;
	if (put_out(t, s.at, s.len, left, last) == -1)
		return -1;
	if (scan_delim(t->b->in->format) == 0)
		return 0;
	return put_out(t, &t->b->in->format->delim, 1, left, last);
}

/*
 * Writes the records of n segments (sorted buckets). `last` tells whether these
 * are the last records of the task.
 */
static int
emit(struct emitter *t, struct segment *g, size_t n, bool last)
{
	uint64_t left = 0;
	size_t len = 0, k;

	for (size_t i = 0; i < n; i++) {
		left += segment_bytes(&t->b->view, t->b->in->format, &g[i]);
		t->m->records += g[i].n;
	}
	for (; n > 0; n--, g++)
		while (g->n > 0) {
			k = segment_gather(&t->b->view, t->b->in->format, g,
			    t->buf, t->b->gather, &len);
			if (k < g->n && len > 0) {
				if (put_out(t, t->buf, len, left, last) == -1)
					return -1;
				len = 0;
			} else if (k == 0) {
				if (put_long(t, g, left, last) == -1)
					return -1;
				k = 1;
			}
			g->x += k;
			g->n -= k;
		}
	return len > 0 ? put_out(t, t->buf, len, left, last) : 0;
}

/*
 * With -u, only one of several equal records is written. The last `left`
 * records of a bucket were not written. This function adds them to the count
 * and checksum of the omitted records.
 */
static void
drop_rest(struct emitter *t, size_t left)
{
	size_t n;

	if (t->loader.dropped == NULL)
		return;
	for (; left > 0; left -= n) {
		n = t->b->kind->load(&t->loader, t->x, t->m->cap);
		loader_drop(&t->loader, t->x, n);
		loader_reset(&t->loader);
	}
}

/*
 * Writes a bucket whose records are all equal, without sorting it. Such a
 * bucket may have more records than a thread can sort at once.
 */
static int
emit_sorted(struct emitter *t, const struct bucket *k)
{
	bool one = t->b->view.order->unique;
	size_t left = k->n, n;

	loader_start(&t->loader, k);
	for (; left > 0; left -= n) {
		struct segment g = { .x = t->x, .prefix = k->prefix };

		g.n = n = t->b->kind->load(
		    &t->loader, t->x, one ? 1 : t->m->cap);
		if (emit(t, &g, 1, one || n == left) == -1)
			return -1;
		loader_reset(&t->loader);
		if (one) {
			drop_rest(t, left - n);
			break;
		}
	}
	return 0;
}

/*
 * Sorts the entries of a bucket into x. With -u, keeps only the first entry of
 * each key. Returns the number of entries in x.
 */
static size_t
sort_bucket(struct emitter *t, struct entry *x)
{
	size_t n = t->b->kind->sort(
	    &t->loader, x, t->m->cap - (size_t)(x - t->x));

	return t->b->view.order->unique ? loader_unique(&t->loader, x, n) : n;
}

static int
emit_task(struct emitter *t, const struct task *task)
{
	const struct bucket *u = &t->b->bucket[task->from];
	struct segment *g = t->segment;
	struct entry *x = t->x;

	loader_reset(&t->loader);
	if (task->from + 1 == task->to && u->sorted)
		return emit_sorted(t, u);
	for (; u < &t->b->bucket[task->to]; u++, x += g++->n) {
		loader_start(&t->loader, u);
		*g = (struct segment){ x, sort_bucket(t, x), u->prefix };
	}
	return emit(t, t->segment, (size_t)(g - t->segment), true);
}

static int
emit_worker(void *ctx, unsigned w)
{
	struct emission *m = ctx;
	struct buckets *b = m->buckets;
	struct emitter t = { .m = m, .b = b, .w = w };
	size_t size = (m->cap + 1) * sizeof *t.x;
	int rc = -1;

	t.x = space_take(size);
	t.buf = space_take(b->gather);
	t.segment = calloc(m->most + 1, sizeof *t.segment);
	if (t.x == NULL || t.buf == NULL || t.segment == NULL) {
		hp_fail_errno(&b->err[w], HP_NOMEM, "sort");
		goto out;
	}
	if (loader_init(&t.loader, b, m->cap, &b->err[w]) == -1)
		goto out;
	if (b->view.order->sum_dropped)
		t.loader.dropped = &t.dropped;
	while ((t.ticket = atomic_fetch_add(&m->next, 1)) < m->ntasks) {
		t.at = -1;
		t.passed = false;
		if (emit_task(&t, &m->task[t.ticket]) == -1)
			goto out;
		if (t.at == -1 && (t.at = output_wait(m->out, t.ticket)) == -1)
			goto out;
		if (!t.passed)
			output_pass(m->out, t.at);
	}
	rc = 0;
	pthread_mutex_lock(&m->lock);
	dropped_add(&b->batch.dropped, &t.dropped);
	pthread_mutex_unlock(&m->lock);
out:
	if (rc == -1)
		output_fail(m->out);
	free(t.segment);
	loader_fini(&t.loader);
	space_give(t.x, size);
	space_give(t.buf, b->gather);
	return rc;
}

int
buckets_emit(
    struct buckets *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	struct emission m = {
		.buckets = b, .out = out, .lock = PTHREAD_MUTEX_INITIALIZER
	};
	int rc;

	out->turn = 0;
	if ((m.task = calloc(b->nbuckets + 1, sizeof *m.task)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	make_tasks(&m);
	if (out->tape != NULL)
		rc = buckets_team_spare(b, emit_worker, &m, e);
	else
		rc = buckets_team(
		    b, input_worth(b->in, b->threads), emit_worker, &m, e);
	*records = m.records;
	free(m.task);
	return rc;
}
