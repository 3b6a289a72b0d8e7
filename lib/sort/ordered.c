#include <stdlib.h>
#include <unistd.h>

#include "base/team.h"
#include "input/window.h"
#include "sort/copying.h"
#include "sort/ordered.h"

enum {
	MORE = 8 /* growth factor of the bytes to check */
};

int
ordered_init(struct ordered *t, const struct order *o, const struct view *v,
    const struct budget *g, struct hp_err *e)
{
	*t = (struct ordered){ 0 };
	t->job.view = v;
	t->job.unique = o->unique;
	t->job.stable = o->stable || o->unique;
	t->job.threads = g->threads;
	t->job.step = budget_copy(g);
	t->job.err = calloc(g->threads, sizeof *t->job.err);
	if (t->job.err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	if (v->kind == VIEW_NUMBER) {
		number_init(&t->number, o);
		t->job.number = &t->number;
	}
	return 0;
}

void
ordered_fini(struct ordered *t)
{
	free(t->job.err);
	t->job.err = NULL;
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
		if (!walkers_in_order(k, &s))
			k->stop = true;
		walkers_leave(k, &s, false);
	}
	return 0;
}

/*
 * Checks whether the whole text is in order. Returns 1 if it is, 0 if it is
 * not, -1 on error.
 */
static int
look(struct walkers *k, struct hp_err *e)
{
	if (k->strides == 0 || !walkers_direction(k))
		return 0;
	if (team_run(k->threads, look_worker, k, e) == -1)
		return -1;
	k->next = 0;
	return !k->stop;
}

static int
copy_pieces(struct walkers *k, struct output *out, struct hp_err *e)
{
	int rc;

	/*
	 * Check the whole text before writing: bytes written to a pipe cannot
	 * be taken back, and with -u the number of records must be known first.
	 */
	if (!out->seekable || k->job->unique) {
		rc = look(k, e);
		return rc == 1 ? walkers_copy(k, out, e) : rc;
	}
	if (k->strides == 0 || !walkers_direction(k))
		return 0;
	k->look = true;
	return walkers_copy(k, out, e);
}

static int
copy_mapped(const struct walk_job *j, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	struct walkers k = walkers_init(j, j->in->piece, j->in->npieces);
	struct progress *progress = j->in->progress;
	struct output out;
	int rc;

	output_init(&out, fd, name);
	out.progress = progress;
	rc = copy_pieces(&k, &out, e);
	if (output_close(&out, e) == -1)
		return -1;
	if (rc == 0 && progress != NULL)
		progress->written = 0;
	if (rc == 1) {
		if (progress != NULL)
			progress->read += j->in->total;
		s->records = s->written = k.records;
		s->bytes = j->in->total;
	}
	return rc;
}

/*
 * Maps the whole input into memory; pages that are not touched take only
 * address space. Returns 1, or 0 if the input cannot be mapped, or -1 on error.
 */
static int
map(struct input *in, const struct sort_job *j, struct header *header, int fd,
    struct hp_err *e)
{
	struct input_range extent = { j->extent_off, j->extent_bytes };

	if (input_open(in, &j->order->format, j->file, j->nfiles, header,
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
ordered_copy(struct ordered *t, const struct sort_job *j, struct input *opened,
    struct header *header, int fd, const char *name, struct sort_stats *s,
    struct hp_err *e)
{
	off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	struct input in = { .fd = -1 };
	int rc = -1;

	t->job.in = opened->mapped ? opened : &in;
	if (opened->mapped || (rc = map(&in, j, header, fd, e)) == 1)
		rc = copy_mapped(&t->job, fd, name, s, e);
	if (rc == 0 && begin != -1)
		lseek(STDIN_FILENO, begin, SEEK_SET);
	input_close(&in);
	return rc;
}

/*
 * Checks whether the next records of an input that is not mapped are in order,
 * up to `most` bytes. Checks a few bytes first, so that it reads little if they
 * are out of order. Returns 1 if the records are in order, 0 if they are not,
 * -1 on error. Stores in *more whether more text follows.
 */
static int
look_ahead(struct ordered *t, struct batch *b, size_t most, bool *more,
    struct hp_err *e)
{
	struct input *in = t->job.in;
	size_t want = in->block;
	struct walkers k;
	int rc;

	for (;; want *= MORE) {
		want = want < most ? want : most;
		if (input_ahead(in, want, &t->text, e) == -1)
			return -1;
		k = walkers_init(&t->job, &t->text, 1);
		rc = look(&k, e);
		*more = t->text.end < in->end || !in->eof;
		if (rc != 1 || !*more || want == most)
			break;
		arena_trim(b->arena);
	}
	if (rc != 1) {
		input_trim(in);
		return rc;
	}
	t->how = k.how;
	b->records = k.records;
	b->bytes = (uint64_t)(t->text.end - t->text.start);
	if (b->longest < k.longest)
		b->longest = k.longest;
	return 1;
}

int
ordered_read(
    struct ordered *t, struct batch *b, struct input *in, struct hp_err *e)
{
	bool more = false;
	int rc = 0;

	t->job.in = in;
	t->how = ORDERED_NOT;
	/*
	 * Check whether the next records are already in order, because then
	 * they need no sorting. Mapped input was already checked by
	 * ordered_copy. If numbers are counted instead of sorted, the check
	 * would not save time: counting needs one batch and no temporary files.
	 */
	if (!in->mapped && !b->counted)
		rc = look_ahead(t, b, in->cap / 2, &more, e);
	if (rc == 0)
		return b->ops->read(b, e);
	return rc == 1 ? more : -1;
}

int
ordered_write(struct ordered *t, struct batch *b, struct output *out,
    uint64_t *records, struct hp_err *e)
{
	struct walkers k;

	if (t->how == ORDERED_NOT)
		return b->ops->write(b, out, records, e);
	k = walkers_init(&t->job, &t->text, 1);
	k.how = t->how;
	*records = b->records;
	if (walkers_copy(&k, out, e) == -1)
		return -1;
	input_skip(t->job.in, t->text.end);
	return 0;
}
