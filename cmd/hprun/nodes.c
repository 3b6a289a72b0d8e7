/*
 * Finds the nodes of the run.  They come from a cluster file, or are processes
 * of this machine.
 */

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "doc/cluster.h"
#include "doc/nodes.h"
#include "nodes.h"
#include "slurm.h"
#include "share/answer.h"

static void
nodes_free(struct run *run)
{
	for (size_t i = 0; i < run->nodes; i++) {
		struct run_node *n = &run->node[i];

		free(n->name);
		free(n->host);
		free(n->dir_base);
		free(n->dir);
		free(n->in);
		free(n->leave);
		free(n->lost_why);
		free(n->beside);
	}
	free(run->node);
	free(run->facts);
	run->node = NULL;
	run->facts = NULL;
	run->nodes = 0;
}

/*
 * Returns the lines of nodes on this machine with the given speeds, a list that
 * set_speeds has accepted.
 */
static char *
lines_of_speeds(const char *speeds, struct hp_err *e)
{
	char *text, *end;
	size_t size, rank = 0;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		return NULL;
	}
	for (const char *s = speeds; *s != '\0'; s = end + (*end == ','))
		fprintf(f,
		    "{\"type\":\"node\",\"node\":\"node%zu\","
		    "\"speed\":%.17g}\n",
		    rank++, strtod(s, &end));
	if (fclose(f) == EOF) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		return NULL;
	}
	return text;
}

static char *
lines_of_count(uint64_t n, struct hp_err *e)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		return NULL;
	}
	for (uint64_t i = 0; i < n; i++)
		fprintf(f,
		    "{\"type\":\"node\",\"node\":\"node%ju\",\"speed\":1}\n",
		    (uintmax_t)i);
	if (fclose(f) == EOF) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		return NULL;
	}
	return text;
}

int
nodes_source(struct run *run, struct hp_err *e)
{
	struct stat st;

	if (run->o.cluster == NULL && run->o.speeds == NULL &&
	    run->o.nodes == 0 && slurm_is_used(run)) {
		run->node_lines = slurm_lines(run, e);
		return run->node_lines == NULL ? -1 : 0;
	}
	if (run->o.cluster == NULL) {
		run->node_lines = run->o.speeds != NULL
		    ? lines_of_speeds(run->o.speeds, e)
		    : lines_of_count(
			  run->o.nodes > 0 ? run->o.nodes : cpu_count(), e);
		return run->node_lines == NULL ? -1 : 0;
	}
	if (stat(run->o.cluster, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", run->o.cluster);
	if (S_ISFIFO(st.st_mode))
		return hp_fail(e, HP_IO, "%s: is a pipe, and must be a file",
		    run->o.cluster);
	if ((run->cluster = realpath(run->o.cluster, NULL)) == NULL)
		return hp_fail_errno(e, HP_IO, "%s", run->o.cluster);
	return 0;
}

/* Fails if --without names a node that does not exist. */
static int
check_without(const struct run *run, const struct cluster *c, struct hp_err *e)
{
	size_t rank;

	for (size_t i = 0; i < run->o.without.n; i++)
		if (cluster_named(c, run->o.without.v[i], &rank) == -1)
			return hp_fail(e, HP_USAGE,
			    "--without: no node is named '%s'",
			    run->o.without.v[i]);
	return 0;
}

/*
 * Checks before the run starts that the method of hpsolve can plan for these
 * nodes.
 */
static int
check_method(const struct run *run, struct cluster *c, struct hp_err *e)
{
	struct problem p = { .cluster = c };
	struct answer a = { 0 };
	enum method method;
	struct cost cost;
	int rc;

	if (run->o.profile_s > 0 ||
	    method_parse(run->o.method, &method, e) == -1)
		return run->o.profile_s > 0 ? 0 : -1;
	if (method == METHOD_LEARNED || method == METHOD_AUTO ||
	    method == METHOD_STAGES)
		return 0;
	if (cost_parse(run->o.cost, &cost, e) == -1)
		return -1;
	cluster_set_cost(c, &cost);
	rc = share_solve(&p, method, &a, e);
	answer_fini(&a);
	cost_fini(&cost);
	if (rc == -1)
		e->kind = HP_INPUT;
	return rc;
}

static bool
left_out(const struct list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i], name) == 0)
			return true;
	return false;
}

