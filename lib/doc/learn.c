#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "doc/cluster.h"
#include "doc/learn.h"
#include "doc/learned.h"
#include "doc/lines.h"
#include "doc/links.h"
#include "doc/values.h"
#include "doc/whole.h"
#include "profile/history.h"

/*
 * One execution, on one node, of the step named memory.step. The program learns
 * the node's time from these executions.
 */
struct past {
	size_t node;
	struct past_run run;
};

/* The data read from the cluster and the traces. */
struct memory {
	json_t *line;		/* the lines of the cluster, as JSON */
	struct cluster by_name; /* the same nodes by name */
	json_t *launcher;	/* the line of the launcher, or NULL */
	struct past *past;
	size_t n, cap;
	const char *step; /* name of the step to learn from */
	bool learned;	  /* the traces have a step named `step` */
	/*
	 * in some trace, the step named `step` took 0 s, which is too short to
	 * learn a time from
	 */
	bool too_short;
	/*
	 * times of complete runs (all steps), in the format of doc/whole.h, or
	 * NULL
	 */
	json_t *whole;
};

static int
add_past(struct memory *m, size_t node, struct past_run run)
{
	if (ARRAY_ROOM(m->past, m->n, m->cap) == -1)
		return -1;
	m->past[m->n++] = (struct past){ node, run };
	return 0;
}

/* Returns whether the value is a number small enough to compute with. */
static bool
is_time(const json_t *v)
{
	return json_is_number(v) &&
	    fabs(json_number_value(v)) <= (double)COUNT_MOST;
}

/* Reads the runs that the member `learned` of a node contains. */
static int
read_kept(const struct doc_in *d, size_t node, const json_t *runs,
    struct memory *m, struct hp_err *e)
{
	size_t i;
	json_t *o;
	uint64_t n;

	if (!json_is_array(runs))
		return doc_fail(d, e, "'learned' has no array 'runs'");
	json_array_foreach(runs, i, o)
	{
		const json_t *start_s = json_object_get(o, "start_s");
		const json_t *seconds = json_object_get(o, "seconds");

		if (!doc_is_count(json_object_get(o, "n"), &n) || n == 0 ||
		    !is_time(start_s) || !is_time(seconds) ||
		    !(json_number_value(seconds) > 0))
			return doc_fail(d, e,
			    "learned run %zu: must have 'start_s', 'n' and "
			    "'seconds', the last two above 0",
			    i);
		if (add_past(m, node,
			(struct past_run){ json_number_value(start_s),
			    (double)n, json_number_value(seconds) }) == -1)
			return hp_fail(e, HP_NOMEM, "%s", d->name);
	}
	return 0;
}

static int
read_learned(const struct doc_in *d, struct memory *m, struct hp_err *e)
{
	const json_t *learned = json_object_get(d->object, "learned");
	const json_t *measured = json_object_get(learned, "measured");
	struct curve c;
	int rc = 0;

	if (learned == NULL || json_is_null(learned))
		return 0;
	curve_init(&c);
	if (measured != NULL)
		rc = doc_points_read(d, measured, &c, e);
	curve_fini(&c);
	if (rc == -1)
		return -1;
	return read_kept(d, json_array_size(m->line) - 1,
	    json_object_get(learned, "runs"), m, e);
}

/*
 * Reads the line of a node in the cluster document. Fails if the node has
 * another line, for other parameters: the traces do not say which line a run
 * belongs to.
 */
static int
read_node(struct doc_in *d, void *context, struct hp_err *e)
{
	struct memory *m = context;

	if (doc_node_read(d, &m->by_name, e) == -1)
		return -1;
	if (doc_is_launcher(d)) {
		m->launcher = json_incref(d->object);
		return 0;
	}
	if (m->by_name.n == json_array_size(m->line))
		return doc_fail(d, e,
		    "a second line of a node, with other params: the traces "
		    "do not say which line a run belongs to");
	if (json_array_append(m->line, d->object) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	return read_learned(d, m, e);
}

static int
by_node_and_run(const void *a, const void *b)
{
	const struct past *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->run.start_s != y->run.start_s)
		return x->run.start_s < y->run.start_s ? -1 : 1;
	if (x->run.n != y->run.n)
		return x->run.n < y->run.n ? -1 : 1;
	return (x->run.seconds > y->run.seconds) -
	    (x->run.seconds < y->run.seconds);
}

/*
 * Sorts the runs by node and drops repeated ones: the user may give the same
 * trace twice.
 */
