#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "doc/lines.h"
#include "doc/links.h"
#include "doc/measured.h"
#include "doc/plan.h"
#include "doc/values.h"

struct measured_point {
	json_int_t n, runs;
	double seconds, low, high;
};

struct measured_points {
	struct measured_point *v;
	size_t n, cap;
};

static int
add_line(struct doc_in *d, void *all, struct hp_err *e)
{
	if (json_array_append(all, d->object) == -1)
		return hp_fail_errno(e, HP_NOMEM, "profiles");
	return 0;
}

/* Reads all lines of the profiles into one array of objects. */
static json_t *
read_profiles(const char *const *profile, size_t n, struct hp_err *e)
{
	json_t *all = json_array();
	int rc = all == NULL ? hp_fail_errno(e, HP_NOMEM, "profiles") : 0;

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = doc_each(profile[i], add_line, all, e);
	if (rc == 0)
		return all;
	json_decref(all);
	return NULL;
}

static bool
is_of(const json_t *line, const char *name)
{
	const char *node = json_string_value(json_object_get(line, "node"));

	return node != NULL && strcmp(node, name) == 0;
}

static int
add_point(struct measured_points *l, const json_t *p, double start)
{
	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return -1;
	l->v[l->n++] = (struct measured_point){
		.n = json_integer_value(json_object_get(p, "n")),
		.runs = json_integer_value(json_object_get(p, "runs")),
		.seconds = json_number_value(json_object_get(p, "seconds")) +
		    start,
		.low = json_number_value(json_object_get(p, "low")) + start,
		.high = json_number_value(json_object_get(p, "high")) + start,
	};
	return 0;
}

static int
by_size(const void *a, const void *b)
{
	const struct measured_point *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/*
 * Merges points of the same size into one. The points are sorted by time. The
 * new point has the median time, the extreme times, and the sum of the numbers
 * of runs.
 */
static struct measured_point
merged(const struct measured_point *p, size_t n)
{
	struct measured_point m = p[0];

	m.seconds = (p[(n - 1) / 2].seconds + p[n / 2].seconds) / 2;
	for (size_t i = 1; i < n; i++) {
		m.low = p[i].low < m.low ? p[i].low : m.low;
		m.high = p[i].high > m.high ? p[i].high : m.high;
		m.runs += p[i].runs;
	}
	return m;
}

static int
collect(struct measured_points *l, const json_t *profiles, const char *name,
    double start)
{
	json_t *line, *point;
	size_t i, j, n = 0, end;

	json_array_foreach(profiles, i, line)
	{
		if (is_of(line, name))
			json_array_foreach(
			    json_object_get(line, "points"), j, point)
			{
				if (add_point(l, point, start) == -1)
					return -1;
			}
	}
	if (l->n == 0)
		return 0;
	qsort(l->v, l->n, sizeof *l->v, by_size);
	for (i = 0; i < l->n; i = end) {
		for (end = i + 1; end < l->n && l->v[end].n == l->v[i].n;)
			end++;
		l->v[n++] = merged(l->v + i, end - i);
	}
	l->n = n;
	return 0;
}

static json_t *
points_of(const struct measured_points *l, json_t *points)
{
	for (size_t i = 0; i < l->n; i++)
		if (json_array_append_new(points,
			json_pack("{s:I, s:f, s:f, s:f, s:I}", "n", l->v[i].n,
			    "seconds", l->v[i].seconds, "low", l->v[i].low,
			    "high", l->v[i].high, "runs", l->v[i].runs)) == -1)
			return NULL;
	return points;
}

/*
 * `line` is the node's old JSON line with its measured points. Copies old
 * points to `points`, but only those whose size is less than 2/3 of the first
 * new size, and whose time is less than the time of the first new point.
 */
static int
keep_far(const json_t *line, const struct measured_point *first, json_t *points)
{
	json_t *p;
	size_t i;

	json_array_foreach(json_object_get(line, "points"), i, p)
	{
		double n = json_number_value(json_object_get(p, "n"));
		double s = json_number_value(json_object_get(p, "seconds"));

		if (n * 1.5 < (double)first->n && s < first->seconds &&
		    json_array_append(points, p) == -1)
			return -1;
	}
	return 0;
}

/*
 * Returns the node's line with the newly measured points. Returns NULL if
 * memory is short.
 */
static json_t *
measured_line(json_t *line, const json_t *profiles, const char *name,
    const struct measured_points *l, bool nearer)
{
	json_t *out = json_copy(line), *points = json_array(), *p;
	size_t i;

	if (out == NULL || points == NULL ||
	    (nearer && keep_far(line, &l->v[0], points) == -1) ||
	    points_of(l, points) == NULL)
		goto bad;
	json_array_foreach(profiles, i, p)
	{
		if (!nearer && is_of(p, name)) {
			if (json_object_update(out, p) == -1)
				goto bad;
			break;
		}
	}
	if (json_object_set(out, "points", points) == 0) {
		json_decref(points);
		return out;
	}
bad:
	json_decref(points);
	json_decref(out);
	return NULL;
}

static double
start_of(const struct node_start *start, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(start[i].node, name) == 0)
			return start[i].seconds;
	return 0;
}

static int
put_line(const struct doc_in *d, const json_t *profiles,
    const struct node_start *start, size_t nstarts, bool nearer, FILE *out,
    struct hp_err *e)
{
	struct measured_points l = { 0 };
	json_t *line = NULL;
	char *name;
	int rc;

	if (doc_is_launcher(d))
		return doc_put(out, json_incref(d->object), e);
	if (doc_string(d, "node", DOC_REQUIRED, &name, e) == -1)
		return -1;
	rc = collect(&l, profiles, name, start_of(start, nstarts, name));
	if (rc == 0)
		line = l.n == 0
		    ? json_incref(d->object)
		    : measured_line(d->object, profiles, name, &l, nearer);
	rc = rc == -1 ? hp_fail_errno(e, HP_NOMEM, "points")
		      : doc_put(out, line, e);
	free(l.v);
	free(name);
	return rc;
}

int
doc_measured_write(const char *cluster, const char *const *profile,
    size_t nprofiles, const struct node_start *start, size_t nstarts,
    bool nearer, FILE *out, struct hp_err *e)
{
	json_t *profiles = read_profiles(profile, nprofiles, e);
	struct doc_in d;
	int rc;

	if (profiles == NULL)
		return -1;
	if ((rc = doc_open(&d, cluster, e)) == 0) {
		while ((rc = doc_next(&d, e)) == 1)
			if (put_line(&d, profiles, start, nstarts, nearer, out,
				e) == -1) {
				rc = -1;
				break;
			}
		doc_close(&d);
	}
	json_decref(profiles);
	return rc;
}

int
doc_foreseen_read(const char *path, double *makespan, uint64_t *n, bool *beyond,
    struct hp_err *e)
{
	struct plan plan = { 0 };
	int rc = doc_plan_read(path, &plan, e);

	*makespan = plan.makespan;
	*n = plan.n;
	*beyond = false;
	for (size_t i = 0; i < plan.nodes; i++)
		*beyond = *beyond || plan.share[i].extrapolated;
	plan_fini(&plan);
	return rc;
}
