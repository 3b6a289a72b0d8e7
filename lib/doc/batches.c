#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "doc/batches.h"
#include "doc/lines.h"
#include "doc/links.h"
#include "doc/values.h"

void
batch_steps_fini(struct batch_steps *l)
{
	free(l->v);
	*l = (struct batch_steps){ 0 };
}

static int
read_step(struct doc_in *d, void *context, struct hp_err *e)
{
	struct batch_steps *l = context;
	struct batch_step *b;
	char *step;

	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%s", d->name);
	b = &l->v[l->n];
	*b = (struct batch_step){ 0 };
	if (strcmp(d->type, "batch") != 0)
		return doc_unexpected(d, "a batch", e);
	if (doc_u64(d, "batch", DOC_REQUIRED, &b->batch, e) == -1 ||
	    doc_u64(d, "rank", DOC_REQUIRED, &b->of.rank, e) == -1 ||
	    doc_u64(d, "offset", DOC_REQUIRED, &b->of.offset, e) == -1 ||
	    doc_u64(d, "bytes", DOC_REQUIRED, &b->of.bytes, e) == -1 ||
	    doc_u64(d, "records", DOC_REQUIRED, &b->of.records, e) == -1 ||
	    doc_string(d, "step", DOC_REQUIRED, &step, e) == -1)
		return -1;
	b->of.sublist = b->batch;
	b->sends = strcmp(step, "send") == 0;
	free(step);
	l->n++;
	return 0;
}

int
doc_batches_read(const char *path, struct batch_steps *l, struct hp_err *e)
{
	if (access(path, F_OK) == -1 && errno == ENOENT)
		return 0;
	return doc_each(path, read_step, l, e);
}

int
doc_batch_write(FILE *f, const struct batch_step *b, struct hp_err *e)
{
	return doc_put(f,
	    json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "type", "batch",
		"step", b->sends ? "send" : "sort", "batch",
		(json_int_t)b->batch, "rank", (json_int_t)b->of.rank, "offset",
		(json_int_t)b->of.offset, "bytes", (json_int_t)b->of.bytes,
		"records", (json_int_t)b->of.records),
	    e);
}

int
doc_speeds_write(const char *cluster, const double *seconds, size_t nodes,
    uint64_t n, FILE *f, struct hp_err *e)
{
	struct doc_in d;
	size_t rank = 0;
	json_t *o;
	int rc;

	if (doc_open(&d, cluster, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1) {
		o = json_copy(d.object);
		if (!doc_is_launcher(&d) && rank < nodes &&
		    json_object_set_new(o, "points",
			json_pack("[{s:I, s:f}]", "n", (json_int_t)n, "seconds",
			    seconds[rank++])) == -1) {
			json_decref(o);
			rc = hp_fail(e, HP_NOMEM, "%s", cluster);
			break;
		}
		if ((rc = doc_put(f, o, e)) == -1)
			break;
	}
	doc_close(&d);
	if (rc == 0 && rank != nodes)
		rc = hp_fail(e, HP_INPUT,
		    "%s: has more or fewer nodes than measured", cluster);
	return rc;
}
