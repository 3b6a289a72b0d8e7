#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "doc/extents.h"
#include "doc/lines.h"
#include "doc/values.h"

static int
extents_add(struct extents *l, const struct extent *x, struct hp_err *e)
{
	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return hp_fail(e, HP_NOMEM, "%zu extents", l->n + 1);
	l->v[l->n++] = *x;
	return 0;
}

void
extents_fini(struct extents *l)
{
	free(l->v);
	*l = (struct extents){ 0 };
}

static int
read_extent(const struct doc_in *d, struct extent *x, struct hp_err *e)
{
	if (strcmp(d->type, "extent") != 0)
		return doc_unexpected(d, "an extent", e);
	if (doc_u64(d, "sublist", DOC_REQUIRED, &x->sublist, e) == -1 ||
	    doc_u64(d, "rank", DOC_REQUIRED, &x->rank, e) == -1 ||
	    doc_u64(d, "offset", DOC_REQUIRED, &x->offset, e) == -1 ||
	    doc_u64(d, "bytes", DOC_REQUIRED, &x->bytes, e) == -1 ||
	    doc_u64(d, "records", DOC_REQUIRED, &x->records, e) == -1)
		return -1;
	if (x->records > x->bytes)
		return doc_fail(d, e, "more records than bytes");
	return 0;
}

int
doc_extents_read(const char *path, uint64_t rank, uint64_t nodes,
    struct extents *l, struct hp_err *e)
{
	struct extent x;
	struct doc_in d;
	int got, rc = -1;

	if (doc_open(&d, path, e) == -1)
		return -1;
	d.no_object = true;
	while ((got = doc_next(&d, e)) == 1) {
		if (read_extent(&d, &x, e) == -1)
			goto out;
		if (x.rank != rank || x.sublist >= nodes) {
			doc_fail(&d, e,
			    "the extent is of node %" PRIu64
			    " for sublist %" PRIu64
			    ", but this is node %" PRIu64 " of %" PRIu64,
			    x.rank, x.sublist, rank, nodes);
			goto out;
		}
		if (extents_add(l, &x, e) == -1)
			goto out;
	}
	rc = got;
out:
	doc_close(&d);
	return rc;
}

int
doc_extent_write(FILE *f, const struct extent *x, struct hp_err *e)
{
	return doc_put(f,
	    json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "type", "extent",
		"sublist", (json_int_t)x->sublist, "rank", (json_int_t)x->rank,
		"offset", (json_int_t)x->offset, "bytes", (json_int_t)x->bytes,
		"records", (json_int_t)x->records),
	    e);
}
