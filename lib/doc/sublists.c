#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc/lines.h"
#include "doc/sublists.h"

int
doc_candidate_write(
    FILE *f, const struct pivot *p, uint64_t records, struct hp_err *e)
{
	return doc_put(f,
	    json_pack("{ss so sI sI sI}", "type", "candidate", "key",
		doc_hex_new(p->key, p->len), "rank", (json_int_t)p->rank,
		"index", (json_int_t)p->index, "records", (json_int_t)records),
	    e);
}

/* The key, rank and index of the object; the caller frees the key. */
static int
read_place(const struct doc_in *d, struct pivot *p, struct hp_err *e)
{
	if (doc_u64(d, "rank", DOC_REQUIRED, &p->rank, e) == -1 ||
	    doc_u64(d, "index", DOC_REQUIRED, &p->index, e) == -1)
		return -1;
	return doc_hex(d, "key", DOC_REQUIRED, &p->key, &p->len, e);
}

static int
node_records(const struct doc_in *d, struct candidates *c, uint64_t rank,
    enum doc_need need, struct hp_err *e)
{
	if (rank >= c->nodes)
		return doc_fail(d, e,
		    "rank %" PRIu64 ", but the plan has %zu nodes", rank,
		    c->nodes);
	return doc_u64(d, "records", need, &c->records[rank], e);
}

static int
read_candidate(const struct doc_in *d, struct candidates *c, struct hp_err *e)
{
	struct pivot p = { 0 };
	uint64_t rank;
	int told;

	if (strcmp(d->type, "count") == 0) {
		if (doc_u64(d, "rank", DOC_REQUIRED, &rank, e) == -1)
			return -1;
		return node_records(d, c, rank, DOC_REQUIRED, e);
	}
	if (strcmp(d->type, "candidate") != 0)
		return doc_unexpected(d, "a candidate", e);
	if (read_place(d, &p, e) == -1)
		return -1;
	if ((told = node_records(d, c, p.rank, DOC_OPTIONAL, e)) == -1) {
		pivot_fini(&p);
		return -1;
	}
	if (told == 1 && p.index >= c->records[p.rank]) {
		pivot_fini(&p);
		return doc_fail(d, e,
		    "index %" PRIu64 ", but rank %" PRIu64 " has %" PRIu64
		    " records",
		    p.index, p.rank, c->records[p.rank]);
	}
	return pivots_add(&c->list, p, e);
}

int
doc_candidates_read(const char *path, struct candidates *c, struct hp_err *e)
{
	struct doc_in d;
	int got, rc = -1;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((got = doc_next(&d, e)) == 1)
		if (read_candidate(&d, c, e) == -1)
			goto out;
	rc = got;
out:
	doc_close(&d);
	return rc;
}

static json_t *
place_new(const struct pivot *p)
{
	return json_pack("{so sI sI}", "key", doc_hex_new(p->key, p->len),
	    "rank", (json_int_t)p->rank, "index", (json_int_t)p->index);
}

int
doc_sublist_write(FILE *f, uint64_t number, const struct sublist *s,
    const struct pivots_note *note, struct hp_err *e)
{
	json_t *o = json_pack(
	    "{ss sI}", "type", "sublist", "sublist", (json_int_t)number);
	int bad = o == NULL;

	if (s->assigned)
		bad |= json_object_set_new(
		    o, "rank", json_integer((json_int_t)s->rank));
	if (s->node != NULL)
		bad |= json_object_set_new(o, "node", json_string(s->node));
	if (s->bounded)
		bad |= json_object_set_new(o, "until", place_new(&s->until));
	if (note != NULL && note->method != NULL) {
		bad |= json_object_set_new(
		    o, "method", json_string(note->method));
		bad |= json_object_set_new(o, "candidates",
		    json_integer((json_int_t)note->candidates));
		if (!isnan(note->probability))
			bad |= json_object_set_new(o, "probability",
			    doc_number_new(note->probability));
	}
	if (bad) {
		json_decref(o);
		o = NULL;
	}
	return doc_put(f, o, e);
}

static int
read_until(const struct doc_in *d, struct sublist *s, struct hp_err *e)
{
	struct doc_in inner = *d;

	inner.object = json_object_get(d->object, "until");
	if (inner.object == NULL || json_is_null(inner.object))
		return 0;
	if (!json_is_object(inner.object))
		return doc_fail(d, e, "'until' must be an object");
	inner.type = "until";
	s->bounded = true;
	return read_place(&inner, &s->until, e);
}

static int
read_sublist(const struct doc_in *d, struct sublists *l, struct hp_err *e)
{
	struct sublist *s;
	uint64_t number;
	int got;

	if (strcmp(d->type, "sublist") != 0)
		return doc_unexpected(d, "a sublist", e);
	if (doc_u64(d, "sublist", DOC_REQUIRED, &number, e) == -1)
		return -1;
	if (number != l->n)
		return doc_fail(d, e,
		    "sublist %" PRIu64 ", expected number %zu", number, l->n);
	if ((s = sublists_add(l, e)) == NULL ||
	    (got = doc_u64(d, "rank", DOC_OPTIONAL, &s->rank, e)) == -1)
		return -1;
	s->assigned = got == 1;
	if (s->rank > UINT32_MAX)
		return doc_fail(d, e, "rank %" PRIu64 ": too large", s->rank);
	if (doc_string(d, "node", DOC_OPTIONAL, &s->node, e) == -1)
		return -1;
	return read_until(d, s, e);
}

int
doc_sublists_read(const char *path, struct sublists *l, struct hp_err *e)
{
	struct doc_in d;
	int got, rc = -1;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((got = doc_next(&d, e)) == 1)
		if (read_sublist(&d, l, e) == -1)
			goto out;
	rc = got;
	if (rc == 0 && l->n == 0)
		rc = hp_fail(e, HP_INPUT, "%s: no sublist in it", d.name);
out:
	doc_close(&d);
	return rc;
}

int
doc_count_write(FILE *f, uint64_t sublist, uint64_t rank, uint64_t records,
    struct hp_err *e)
{
	return doc_put(f,
	    json_pack("{ss sI sI sI}", "type", "count", "sublist",
		(json_int_t)sublist, "rank", (json_int_t)rank, "records",
		(json_int_t)records),
	    e);
}
