#include <stdlib.h>
#include <unistd.h>

#include "sort/ordered.h"
#include "sort/presorted.h"

int
presorted_init(struct presorted *p, const struct order *o, const struct view *v,
    const struct budget *g, struct hp_err *e)
{
	*p = (struct presorted){ .job = { .view = v,
				     .unique = o->unique,
				     .stable = o->stable || o->unique,
				     .threads = g->threads,
				     .step = budget_copy(g),
				     .err = calloc(
					 g->threads, sizeof *p->job.err) } };
	if (p->job.err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	if (o->format.kind == FORMAT_NUMBER) {
		number_init(&p->number, o);
		p->job.number = &p->number;
	}
	return 0;
}

void
presorted_fini(struct presorted *p)
{
	free(p->job.err);
	p->job.err = NULL;
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
map(struct input *in, const struct sort_job *j, struct header *header, int fd,
    struct hp_err *e)
{
	struct extent extent = { j->extent_off, j->extent_bytes };

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
presorted_copy(struct presorted *p, const struct sort_job *j,
    struct input *opened, struct header *header, int fd, const char *name,
    struct sort_stats *s, struct hp_err *e)
{
	off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	struct input in = { .fd = -1 };
	int rc = -1;

	p->job.in = opened->mapped ? opened : &in;
	if (opened->mapped || (rc = map(&in, j, header, fd, e)) == 1)
		rc = copy(&p->job, fd, name, s, e);
	if (rc == 0 && begin != -1)
		lseek(STDIN_FILENO, begin, SEEK_SET);
	input_close(&in);
	return rc;
}

int
presorted_read(
    struct presorted *p, struct batch *b, struct input *in, struct hp_err *e)
{
	int rc = 0;

	p->job.in = in;
	p->job.arena = b->arena;
	p->found.how = ORDERED_NOT;
	/* A batch of counts takes all of the input, ordered or not; runs of
	 * ordered numbers would need temporary files. */
	if (!b->counted)
		rc = ordered_look(&p->job, in->cap / 2, &p->found, e);
	if (rc == 0)
		return b->ops->read(b, e);
	if (rc == -1)
		return -1;
	b->records = p->found.records;
	b->bytes = p->found.bytes;
	if (b->longest < p->found.longest)
		b->longest = p->found.longest;
	return p->found.more;
}

int
presorted_write(struct presorted *p, struct batch *b, struct output *out,
    uint64_t *records, struct hp_err *e)
{
	if (p->found.how == ORDERED_NOT)
		return b->ops->write(b, out, records, e);
	*records = b->records;
	return ordered_write(&p->job, &p->found, out, e);
}
