#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "actions.h"
#include "base/size.h"
#include "doc/plan.h"
#include "doc/sublists.h"

static const struct method methods[] = {
	{ "exact", true, true, DEMAND_EXACT },
	{ "psop", true, false, DEMAND_PSOP },
	{ "psrs", true, true, DEMAND_PSRS },
	{ "pss", true, false, DEMAND_PSS },
	{ "random", false, false, DEMAND_PSS },
	{ "regular", false, true, DEMAND_PSRS },
};

int
job_missing(const char *what, struct hp_err *e)
{
	return hp_fail(e, HP_USAGE, "%s is needed", what);
}

int
job_input(const struct job *j, const char **path, struct hp_err *e)
{
	*path = j->o->nfiles == 0 ? "-" : j->o->file[0];
	if (j->o->nfiles > 1)
		return hp_fail(
		    e, HP_USAGE, "%s: only one file is allowed", j->o->file[1]);
	return 0;
}

const struct method *
job_method(const struct job *j, struct hp_err *e)
{
	const char *name = j->o->algorithm;

	if (name == NULL) {
		job_missing("-a, the algorithm,", e);
		return NULL;
	}
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	hp_fail(e, HP_USAGE,
	    "-a: algorithm '%s': must be exact, psop, psrs, pss, random or "
	    "regular",
	    name);
	return NULL;
}

int
job_plan(struct job *j, struct hp_err *e)
{
	if (j->o->plan == NULL)
		return job_missing("-P, the plan,", e);
	return doc_plan_read(j->o->plan, &j->plan, e);
}

int
job_bounds(struct job *j, struct hp_err *e)
{
	if (j->o->sublists == NULL)
		return job_missing("-L, the sublists,", e);
	return doc_sublists_read(j->o->sublists, &j->sublists, &j->probes, e);
}

int
job_sublists(struct job *j, struct hp_err *e)
{
	if (job_bounds(j, e) == -1)
		return -1;
	return j->probes
	    ? hp_fail(e, HP_INPUT, "%s: contains no sublist", j->o->sublists)
	    : 0;
}

int
job_rank(struct job *j, struct hp_err *e)
{
	const char *name = j->o->node;
	uint64_t nodes = j->plan.nodes > 0 ? j->plan.nodes : j->sublists.nodes;
	const struct sublist *s;

	if (name == NULL)
		return job_missing("-N, the node's rank or name,", e);
	if (name[0] != '\0' && name[strspn(name, "0123456789")] == '\0')
		return int_parse(name, 0, nodes > 0 ? nodes - 1 : UINT32_MAX,
		    &j->rank, "-N: rank", e);
	for (j->rank = 0; j->rank < j->plan.nodes; j->rank++)
		if (strcmp(j->plan.share[j->rank].node, name) == 0)
			return 0;
	for (size_t i = 0; i < j->sublists.n; i++) {
		s = &j->sublists.v[i];
		if (s->node == NULL || !s->assigned ||
		    strcmp(s->node, name) != 0)
			continue;
		j->rank = s->rank;
		return 0;
	}
	return hp_fail(e, HP_USAGE,
	    "-N: node '%s': neither a rank nor a name in %s", name,
	    j->o->plan != NULL		 ? "the plan"
		: j->o->sublists != NULL ? "the sublists"
					 : "-P or -L, which are missing");
}

int
job_performance(const struct job *j, uint64_t *sum, struct hp_err *e)
{
	size_t p = j->plan.nodes;
	uint64_t *share = calloc(2 * p + 1, sizeof *share);

	if (share == NULL)
		return hp_fail(e, HP_NOMEM, "%zu nodes", p);
	for (size_t i = 0; i < p; i++)
		share[i] = j->plan.share[i].n;
	*sum = demand_performance(share, p, share + p);
	free(share);
	return 0;
}

int
job_open_records(const struct job *j, struct records *r, struct hp_err *e)
{
	const struct opts *o = j->o;
	const char *path;

	if (job_input(j, &path, e) == -1)
		return -1;
	return records_open(r, path, &o->range, &o->order.format, e);
}

int
job_open_reader(const struct job *j, struct reader *r, struct hp_err *e)
{
	const struct range *range = &j->o->range;
	const char *path;

	if (job_input(j, &path, e) == -1)
		return -1;
	return range_reader(r, path, range, &j->o->order.format, e);
}

int
job_each_document(const struct job *j,
    int (*read)(const char *, void *, struct hp_err *), void *arg,
    struct hp_err *e)
{
	if (j->o->nfiles == 0)
		return read("-", arg, e);
	for (int i = 0; i < j->o->nfiles; i++)
		if (read(j->o->file[i], arg, e) == -1)
			return -1;
	return 0;
}

int
job_none(const struct job *j, const char *what, struct hp_err *e)
{
	const char *path = j->o->nfiles == 0 ? "-" : j->o->file[0];

	return hp_fail(e, HP_INPUT, "%.256s%s: no %s",
	    strcmp(path, "-") == 0 ? "standard input" : path,
	    j->o->nfiles > 1 ? " and others" : "", what);
}
