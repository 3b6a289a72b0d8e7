#include <sys/mman.h>

#include <string.h>
#include <unistd.h>

#include "input/mapped.h"
#include "record/keybuf.h"
#include "run/item.h"
#include "sort/walkers.h"

enum {
	AROUND = 1 << 22, /* bytes that one page fault may map */
	HEAD = 1 << 12,	  /* bytes to check first */
	/* A text of at most this many bytes is processed by one thread. */
	SMALL = 1 << 20,
	/*
	 * If a stride (a part of about `step` bytes of the text) is longer than
	 * LONG * step, it contains a long record.
	 */
	LONG = 16
};

void
walkers_leave(const struct walkers *k, const struct stride *s, bool backwards)
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

/* Returns whether b may follow a. */
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
	const struct walk_job *j = k->job;
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

		x->record = scan_record(j->in->format, &at, s->end);
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

bool
walkers_in_order(struct walkers *k, const struct stride *s)
{
	size_t bytes = (size_t)(s->end - s->start);

	if (bytes == 0)
		return true;
	/*
	 * The stride contains a long record. Do not check such text with
	 * several threads: each thread whose stride begins inside that record
	 * would have to search for its end.
	 */
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

struct walkers
walkers_init(const struct walk_job *j, const struct text_piece *p, size_t n)
{
	struct walkers k = { .job = j,
		.text = { j->in->format, p, n, j->step } };

	k.strides = stride_count(&k.text);
	k.threads = k.strides * j->step < SMALL ? 1 : j->threads;
	return k;
}

bool
walkers_direction(struct walkers *k)
{
	const struct format *f = k->job->in->format;
	const struct text_piece *p = k->text.piece;
	const struct text_piece *last = p + k->text.npieces - 1;
	struct stride head = { p->start, stride_from(f, p, HEAD), NULL, false };
	struct stride ends = { .start = scan_start(
				   f, last->start, last->end - 1),
		.end = last->end,
		.before = p->start };
	bool ok;

	k->how = ORDERED_RISING;
	k->how = walkers_in_order(k, &ends) ? ORDERED_RISING : ORDERED_FALLING;
	ok = walkers_in_order(k, &head);
	k->records = 0;
	return ok;
}
