#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "doc/parts.h"
#include "doc/summary.h"
#include "doc/values.h"

void
part_sums_fini(struct part_sums *l)
{
	free(l->v);
	*l = (struct part_sums){ 0 };
}

void
parts_fini(struct parts *l)
{
	free(l->v);
	*l = (struct parts){ 0 };
}

struct sums_of_node {
	struct part_sums *sums;
	uint64_t rank; /* of the node that reported them */
};

/*
 * Reads a line that has counts and a checksum. Such lines are written by
 * hpcheck, and by hpsort and hpmerge with --dropped.
 */
static int
read_sum(struct doc_in *d, void *context, struct hp_err *e)
{
	struct sums_of_node *s = context;
	struct part_sums *l = s->sums;
	struct part_sum *p;
	char *hex;
	int bad;

	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%s", d->name);
	p = &l->v[l->n];
	*p = (struct part_sum){ .from = s->rank, .to = s->rank };
	if (strcmp(d->type, "sum") != 0 && strcmp(d->type, "summary") != 0 &&
	    strcmp(d->type, "dropped") != 0)
		return doc_unexpected(d, "a sum", e);
	if (doc_u64(d, "records", DOC_REQUIRED, &p->records, e) == -1 ||
	    doc_u64(d, "bytes", DOC_REQUIRED, &p->bytes, e) == -1 ||
	    doc_u64(d, "sublist", DOC_OPTIONAL, &p->to, e) == -1 ||
	    doc_string(d, "checksum", DOC_REQUIRED, &hex, e) == -1)
		return -1;
	bad = sum_parse(hex, &p->checksum);
	free(hex);
	if (bad)
		return doc_fail(d, e, "'checksum' is not a number in hex");
	l->n++;
	return 0;
}

int
doc_sums_read(
    const char *path, uint64_t rank, struct part_sums *l, struct hp_err *e)
{
	struct sums_of_node s = { l, rank };

	return doc_each(path, read_sum, &s, e);
}

static int
add_part(struct parts *l, const struct part *p, struct hp_err *e)
{
	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "parts");
	l->v[l->n++] = *p;
	return 0;
}

int
doc_pieces_read(
    const char *path, uint64_t rank, struct parts *l, struct hp_err *e)
{
	struct extents x = { 0 };
	int rc = doc_extents_read(path, rank, UINT64_MAX, &x, e);

	for (size_t i = 0; rc == 0 && i < x.n; i++) {
		struct part p = { x.v[i].sublist, rank, x.v[i].offset,
			x.v[i].bytes, x.v[i].records, 0 };

		if (p.bytes > 0)
			rc = add_part(l, &p, e);
	}
	extents_fini(&x);
	return rc;
}

static int
by_sublist(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->sublist != y->sublist)
		return x->sublist < y->sublist ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

void
parts_lay_out(struct parts *l, uint64_t header)
{
	size_t n = 0;

	if (l->n > 0)
		qsort(l->v, l->n, sizeof *l->v, by_sublist);
	for (size_t i = 0; i < l->n; i++) {
		struct part *before = n > 0 ? &l->v[n - 1] : NULL;

		if (before != NULL && before->rank == l->v[i].rank &&
		    before->offset + before->bytes == l->v[i].offset) {
			before->bytes += l->v[i].bytes;
			before->records += l->v[i].records;
		} else
			l->v[n++] = l->v[i];
	}
	l->n = n;
	for (size_t i = 0; i < l->n; i++) {
		l->v[i].at = header;
		header += l->v[i].bytes;
	}
}

int
doc_parts_write(FILE *f, const struct parts *l, struct hp_err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct part *p = &l->v[i];

		if (doc_put(f,
			json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "type",
			    "extent", "sublist", (json_int_t)p->sublist, "rank",
			    (json_int_t)p->rank, "offset",
			    (json_int_t)p->offset, "bytes",
			    (json_int_t)p->bytes, "records",
			    (json_int_t)p->records, "at", (json_int_t)p->at),
			e) == -1)
			return -1;
	}
	return 0;
}

/*
 * Reads the parts of a result. If `placed` is set, each line must have a member
 * `at`, the offset of the part in the result.
 */
