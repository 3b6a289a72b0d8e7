#include <sys/mman.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/team.h"
#include "run/source.h"
#include "sort/ordered.h"

enum {
	HEAD = 1 << 12 /* bytes that are looked at first */
};

struct walkers {
	const struct ordered_job *job;
	enum ordered how;
	struct output *out;
	size_t steps;
	_Atomic size_t next;
	_Atomic uint64_t records;
	_Atomic bool stop; /* not ordered */
};

/* Whole records of a mapped file, perhaps none. */
struct stride {
	const unsigned char *start, *end;
	const unsigned char *before; /* the record before it, or NULL */
	bool cut;		     /* the last line has no delimiter */
};

static size_t
steps_in(const struct ordered_job *j, const struct piece *p)
{
	return ((size_t)(p->end - p->start) + j->step - 1) / j->step;
}

/* The first record that begins off bytes behind the start or later. */
static const unsigned char *
record_from(const struct format *f, const struct piece *p, size_t off)
{
	const unsigned char *s;

	if (off >= (size_t)(p->end - p->start))
		return p->end;
	if (off == 0)
		return p->start;
	if (f->size != 0)
		return p->start + (off + f->size - 1) / f->size * f->size;
	s = p->start + off - 1;
	s = memchr(s, f->delim, (size_t)(p->end - s));
	return s == NULL ? p->end : s + 1;
}

/* The record that ends at `end`, with its delimiter. */
static const unsigned char *
record_before(const struct format *f, const unsigned char *start,
    const unsigned char *end)
{
	const unsigned char *s;

	if (f->size != 0)
		return end - f->size;
	s = memrchr(start, f->delim, (size_t)(end - 1 - start));
	return s == NULL ? start : s + 1;
}

static struct stride
stride_number(const struct ordered_job *j, size_t i)
{
	const struct format *f = j->in->format;
	const struct piece *p = j->in->piece;
	struct stride s;

	for (; i >= steps_in(j, p); p++)
		i -= steps_in(j, p);
	s.start = record_from(f, p, i * j->step);
	s.end = record_from(f, p, (i + 1) * j->step);
	s.before = NULL;
	if (s.start > p->start)
		s.before = record_before(f, p->start, s.start);
	else if (p > j->in->piece)
		s.before = record_before(f, p[-1].start, p[-1].end);
	s.cut = s.start < s.end && s.end == p->end && f->size == 0 &&
	    s.end[-1] != f->delim;
	return s;
}

/* Its whole pages. */
static void
advise(const struct stride *s, int advice)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)s->start & ~(page - 1);

	madvise((void *)start, (uintptr_t)s->end - start, advice);
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

/* The record at *at, which is moved behind it. */
static struct span
next_record(
    const struct format *f, const unsigned char **at, const unsigned char *end)
{
	struct span s = { *at, f->size };
	const unsigned char *p;

	if (f->size != 0) {
		*at += f->size;
		return s;
	}
	p = memchr(s.at, f->delim, (size_t)(end - s.at));
	*at = p == NULL ? end : p + 1;
	s.len = (size_t)((p == NULL ? end : p) - s.at);
	return s;
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
	uint64_t n = 0;

	if (!first) {
		item[1].record = input_record(j->in, s->before);
		ok = item_load(j->view, &item[1], &buf[1]) == 0;
	}
	for (; ok && at < s->end; n++) {
		struct item *x = &item[n % 2], *before = &item[1 - n % 2];

		x->record = next_record(j->in->format, &at, s->end);
		ok = item_load(j->view, x, &buf[n % 2]) == 0 &&
		    (first || follows(k, before, x));
		first = false;
	}
	k->records += n;
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
	while (!k->stop && (i = atomic_fetch_add(&k->next, 1)) < k->steps) {
		s = stride_number(k->job, i);
		advise(&s, MADV_POPULATE_READ);
		if (!in_order(k, &s))
			k->stop = true;
		advise(&s, MADV_DONTNEED);
	}
	return 0;
}

static struct walkers
walkers(const struct ordered_job *j)
{
	struct walkers k = { .job = j };

	for (size_t i = 0; i < j->in->npieces; i++)
		k.steps += steps_in(j, &j->in->piece[i]);
	return k;
}

/* Does the input rise or fall, if one of both, by its first and its last
 * record? false when its first few are not so. */
static bool
direction(struct walkers *k)
{
	const struct ordered_job *j = k->job;
	const struct format *f = j->in->format;
	const struct piece *p = j->in->piece, *last = p + j->in->npieces - 1;
	struct stride head = { p->start, record_from(f, p, HEAD), NULL, false };
	struct stride ends = { .start = record_before(
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

int
ordered_look(const struct ordered_job *j, uint64_t *records, struct hp_err *e)
{
	struct walkers k = walkers(j);

	if (!j->in->mapped || k.steps == 0 || !direction(&k))
		return ORDERED_NOT;
	if (team_run(j->threads, look_worker, &k, e) == -1)
		return -1;
	*records = k.records;
	return k.stop ? ORDERED_NOT : k.how;
}

/* Its records backwards; returns their bytes. */
static size_t
turn_round(unsigned char *to, const struct stride *s, const struct format *f)
{
	const unsigned char *end = s->end, *at;
	bool cut = s->cut;
	size_t n = 0;

	for (; end > s->start; end = at) {
		at = record_before(f, s->start, end);
		memcpy(to + n, at, (size_t)(end - at));
		n += (size_t)(end - at);
		if (cut)
			to[n++] = f->delim;
		cut = false;
	}
	return n;
}

/* At its turn, number i. */
static int
put(struct walkers *k, size_t i, const struct stride *s, const void *buf,
    struct hp_err *e)
{
	size_t bytes = (size_t)(s->end - s->start);
	off_t at = output_wait(k->out, i), end = at + (off_t)bytes + s->cut;

	if (at == -1)
		return -1;
	if (k->out->seekable)
		output_pass(k->out, end);
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
	if (!k->out->seekable)
		output_pass(k->out, end);
	return 0;
}

static int
write_worker(void *ctx, unsigned w)
{
	struct walkers *k = ctx;
	const struct ordered_job *j = k->job;
	bool falling = k->how == ORDERED_FALLING;
	unsigned char *buf = falling ? malloc(2 * j->step + 1) : NULL;
	struct stride s;
	size_t i;
	int rc = -1;

	if (falling && buf == NULL) {
		hp_fail_errno(&j->err[w], HP_NOMEM, "sort");
		goto out;
	}
	while ((i = atomic_fetch_add(&k->next, 1)) < k->steps) {
		s = stride_number(j, falling ? k->steps - 1 - i : i);
		advise(&s, MADV_POPULATE_READ);
		if (falling)
			turn_round(buf, &s, j->in->format);
		if (put(k, i, &s, buf, &j->err[w]) == -1)
			goto out;
		advise(&s, MADV_DONTNEED);
	}
	rc = 0;
out:
	if (rc == -1)
		output_fail(k->out);
	free(buf);
	return rc;
}

int
ordered_write(const struct ordered_job *j, enum ordered how, struct output *out,
    struct hp_err *e)
{
	struct walkers k = walkers(j);

	k.how = how;
	k.out = out;
	out->turn = 0;
	if (team_run(j->threads, write_worker, &k, e) == 0)
		return 0;
	for (unsigned i = 0; i < j->threads && e->kind == HP_NONE; i++)
		*e = j->err[i];
	return -1;
}
