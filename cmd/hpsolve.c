#include <stdlib.h>
#include <string.h>

#include "cmd.h"

#include "base/size.h"
#include "doc/cluster.h"
#include "doc/plan.h"
#include "share/answer.h"

static const char usage[] =
    "hpsolve -n N [-c COST] [-m METHOD] [--beyond const|linear|stop]\n"
    "               [--block B] (-k K1,K2,... | [CLUSTER])";

struct opts {
	bool counted;
	uint64_t n;
	const char *cost;
	const char *speeds; /* or NULL: by the cluster */
	const char *cluster;
	enum method method;
	uint64_t block;	    /* of the dynamic program, or 0 */
	const char *beyond; /* or NULL: as the nodes say */
};

enum {
	OPT_BEYOND = CMD_OWN,
	OPT_BLOCK
};

static void
parse(struct opts *o, int argc, char *argv[])
{
	static const struct option options[] = {
		{ "cost", required_argument, NULL, 'c' },
		{ "speeds", required_argument, NULL, 'k' },
		{ "method", required_argument, NULL, 'm' },
		{ "beyond", required_argument, NULL, OPT_BEYOND },
		{ "block", required_argument, NULL, OPT_BLOCK },
		CMD_COMMON_LONG,
		{ 0 },
	};
	struct hp_err e = { 0 };
	int ch, rc = 0;

	*o = (struct opts){ .cost = COST_DEFAULT, .cluster = "-" };
	while (rc == 0 &&
	    (ch = getopt_long(argc, argv, "c:k:m:n:", options, NULL)) != -1) {
		switch (ch) {
		case 'c':
			o->cost = optarg;
			break;
		case 'k':
			o->speeds = optarg;
			break;
		case 'm':
			rc = method_parse(optarg, &o->method, &e);
			break;
		case 'n':
			o->counted = true;
			rc = count_parse(optarg, &o->n, &e);
			break;
		case OPT_BEYOND:
			o->beyond = optarg;
			break;
		case OPT_BLOCK:
			rc = count_parse(optarg, &o->block, &e);
			break;
		case CMD_HELP:
			cmd_help(usage);
		case CMD_VERSION:
			cmd_version();
		default:
			cmd_usage(usage);
		}
	}
	if (rc == -1)
		cmd_bad(&e);
	if (!o->counted || argc - optind > (o->speeds == NULL))
		cmd_usage(usage);
	if (optind < argc)
		o->cluster = argv[optind];
}

/* One node for each number of the list: node0, node1, ... */
static int
by_speeds(const char *list, struct cluster *c, struct hp_err *e)
{
	char *copy = strdup(list), *rest = copy, *item;
	int rc = copy == NULL ? hp_fail(e, HP_NOMEM, "speeds") : 0;

	while (rc == 0 && (item = strsep(&rest, ",")) != NULL) {
		struct node node = { 0 };

		curve_init(&node.curve);
		if (positive_parse(item, &node.curve.speed, "speed", e) == -1)
			rc = -1;
		else if (asprintf(&node.name, "node%zu", c->n) == -1)
			rc = hp_fail(e, HP_NOMEM, "speeds");
		else
			rc = cluster_add(c, &node, e);
		node_fini(&node);
	}
	free(copy);
	return rc;
}

/* What the command line says about all nodes alike. */
static int
set_models(const struct opts *o, struct cost *cost, struct cluster *c,
    struct hp_err *e)
{
	enum beyond beyond = BEYOND_CONST;

	if (o->beyond != NULL && beyond_parse(o->beyond, &beyond) == -1)
		return hp_fail(e, HP_USAGE,
		    "--beyond '%.64s': must be const, linear or stop",
		    o->beyond);
	if (o->method == METHOD_LEARNED)
		return cluster_learn(c, MERGE_MEAN, cost, e);
	if (cost_parse(o->cost, cost, e) == -1)
		return -1;
	cluster_set_cost(c, cost);
	for (size_t i = 0; o->beyond != NULL && i < c->n; i++)
		c->node[i].curve.beyond = beyond;
	return 0;
}

int
main(int argc, char *argv[])
{
	struct opts o;
	struct cluster c = { 0 };
	struct cost cost = { 0 };
	struct problem problem = { .cluster = &c };
	struct answer a = { 0 };
	struct plan p = { 0 };
	struct hp_err e = { 0 };
	int rc = -1;

	parse(&o, argc, argv);
	problem.total = o.n;
	problem.block = o.block;
	if ((o.speeds != NULL ? by_speeds(o.speeds, &c, &e)
			      : doc_cluster_read(o.cluster, &c, &e)) == -1 ||
	    set_models(&o, &cost, &c, &e) == -1 ||
	    share_solve(&problem, o.method, &a, &e) == -1 ||
	    answer_plan(&c, &a, &p, &e) == -1)
		goto out;
	rc = doc_plan_write(stdout, &p, &e);
out:
	plan_fini(&p);
	answer_fini(&a);
	cluster_fini(&c);
	cost_fini(&cost);
	return cmd_finish(rc, &e);
}