static int
read_parts(const char *path, bool placed, struct parts *l, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1) {
		struct part p = { 0 };

		if ((strcmp(d.type, "extent") != 0 &&
			doc_unexpected(&d, "an extent", e) == -1) ||
		    doc_u64(&d, "sublist", DOC_REQUIRED, &p.sublist, e) == -1 ||
		    doc_u64(&d, "rank", DOC_REQUIRED, &p.rank, e) == -1 ||
		    doc_u64(&d, "offset", DOC_REQUIRED, &p.offset, e) == -1 ||
		    doc_u64(&d, "bytes", DOC_REQUIRED, &p.bytes, e) == -1 ||
		    doc_u64(&d, "records", DOC_REQUIRED, &p.records, e) == -1 ||
		    (placed &&
			doc_u64(&d, "at", DOC_REQUIRED, &p.at, e) == -1) ||
		    add_part(l, &p, e) == -1) {
			rc = -1;
			break;
		}
	}
	doc_close(&d);
	return rc;
}

int
doc_parts_read(const char *path, struct parts *l, struct hp_err *e)
{
	return read_parts(path, true, l, e);
}

int
doc_deal_read(const char *path, struct parts *l, struct hp_err *e)
{
	return read_parts(path, false, l, e);
}

/*
 * Stores in `index` the indices of a node's parts, in the order of their
 * offsets in the node's file. Returns the number of these parts.
 */
static size_t
parts_of(const struct parts *l, uint64_t rank, size_t *index)
{
	size_t n = 0, at;

	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].rank != rank)
			continue;
		for (at = n++;
		     at > 0 && l->v[index[at - 1]].offset > l->v[i].offset;
		     at--)
			index[at] = index[at - 1];
		index[at] = i;
	}
	return n;
}

int
doc_summaries_match(const char *path, uint64_t rank, struct parts *l,
    struct summary *summary, struct hp_err *e)
{
	size_t *index = reallocarray(NULL, l->n + 1, sizeof *index), n, i = 0;
	struct summary s = { 0 };
	struct doc_in d = { 0 };
	int rc = -1;

	if (index == NULL) {
		hp_fail_errno(e, HP_NOMEM, "parts");
		goto out;
	}
	n = parts_of(l, rank, index);
	if (doc_open(&d, path, e) == -1)
		goto out;
	while ((rc = doc_summary_read(&d, &s, e)) == 1) {
		if (s.records == 0)
			continue;
		if (i == n || s.bytes != l->v[index[i]].bytes) {
			rc = doc_fail(
			    &d, e, "the summary is not that of a written part");
			goto out;
		}
		l->v[index[i]].records = s.records;
		summary[index[i++]] = s;
		s = (struct summary){ 0 };
	}
	if (rc == 0 && i < n)
		rc = hp_fail(
		    e, HP_INPUT, "%s: the summary of a part is missing", path);
out:
	summary_fini(&s);
	free(index);
	doc_close(&d);
	return rc;
}

static json_t *
left_part(
    const struct part *p, const char *const *name, const char *const *path)
{
	return json_pack("{s:s, s:s, s:I, s:I, s:I}", "node", name[p->rank],
	    "path", path[p->rank], "offset", (json_int_t)p->offset, "records",
	    (json_int_t)p->records, "bytes", (json_int_t)p->bytes);
}

int
doc_left_write(FILE *f, const char *whole, const struct parts *l,
    const char *const *name, const char *const *path, struct hp_err *e)
{
	json_t *list = json_array(), *o;
	struct doc_in d = { 0 };
	bool bad = list == NULL;
	int rc;

	for (size_t i = 0; !bad && i < l->n; i++)
		bad = json_array_append_new(
			  list, left_part(&l->v[i], name, path)) == -1;
	if ((rc = doc_open(&d, whole, e)) == 0 && (rc = doc_next(&d, e)) == 0)
		rc = hp_fail(e, HP_INPUT, "%s: is empty", whole);
	if (rc != 1) {
		json_decref(list);
		goto out;
	}
	o = json_copy(d.object);
	bad |= o == NULL || json_object_set_new(o, "parts", list) == -1;
	rc = doc_put_unless(f, bad, o, e);
out:
	doc_close(&d);
	return rc;
}

static int
add_count(struct doc_in *d, void *total, struct hp_err *e)
{
	uint64_t n;

	if (strcmp(d->type, "count") != 0)
		return doc_unexpected(d, "a count", e);
	if (doc_u64(d, "records", DOC_REQUIRED, &n, e) == -1)
		return -1;
	*(uint64_t *)total += n;
	return 0;
}

int
doc_total_read(const char *path, uint64_t *records, struct hp_err *e)
{
	*records = 0;
	return doc_each(path, add_count, records, e);
}
