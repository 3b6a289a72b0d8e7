#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc/candidates.h"
#include "doc/lines.h"
#include "doc/sublists.h"
#include "doc/values.h"

static int
set(json_t *o, const char *member, json_t *value)
{
	return json_object_set_new(o, member, value);
}

static int
set_u64(json_t *o, const char *member, uint64_t n)
{
	return set(o, member, json_integer((json_int_t)n));
}

static json_t *
edge_new(const struct edge *edge)
{
	json_t *o = json_object();
	int bad = set_u64(o, "below", edge->below);

	if (edge->bounded)
		bad |= doc_set_place(o, &edge->at);
	if (bad == 0)
		return o;
	json_decref(o);
	return NULL;
}

static int
set_until(json_t *o, const struct sublist *s)
{
	json_t *until;

	if (!s->bounded)
		return 0;
	until = json_object();
	return doc_set_place(until, &s->until) | set(o, "until", until);
}

static int
set_bracket(json_t *o, const struct bracket *b)
{
	return set_u64(o, "target", b->target) |
	    set(o, "low", edge_new(&b->low)) |
	    set(o, "high", edge_new(&b->high)) | set_u64(o, "every", b->every);
}

static int
set_note(json_t *o, const struct sublists_note *note)
{
	int bad = 0;

	if (note->nodes > 0)
		bad = set_u64(o, "nodes", note->nodes);
	if (note->method == NULL)
		return bad;
	bad |= set(o, "method", json_string(note->method)) |
	    set_u64(o, "candidates", note->candidates);
	if (!isnan(note->probability))
		bad |= set(o, "probability", doc_number_new(note->probability));
	return bad;
}

int
doc_sublist_write(FILE *f, uint64_t number, const struct sublist *s,
    const struct sublists_note *note, struct hp_err *e)
{
	json_t *o = json_object();
	int bad = set(o, "type", json_string("sublist")) |
	    set_u64(o, "sublist", number);

	if (s->assigned)
		bad |= set_u64(o, "rank", s->rank);
	if (s->node != NULL)
		bad |= set(o, "node", json_string(s->node));
	if (s->placed)
		bad |= set_u64(o, "offset", s->offset) |
		    set_u64(o, "records", s->records);
	bad |= set_until(o, s);
	if (s->open != NULL)
		bad |= set_bracket(o, s->open);
	bad |= set_note(o, note);
	return doc_put_unless(f, bad, o, e);
}

static int
read_until(const struct doc_in *d, struct sublist *s, struct hp_err *e)
{
	struct doc_in in;
	int got = doc_inner(d, "until", &in, e);

	if (got != 1)
		return got;
	s->bounded = true;
	return doc_place(&in, &s->until, e);
}

static int
read_edge(const struct doc_in *d, const char *member, struct edge *edge,
    struct hp_err *e)
{
	struct doc_in in;
	int got = doc_inner(d, member, &in, e);

	if (got == 0)
		return doc_fail(d, e, "the sublist has no '%s'", member);
	if (got == -1 ||
	    doc_u64(&in, "below", DOC_REQUIRED, &edge->below, e) == -1)
		return -1;
	if (!doc_has(&in, "key"))
		return 0;
	edge->bounded = true;
	return doc_place(&in, &edge->at, e);
}

static int
read_bracket(const struct doc_in *d, struct sublist *s, struct hp_err *e)
{
	struct bracket *b;
	uint64_t target;
	int got = doc_u64(d, "target", DOC_OPTIONAL, &target, e);

	if (got != 1)
		return got;
	if ((b = s->open = calloc(1, sizeof *b)) == NULL)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	b->target = target;
	if (read_edge(d, "low", &b->low, e) == -1 ||
	    read_edge(d, "high", &b->high, e) == -1 ||
	    doc_u64(d, "every", DOC_REQUIRED, &b->every, e) == -1)
		return -1;
	if (b->low.below >= target || b->high.below <= target || b->every == 0)
		return doc_fail(
		    d, e, "the target does not lie between 'low' and 'high'");
	return 0;
}