static void
sort_pasts(struct memory *m)
{
	size_t n = 0;

	if (m->n > 0)
		qsort(m->past, m->n, sizeof *m->past, by_node_and_run);
	for (size_t i = 0; i < m->n; i++)
		if (n == 0 ||
		    by_node_and_run(&m->past[n - 1], &m->past[i]) != 0)
			m->past[n++] = m->past[i];
	m->n = n;
}

/* Turns the runs of all nodes into points. The result does not depend on the
 * order of the traces. */
static int
learn_nodes(struct memory *m)
{
	struct past_run *run = reallocarray(NULL, m->n, sizeof *run);
	size_t i = 0, n;
	int rc = 0;

	sort_pasts(m);
	while (run != NULL && rc == 0 && i < m->n) {
		size_t node = m->past[i].node;

		for (n = 0; i < m->n && m->past[i].node == node; i++)
			run[n++] = m->past[i].run;
		rc = doc_learned_set(json_array_get(m->line, node), run, n);
	}
	free(run);
	return run == NULL ? -1 : rc;
}

static int
read_time(const struct doc_in *d, const char *member, double *time_s,
    struct hp_err *e)
{
	if (doc_number(d, member, DOC_REQUIRED, time_s, e) == -1)
		return -1;
	if (!is_time(json_object_get(d->object, member)))
		return doc_fail(
		    d, e, "'%s' must be within 2^53 seconds", member);
	return 0;
}

/* Reads one line of a trace. */
static int
read_step(struct doc_in *d, void *context, struct hp_err *e)
{
	struct memory *m = context;
	const char *name;
	double start_s, end_s;
	uint64_t n;
	size_t node;
	bool other, known;

	if (strcmp(d->type, "step") != 0)
		return doc_unexpected(d, "a step", e);
	name = json_string_value(json_object_get(d->object, "step"));
	other = name == NULL || strcmp(name, m->step) != 0;
	if (other && m->whole == NULL)
		return 0;
	if (read_time(d, "start_s", &start_s, e) == -1 ||
	    read_time(d, "end_s", &end_s, e) == -1 ||
	    doc_u64(d, "records", DOC_REQUIRED, &n, e) == -1)
		return -1;
	if (end_s < start_s)
		return doc_fail(d, e, "the step ends before it starts");
	name = json_string_value(json_object_get(d->object, "node"));
	known = name != NULL && cluster_named(&m->by_name, name, &node) == 0;
	if (known && m->whole != NULL &&
	    whole_add(m->whole, d->object, name, !other, start_s, end_s,
		(double)n) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	/*
	 * A step that handled no records says nothing about the time per
	 * record.
	 */
	if (other || !known || n == 0)
		return 0;
	/* The step took less time than the resolution of the trace's clock. */
	if (end_s == start_s) {
		m->too_short = true;
		return 0;
	}
	m->learned = true;
	if (add_past(m, node,
		(struct past_run){ start_s, (double)n, end_s - start_s }) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	return 0;
}

/*
 * Fails with the reason why the traces contain no usable time of the step.
 * `name` is the file name of the cluster, for the message.
 */
static int
learned_nothing(const struct memory *m, const char *name, struct hp_err *e)
{
	if (m->too_short)
		return hp_fail(e, HP_INPUT,
		    "every step '%.64s' of a node of %.256s took 0 s, too "
		    "short to learn from: run more records",
		    m->step, name);
	return hp_fail(e, HP_INPUT,
	    "no step '%.64s' of a node of %.256s in the traces", m->step, name);
}

/*
 * Learns for each node how much time a run takes in addition to the learned
 * step. `name` is the cluster's file, for messages.
 */
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
	struct memory m = { .line = json_array(),
		.step = step,
		.whole = of_whole ? whole_new() : NULL };
	int rc = m.line == NULL || (of_whole && m.whole == NULL)
	    ? hp_fail(e, HP_NOMEM, "%s", name)
	    : doc_each(cluster, read_node, &m, e);

	for (size_t i = 0; i < ntraces && rc == 0; i++)
		rc = doc_each(traces[i], read_step, &m, e);
	if (rc == 0 && !m.learned)
		rc = learned_nothing(&m, name, e);
	if (rc == 0 && learn_nodes(&m) == -1)
		rc = hp_fail(e, HP_NOMEM, "%s", name);
	if (rc == 0 && of_whole)
		rc = learn_whole(m.whole, m.line, name, e);
	for (size_t i = 0; rc == 0 && i < json_array_size(m.line); i++)
		rc = doc_put(out, json_incref(json_array_get(m.line, i)), e);
	if (rc == 0 && m.launcher != NULL)
		rc = doc_put(out, json_incref(m.launcher), e);
	free(m.past);
	json_decref(m.launcher);
	json_decref(m.whole);
	json_decref(m.line);
	cluster_fini(&m.by_name);
	return rc;
}
