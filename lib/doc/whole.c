#include <math.h>

#include "doc/whole.h"

/* Sizes are told apart when the largest is so many times the smallest. */
#define APART 1.5

json_t *
whole_new(void)
{
	return json_object();
}

/* The object of that name in another one, made when it is not there. */
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

int
whole_add(json_t *runs, const json_t *line, const char *name, bool step,
    double start_s, double end_s, double n)
{
	const char *id = json_string_value(json_object_get(line, "run"));
	json_t *run, *nodes, *node;
	double first_s, last_s, step_s;

	if (id == NULL)
		return 0;
	if ((run = object_in(runs, id)) == NULL ||
	    (nodes = object_in(run, "nodes")) == NULL ||
	    (node = object_in(nodes, name)) == NULL)
		return -1;
	first_s = real_in(run, "first_s", start_s);
	last_s = real_in(node, "last_s", end_s);
	step_s = real_in(node, "step_s", 0) + (step ? end_s - start_s : 0);
	if (json_object_set_new(run, "first_s",
		json_real(start_s < first_s ? start_s : first_s)) == -1 ||
	    json_object_set_new(node, "last_s",
		json_real(end_s > last_s ? end_s : last_s)) == -1 ||
	    json_object_set_new(node, "step_s", json_real(step_s)) == -1)
		return -1;
	return step ? json_object_set_new(node, "n", json_real(n)) : 0;
}

/* What a straight line through the runs of a node is made of. */
struct fit {
	int runs;
	double n, nn, s, ns; /* sums of sizes, seconds and their products */
	double least, most;  /* sizes */
};

static void
add_run(struct fit *f, double n, double s)
{
	f->least = f->runs == 0 || n < f->least ? n : f->least;
	f->most = n > f->most ? n : f->most;
	f->runs++;
	f->n += n;
	f->nn += n * n;
	f->s += s;
	f->ns += n * s;
}

/* Both of the line are 0 or more; through 0 where the sizes are alike. */
static void
line_through(const struct fit *f, double *latency_s, double *per_item)
{
	double m = f->runs, slope;

	*per_item = f->ns / f->nn;
	*latency_s = 0;
	if (f->most < APART * f->least)
		return;
	slope = (m * f->ns - f->n * f->s) / (m * f->nn - f->n * f->n);
	if (slope < 0)
		slope = 0;
	if (f->s > slope * f->n) {
		*per_item = slope;
		*latency_s = (f->s - slope * f->n) / m;
	}
}

int
whole_learn(json_t *runs, json_t *node)
{
	const char *name = json_string_value(json_object_get(node, "node"));
	const char *id;
	json_t *run;
	struct fit fit = { 0 };
	double per_item, latency_s;

	json_object_foreach(runs, id, run)
	{
		json_t *o = json_object_get(
		    json_object_get(run, "nodes"), name);
		double n = real_in(o, "n", 0);

		/* Steps that overlap are more than the whole. */
		double rest_s = fmax(real_in(o, "last_s", 0) -
			real_in(run, "first_s", 0) - real_in(o, "step_s", 0),
		    0);

		if (n > 0)
			add_run(&fit, n, rest_s);
	}
	if (fit.runs == 0)
		return 0;
	line_through(&fit, &latency_s, &per_item);
	if (json_object_set_new(node, "latency_s", doc_number_new(latency_s)) ==
		-1 ||
	    json_object_set_new(
		node, "seconds_per_item", doc_number_new(per_item)) == -1)
		return -1;
	return fit.runs;
}