static int
read_placed(const struct doc_in *d, struct sublist *s, struct hp_err *e)
{
	int got = doc_u64(d, "offset", DOC_OPTIONAL, &s->offset, e);

	if (got != 1)
		return got;
	s->placed = true;
	if (doc_u64(d, "records", DOC_REQUIRED, &s->records, e) == -1)
		return -1;
	return 0;
}

/* Reads the optional number of nodes. */
static int
read_nodes(const struct doc_in *d, struct sublists *l, const struct sublist *s,
    struct hp_err *e)
{
	uint64_t nodes = l->nodes;

	if (doc_u64(d, "nodes", DOC_OPTIONAL, &nodes, e) == -1)
		return -1;
	if (l->n > 1 && nodes != l->nodes)
		return doc_fail(
		    d, e, "'nodes' differs from that of the previous line");
	if (nodes > 0 && s->assigned && s->rank >= nodes)
		return doc_fail(d, e,
		    "rank %" PRIu64 ", but there are %" PRIu64 " nodes",
		    s->rank, nodes);
	l->nodes = nodes;
	return 0;
}

static int
read_sublist(const struct doc_in *d, struct sublists *l, struct hp_err *e)
{
	struct sublist *s;
	uint64_t number;
	int got;

	if (doc_u64(d, "sublist", DOC_REQUIRED, &number, e) == -1)
		return -1;
	if (number != l->n)
		return doc_fail(d, e,
		    "sublist %" PRIu64 ", but sublist %zu is expected", number,
		    l->n);
	if ((s = sublists_add(l, e)) == NULL ||
	    (got = doc_u64(d, "rank", DOC_OPTIONAL, &s->rank, e)) == -1)
		return -1;
	s->assigned = got == 1;
	if (s->rank > UINT32_MAX)
		return doc_fail(d, e, "rank %" PRIu64 ": too large", s->rank);
	if (doc_string(d, "node", DOC_OPTIONAL, &s->node, e) == -1 ||
	    read_nodes(d, l, s, e) == -1 || read_placed(d, s, e) == -1 ||
	    read_until(d, s, e) == -1)
		return -1;
	return read_bracket(d, s, e);
}

/*
 * Sorts the candidates in `probe`, which are records that may end a sublist,
 * and removes duplicates. Makes one sublist up to each candidate, and a last
 * sublist for the rest.
 */
static int
bound_by(struct pivots *probe, struct sublists *l, struct hp_err *e)
{
	struct sublist *s;

	pivots_sort(probe);
	pivots_unique(probe);
	for (size_t i = 0; i < probe->n; i++) {
		if ((s = sublists_add(l, e)) == NULL)
			return -1;
		s->bounded = true;
		s->until = probe->v[i];
		probe->v[i] = (struct pivot){ 0 };
	}
	return sublists_add(l, e) == NULL ? -1 : 0;
}

static int
read_bound(const struct doc_in *d, struct sublists *l, struct pivots *probe,
    bool probes, struct hp_err *e)
{
	struct pivot p = { 0 };

	if (strcmp(d->type, "sublist") == 0 && probe->n == 0)
		return read_sublist(d, l, e);
	if (!probes || l->n > 0 || strcmp(d->type, "candidate") != 0)
		return doc_unexpected(
		    d, probe->n > 0 ? "a candidate" : "a sublist", e);
	if (doc_place(d, &p, e) == -1)
		return -1;
	return pivots_add(probe, p, e);
}

int
doc_sublists_read(
    const char *path, struct sublists *l, bool *probes, struct hp_err *e)
{
	struct pivots probe = { 0 };
	struct doc_in d;
	int got, rc = -1;

	if (doc_open(&d, path, e) == -1)
		return -1;
	d.no_object = true;
	while ((got = doc_next(&d, e)) == 1)
		if (read_bound(&d, l, &probe, probes != NULL, e) == -1)
			goto out;
	if (got == -1)
		goto out;
	if (probes != NULL)
		*probes = l->n == 0;
	if (l->n > 0)
		rc = 0;
	else if (probes != NULL)
		rc = bound_by(&probe, l, e);
	else
		hp_fail(e, HP_INPUT, "%s: contains no sublist", d.name);
out:
	pivots_fini(&probe);
	doc_close(&d);
	return rc;
}
