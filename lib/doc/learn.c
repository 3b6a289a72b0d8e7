#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "doc/cluster.h"
#include "doc/learn.h"
#include "doc/lines.h"
#include "doc/whole.h"
#include "profile/profile.h"

/* Up to PROFILE_NARROW sizes are one, and up to this ratio unless the times of
 * an item differ by more than the other. */
#define WIDE 1.5
#define CLIFF 3.0

/* A run of a node as the traces tell of it. */
struct run {
	size_t node;
	double n, seconds;
};

struct runs {
	struct run *run;
	size_t n, cap;
};

/* The cluster: what each line says, and its place by the node's name. */
struct nodes {
	json_t *line;
	struct cluster by_name;
};

static double
number_in(const json_t *object, const char *member, double absent)
{
	json_t *v = json_object_get(object, member);

	return json_is_number(v) ? json_number_value(v) : absent;
}

/* A line of the cluster, which a trace can tell from all others. */
static int
read_node(const struct doc_in *d, struct nodes *nodes, struct hp_err *e)
{
	if (doc_node_read(d, &nodes->by_name, e) == -1)
		return -1;
	if (nodes->by_name.n == json_array_size(nodes->line))
		return doc_fail(d, e,
		    "another line of a node, by its params, which no trace "
		    "tells");
	if (json_array_append(nodes->line, d->object) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	return 0;
}

/* The lines of the cluster, whole, in order. */
static int
read_nodes(const char *path, struct nodes *nodes, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1)
		if ((rc = read_node(&d, nodes, e)) == -1)
			break;
	doc_close(&d);
	return rc;
}

static int
runs_add(struct runs *r, size_t node, double n, double seconds)
{
	struct run *run = array_room(r->run, r->n, &r->cap, sizeof *run);

	if (run == NULL)
		return -1;
	r->run = run;
	r->run[r->n++] = (struct run){ node, n, seconds };
	return 0;
}

static int
by_node_and_size(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* A point: what runs of much the same size took. */
struct pooled {
	double n, seconds; /* means */
	double low, high;
	double runs;
};

static struct pooled
of_run(const struct run *r)
{
	return (struct pooled){ r->n, r->seconds, r->seconds, r->seconds, 1 };
}

static double
ratio(double a, double b)
{
	return a > b ? a / b : b / a;
}

static bool
alike(const struct pooled *a, const struct pooled *b)
{
	return ratio(a->n, b->n) <= PROFILE_NARROW ||
	    (ratio(a->n, b->n) <= WIDE &&
		ratio(a->seconds / a->n, b->seconds / b->n) <= CLIFF);
}

static void
pool(struct pooled *a, const struct pooled *b)
{
	double runs = a->runs + b->runs;

	a->n = (a->n * a->runs + b->n * b->runs) / runs;
	a->seconds = (a->seconds * a->runs + b->seconds * b->runs) / runs;
	a->low = fmin(a->low, b->low);
	a->high = fmax(a->high, b->high);
	a->runs = runs;
}

static struct pooled
point_at(const json_t *points, size_t i)
{
	const json_t *o = json_array_get(points, i);
	double seconds = number_in(o, "seconds", 0);

	return (struct pooled){ .n = number_in(o, "n", 0),
		.seconds = seconds,
		.low = number_in(o, "low", seconds),
		.high = number_in(o, "high", seconds),
		.runs = number_in(o, "runs", 1) };
}

static json_t *
new_point(const struct pooled *p)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "n",
	    doc_number_new(round(p->n)), "seconds", doc_number_new(p->seconds),
	    "low", doc_number_new(p->low), "high", doc_number_new(p->high),
	    "runs", doc_number_new(p->runs));
}

/*
 * Merged with the nearer one of its neighbours that it is like, or a new point.
 * Whole sizes, so that none comes to where another one is.
 */
static int
fold(json_t *node, struct pooled *runs)
{
	json_t *points = json_object_get(node, "points");
	struct pooled p[2];
	size_t i = 0;
	bool before, at;

	if (!json_is_array(points)) {
		points = json_array();
		if (json_object_set_new(node, "points", points) == -1)
			return -1;
	}
	runs->n = round(runs->n);
	while (i < json_array_size(points) && point_at(points, i).n < runs->n)
		i++;
	p[0] = point_at(points, i - 1);
	p[1] = point_at(points, i);
	before = i > 0 && alike(&p[0], runs);
	at = i < json_array_size(points) && alike(&p[1], runs);
	if (before && at)
		at = ratio(p[1].n, runs->n) <= ratio(p[0].n, runs->n);
	if (!before && !at)
		return json_array_insert_new(points, i, new_point(runs));
	pool(&p[at], runs);
	return json_array_set_new(points, at ? i : i - 1, new_point(&p[at]));
}

/*
 * More items take no less time.  Where a lone run says so it is off by too much
 * to be a point of its own, and goes with the nearer of its neighbours, as all
 * that is off by less does.
 */
static int
rejoin(json_t *points)
{
	for (size_t i = 1; i < json_array_size(points); i++) {
		struct pooled a = point_at(points, i - 1),
			      b = point_at(points, i);
		size_t at = a.runs < b.runs ? i - 1 : i;
		struct pooled lone = at == i ? b : a;

		if (a.seconds <= b.seconds || lone.runs > 1)
			continue;
		json_array_remove(points, at);
		a = point_at(points, at - 1);
		b = point_at(points, at);
		if (at == json_array_size(points) ||
		    (at > 0 && ratio(a.n, lone.n) <= ratio(b.n, lone.n))) {
			at--;
			b = a;
		}
		pool(&b, &lone);
		if (json_array_set_new(points, at, new_point(&b)) == -1)
			return -1;
		/* Those in front of it are as they were. */
		i = at > 0 ? at - 1 : 0;
	}
	return 0;
}

