/*
 * The last phase of a batch: each bucket is sorted in the cache, and its
 * records are gathered and written, each thread taking the next buckets.
 */
#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>

#include "sort/batch.h"
#include "sort/text.h"

enum {
	TOGETHER = 1 << 17, /* bytes of small buckets that are taken together */
	AHEAD = 16	    /* records that are prefetched */
};

struct task {
	size_t from, to; /* buckets */
};

struct emission {
	struct batch *batch;
	struct output *out;
	struct task *task;
	size_t ntasks, cap; /* cap: entries that a thread holds at once */
	size_t most;	    /* buckets in a task */
	_Atomic size_t next;
	_Atomic uint64_t records;
};

/* One thread's part. */
struct emitter {
	struct emission *m;
	struct batch *b;
	unsigned w;
	unsigned char *x, *buf;
	struct segment *segment;
	void *tmp;
	size_t ticket;
	off_t at; /* where to write, -1 before it is our turn */
	bool passed;
};

/* Neighbouring small buckets make one task, a large one is one by itself. */
static void
make_tasks(struct emission *m)
{
	struct batch *b = m->batch;
	size_t most = TOGETHER / b->element, held = 0;

	/* To a disk goes much at once. */
	most = most < b->leaf && m->out->tape == NULL ? most : b->leaf;
	for (size_t i = 0; i < b->nbuckets; i++) {
		size_t n = b->bucket[i].n;

		if (m->ntasks == 0 || held + n > most) {
			m->task[m->ntasks++] = (struct task){ i, i };
			held = 0;
		}
		m->task[m->ntasks - 1].to = i + 1;
		if (i + 1 - m->task[m->ntasks - 1].from > m->most)
			m->most = i + 1 - m->task[m->ntasks - 1].from;
		held += n;
		if (held > m->cap)
			m->cap = held;
	}
	if (m->cap > b->leaf)
		m->cap = b->leaf;
}

/* Reads the lists of a bucket, one after the other or merged by address. */
struct loader {
	struct walk *at; /* one for each thread */
	size_t *pos;
	unsigned n, now;
	const struct batch *batch;
	const struct bucket *bucket;
};

/* The next element of list i. */
static const void *
loader_head(const struct loader *l, unsigned i)
{
	return l->at[i].chunk->data + l->pos[i];
}

static void
loader_skip(struct loader *l, unsigned i, size_t bytes)
{
	l->pos[i] += bytes;
	if (l->pos[i] == walk_bytes(&l->at[i])) {
		walk_next(&l->at[i]);
		l->pos[i] = 0;
	}
}

/* Up to `room` bytes. */
static size_t
load_plain(struct loader *l, unsigned char *x, size_t room)
{
	size_t n = 0, k;

	while (l->now < l->n && n < room) {
		k = walk_bytes(&l->at[l->now]);
		if (k == 0) {
			l->now++;
			continue;
		}
		k -= l->pos[l->now];
		k = k < room - n ? k : room - n;
		memcpy(x + n, loader_head(l, l->now), k);
		loader_skip(l, l->now, k);
		n += k;
	}
	return n;
}

/* Each list has rising addresses: together they come as the input had them. */
static size_t
load_in_order(struct loader *l, struct entry *x, size_t room)
{
	size_t n;

	for (n = 0; n < room; n++) {
		const struct entry *least = NULL, *y;
		const unsigned char *low = NULL, *at;
		unsigned from = 0;

		for (unsigned i = 0; i < l->n; i++) {
			if (walk_bytes(&l->at[i]) == 0)
				continue;
			y = loader_head(l, i);
			at = view_record(&l->batch->view, y->place).at;
			if (least == NULL || at < low) {
				least = y;
				low = at;
				from = i;
			}
		}
		if (least == NULL)
			break;
		x[n] = *least;
		loader_skip(l, from, sizeof *x);
	}
	return n;
}

/* Have the chunk behind this one come to the cache. */
static void
prefetch_chunk(const struct chunk *c)
{
	const unsigned char *s = (const void *)c;

	for (size_t i = 0; c != NULL && i < CHUNK; i += 64)
		__builtin_prefetch(s + i);
}

/* Entries of up to `room` lines. */
static size_t
load_lines(struct loader *l, struct entry *x, size_t room)
{
	const struct view *v = &l->batch->view;
	size_t depth = l->bucket->depth, n = 0;
	const unsigned char *s, *end;

	for (; l->now < l->n; l->now++) {
		struct walk *at = &l->at[l->now];

		for (; walk_bytes(at) > 0; walk_next(at)) {
			s = at->chunk->data + l->pos[l->now];
			end = at->chunk->data + at->chunk->used;
			prefetch_chunk(at->chunk->next);
			for (; s < end && n < room; n++) {
				x[n].place = text_next(&s);
				x[n].key = view_load(v, x[n].place, 0, depth);
			}
			l->pos[l->now] = 0;
			if (s < end) {
				l->pos[l->now] = (size_t)(s - at->chunk->data);
				return n;
			}
		}
	}
	return n;
}

