#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "doc/lines.h"
#include "doc/plan.h"
#include "doc/stages.h"
#include "doc/values.h"

/*
 * Checks that a node's name is valid and occurs for the first time. `names`
 * maps each name to its line number.
 */
static int
check_name(
    const struct doc_in *d, const char *node, json_t *names, struct hp_err *e)
{
	const char *fault = doc_name_fault(node);
	const json_t *line = json_object_get(names, node);

	if (fault != NULL)
		return doc_fail(d, e, "'node' %s", fault);
	if (line != NULL)
		return doc_fail(d, e,
		    "node '%.255s' appears twice, first in line %ju", node,
		    (uintmax_t)json_integer_value(line));
	if (json_object_set_new(
		names, node, json_integer((json_int_t)d->line)) == -1)
		return hp_fail(e, HP_NOMEM, "%.256s", d->name);
	return 0;
}

/* Reads the share of the next rank and checks its offset. */
static int
read_share(
    const struct doc_in *d, struct plan *p, json_t *names, struct hp_err *e)
{
	uint64_t rank, n, offset;
	double seconds = 0;
	bool extrapolated = false;
	char *node = NULL;
	int rc;

	if (doc_u64(d, "rank", DOC_REQUIRED, &rank, e) == -1 ||
	    doc_u64(d, "n", DOC_REQUIRED, &n, e) == -1 ||
	    doc_u64(d, "offset", DOC_REQUIRED, &offset, e) == -1 ||
	    doc_number(d, "seconds", DOC_OPTIONAL, &seconds, e) == -1 ||
	    doc_bool(d, "extrapolated", DOC_OPTIONAL, &extrapolated, e) == -1)
		return -1;
	if (rank != p->nodes)
		return doc_fail(d, e, "rank %ju, but rank %zu is expected",
		    (uintmax_t)rank, p->nodes);
	if (offset != p->n)
		return doc_fail(d, e,
		    "offset %ju, but the shares before add up to %ju",
		    (uintmax_t)offset, (uintmax_t)p->n);
	if (n > COUNT_MOST - p->n)
		return doc_fail(d, e, "the shares add up to more than 2^53");
	if (seconds < 0)
		return doc_fail(d, e, "'seconds' must not be negative");
	if (doc_string(d, "node", DOC_REQUIRED, &node, e) == -1)
		return -1;
	if ((rc = check_name(d, node, names, e)) == 0)
		rc = plan_add(p, node, n, seconds, e);
	if (rc == -1)
		free(node);
	else
		p->share[rank].extrapolated = extrapolated;
	return rc;
}

static int
read_beyond(const struct doc_in *d, struct plan *p, struct hp_err *e)
{
	char *s = NULL;
	int rc = doc_string(d, "beyond", DOC_OPTIONAL, &s, e);

	if (rc != 1)
		return rc;
	p->bounded = true;
	rc = beyond_parse(s, &p->beyond);
	free(s);
	if (rc == -1)
		return doc_fail(d, e, "'beyond' must be const, linear or stop");
	return 0;
}

/*
 * Reads the parameter values that the user gave to the solver, in the order in
 * which the user gave them.
 */
static int
read_at(const struct doc_in *d, struct plan *p, struct hp_err *e)
{
	json_t *at = json_object_get(d->object, "at"), *value;
	const char *name;

	if (at == NULL || json_is_null(at))
		return 0;
	if (!json_is_object(at))
		return doc_fail(d, e, "'at' must be an object");
	p->at = calloc(json_object_size(at) + 1, sizeof *p->at);
	if (p->at == NULL)
		return hp_fail(e, HP_NOMEM, "%.256s", d->name);
	json_object_foreach(at, name, value)
	{
		if (!json_is_number(value) ||
		    !isfinite(json_number_value(value)))
			return doc_fail(d, e, "'at' must be numbers");
		if ((p->at[p->nat].name = strdup(name)) == NULL)
			return hp_fail(e, HP_NOMEM, "%.256s", d->name);
		p->at[p->nat++].value = json_number_value(value);
	}
	return 0;
}

static int
read_total(const struct doc_in *d, struct plan *p, struct hp_err *e)
{
	uint64_t n, nodes;
	int weighted = doc_number(d, "weight", DOC_OPTIONAL, &p->weight, e);

	p->weighted = weighted == 1;
	if (weighted == -1 || doc_u64(d, "n", DOC_REQUIRED, &n, e) == -1 ||
	    doc_u64(d, "nodes", DOC_REQUIRED, &nodes, e) == -1 ||
	    doc_string(d, "method", DOC_OPTIONAL, &p->method, e) == -1 ||
	    doc_string(d, "cost", DOC_OPTIONAL, &p->cost, e) == -1 ||
	    doc_number(d, "makespan", DOC_OPTIONAL, &p->makespan, e) == -1 ||
	    doc_number(d, "bound", DOC_OPTIONAL, &p->bound, e) == -1 ||
	    doc_bool(d, "optimal", DOC_OPTIONAL, &p->optimal, e) == -1 ||
	    doc_bool(d, "unique", DOC_OPTIONAL, &p->unique, e) == -1 ||
	    doc_string(d, "digest", DOC_OPTIONAL, &p->digest, e) == -1 ||
	    doc_number(d, "bytes_per_item", DOC_OPTIONAL, &p->item_bytes, e) ==
		-1 ||
	    doc_bool(d, "by_key", DOC_OPTIONAL, &p->by_key, e) == -1 ||
	    doc_number(d, "risk", DOC_OPTIONAL, &p->risk, e) == -1 ||
	    doc_number(d, "alone", DOC_OPTIONAL, &p->alone, e) == -1 ||
	    read_beyond(d, p, e) == -1 || read_at(d, p, e) == -1)
		return -1;
	if (p->risk < 0 || p->risk >= 1)
		return doc_fail(d, e, "'risk' must be above 0 and below 1");
	if (p->item_bytes < 0 || p->alone < 0)
		return doc_fail(
		    d, e, "'bytes_per_item' and 'alone' must not be negative");
	if (nodes != p->nodes)
		return doc_fail(d, e,
		    "the plan is for %ju nodes, but has %zu shares",
		    (uintmax_t)nodes, p->nodes);
	if (nodes == 0)
		return doc_fail(d, e, "the plan has no node");
	if (n != p->n)
		return doc_fail(d, e,
		    "the plan is for %ju items, but its shares add up to %ju",
		    (uintmax_t)n, (uintmax_t)p->n);
	return 0;
}