/* The runs of all traces as points: in any order the same. */
static int
fold_all(struct runs *r, const json_t *nodes)
{
	json_t *node;
	size_t i = 0;

	if (r->n > 0)
		qsort(r->run, r->n, sizeof *r->run, by_node_and_size);
	while (i < r->n) {
		const struct run *first = &r->run[i];
		struct pooled p = of_run(first);

		for (i++; i < r->n && r->run[i].node == first->node &&
		     r->run[i].n <= WIDE * first->n;
		     i++) {
			struct pooled one = of_run(&r->run[i]);

			if (!alike(&p, &one))
				break;
			pool(&p, &one);
		}
		node = json_array_get(nodes, first->node);
		if (fold(node, &p) == -1)
			return -1;
		if ((i == r->n || r->run[i].node != first->node) &&
		    rejoin(json_object_get(node, "points")) == -1)
			return -1;
	}
	return 0;
}

/* A time that can be reckoned with. */
static int
read_time(const struct doc_in *d, const char *member, double *time_s,
    struct hp_err *e)
{
	if (doc_number(d, member, DOC_REQUIRED, time_s, e) == -1)
		return -1;
	if (fabs(*time_s) > (double)COUNT_MOST)
		return doc_fail(
		    d, e, "'%s' must be within 2^53 seconds", member);
	return 0;
}

/* A line of a trace. */
static int
read_step(const struct doc_in *d, const struct nodes *nodes, struct runs *runs,
    json_t *whole, const char *step, struct hp_err *e)
{
	const char *name;
	double start_s, end_s;
	uint64_t n;
	size_t node;
	bool other, known;

	if (strcmp(d->type, "step") != 0)
		return doc_unexpected(d, "a step", e);
	name = json_string_value(json_object_get(d->object, "step"));
	other = name == NULL || strcmp(name, step) != 0;
	if (other && whole == NULL)
		return 0;
	if (read_time(d, "start_s", &start_s, e) == -1 ||
	    read_time(d, "end_s", &end_s, e) == -1 ||
	    doc_u64(d, "records", DOC_REQUIRED, &n, e) == -1)
		return -1;
	if (end_s < start_s)
		return doc_fail(d, e, "the step ends before it starts");
	name = json_string_value(json_object_get(d->object, "node"));
	known = name != NULL &&
	    cluster_named(&nodes->by_name, name, &node) == 0;
	if (known && whole != NULL &&
	    whole_add(whole, d->object, name, !other, start_s, end_s,
		(double)n) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	/* Nothing is learned from nothing. */
	if (other || !known || n == 0 || end_s == start_s)
		return 0;
	if (runs_add(runs, node, (double)n, end_s - start_s) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	return 0;
}

static int
read_trace(const char *path, const struct nodes *nodes, struct runs *runs,
    json_t *whole, const char *step, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1)
		if ((rc = read_step(&d, nodes, runs, whole, step, e)) == -1)
			break;
	doc_close(&d);
	return rc;
}

/* What the nodes need beside the step; name: of the cluster, for messages. */
static int
learn_whole(
    json_t *whole, const json_t *nodes, const char *name, struct hp_err *e)
{
	int rc, runs = 0;

	for (size_t i = 0; i < json_array_size(nodes); i++) {
		if ((rc = whole_learn(whole, json_array_get(nodes, i))) == -1)
			return hp_fail(e, HP_NOMEM, "%s", name);
		runs += rc;
	}
	if (runs == 0)
		return hp_fail(e, HP_INPUT,
		    "no whole run of a node of %.256s in the traces", name);
	return 0;
}

int
doc_learn(const char *cluster, char *const traces[], size_t ntraces,
    const char *step, bool of_whole, FILE *out, struct hp_err *e)
{
	const char *name = strcmp(cluster, "-") == 0 ? "standard input"
						     : cluster;
	struct nodes nodes = { .line = json_array() };
	json_t *whole = of_whole ? whole_new() : NULL;
	struct runs runs = { 0 };
	int rc = nodes.line == NULL || (of_whole && whole == NULL)
	    ? hp_fail(e, HP_NOMEM, "%s", name)
	    : read_nodes(cluster, &nodes, e);

	for (size_t i = 0; i < ntraces && rc == 0; i++)
		rc = read_trace(traces[i], &nodes, &runs, whole, step, e);
	if (rc == 0 && runs.n == 0)
		rc = hp_fail(e, HP_INPUT,
		    "no step '%.64s' of a node of %.256s in the traces", step,
		    name);
	if (rc == 0 && fold_all(&runs, nodes.line) == -1)
		rc = hp_fail(e, HP_NOMEM, "%s", name);
	if (rc == 0 && of_whole)
		rc = learn_whole(whole, nodes.line, name, e);
	for (size_t i = 0; rc == 0 && i < json_array_size(nodes.line); i++)
		rc = doc_put(
		    out, json_incref(json_array_get(nodes.line, i)), e);
	free(runs.run);
	json_decref(whole);
	json_decref(nodes.line);
	cluster_fini(&nodes.by_name);
	return rc;
}