/* Up to `room` elements; returns how many. */
static size_t
loader_load(struct loader *l, void *x, size_t room)
{
	const struct batch *b = l->batch;

	if (b->text)
		return load_lines(l, x, room);
	if (b->in_order && l->n > 1)
		return load_in_order(l, x, room);
	return load_plain(l, x, room * b->element) / b->element;
}

/* memcpy for records: a call for each costs more than the copy. */
static inline void
copy(unsigned char *to, const unsigned char *from, size_t n)
{
	if (n >= 32) {
		size_t i = 0;

		do {
			memcpy(to + i, from + i, 32);
			i += 32;
		} while (i + 32 <= n);
		memcpy(to + n - 32, from + n - 32, 32);
	} else if (n >= 16) {
		memcpy(to, from, 16);
		memcpy(to + n - 16, from + n - 16, 16);
	} else if (n >= 8) {
		memcpy(to, from, 8);
		memcpy(to + n - 8, from + n - 8, 8);
	} else
		for (size_t i = 0; i < n; i++)
			to[i] = from[i];
}

static inline void
prefetch(const struct view *v, const struct entry *x, size_t i, size_t n)
{
	const unsigned char *at;

	if (i + 2 * AHEAD < n)
		__builtin_prefetch(
		    (const void *)(uintptr_t)(x[i + 2 * AHEAD].place >> 16));
	if (i + AHEAD < n) {
		at = view_record(v, x[i + AHEAD].place).at;
		__builtin_prefetch(at);
		__builtin_prefetch(at + 64);
	}
}

/* Some sorted entries of one bucket. */
struct segment {
	const struct entry *x;
	size_t n;
	struct span prefix; /* of each line */
};

/* As many of a segment's records as fit into the buffer behind *len bytes. */
static size_t
gather(struct emitter *t, const struct segment *g, size_t *len)
{
	const struct view *v = &t->b->view;
	const struct format *f = t->b->in->format;
	size_t delim = f->kind == FORMAT_LINE, cap = t->b->gather, i;
	unsigned char *to = t->buf + *len, *end = t->buf + cap;
	struct span s, prefix = g->prefix;

	for (i = 0; i < g->n; i++) {
		prefetch(v, g->x, i, g->n);
		s = view_record(v, g->x[i].place);
		if (prefix.len + s.len + delim > (size_t)(end - to))
			break;
		copy(to, prefix.at, prefix.len);
		to += prefix.len;
		copy(to, s.at, s.len);
		to += s.len;
		if (delim)
			*to++ = f->delim;
	}
	*len = (size_t)(to - t->buf);
	return i;
}

static uint64_t
count_bytes(const struct emitter *t, const struct segment *g)
{
	const struct format *f = t->b->in->format;
	uint64_t total = g->n * (g->prefix.len + 1);

	if (f->kind != FORMAT_LINE)
		return (uint64_t)g->n * f->size;
	for (size_t i = 0; i < g->n; i++)
		total += view_record(&t->b->view, g->x[i].place).len;
	return total;
}

/* Write at our place in the output, as soon as it is known. */
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

/* A record that is longer than the buffer. */
static int
put_long(struct emitter *t, const struct segment *g, uint64_t left, bool last)
{
	struct span s = view_record(&t->b->view, g->x->place);

	if (g->prefix.len > 0 &&
	    put_out(t, g->prefix.at, g->prefix.len, left, last) == -1)
		return -1;
	if (put_out(t, s.at, s.len, left, last) == -1)
		return -1;
	if (t->b->in->format->kind != FORMAT_LINE)
		return 0;
	return put_out(t, &t->b->in->format->delim, 1, left, last);
}

