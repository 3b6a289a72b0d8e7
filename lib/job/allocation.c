#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "job/allocation.h"
#include "job/nodelist.h"

enum {
	COMPONENTS_MOST = 128, /* MAX_HET_JOB_COMPS of Slurm 22.05 */
	PROCESSORS_MOST = 1 << 20
};

const char *
allocation_job(void)
{
	const char *job = getenv("SLURM_JOB_ID");

	return job == NULL || *job == '\0' ? NULL : job;
}

const struct allocated *
allocation_find(const struct allocation *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->node[i].name, name) == 0)
			return &a->node[i];
	return NULL;
}

/* The name of an environment variable. */
struct variable {
	char name[64];
};

/* Returns the name of Slurm's variable for one component of the job. */
static struct variable
variable(const char *name, int component)
{
	struct variable v;

	if (component == ALLOCATION_WHOLE)
		snprintf(v.name, sizeof v.name, "%s", name);
	else
		snprintf(
		    v.name, sizeof v.name, "%s_HET_GROUP_%d", name, component);
	return v;
}

/*
 * Parses one number of a list such as `16(x3),8`, where `16(x3)` stands for
 * `16,16,16`. Returns the text behind the number, or NULL if the number is
 * malformed.
 */
static const char *
parse_repeated(const char *s, uint64_t *number, uint64_t *times)
{
	char *end;

	if (strspn(s, "0123456789") == 0)
		return NULL;
	*number = strtoul(s, &end, 10);
	*times = 1;
	if (strncmp(end, "(x", 2) == 0) {
		if (strspn(end + 2, "0123456789") == 0)
			return NULL;
		*times = strtoul(end + 2, &end, 10);
		if (*end++ != ')')
			return NULL;
	}
	return *number > 0 && *number <= PROCESSORS_MOST && *times > 0 &&
		(*end == ',' || *end == '\0')
	    ? end
	    : NULL;
}

/* Sets the number of processors for the nodes from index `first` on. */
static int
set_processors(struct allocation *a, size_t first, const char *name,
    const char *text, struct hp_err *e)
{
	uint64_t number = 0, times = 0;
	const char *s = text;

	for (size_t i = first; i < a->n; i++) {
		if (times == 0) {
			s = parse_repeated(
			    s + (i > first && *s == ','), &number, &times);
			if (s == NULL)
				break;
		}
		times--;
		a->node[i].processors = number;
	}
	if (s != NULL && times == 0 && *s == '\0')
		return 0;
	return hp_fail(e, HP_INPUT,
	    "%s: '%.64s' does not fit the list of nodes", name, text);
}

static int
add_node(
    struct allocation *a, const char *name, int component, struct hp_err *e)
{
	if (ARRAY_ROOM(a->node, a->n, a->cap) == -1)
		return hp_fail(e, HP_NOMEM, "out of memory");
	a->node[a->n] = (struct allocated){ .name = strdup(name),
		.component = component };
	if (a->node[a->n].name == NULL)
		return hp_fail(e, HP_NOMEM, "out of memory");
	a->n++;
	return 0;
}

/*
 * A Slurm job can have several components, each with its own list of nodes. The
 * nodes from index `first` on are those of the last component. Removes the
 * nodes that an earlier component also has, because each machine gets only one
 * agent.
 */
static void
drop_repeated(struct allocation *a, size_t first)
{
	size_t n = first;

	for (size_t i = first; i < a->n; i++) {
		struct allocation before = { .node = a->node, .n = first };

		if (allocation_find(&before, a->node[i].name) == NULL)
			a->node[n++] = a->node[i];
		else
			free(a->node[i].name);
	}
	a->n = n;
}

static int
add_component(struct allocation *a, int component, struct hp_err *e)
{
	struct variable nodes = variable("SLURM_JOB_NODELIST", component);
	struct variable cpus = variable("SLURM_JOB_CPUS_PER_NODE", component);
	const char *list = getenv(nodes.name), *processors = getenv(cpus.name);
	struct nodelist names = { 0 };
	struct hp_err why = { 0 };
	size_t first = a->n;
	int rc;

	if (list == NULL || *list == '\0')
		return hp_fail(e, HP_USAGE, "job %s: %s is not set",
		    allocation_job(), nodes.name);
	rc = nodelist_add(&names, list, &why);
	if (rc == -1)
		hp_fail(e, why.kind, "%s: %s", nodes.name, why.text);
	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = add_node(a, names.name[i], component, e);
	if (rc == 0 && processors != NULL)
		rc = set_processors(a, first, cpus.name, processors, e);
	if (rc == 0)
		drop_repeated(a, first);
	nodelist_fini(&names);
	return rc;
}

int
allocation_read(struct allocation *a, struct hp_err *e)
{
	const char *size = getenv("SLURM_HET_SIZE");
	uint64_t components = 0;

	*a = (struct allocation){ 0 };
	if (allocation_job() == NULL)
		return hp_fail(e, HP_USAGE,
		    "--launch slurm: there is no allocation (SLURM_JOB_ID is "
		    "not set); use salloc or sbatch");
	if (size == NULL)
		return add_component(a, ALLOCATION_WHOLE, e);
	if (int_parse(size, 1, COMPONENTS_MOST, &components, "SLURM_HET_SIZE",
		e) == -1)
		return -1;
	for (int i = 0; i < (int)components; i++)
		if (add_component(a, i, e) == -1)
			return -1;
	return 0;
}

void
allocation_fini(struct allocation *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->node[i].name);
	free(a->node);
	*a = (struct allocation){ 0 };
}
