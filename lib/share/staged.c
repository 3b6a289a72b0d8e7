#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "share/boxes.h"
#include "share/staged.h"

int
staged_prove(
    const struct problem *p, double bound, struct answer *a, struct hp_err *e)
{
	struct certificate *proof = &a->proof;
	uint64_t *n;
	int rc = 0;

	a->staged = p;
	proof->makespan = stages_makespan(p, a->n);
	if (bound == 0) {
		n = reallocarray(NULL, p->cluster->n, sizeof *n);
		if (n == NULL)
			return hp_fail(e, HP_NOMEM, "plan");
		rc = boxes_solve(p, n, &bound, e);
		free(n);
	}
	a->bound = fmin(bound, proof->makespan);
	proof->unique = false;
	proof->optimal = !a->unproven &&
	    proof->makespan * (1 - BOXES_NEAR) <= a->bound;
	return rc;
}

static int
add_stage(const struct answer *a, enum stages_kind k, struct plan *p,
    struct hp_err *e)
{
	const struct problem *of = a->staged;
	const struct stages_load load = stages_load(of, a->n);
	struct plan_stage *s = plan_stage_add(p, e);

	if (s == NULL)
		return -1;
	s->name = strdup(stages_name(k));
	s->node = calloc(of->cluster->n, sizeof *s->node);
	if (s->name == NULL || s->node == NULL)
		return hp_fail(e, HP_NOMEM, "plan");
	s->seconds = stages_time(of, k, a->n);
	s->launcher = stages_launcher(of, k, &load);
	for (size_t i = 0; i < of->cluster->n; i++)
		s->node[i] = stages_node(of, k, i, a->n[i]);
	return 0;
}

int
answer_stages(const struct answer *a, struct plan *p, struct hp_err *e)
{
	for (int k = 0; a->staged != NULL && k < STAGES; k++)
		if (add_stage(a, (enum stages_kind)k, p, e) == -1)
			return -1;
	return 0;
}
