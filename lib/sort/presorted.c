#include <stdlib.h>
#include <unistd.h>

#include "sort/ordered.h"
#include "sort/presorted.h"

enum {
	STEP_LEAST = 1 << 16,
	STEP_MOST = 1 << 20
};

/* Little of a mapping is resident at any time. */
static size_t
step(uint64_t memory, unsigned threads)
{
	uint64_t each = memory / threads / 32;

	if (each < STEP_LEAST)
		return STEP_LEAST;
	return each < STEP_MOST ? (size_t)each : STEP_MOST;
}

static int
copy(const struct ordered_job *o, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	struct progress *progress = o->in->progress;
	struct output out;
	uint64_t records;
	int rc;

	output_init(&out, fd, name);
	out.progress = progress;
	rc = ordered_copy(o, &out, &records, e);
	if (output_close(&out, e) == -1)
		return -1;
	if (rc == 0 && progress != NULL)
		progress->written = 0;
	if (rc == 1) {
		s->records = s->written = records;
		s->bytes = o->in->total;
	}
	return rc;
}

/* Their addresses are all that they take; but there may not be as many. */
static int
map(struct input *in, const struct sort_job *j, int first, int fd,
    struct hp_err *e)
{
	struct extent extent = { j->extent_off, j->extent_bytes };

	if (input_open(in, &j->order->format, j->file, j->nfiles, first,
		&extent, UINT64_MAX, fd, e) == 0) {
		in->progress = j->progress;
		return in->mapped;
	}
	if (e->kind != HP_NOMEM)
		return -1;
	*e = (struct hp_err){ 0 };
	return 0;
}

int
presorted_copy(const struct sort_job *j, const struct view *v,
    struct input *opened, int first, unsigned threads, uint64_t memory, int fd,
    const char *name, struct sort_stats *s, struct hp_err *e)
{
	const struct order *o = j->order;
	off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	struct number number;
	struct input in = { 0 };
	struct ordered_job k = { .view = v,
		.in = opened->mapped ? opened : &in,
		.unique = o->unique,
		.stable = o->stable || o->unique,
		.threads = threads,
		.step = step(memory, threads),
		.err = calloc(threads, sizeof *k.err) };
	int rc = -1;

	if (k.err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	if (o->format.kind == FORMAT_NUMBER) {
		number_init(&number, o);
		k.number = &number;
	}
	if (opened->mapped || (rc = map(&in, j, first, fd, e)) == 1)
		rc = copy(&k, fd, name, s, e);
	if (rc == 0 && begin != -1)
		lseek(STDIN_FILENO, begin, SEEK_SET);
	input_close(&in);
	free(k.err);
	return rc;
}