static char *
copy(const char *s)
{
	return s == NULL ? NULL : strdup(s);
}

static int
take_node(struct run *run, const struct node *from, struct hp_err *e)
{
	struct run_node *n = &run->node[run->nodes];

	if (from->host != NULL && from->dir != NULL && from->dir[0] != '/')
		return hp_fail(e, HP_INPUT,
		    "%s: %s: dir %s on a host must be absolute", run->cluster,
		    from->name, from->dir);
	*n = (struct run_node){ .name = copy(from->name),
		.host = copy(from->host),
		.dir_base = copy(from->dir),
		.measured = from->curve.npoints > 0,
		.linked = from->link.known };
	run->nodes++;
	if (n->name == NULL || (from->host != NULL && n->host == NULL) ||
	    (from->dir != NULL && n->dir_base == NULL))
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	run->remote = run->remote || n->host != NULL;
	return 0;
}

static bool
same_machine(const struct run_node *a, const struct run_node *b)
{
	if (a->host == NULL || b->host == NULL)
		return a->host == b->host;
	return strcmp(a->host, b->host) == 0;
}

/* Orders nodes by machine, and the nodes of a machine by rank. */
static int
by_machine(const void *a, const void *b, void *nodes)
{
	const struct run_node *x = (const struct run_node *)nodes +
	    *(const size_t *)a;
	const struct run_node *y = (const struct run_node *)nodes +
	    *(const size_t *)b;
	int c = strcmp(
	    x->host == NULL ? "" : x->host, y->host == NULL ? "" : y->host);

	return c != 0 ? c : (x > y) - (x < y);
}

static int
group(struct run *run, struct hp_err *e)
{
	size_t *rank = reallocarray(NULL, run->nodes, sizeof *rank), end;

	if (rank == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	for (size_t i = 0; i < run->nodes; i++)
		rank[i] = i;
	qsort_r(rank, run->nodes, sizeof *rank, by_machine, run->node);
	for (size_t i = 0; i < run->nodes; i = end) {
		for (end = i + 1; end < run->nodes &&
		     same_machine(&run->node[rank[i]], &run->node[rank[end]]);)
			end++;
		for (size_t j = i; j < end; j++) {
			run->node[rank[j]].machine = rank[i];
			run->node[rank[j]].neighbours = end - i;
		}
	}
	free(rank);
	return 0;
}

static int
take_nodes(struct run *run, const struct cluster *c, struct hp_err *e)
{
	run->remote = false;
	if ((run->node = calloc(c->n, sizeof *run->node)) == NULL ||
	    (run->facts = calloc(c->n, sizeof *run->facts)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	for (size_t i = 0; i < c->n; i++)
		if (!left_out(&run->o.without, c->node[i].name) &&
		    !left_out(&run->lost, c->node[i].name) &&
		    take_node(run, &c->node[i], e) == -1)
			return -1;
	if (run->nodes == 0)
		return hp_fail(e, HP_USAGE, "there must be at least one node");
	return group(run, e);
}

/* Returns whether a node can have only a limited number of records. */
static bool
any_limited(const struct cluster *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->node[i].curve.capacity < CURVE_MOST ||
		    c->node[i].surface.n > 0)
			return true;
	return false;
}

/* Returns whether no node has a speed, a measured time or a limit. */
static bool
all_unknown(const struct cluster *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->node[i].curve.speed > 0 || c->node[i].curve.npoints > 0)
			return false;
	return !any_limited(c);
}

int
nodes_read(struct run *run, struct hp_err *e)
{
	struct cluster c = { 0 };
	int rc = -1;

	nodes_free(run);
	if ((run->cluster != NULL
		    ? doc_cluster_read(run->cluster, &c, e)
		    : doc_cluster_parse(run->node_lines, &c, e)) == 0 &&
	    check_without(run, &c, e) == 0) {
		run->unknown = all_unknown(&c);
		run->limited = any_limited(&c);
		if (check_method(run, &c, e) == 0)
			rc = take_nodes(run, &c, e);
	}
	run->linked = cluster_linked(&c);
	cluster_fini(&c);
	return rc;
}
