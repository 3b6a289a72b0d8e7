#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "doc/whole.h"
#include "profile/overhead.h"

json_t *
whole_new(void)
{
	return json_object();
}

/*
 * Returns the inner object with the name `member`, and creates it if it is
 * absent.
 */
static json_t *
object_in(json_t *object, const char *member)
{
	json_t *o = json_object_get(object, member);

	if (o != NULL)
		return o;
	o = json_object();
	return json_object_set_new(object, member, o) == -1 ? NULL : o;
}

static double
real_in(const json_t *object, const char *member, double absent)
{
	json_t *v = json_object_get(object, member);

	return v == NULL ? absent : json_real_value(v);
}

/*
 * Adds the time of one step to the run of this node. The key of a step consists
 * of its start and end times. So a step is counted once, even if the user gives
 * a trace twice.
 */
static int
add_step(json_t *node, double start_s, double end_s)
{
	json_t *steps = object_in(node, "steps");
	char key[80];

	snprintf(key, sizeof key, "%.17g %.17g", start_s, end_s);
	return steps == NULL
	    ? -1
	    : json_object_set_new(steps, key, json_real(end_s - start_s));
}

static double
sum_of_steps(const json_t *node)
{
	const char *key;
	json_t *seconds;
	double sum = 0;

	json_object_foreach(json_object_get(node, "steps"), key, seconds)
	    sum += json_real_value(seconds);
	return sum;
}

int
whole_add(json_t *runs, const json_t *line, const char *name, bool step,
    double start_s, double end_s, double n)
{
	const char *id = json_string_value(json_object_get(line, "run"));
	json_t *run, *nodes, *node;
	double first_s, last_s;

	if (id == NULL)
		return 0;
	if ((run = object_in(runs, id)) == NULL ||
	    (nodes = object_in(run, "nodes")) == NULL ||
	    (node = object_in(nodes, name)) == NULL)
		return -1;
	first_s = real_in(run, "first_s", start_s);
	last_s = real_in(node, "last_s", end_s);
	if (json_object_set_new(run, "first_s",
		json_real(start_s < first_s ? start_s : first_s)) == -1 ||
	    json_object_set_new(node, "last_s",
		json_real(end_s > last_s ? end_s : last_s)) == -1)
		return -1;
	if (!step)
		return 0;
	return add_step(node, start_s, end_s) == -1
	    ? -1
	    : json_object_set_new(node, "n", json_real(n));
}

int
whole_learn(json_t *runs, json_t *node)
{
	const char *name = json_string_value(json_object_get(node, "node"));
	struct past_run *r = reallocarray(
	    NULL, json_object_size(runs) + 1, sizeof *r);
	const char *id;
	json_t *run;
	size_t n = 0;
	double per_item, latency_s;

	if (r == NULL)
		return -1;
	json_object_foreach(runs, id, run)
	{
		json_t *o = json_object_get(
		    json_object_get(run, "nodes"), name);
		double first_s = real_in(run, "first_s", 0);
		double rest_s = real_in(o, "last_s", 0) - first_s -
		    sum_of_steps(o);

		/*
		 * rest_s is the time of the run minus the times of its steps.
		 * It can be negative, because steps can overlap. Then 0 is
		 * used.
		 */
		if (real_in(o, "n", 0) > 0)
			r[n++] = (struct past_run){ first_s, real_in(o, "n", 0),
				fmax(rest_s, 0) };
	}
	if (n > 0)
		overhead_fit(r, n, &latency_s, &per_item);
	free(r);
	if (n == 0)
		return 0;
	if (json_object_set_new(node, "latency_s", doc_number_new(latency_s)) ==
		-1 ||
	    json_object_set_new(
		node, "seconds_per_item", doc_number_new(per_item)) == -1)
		return -1;
	return 1;
}
