/* hpsolve(1): computes how many items each node should get. */

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cmd.h"
#include "doc/plan.h"
#include "doc/weights.h"
#include "foreign.h"
#include "model.h"
#include "opts.h"
#include "share/answer.h"
#include "share/stages.h"
#include "tell.h"
#include "write.h"

static int
solve(const struct opts *o, const struct model *m,
    const struct problem *problem, const struct prefix *sum, double begin_s,
    struct hp_err *e)
{
	struct answer a = { 0 };
	double read_s = tell_clock_s(), solved_s;
	int rc = sum != NULL ? share_solve_weights(problem, sum, &a, e)
			     : share_solve(problem, o->method, &a, e);
	const char *method = sum != NULL ? "contiguous" : method_name(a.method);

	solved_s = tell_clock_s();
	if (rc == 0 && o->format != NULL)
		rc = foreign_write(stdout, o->format, &m->cluster, &a, e);
	else if (rc == 0)
		rc = write_plan(m, &a, method, e);
	if (rc == 0 && a.clamped > 0)
		tell_clamped(&a);
	if (rc == 0 && a.unproven)
		tell_unproven(problem);
	if (rc == 0 && o->stats) {
		tell_stats(begin_s, read_s, solved_s, a.steps);
		rc = cmd_told(e);
	}
	answer_fini(&a);
	return rc;
}

/*
 * Solves the problem by each method that applies, and prints one line for each.
 */
static int
compare(
    const struct model *model, const struct problem *problem, struct hp_err *e)
{
	struct answer best;
	/*
	 * Solve by the default method first.  If that fails, every method
	 * fails, and one error is enough.
	 */
	int rc = share_solve(problem, METHOD_AUTO, &best, e);

	if (rc == 0 && best.unproven)
		tell_unproven(problem);
	answer_fini(&best);
	for (int m = METHOD_AUTO + 1; m < METHODS && rc == 0; m++) {
		struct answer a = { 0 };

		rc = share_solve(problem, (enum method)m, &a, e);
		/*
		 * HP_NOSHARE: a node would never finish the share that this
		 * method gives it.
		 */
		if (rc == -1 &&
		    (e->kind == HP_USAGE || e->kind == HP_NOSHARE)) {
			*e = (struct hp_err){ .note = e->note };
			rc = 0;
			continue;
		}
		if (rc == 0)
			rc = write_total(model, &a, method_name(a.method),
			    doc_compare_write, e);
		answer_fini(&a);
	}
	return rc;
}

/*
 * Reads the file of --weights.  The items to divide are its lines, in their
 * order.
 */
static int
weigh(const struct opts *o, struct problem *problem, struct weights *w,
    struct hp_err *e)
{
	if (o->weights == NULL)
		return 0;
	if (doc_weights_read(o->weights, w, e) == -1)
		return -1;
	if (!o->counted && w->n == 0)
		return hp_fail(
		    e, HP_INPUT, "%.256s: contains no weight", o->weights);
	if (o->counted && o->n != w->n)
		return hp_fail(e, HP_INPUT,
		    "%.256s: has %ju weights, but there are %ju items",
		    o->weights, (uintmax_t)w->n, (uintmax_t)o->n);
	problem->total = w->n;
	return 0;
}

int
main(int argc, char *argv[])
{
	struct opts o;
	struct model m = { 0 };
	struct problem problem = { .cluster = &m.cluster };
	struct plan plan = { 0 };	/* the plan that --check reads */
	struct weights weights = { 0 }; /* of --weights */
	struct hp_err e = { .note = cmd_note };
	double begin_s = tell_clock_s();
	int rc = -1;

	opts_parse(&o, argc, argv);
	problem.total = o.n;
	problem.block = o.block;
	if (model_read(&o, &m, &e) == -1 ||
	    (o.check != NULL &&
		(check_read(&o, &plan, &e) == -1 ||
		    opts_default(&o, &plan, &e) == -1)) ||
	    weigh(&o, &problem, &weights, &e) == -1 ||
	    model_set(&o, &m, &e) == -1)
		goto out;
	problem.item_bytes = m.said.item_bytes;
	problem.by_key = m.said.by_key;
	problem.batches = problem.by_key && stages_batched(&m.cluster);
	if (o.check != NULL)
		rc = check_plan(&o, &m, &problem, &plan, &e);
	else if (o.pareto)
		rc = write_front(&problem, &e);
	else if (o.compare)
		rc = compare(&m, &problem, &e);
	else
		rc = solve(&o, &m, &problem, weights.sum, begin_s, &e);
	if (rc == -1)
		model_blame(&o, &e);
out:
	weights_fini(&weights);
	plan_fini(&plan);
	model_fini(&m);
	return cmd_finish(rc, &e);
}
