#include <sys/mman.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sort/ordered.h"
#include "sort/team.h"

enum {
	STEP = 1 << 20 /* bytes, of whole numbers of any size */
};

struct walkers {
	const struct ordered_job *job;
	enum ordered how;
	struct output *out;
	size_t steps;
	_Atomic size_t next;
	_Atomic bool stop; /* not ordered */
};

/* A part of a mapped file. */
struct stride {
	const unsigned char *start, *end;
	const unsigned char *before; /* the number before it, or NULL */
};

static size_t
steps_in(const struct piece *p)
{
	return ((size_t)(p->end - p->start) + STEP - 1) / STEP;
}

static struct stride
stride_number(const struct ordered_job *j, size_t i)
{
	const struct piece *p = j->in->piece;
	const unsigned char *before = NULL;
	struct stride s;

	for (; i >= steps_in(p); p++) {
		i -= steps_in(p);
		if (p->end > p->start)
			before = p->end - j->number->size;
	}
	s.start = p->start + i * STEP;
	s.end = p->end - s.start < STEP ? p->end : s.start + STEP;
	s.before = i > 0 ? s.start - j->number->size : before;
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
in_order(const struct walkers *k, const struct stride *s)
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
		k.steps += steps_in(&j->in->piece[i]);
	return k;
}

int
ordered_look(const struct ordered_job *j, struct hp_err *e)
{
	struct walkers k = walkers(j);
	struct stride first, last;
	uint64_t low, high;

	if (!j->in->mapped || k.steps == 0)
		return ORDERED_NOT;
	first = stride_number(j, 0);
	last = stride_number(j, k.steps - 1);
	low = number_key(j->number, first.start);
	high = number_key(j->number, last.end - j->number->size);
	k.how = low <= high ? ORDERED_RISING : ORDERED_FALLING;
	if (team_run(j->threads, look_worker, &k, e) == -1)
		return -1;
	return k.stop ? ORDERED_NOT : k.how;
}

static void
turn_round(
    unsigned char *to, const unsigned char *from, size_t bytes, size_t size)
{
	for (size_t i = 0; i < bytes; i += size)
		memcpy(to + i, from + bytes - size - i, size);
}

static int
write_worker(void *ctx, unsigned w)
{
	struct walkers *k = ctx;
	const struct ordered_job *j = k->job;
	bool falling = k->how == ORDERED_FALLING;
	unsigned char *buf = falling ? malloc(STEP) : NULL;
	size_t i, bytes;
	struct stride s;
	off_t at;
	int rc = -1;

	if (falling && buf == NULL) {
		hp_fail_errno(&j->err[w], HP_NOMEM, "sort");
		goto out;
	}
	while ((i = atomic_fetch_add(&k->next, 1)) < k->steps) {
		s = stride_number(j, falling ? k->steps - 1 - i : i);
		bytes = (size_t)(s.end - s.start);
		advise(&s, MADV_POPULATE_READ);
		if (falling)
			turn_round(buf, s.start, bytes, j->number->size);
		if ((at = output_wait(k->out, i)) == -1)
			goto out;
		if (k->out->seekable)
			output_pass(k->out, at + (off_t)bytes);
		if (output_write(k->out, falling ? buf : s.start, bytes, at,
			&j->err[w]) == -1)
			goto out;
		if (!k->out->seekable)
			output_pass(k->out, at + (off_t)bytes);
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
