#include <inttypes.h>
#include <string.h>

#include "doc/candidates.h"
#include "doc/values.h"

int
doc_set_place(json_t *o, const struct pivot *p)
{
	int bad = json_object_set_new(o, "key", doc_hex_new(p->key, p->len));

	if (p->text)
		bad |= doc_set_text(o, "text", p->key, p->len);
	return bad |
	    json_object_set_new(o, "rank", json_integer((json_int_t)p->rank)) |
	    json_object_set_new(o, "index", json_integer((json_int_t)p->index));
}

int
doc_place(const struct doc_in *d, struct pivot *p, struct hp_err *e)
{
	if (doc_u64(d, "rank", DOC_REQUIRED, &p->rank, e) == -1 ||
	    doc_u64(d, "index", DOC_REQUIRED, &p->index, e) == -1)
		return -1;
	if (doc_hex(d, "key", DOC_REQUIRED, &p->key, &p->len, e) == -1)
		return -1;
	p->text = doc_has(d, "text");
	return 0;
}

int
doc_candidate_write(
    FILE *f, const struct pivot *p, uint64_t records, struct hp_err *e)
{
	json_t *o = json_pack("{s:s}", "type", "candidate");
	int bad = doc_set_place(o, p) |
	    json_object_set_new(
		o, "records", json_integer((json_int_t)records));

	return doc_put_unless(f, bad, o, e);
}

int
doc_count_write(FILE *f, uint64_t sublist, uint64_t rank, uint64_t records,
    struct hp_err *e)
{
	return doc_put(f,
	    json_pack("{s:s, s:I, s:I, s:I}", "type", "count", "sublist",
		(json_int_t)sublist, "rank", (json_int_t)rank, "records",
		(json_int_t)records),
	    e);
}

static int
read_count(const struct doc_in *d, struct tally *t, struct hp_err *e)
{
	uint64_t sublist, rank, records;
	struct hp_err why;

	if (doc_u64(d, "sublist", DOC_REQUIRED, &sublist, e) == -1 ||
	    doc_u64(d, "rank", DOC_REQUIRED, &rank, e) == -1 ||
	    doc_u64(d, "records", DOC_REQUIRED, &records, e) == -1)
		return -1;
	if (tally_add(t, sublist, rank, records, &why) == -1)
		return doc_fail(d, e, "%s", why.text);
	return 0;
}

static int
read_candidate(const struct doc_in *d, struct candidates *c, struct hp_err *e)
{
	struct pivot p = { 0 };
	int told;

	if (doc_place(d, &p, e) == -1)
		return -1;
	if (p.rank >= c->nodes)
		told = doc_fail(d, e,
		    "rank %" PRIu64 ", but the plan has %zu nodes", p.rank,
		    c->nodes);
	else
		told = doc_u64(
		    d, "records", DOC_OPTIONAL, &c->records[p.rank], e);
	if (told == 1 && p.index >= c->records[p.rank])
		told = doc_fail(d, e,
		    "index %" PRIu64 ", but the node has %" PRIu64 " records",
		    p.index, c->records[p.rank]);
	if (told == -1) {
		pivot_fini(&p);
		return -1;
	}
	return pivots_add(&c->list, p, e);
}

/*
 * Reads the lines of type `count` of a JSON document. Unless c is NULL, also
 * reads the lines of type `candidate`.
 */
static int
read_lines(
    const char *path, struct candidates *c, struct tally *t, struct hp_err *e)
{
	struct doc_in d;
	int got;

	if (doc_open(&d, path, e) == -1)
		return -1;
	d.no_object = true;
	while ((got = doc_next(&d, e)) == 1) {
		if (c != NULL && strcmp(d.type, "candidate") == 0)
			got = read_candidate(&d, c, e);
		else if (strcmp(d.type, "count") == 0)
			got = read_count(&d, t, e);
		else
			got = doc_unexpected(
			    &d, c != NULL ? "a candidate" : "a count", e);
		if (got == -1)
			break;
	}
	doc_close(&d);
	return got;
}

int
doc_candidates_read(
    const char *path, struct candidates *c, struct tally *t, struct hp_err *e)
{
	return read_lines(path, c, t, e);
}

int
doc_counts_read(const char *path, struct tally *t, struct hp_err *e)
{
	return read_lines(path, NULL, t, e);
}
