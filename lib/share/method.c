#include <string.h>

#include "share/formula.h"
#include "share/method.h"
#include "share/optimum.h"
#include "share/stages.h"

typedef int divide(const struct problem *, struct division *, struct hp_err *);

/*
 * A set of kinds of cost functions that a method supports: bits 1 << cost_kind,
 * and a name for messages.
 */
struct costs {
	unsigned kinds;
	const char *name;
};

static const struct costs nlogn = { 1 << COST_NLOGN, COST_DEFAULT };
static const struct costs powers = { 1 << COST_POWER | 1 << COST_LINEAR,
	"n^b" };

static const struct {
	const char *name;
	divide *divide;
	const struct costs *only; /* NULL: any cost function */
} methods[METHODS] = {
	[METHOD_AUTO] = { "auto", NULL, NULL },
	[METHOD_EQUAL] = { "equal", formula_equal, NULL },
	[METHOD_PROPORTIONAL] = { "proportional", formula_proportional, NULL },
	[METHOD_TAYLOR] = { "taylor", formula_taylor, &nlogn },
	[METHOD_NEWTON] = { "newton", formula_newton, &nlogn },
	[METHOD_POWER] = { "power", optimum_power, &powers },
	[METHOD_NLOGN] = { "nlogn", optimum_nlogn, &nlogn },
	[METHOD_ASYMPTOTIC] = { "asymptotic", formula_asymptotic, &nlogn },
	[METHOD_ASYMPTOTIC_PRINTED] = { "asymptotic-printed",
	    formula_asymptotic_printed, &nlogn },
	[METHOD_EXACT] = { "exact", optimum_exact, NULL },
	[METHOD_FPM] = { "fpm", optimum_fpm, NULL },
	[METHOD_DP] = { "dp", optimum_dp, NULL },
	[METHOD_LEARNED] = { "learned", optimum_learned, NULL },
	[METHOD_STAGES] = { "stages", optimum_stages, NULL },
};

const char *
method_name(enum method m)
{
	return methods[m].name;
}

int
method_parse(const char *name, enum method *m, struct hp_err *e)
{
	char all[400] = "";

	for (int i = 0; i < METHODS; i++) {
		if (strcmp(name, methods[i].name) == 0) {
			*m = (enum method)i;
			return 0;
		}
		strlcat(all, " ", sizeof all);
		strlcat(all, methods[i].name, sizeof all);
	}
	return hp_fail(
	    e, HP_USAGE, "method '%.64s': must be one of%s", name, all);
}

enum method
method_richest(const struct problem *p)
{
	const struct cluster *c = p->cluster;
	const struct cost *cost = c->node[0].curve.cost;
	size_t measured = 0;

	if (stages_known(p))
		return METHOD_STAGES;
	if (cluster_falls(c, NULL, NULL))
		return METHOD_DP;
	for (size_t i = 0; i < c->n; i++)
		measured += c->node[i].curve.point != NULL;
	if (measured == c->n)
		return METHOD_FPM;
	if (measured == 0 && cost->kind == COST_NLOGN)
		return METHOD_NLOGN;
	return METHOD_EXACT;
}

int
method_divide(enum method m, const struct problem *p, struct division *d,
    struct hp_err *e)
{
	const struct cost *cost = p->cluster->node[0].curve.cost;
	const struct costs *only = methods[m].only;
	struct hp_err why = { 0 };

	if (only != NULL && (only->kinds & 1 << cost->kind) == 0)
		return hp_fail(e, HP_USAGE,
		    "method %s: the method is for the cost %s, not for %s",
		    methods[m].name, only->name, cost->text);
	if (methods[m].divide(p, d, &why) == 0)
		return 0;
	return hp_fail(
	    e, why.kind, "method %s: %.900s", methods[m].name, why.text);
}