/* The records of some segments; last: nothing follows in this task. */
static int
emit(struct emitter *t, struct segment *g, size_t n, bool last)
{
	uint64_t left = 0;
	size_t len = 0, k;

	for (size_t i = 0; i < n; i++) {
		left += count_bytes(t, &g[i]);
		t->m->records += g[i].n;
	}
	for (; n > 0; n--, g++)
		while (g->n > 0) {
			k = gather(t, g, &len);
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

/* Of entries with the same primary key only the first. */
static size_t
unique(const struct view *v, struct entry *x, size_t n)
{
	size_t k = 1;

	if (n == 0)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (!view_same(v, x[k - 1].place, x[i].place))
			x[k++] = x[i];
	return k;
}

static void
loader_start(struct loader *l, const struct batch *b, const struct bucket *k)
{
	l->now = 0;
	l->batch = b;
	l->bucket = k;
	for (unsigned i = 0; i < l->n; i++) {
		l->at[i] = list_walk(&k->list[i]);
		l->pos[i] = 0;
	}
}

/* n sorted elements of a bucket. */
static int
emit_elements(
    struct emitter *t, const struct bucket *u, void *x, size_t n, bool last)
{
	struct segment g = { x, n, u->prefix };

	return emit(t, &g, 1, last);
}

/* Nothing to sort: of any size, written as it comes. */
static int
emit_sorted(struct emitter *t, struct loader *l, const struct bucket *k)
{
	size_t left = k->n, n;

	if (t->b->view.order->unique) {
		n = loader_load(l, t->x, 1);
		return emit_elements(t, k, t->x, n, true);
	}
	for (; left > 0; left -= n) {
		n = loader_load(l, t->x, t->m->cap);
		if (emit_elements(t, k, t->x, n, n == left) == -1)
			return -1;
	}
	return 0;
}

/* Sort n elements of a bucket; returns how many are left to write. */
static size_t
sort_bucket(struct emitter *t, const struct bucket *u, void *x, size_t n)
{
	const struct view *v = &t->b->view;

	/* Where the keys of a stage have ended they are not those of the next
	 * one yet. */
	if (u->stage > 0 && u->depth == 0 && !u->sorted) {
		struct entry *y = x;

		for (size_t i = 0; i < n; i++)
			y[i].key = view_load(v, y[i].place, u->stage, 0);
		entries_sort(v, x, n, t->tmp, u->stage, 0);
	} else if (u->equal && !u->sorted)
		entries_deepen(v, x, n, t->tmp, u->stage, u->depth);
	else if (!u->sorted)
		entries_sort(v, x, n, t->tmp, u->stage, u->depth);
	return v->order->unique ? unique(v, x, n) : n;
}

static int
emit_task(struct emitter *t, struct loader *l, const struct task *task)
{
	struct batch *b = t->b;
	const struct bucket *u = &b->bucket[task->from];
	struct segment *g = t->segment;
	size_t n = 0, k;

	if (task->from + 1 == task->to && u->sorted) {
		loader_start(l, b, u);
		return emit_sorted(t, l, u);
	}
	for (; u < &b->bucket[task->to]; u++, g++) {
		unsigned char *x = t->x + n * b->element;

		loader_start(l, b, u);
		k = loader_load(l, x, t->m->cap - n);
		k = sort_bucket(t, u, x, k);
		*g = (struct segment){ (void *)x, k, u->prefix };
		n += k;
	}
	return emit(t, t->segment, (size_t)(g - t->segment), true);
}

static void *
memory(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int
emit_worker(void *ctx, unsigned w)
{
	struct emission *m = ctx;
	struct batch *b = m->batch;
	struct emitter t = { .m = m, .b = b, .w = w };
	struct loader l = { .n = b->threads };
	size_t size = (m->cap + 1) * b->element;
	int rc = -1;

	t.x = memory(size);
	t.tmp = memory(size);
	t.buf = memory(b->gather);
	t.segment = calloc(m->most + 1, sizeof *t.segment);
	l.at = calloc(l.n, sizeof *l.at);
	l.pos = calloc(l.n, sizeof *l.pos);
	if (t.x == NULL || t.tmp == NULL || t.buf == NULL ||
	    t.segment == NULL || l.at == NULL || l.pos == NULL) {
		hp_fail_errno(&b->err[w], HP_NOMEM, "sort");
		goto out;
	}
	while ((t.ticket = atomic_fetch_add(&m->next, 1)) < m->ntasks) {
		t.at = -1;
		t.passed = false;
		if (emit_task(&t, &l, &m->task[t.ticket]) == -1)
			goto out;
		if (t.at == -1 && (t.at = output_wait(m->out, t.ticket)) == -1)
			goto out;
		if (!t.passed)
			output_pass(m->out, t.at);
	}
	rc = 0;
out:
	if (rc == -1)
		output_fail(m->out);
	free(t.segment);
	free(l.at);
	free(l.pos);
	if (t.x != NULL)
		munmap(t.x, size);
	if (t.tmp != NULL)
		munmap(t.tmp, size);
	if (t.buf != NULL)
		munmap(t.buf, b->gather);
	return rc;
}

int
batch_emit(
    struct batch *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	struct emission m = { .batch = b, .out = out };
	int rc;

	out->turn = 0;
	if ((m.task = calloc(b->nbuckets + 1, sizeof *m.task)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	make_tasks(&m);
	rc = (out->tape != NULL ? batch_team_spare : batch_team)(
	    b, emit_worker, &m, e);
	*records = m.records;
	free(m.task);
	return rc;
}
