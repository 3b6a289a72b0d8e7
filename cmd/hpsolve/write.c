#include "doc/plan.h"
#include "doc/stages.h"
#include "share/staged.h"
#include "doc/pareto.h"
#include "share/pareto.h"
#include "write.h"

/*
 * Writes the last line of the document, which has the type "plan".  It contains
 * the totals, and says from which cost and options the times were computed.
 */
int
write_total(const struct model *m, const struct answer *a, const char *method,
    int (*put)(FILE *, const struct plan *, struct hp_err *), struct hp_err *e)
{
	struct plan p = { 0 }, line;
	int rc = answer_plan(&m->cluster, a, method, &p, e);

	if (rc == 0) {
		line = p;
		line.bounded = m->said.bounded;
		line.beyond = m->said.beyond;
		line.at = m->said.at;
		line.nat = m->said.nat;
		line.digest = m->said.digest;
		line.risk = m->said.risk;
		line.item_bytes = m->said.item_bytes;
		line.by_key = m->said.by_key;
		rc = put(stdout, &line, e);
	}
	plan_fini(&p);
	return rc;
}

static int
write_stages(const struct model *m, const struct answer *a, struct hp_err *e)
{
	struct plan p = { 0 };
	int rc = answer_stages(a, &p, e);

	for (size_t i = 0; i < p.nstages && rc == 0; i++)
		rc = doc_stage_write(stdout, &p.stage[i], m->cluster.n, e);
	plan_fini(&p);
	return rc;
}

/* Writes the shares, the stages and the plan on standard output. */
int
write_plan(const struct model *m, const struct answer *a, const char *method,
    struct hp_err *e)
{
	struct share share = { 0 };
	int rc = 0;

	for (size_t i = 0; i < m->cluster.n && rc == 0; i++) {
		answer_share(&m->cluster, a, i, &share);
		rc = doc_share_write(stdout, i, &share, e);
	}
	if (rc == 0)
		rc = write_stages(m, a, e);
	return rc == 0 ? write_total(m, a, method, doc_plan_write, e) : -1;
}

int
write_front(const struct problem *problem, struct hp_err *e)
{
	struct pareto front;
	int rc = share_pareto(problem, &front, e);

	for (size_t i = 0; i < front.n && rc == 0; i++)
		rc = doc_pareto_write(stdout, &front.plan[i], front.block,
		    problem->cluster->n, e);
	pareto_fini(&front);
	return rc;
}
