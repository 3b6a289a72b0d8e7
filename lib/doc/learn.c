#include <string.h>

#include "doc/learn.h"
#include "doc/lines.h"
#include "doc/whole.h"

static double
number_in(const json_t *object, const char *member, double absent)
{
	json_t *v = json_object_get(object, member);

	return json_is_number(v) ? json_number_value(v) : absent;
}

/* The lines of the cluster, whole, in order. */
static int
read_nodes(const char *path, json_t *nodes, struct hp_err *e)
{
	struct doc_in d;
	json_t *points;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1) {
		rc = -1;
		if (strcmp(d.type, "node") != 0) {
			doc_unexpected(&d, "a node", e);
			break;
		}
		if (!json_is_string(json_object_get(d.object, "node"))) {
			doc_fail(&d, e, "the node has no 'node'");
			break;
		}
		points = json_object_get(d.object, "points");
		if (points != NULL && !json_is_array(points)) {
			doc_fail(&d, e, "'points' must be an array");
			break;
		}
		if (json_array_append(nodes, d.object) == -1) {
			hp_fail(e, HP_NOMEM, "%s", d.name);
			break;
		}
	}
	doc_close(&d);
	return rc;
}

static json_t *
node_named(const json_t *nodes, const char *name)
{
	for (size_t i = 0; i < json_array_size(nodes); i++) {
		json_t *o = json_array_get(nodes, i);
		const char *s = json_string_value(json_object_get(o, "node"));

		if (strcmp(s, name) == 0)
			return o;
	}
	return NULL;
}

static json_t *
new_point(double n, double seconds, double low, double high, double runs)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "n", doc_number_new(n),
	    "seconds", doc_number_new(seconds), "low", doc_number_new(low),
	    "high", doc_number_new(high), "runs", doc_number_new(runs));
}

/* One more run of n items: merged with the point of that size, or a new one. */
static int
fold(json_t *node, double n, double seconds)
{
	json_t *points = json_object_get(node, "points"), *p;
	size_t i = 0;
	double mean, runs, low, high;

	if (points == NULL) {
		points = json_array();
		if (json_object_set_new(node, "points", points) == -1)
			return -1;
	}
	while (i < json_array_size(points) &&
	    number_in(json_array_get(points, i), "n", 0) < n)
		i++;
	p = json_array_get(points, i);
	if (p == NULL || number_in(p, "n", 0) != n)
		return json_array_insert_new(
		    points, i, new_point(n, seconds, seconds, seconds, 1));
	mean = number_in(p, "seconds", seconds);
	runs = number_in(p, "runs", 1);
	low = number_in(p, "low", mean);
	high = number_in(p, "high", mean);
	mean += (seconds - mean) / (runs + 1);
	return json_array_set_new(points, i,
	    new_point(n, mean, seconds < low ? seconds : low,
		seconds > high ? seconds : high, runs + 1));
}

/* A line of a trace: 1 when it was a run of a node, 0 when not. */
static int
fold_line(const struct doc_in *d, json_t *nodes, json_t *runs, const char *step,
    struct hp_err *e)
{
	const char *name;
	double start_s, end_s;
	uint64_t n;
	json_t *node;
	bool other;

	if (strcmp(d->type, "step") != 0)
		return doc_unexpected(d, "a step", e);
	name = json_string_value(json_object_get(d->object, "step"));
	other = name == NULL || strcmp(name, step) != 0;
	if (other && runs == NULL)
		return 0;
	if (doc_number(d, "start_s", DOC_REQUIRED, &start_s, e) == -1 ||
	    doc_number(d, "end_s", DOC_REQUIRED, &end_s, e) == -1 ||
	    doc_u64(d, "records", DOC_REQUIRED, &n, e) == -1)
		return -1;
	if (end_s < start_s)
		return doc_fail(d, e, "the step ends before it starts");
	name = json_string_value(json_object_get(d->object, "node"));
	node = name == NULL ? NULL : node_named(nodes, name);
	if (node != NULL && runs != NULL &&
	    whole_add(
		runs, d->object, name, !other, start_s, end_s, (double)n) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	/* Nothing is learned from nothing. */
	if (other || node == NULL || n == 0 || end_s == start_s)
		return 0;
	if (fold(node, (double)n, end_s - start_s) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	return 1;
}

static int
fold_trace(const char *path, json_t *nodes, json_t *whole, const char *step,
    size_t *runs, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1) {
		if ((rc = fold_line(&d, nodes, whole, step, e)) == -1)
			break;
		*runs += (size_t)rc;
	}
	doc_close(&d);
	return rc;
}

/* What the nodes need beside the step. */
static int
learn_whole(json_t *whole, json_t *nodes, const char *cluster, struct hp_err *e)
{
	int rc, runs = 0;

	for (size_t i = 0; i < json_array_size(nodes); i++) {
		if ((rc = whole_learn(whole, json_array_get(nodes, i))) == -1)
			return hp_fail(e, HP_NOMEM, "%s", cluster);
		runs += rc;
	}
	if (runs == 0)
		return hp_fail(e, HP_INPUT,
		    "no whole run of a node of %.256s in the traces", cluster);
	return 0;
}

int
doc_learn(const char *cluster, char *const traces[], size_t ntraces,
    const char *step, bool of_whole, FILE *out, struct hp_err *e)
{
	json_t *nodes = json_array(), *whole = of_whole ? whole_new() : NULL;
	size_t runs = 0;
	int rc = nodes == NULL || (of_whole && whole == NULL)
	    ? hp_fail(e, HP_NOMEM, "%s", cluster)
	    : read_nodes(cluster, nodes, e);

	for (size_t i = 0; i < ntraces && rc == 0; i++)
		rc = fold_trace(traces[i], nodes, whole, step, &runs, e);
	if (rc == 0 && runs == 0)
		rc = hp_fail(e, HP_INPUT,
		    "no step '%.64s' of a node of %.256s in the traces", step,
		    cluster);
	if (rc == 0 && of_whole)
		rc = learn_whole(whole, nodes, cluster, e);
	for (size_t i = 0; rc == 0 && i < json_array_size(nodes); i++)
		rc = doc_put(out, json_incref(json_array_get(nodes, i)), e);
	json_decref(whole);
	json_decref(nodes);
	return rc;
}
