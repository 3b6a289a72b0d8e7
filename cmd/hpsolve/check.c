#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "doc/plan.h"
#include "share/staged.h"
#include "write.h"

/*
 * Refuses plans made with --weights: such a plan has the total weight, but not
 * the weights of its items, so it cannot be checked.
 */
int
check_read(const struct opts *o, struct plan *plan, struct hp_err *e)
{
	if (doc_plan_read(o->check, plan, e) == -1)
		return -1;
	if (plan->weighted)
		return hp_fail(e, HP_INPUT,
		    "%.256s: a plan by weights cannot be checked", o->check);
	return 0;
}

/*
 * Fails with the reason why the plan is not proven optimal.  If a better plan
 * exists, the message names the node that finishes last and the number of items
 * that it should get.
 */
static int
tell_better(
    const struct problem *problem, const struct answer *a, struct hp_err *e)
{
	size_t last = a->proof.last;
	struct answer best = { 0 };
	int rc;

	if (a->proof.makespan <= a->bound)
		return hp_fail(e, HP_NO,
		    "not proven optimal: the cost '%.200s' is not known to "
		    "rise up to n = %ju",
		    problem->cluster->node[0].curve.cost->text,
		    (uintmax_t)problem->total);
	if (a->staged != NULL)
		return hp_fail(e, HP_NO,
		    "not proven optimal: the makespan of the whole run, %.15g, "
		    "is %.3g %% above the bound, %.15g",
		    a->proof.makespan, 100 * (a->proof.makespan / a->bound - 1),
		    a->bound);
	if (share_solve(problem, METHOD_AUTO, &best, e) == -1)
		return -1;
	rc = hp_fail(e, HP_NO,
	    "not optimal: the makespan %.15g is %.3g %% above the least, "
	    "%.15g; node '%s', done last, gets %ju items and should get %ju",
	    a->proof.makespan, 100 * (a->proof.makespan / a->bound - 1),
	    a->bound, problem->cluster->node[last].name, (uintmax_t)a->n[last],
	    (uintmax_t)best.n[last]);
	answer_fini(&best);
	return rc;
}

/* Checks that the plan's nodes are those of the cluster. */
static int
check_names(const struct cluster *c, const struct plan *p, struct hp_err *e)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->node[i].name, p->share[i].node) != 0)
			return hp_fail(e, HP_NO,
			    "the plan has node '%.255s' as rank %zu, not '%s'",
			    p->share[i].node, i, c->node[i].name);
	return 0;
}

/*
 * Checks that the plan's digest is that of these nodes and this cost.  A plan
 * without digest passes.
 */
static int
check_digest(const struct model *m, const struct plan *p, struct hp_err *e)
{
	if (p->digest == NULL || strcmp(p->digest, m->said.digest) == 0)
		return 0;
	return hp_fail(e, HP_NO,
	    "the plan is for other nodes or another cost: its digest is %.64s, "
	    "theirs is %.64s",
	    p->digest, m->said.digest);
}

static bool
differ(double a, double b)
{
	return fabs(a - b) > 1e-9 * fmax(a, b);
}

/*
 * Compares the seconds of a stage in the plan with `own`, the seconds computed
 * from the cluster.
 */
static int
check_stage(const struct plan_stage *said, const struct plan_stage *own,
    size_t nodes, struct hp_err *e)
{
	bool bad = strcmp(said->name, own->name) != 0 ||
	    differ(said->seconds, own->seconds) ||
	    differ(said->launcher, own->launcher);

	for (size_t i = 0; i < nodes && !bad; i++)
		bad = differ(said->node[i], own->node[i]);
	if (!bad)
		return 0;
	return hp_fail(e, HP_NO,
	    "the plan has a stage '%.64s' of %.15g s; it should be '%s' of "
	    "%.15g s, with the seconds of each node",
	    said->name, said->seconds, own->name, own->seconds);
}

/*
 * Adds the stage "run", in which each node works on its share.  Jobs of hprun
 * have only this stage.
 */
static int
job_stage(const struct cluster *c, const struct answer *a, struct plan *own,
    struct hp_err *e)
{
	struct plan_stage *stage = plan_stage_add(own, e);
	struct share share = { 0 };

	if (stage == NULL)
		return -1;
	stage->name = strdup("run");
	stage->node = calloc(c->n + 1, sizeof *stage->node);
	if (stage->name == NULL || stage->node == NULL)
		return hp_fail(e, HP_NOMEM, "plan");
	stage->seconds = a->proof.makespan;
	for (size_t i = 0; i < c->n; i++) {
		answer_share(c, a, i, &share);
		stage->node[i] = share.seconds;
	}
	return 0;
}

/*
 * Compares the stages of the plan with those computed from the cluster.  A plan
 * without stages passes.
 */
static int
check_stages(const struct cluster *c, const struct answer *a,
    const struct plan *p, struct hp_err *e)
{
	struct plan own = { 0 };
	int rc = answer_stages(a, &own, e);

	if (rc == 0 && own.nstages == 0 && p->nstages == 1)
		rc = job_stage(c, a, &own, e);
	if (rc == 0 && p->nstages > 0 && p->nstages != own.nstages)
		rc = hp_fail(e, HP_NO, "the plan has %zu stages, not %zu",
		    p->nstages, own.nstages);
	for (size_t i = 0; i < p->nstages && rc == 0; i++)
		rc = check_stage(&p->stage[i], &own.stage[i], p->nodes, e);
	plan_fini(&own);
	return rc;
}

int
check_plan(const struct opts *o, const struct model *m, struct problem *problem,
    const struct plan *p, struct hp_err *e)
{
	struct answer a = { 0 };
	int rc = -1;

	if (!o->counted)
		problem->total = p->n;
	if (share_check(problem, p, &a, e) == 0 &&
	    (o->speeds != NULL || check_names(problem->cluster, p, e) == 0) &&
	    write_plan(m, &a, p->method != NULL ? p->method : "unknown", e) ==
		0) {
		rc = a.proof.optimal ? check_digest(m, p, e)
				     : tell_better(problem, &a, e);
		if (rc == 0)
			rc = check_stages(problem->cluster, &a, p, e);
	}
	answer_fini(&a);
	return rc;
}