static int
read_lines(struct doc_in *d, struct plan *p, json_t *names, struct hp_err *e)
{
	int rc;

	while ((rc = doc_next(d, e)) == 1) {
		if (strcmp(d->type, "share") == 0) {
			if (p->nstages > 0)
				return doc_fail(d, e,
				    "the shares must come before the stages");
			if (read_share(d, p, names, e) == -1)
				return -1;
		} else if (strcmp(d->type, "stage") == 0) {
			if (doc_stage_read(d, p, e) == -1)
				return -1;
		} else if (strcmp(d->type, "plan") == 0) {
			if (read_total(d, p, e) == -1)
				return -1;
			break;
		} else
			return doc_unexpected(d, "a plan", e);
	}
	if (rc == 0 && d->line == 0)
		return hp_fail(
		    e, HP_INPUT, "%.256s: contains no plan", d->name);
	if (rc == 0)
		return doc_fail(d, e,
		    "the plan is cut short: the line of type plan is missing");
	if (rc == 1 && (rc = doc_next(d, e)) == 1)
		return doc_fail(
		    d, e, "a '%.64s' after the end of the plan", d->type);
	return rc;
}

int
doc_plan_read(const char *path, struct plan *p, struct hp_err *e)
{
	struct doc_in d;
	json_t *names;
	int rc;

	*p = (struct plan){ 0 };
	if (doc_open(&d, path, e) == -1)
		return -1;
	names = json_object();
	if ((rc = read_lines(&d, p, names, e)) == -1)
		plan_fini(p);
	json_decref(names);
	doc_close(&d);
	return rc;
}

/*
 * Formats the line without building a JSON object, which would be slow: a plan
 * may have a million shares.
 */
int
doc_share_write(FILE *f, size_t rank, const struct share *s, struct hp_err *e)
{
	json_t *node = json_string(s->node);
	char *quoted = json_dumps(node, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	char weight[64] = "";
	int n;

	if (s->weighted)
		snprintf(weight, sizeof weight, ",\"weight\":%.17g", s->weight);
	json_decref(node);
	if (quoted == NULL)
		return hp_fail(e, HP_NOMEM, "document");
	n = fprintf(f,
	    "{\"type\":\"share\",\"rank\":%zu,\"node\":%s,\"n\":%ju,"
	    "\"offset\":%ju,\"seconds\":%.17g%s%s}\n",
	    rank, quoted, (uintmax_t)s->n, (uintmax_t)s->offset, s->seconds,
	    s->extrapolated ? ",\"extrapolated\":true" : "", weight);
	free(quoted);
	return n < 0 ? hp_fail_errno(e, HP_IO, "document") : 0;
}

/*
 * Makes the JSON object of a plan line. Optional members whose fields are NULL
 * are left out.
 */
static json_t *
plan_object(const struct plan *p, const char *type)
{
	json_t *at = p->nat > 0 ? json_object() : NULL;
	bool bad = p->nat > 0 && at == NULL;

	for (size_t i = 0; i < p->nat && !bad; i++)
		bad = json_object_set_new(at, p->at[i].name,
			  doc_number_new(p->at[i].value)) == -1;
	if (bad) {
		json_decref(at);
		return NULL;
	}
	return json_pack("{s:s, s:I, s:I, s:s, s:s, s:s*, s:o*, s:o, s:o, "
			 "s:b, s:b, s:o*, s:o*, s:o*, s:o*, s:o*, s:s*}",
	    "type", type, "n", (json_int_t)p->n, "nodes", (json_int_t)p->nodes,
	    "method", p->method, "cost", p->cost, "beyond",
	    p->bounded ? beyond_text(p->beyond) : NULL, "at", at, "makespan",
	    doc_number_new(p->makespan), "bound", doc_number_new(p->bound),
	    "optimal", p->optimal, "unique", p->unique, "weight",
	    p->weighted ? doc_number_new(p->weight) : NULL, "risk",
	    p->risk > 0 ? doc_number_new(p->risk) : NULL, "bytes_per_item",
	    p->item_bytes > 0 ? doc_number_new(p->item_bytes) : NULL, "by_key",
	    p->by_key ? json_true() : NULL, "alone",
	    p->alone > 0 ? doc_number_new(p->alone) : NULL, "digest",
	    p->digest);
}

int
doc_plan_write(FILE *f, const struct plan *p, struct hp_err *e)
{
	return doc_put(f, plan_object(p, "plan"), e);
}

int
doc_compare_write(FILE *f, const struct plan *p, struct hp_err *e)
{
	json_t *o = plan_object(p, "compare");
	double over = p->makespan > p->bound ? p->makespan / p->bound - 1 : 0;

	/*
	 * `over` says by what fraction the makespan of the plan exceeds its
	 * lower bound. If this bound is 0, `over` is infinite. JSON cannot
	 * represent infinity, so write null.
	 */
	return doc_put_unless(f,
	    json_object_set_new(
		o, "over", isfinite(over) ? doc_number_new(over) : json_null()),
	    o, e);
}
