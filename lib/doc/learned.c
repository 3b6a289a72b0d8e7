#include <stdlib.h>

#include "doc/learned.h"
#include "doc/lines.h"

static double
number_in(const json_t *object, const char *member, double absent)
{
	json_t *v = json_object_get(object, member);

	return json_is_number(v) ? json_number_value(v) : absent;
}

static struct seen
point_in(const json_t *o)
{
	double seconds = number_in(o, "seconds", 0);

	return (struct seen){ .n = number_in(o, "n", 0),
		.seconds = seconds,
		.low = number_in(o, "low", seconds),
		.high = number_in(o, "high", seconds),
		.runs = number_in(o, "runs", 1) };
}

static json_t *
new_point(const struct seen *p)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "n", doc_number_new(p->n),
	    "seconds", doc_number_new(p->seconds), "low",
	    doc_number_new(p->low), "high", doc_number_new(p->high), "runs",
	    doc_number_new(p->runs));
}

static json_t *
new_run(const struct past_run *r)
{
	return json_pack("{s:o, s:o, s:o}", "start_s",
	    doc_number_new(r->start_s), "n", doc_number_new(r->n), "seconds",
	    doc_number_new(r->seconds));
}

/*
 * Returns the original JSON of a measured point if learning did not change the
 * point, so that the point keeps all its members. Returns a new object for any
 * other point.
 */
static json_t *
same_point(const json_t *measured, const struct seen *p)
{
	size_t i;
	json_t *o;

	json_array_foreach(measured, i, o)
	{
		struct seen s = point_in(o);

		if (s.n == p->n && s.seconds == p->seconds && s.runs == p->runs)
			return json_incref(o);
	}
	return new_point(p);
}

/*
 * Sets the node's learned points. Keeps the measured points and the runs in the
 * node's member `learned`.
 */
static int
set_learned(json_t *node, json_t *measured, const struct seen *point,
    size_t npoints, const struct past_run *run, size_t nruns)
{
	json_t *points = json_array(), *runs = json_array();
	json_t *learned = json_object();
	int bad = 0;

	for (size_t i = 0; i < npoints; i++)
		bad |= json_array_append_new(
		    points, same_point(measured, &point[i]));
	for (size_t i = 0; i < nruns; i++)
		bad |= json_array_append_new(runs, new_run(&run[i]));
	if (json_array_size(measured) > 0)
		bad |= json_object_set(learned, "measured", measured);
	bad |= json_object_set_new(learned, "runs", runs);
	bad |= json_object_set_new(node, "points", points);
	bad |= json_object_set_new(node, "learned", learned);
	return bad;
}

int
doc_learned_set(json_t *node, struct past_run *run, size_t nruns)
{
	json_t *learned = json_object_get(node, "learned"), *o;
	json_t *measured = json_incref(
	    json_object_get(json_is_object(learned) ? learned : node,
		json_is_object(learned) ? "measured" : "points"));
	size_t n = json_array_size(measured), i;
	struct seen *seen = reallocarray(NULL, n + 1, sizeof *seen);
	struct seen *point = reallocarray(NULL, n + nruns, sizeof *point);
	long npoints = -1;
	int rc = -1;

	if (seen != NULL && point != NULL) {
		json_array_foreach(measured, i, o) seen[i] = point_in(o);
		npoints = history_points(seen, n, run, &nruns, point);
	}
	if (npoints >= 0)
		rc = set_learned(
		    node, measured, point, (size_t)npoints, run, nruns);
	free(seen);
	free(point);
	json_decref(measured);
	return rc;
}
