#include <sys/mman.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/team.h"
#include "input/mapped.h"
#include "input/stride.h"
#include "input/window.h"
#include "run/source.h"
#include "sort/ordered.h"

enum {
	AROUND = 1 << 22, /* bytes: large pages of a file come as a whole */
	HEAD = 1 << 12,	  /* bytes that are looked at first */
	SMALL = 1 << 20,  /* bytes that one thread walks over */
	LONG = 16,	  /* times its due, for a stride with a long record */
	MORE = 8	  /* times as much is looked at the next time */
};

struct walkers {
	const struct ordered_job *job;
	enum direction how;
	struct text text;
	unsigned threads;
	struct output *out;
	bool look; /* before it is written */
	size_t strides;
	_Atomic size_t next;
	_Atomic uint64_t records;
	_Atomic size_t longest; /* of them */
	_Atomic bool stop;	/* not ordered */
};

/* Unmap the pages of a stride, and the neighbours that a fault has mapped, but
 * none that another thread may be reading. */
static void
leave(const struct walkers *k, const struct stride *s, bool backwards)
{
	const struct input *in = k->job->in;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t least = (uintptr_t)in->base, most = least + in->reserved;
	uintptr_t start = (uintptr_t)s->start, end = (uintptr_t)s->end;
	size_t near = k->threads * k->job->step;

	if (backwards) {
		start += near;
		end += near + AROUND;
	} else {
		start -= near + AROUND;
		end -= near;
	}
	start = (start > least ? start : least) & ~(page - 1);
	end = (end < most ? end : most) & ~(page - 1);
	if (in->mapped && !in->present && start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

static bool
numbers_in_order(const struct walkers *k, const struct stride *s)
{
	const struct number *t = k->job->number;
	const unsigned char *at = s->start;
	uint64_t last;

	if (s->before != NULL)
		last = number_key(t, s->before);
	else {
		last = number_key(t, at);
		at += t->size;
	}
	return number_in_order(
	    t, at, s->end, last, k->how == ORDERED_FALLING, k->job->unique);
}

/* May b be the next one after a? */
static bool
follows(const struct walkers *k, const struct item *a, const struct item *b)
{
	bool same = k->how == ORDERED_FALLING ? !k->job->stable
					      : !k->job->unique;
	int c = item_compare(k->job->view, a, b);

	return c == 0 ? same : (c > 0) == (k->how == ORDERED_FALLING);
}

static bool
records_in_order(struct walkers *k, const struct stride *s)
{
	const struct ordered_job *j = k->job;
	const unsigned char *at = s->start;
	struct keybuf buf[2] = { 0 };
	struct item item[2] = { 0 };
	bool ok = true, first = s->before == NULL;
	size_t longest = 0, now = k->longest;
	uint64_t n = 0;

	if (!first) {
		item[1].record = input_record(j->in, s->before);
		ok = item_load(j->view, &item[1], &buf[1]) == 0;
	}
	for (; ok && at < s->end; n++) {
		struct item *x = &item[n % 2], *before = &item[1 - n % 2];

		x->record = stride_record(j->in->format, &at, s->end);
		longest = x->record.len > longest ? x->record.len : longest;
		ok = item_load(j->view, x, &buf[n % 2]) == 0 &&
		    (first || follows(k, before, x));
		first = false;
	}
	k->records += n;
	while (now < longest &&
	    !atomic_compare_exchange_weak(&k->longest, &now, longest))
		;
	keybuf_fini(&buf[0]);
	keybuf_fini(&buf[1]);
	return ok;
}

static bool
in_order(struct walkers *k, const struct stride *s)
{
	size_t bytes = (size_t)(s->end - s->start);

	if (bytes == 0)
		return true;
	/* Each stride in it would look for the record's ends. */
	if (bytes > LONG * k->job->step)
		return false;
	input_populate(k->job->in, s->start, s->end);
	if (k->job->number == NULL)
		return (k->how == ORDERED_RISING ||
			   bytes <= 2 * k->job->step) &&
		    records_in_order(k, s);
	k->records += bytes / k->job->number->size;
	return numbers_in_order(k, s);
}

static int
look_worker(void *ctx, unsigned w)
{
	struct walkers *k = ctx;
	struct stride s;
	size_t i;

	(void)w;
	while (!k->stop && (i = atomic_fetch_add(&k->next, 1)) < k->strides) {
		s = stride_number(&k->text, i);
		if (!in_order(k, &s))
			k->stop = true;
		leave(k, &s, false);
	}
	return 0;
}

static struct walkers
walkers(const struct ordered_job *j, const struct piece *p, size_t n)
{
	struct walkers k = { .job = j,
		.text = { j->in->format, p, n, j->step } };

	k.strides = stride_count(&k.text);
	k.threads = k.strides * j->step < SMALL ? 1 : j->threads;
	return k;
}

/* Does the text rise or fall, if one of both, by its first and its last
 * record? false when its first few are not so. */
static bool
direction(struct walkers *k)
{
	const struct format *f = k->job->in->format;
	const struct piece *p = k->text.piece;
	const struct piece *last = p + k->text.npieces - 1;
	struct stride head = { p->start, stride_from(f, p, HEAD), NULL, false };
	struct stride ends = { .start = stride_before(
				   f, last->start, last->end),
		.end = last->end,
		.before = p->start };
	bool ok;

	k->how = ORDERED_RISING;
	k->how = in_order(k, &ends) ? ORDERED_RISING : ORDERED_FALLING;
	ok = in_order(k, &head);
	k->records = 0;
	return ok;
}

/* 1 when these pieces are ordered. */
static int
look(const struct ordered_job *j, const struct piece *p, size_t n,
    struct ordered *t, struct hp_err *e)
{
	struct walkers k = walkers(j, p, n);

	if (k.strides == 0 || !direction(&k))
		return 0;
	if (team_run(k.threads, look_worker, &k, e) == -1)
		return -1;
	if (k.stop)
		return 0;
	t->how = k.how;
	t->records = k.records;
	t->longest = k.longest;
	t->bytes = 0;
	for (size_t i = 0; i < n; i++)
		t->bytes += (uint64_t)(p[i].end - p[i].start);
	return 1;
}

/* Little at first, that not much is read in vain. */
static int
look_ahead(const struct ordered_job *j, size_t most, struct ordered *t,
    struct hp_err *e)
{
	size_t want = j->in->block;
	int rc;

	for (;; want *= MORE) {
		want = want < most ? want : most;
		if (input_ahead(j->in, want, &t->text, e) == -1)
			return -1;
		rc = look(j, &t->text, 1, t, e);
		t->more = t->text.end < j->in->end || !j->in->eof;
		if (rc != 1 || !t->more || want == most)
			break;
		if (j->arena != NULL)
			arena_trim(j->arena);
	}
	if (rc != 1) {
		t->how = ORDERED_NOT;
		input_trim(j->in);
	}
	return rc;
}

int
ordered_look(const struct ordered_job *j, size_t most, struct ordered *t,
    struct hp_err *e)
{
	*t = (struct ordered){ .how = ORDERED_NOT };
	return j->in->mapped ? 0 : look_ahead(j, most, t, e);
}

/* Its records backwards; returns their bytes. */
static size_t
turn_round(unsigned char *to, const struct stride *s, const struct format *f)
{
	const unsigned char *end = s->end, *at;
	bool cut = s->cut;
	size_t n = 0;

	for (; end > s->start; end = at) {
		at = stride_before(f, s->start, end);
		memcpy(to + n, at, (size_t)(end - at));
		n += (size_t)(end - at);
		if (cut)
			to[n++] = f->delim;
		cut = false;
	}
	return n;
}

/* At its turn, number i.  One at a time: a copy is nothing but writes, and in a
 * file the others would spin for the inode's lock. */
static int
put(struct walkers *k, size_t i, const struct stride *s, const void *buf,
    struct hp_err *e)
{
	size_t bytes = (size_t)(s->end - s->start);
	off_t at = output_wait(k->out, i), end = at + (off_t)bytes + s->cut;

	if (at == -1)
		return -1;
	if (buf != NULL)
		bytes += s->cut;
	if (bytes > 0 &&
	    output_write(k->out, buf != NULL ? buf : s->start, bytes, at, e) ==
		-1)
		return -1;
	if (buf == NULL && s->cut &&
	    output_write(k->out, &k->job->in->format->delim, 1, end - 1, e) ==
		-1)
		return -1;
	output_pass(k->out, end);
	return 0;
}

/* Number i of the output; 0 when it is not ordered. */
static int
write_stride(struct walkers *k, size_t i, unsigned char *buf, struct hp_err *e)
{
	bool falling = k->how == ORDERED_FALLING;
	struct stride s = stride_number(
	    &k->text, falling ? k->strides - 1 - i : i);
	int rc;

	if (!k->look)
		input_populate(k->job->in, s.start, s.end);
	else if (!in_order(k, &s))
		return 0;
	if (falling)
		turn_round(buf, &s, k->job->in->format);
	rc = put(k, i, &s, buf, e);
	leave(k, &s, falling);
	return rc == 0 ? 1 : -1;
}

static int
write_worker(void *ctx, unsigned w)
{
	struct walkers *k = ctx;
	const struct ordered_job *j = k->job;
	bool falling = k->how == ORDERED_FALLING;
	unsigned char *buf = falling ? malloc(2 * j->step + 1) : NULL;
	size_t i;
	int rc = 1;

	if (falling && buf == NULL)
		rc = hp_fail_errno(&j->err[w], HP_NOMEM, "sort");
	while (rc == 1 && (i = atomic_fetch_add(&k->next, 1)) < k->strides)
		rc = write_stride(k, i, buf, &j->err[w]);
	if (rc == 0)
		k->stop = true;
	if (rc != 1)
		output_fail(k->out);
	free(buf);
	return rc == 1 ? 0 : -1;
}

/* 0 when it was found not to be ordered. */
static int
write_all(struct walkers *k, struct output *out, struct hp_err *e)
{
	const struct ordered_job *j = k->job;
	off_t start = out->at;

	k->out = out;
	out->turn = 0;
	if (team_run(k->threads, write_worker, k, e) == 0)
		return 1;
	for (unsigned i = 0; i < j->threads && e->kind == HP_NONE; i++)
		*e = j->err[i];
	if (!k->stop || e->kind != HP_NONE)
		return -1;
	output_again(out, start, false);
	return 0;
}

/* Of mapped input: all of it was read. */
static void
tell_read(const struct ordered_job *j)
{
	if (j->in->progress != NULL)
		j->in->progress->read += j->in->total;
}

int
ordered_write(const struct ordered_job *j, struct ordered *t,
    struct output *out, struct hp_err *e)
{
	const struct input *in = j->in;
	struct walkers k = in->mapped ? walkers(j, in->piece, in->npieces)
				      : walkers(j, &t->text, 1);

	k.how = t->how;
	t->how = ORDERED_NOT;
	if (write_all(&k, out, e) == -1)
		return -1;
	if (in->mapped)
		tell_read(j);
	else
		input_skip(j->in, t->text.end);
	return 0;
}

int
ordered_copy(const struct ordered_job *j, struct output *out, uint64_t *records,
    struct hp_err *e)
{
	struct walkers k = walkers(j, j->in->piece, j->in->npieces);
	struct ordered t;
	int rc;

	if (!out->seekable || j->unique) {
		rc = look(j, j->in->piece, j->in->npieces, &t, e);
		if (rc != 1)
			return rc;
		*records = t.records;
		return ordered_write(j, &t, out, e) == -1 ? -1 : 1;
	}
	if (k.strides == 0 || !direction(&k))
		return 0;
	k.look = true;
	if ((rc = write_all(&k, out, e)) == 1)
		tell_read(j);
	*records = k.records;
	return rc;
}
