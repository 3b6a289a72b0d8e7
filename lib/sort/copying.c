#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "input/mapped.h"
#include "sort/copying.h"

/*
 * Copies the records of a stride (a part of the text) in reverse order. Returns
 * how many bytes it copied.
 */
static size_t
reverse_records(
    unsigned char *to, const struct stride *s, const struct format *f)
{
	const unsigned char *end = s->end, *at;
	bool cut = s->cut;
	size_t n = 0;

	for (; end > s->start; end = at) {
		at = scan_start(f, s->start, end - 1);
		memcpy(to + n, at, (size_t)(end - at));
		n += (size_t)(end - at);
		if (cut)
			to[n++] = f->delim;
		cut = false;
	}
	return n;
}

/*
 * Writes stride number i after all strides with lower numbers, so one thread
 * writes at a time. More threads would not be faster: a copy does little but
 * write, and the kernel lets only one thread write to a file at a time.
 */
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

/*
 * Writes stride i (a part of the text) to the output. If k->look is set, first
 * checks that its records are in order, and returns 0 if not. Returns 1 if the
 * stride is written, -1 on error.
 */
static int
write_stride(struct walkers *k, size_t i, unsigned char *buf, struct hp_err *e)
{
	bool falling = k->how == ORDERED_FALLING;
	struct stride s = stride_number(
	    &k->text, falling ? k->strides - 1 - i : i);
	int rc;

	if (!k->look)
		input_populate(k->job->in, s.start, s.end);
	else if (!walkers_in_order(k, &s))
		return 0;
	if (falling)
		reverse_records(buf, &s, k->job->in->format);
	rc = put(k, i, &s, buf, e);
	walkers_leave(k, &s, falling);
	return rc == 0 ? 1 : -1;
}

static int
write_worker(void *ctx, unsigned w)
{
	struct walkers *k = ctx;
	const struct walk_job *j = k->job;
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

int
walkers_copy(struct walkers *k, struct output *out, struct hp_err *e)
{
	const struct walk_job *j = k->job;
	off_t start = out->at;

	k->out = out;
	out->turn = 0;
	if (team_run(k->threads, write_worker, k, e) == 0)
		return 1;
	team_error(j->err, j->threads, e);
	if (!k->stop || e->kind != HP_NONE)
		return -1;
	output_again(out, start, false);
	return 0;
}
