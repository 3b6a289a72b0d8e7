#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost/learned.h"
#include "doc/cluster.h"
#include "model.h"
#include "options.h"
#include "share/answer.h"
#include "share/learn.h"
#include "share/stages.h"

/* Creates the nodes of --speeds: node0, node1 and so on, one for each speed. */
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

int
model_read(const struct opts *o, struct model *m, struct hp_err *e)
{
	return o->speeds != NULL ? by_speeds(o->speeds, &m->cluster, e)
				 : doc_cluster_read(o->cluster, &m->cluster, e);
}

static int
cut_at(const struct at *at, struct cluster *c, struct hp_err *e)
{
	char *name = strndup(at->name, at->len);
	int rc;

	if (name == NULL)
		return hp_fail(e, HP_NOMEM, "--at");
	rc = cluster_cut(c, name, at->value, e);
	free(name);
	return rc;
}

int
model_blame(const struct opts *o, struct hp_err *e)
{
	struct hp_err why = *e;

	if (e->kind == HP_INPUT && o->speeds == NULL)
		hp_fail(e, HP_INPUT, "%.256s: %.700s",
		    strcmp(o->cluster, "-") == 0 ? "standard input"
						 : o->cluster,
		    why.text);
	return -1;
}

/*
 * Returns the cost function that a plan says its nodes have.  If only some
 * nodes have measured points, the text is "points, n*log(n)", and the function
 * returns the part after the comma.
 */
static const char *
cost_of(const char *said)
{
	static const char points[] = "points";

	if (strncmp(said, points, sizeof points - 1) != 0)
		return said;
	said += sizeof points - 1;
	return *said == '\0' ? COST_DEFAULT : said + strspn(said, ", ");
}

int
opts_default(struct opts *o, const struct plan *p, struct hp_err *e)
{
	if (o->by_key && o->item_bytes == 0 && p->item_bytes == 0)
		return hp_fail(e, HP_USAGE, "--by-key needs --bytes-per-item");
	if (o->cost == NULL && p->cost != NULL) {
		if (strcmp(p->cost, LEARNED_TEXT) == 0)
			o->method = METHOD_LEARNED;
		else
			o->cost = cost_of(p->cost);
	}
	if (o->risk == 0)
		o->risk = p->risk;
	if (o->item_bytes == 0)
		o->item_bytes = p->item_bytes;
	if (p->by_key)
		o->by_key = true;
	if (!o->bounded && p->bounded) {
		o->bounded = true;
		o->beyond = p->beyond;
	}
	if (o->nat > 0)
		return 0;
	if (p->nat > SETTINGS)
		return hp_fail(e, HP_INPUT,
		    "the plan has more than %d values "
		    "of parameters",
		    SETTINGS);
	for (size_t i = 0; i < p->nat; i++)
		o->at[o->nat++] = (struct at){ p->at[i].name,
			strlen(p->at[i].name), p->at[i].value };
	return 0;
}

/*
 * Stores the cost, the options and the digest of the times for the plan that
 * will be written.
 */
static int
note(const struct opts *o, struct model *m, const char *cost, struct hp_err *e)
{
	struct plan *p = &m->said;

	p->risk = o->risk;
	p->bounded = o->bounded;
	p->beyond = o->beyond;
	p->cost = strdup(cost);
	p->digest = malloc(DIGEST_HEX + 1);
	p->at = calloc(o->nat + 1, sizeof *p->at);
	if (p->cost == NULL || p->digest == NULL || p->at == NULL)
		return hp_fail(e, HP_NOMEM, "plan");
	for (; p->nat < o->nat; p->nat++) {
		const struct at *at = &o->at[p->nat];

		p->at[p->nat].value = at->value;
		p->at[p->nat].name = strndup(at->name, at->len);
		if (p->at[p->nat].name == NULL)
			return hp_fail(e, HP_NOMEM, "plan");
	}
	if (stages_known(&(struct problem){
		.cluster = &m->cluster, .item_bytes = o->item_bytes }))
		p->item_bytes = o->item_bytes;
	p->by_key = o->by_key && p->item_bytes > 0;
	doc_digest(&m->cluster, cost, p->item_bytes, p->digest);
	return 0;
}

/*
 * Computes the digest of the cluster and the cost for the plan.  Call this
 * before cluster_set_cost, because the digest describes the cluster as it was
 * read.
 */
static int
note_cost(const struct opts *o, struct model *m, struct hp_err *e)
{
	char *text = answer_cost(&m->cluster, &m->cost);
	int rc = text == NULL ? hp_fail(e, HP_NOMEM, "plan")
			      : note(o, m, text, e);

	free(text);
	return rc;
}

/*
 * Warns that all nodes get equal shares because the cluster gives no speeds.
 * The cluster file may be truncated.  Prints nothing if the user has asked for
 * equal shares.
 */
static void
tell_unknown(const struct opts *o, const struct model *m, struct hp_err *e)
{
	const struct cluster *c = &m->cluster;

	if (c->n == 1 || (o->n == 0 && o->weights == NULL) ||
	    o->method == METHOD_EQUAL)
		return;
	for (size_t i = 0; i < c->n; i++)
		if (c->node[i].curve.speed > 0 ||
		    c->node[i].curve.point != NULL)
			return;
	hp_tell(e, "no node has a speed or points: all count as equally fast");
}

int
model_set(const struct opts *o, struct model *m, struct hp_err *e)
{
	struct cluster *c = &m->cluster;

	for (size_t i = 0; o->bounded && i < c->n; i++)
		c->node[i].curve.beyond = o->beyond;
	if (o->bounded)
		c->launcher.curve.beyond = o->beyond;
	if (o->risk > 0 && !cluster_risk(c, o->risk))
		return hp_fail(e, HP_USAGE,
		    "--risk: no point of a node has both 'low' and 'high'");
	for (size_t i = 0; i < o->nat; i++)
		if (cut_at(&o->at[i], c, e) == -1)
			return -1;
	if (cluster_flat(c, e) == -1)
		return model_blame(o, e);
	stages_lift(c, o->item_bytes);
	tell_unknown(o, m, e);
	if (o->method == METHOD_LEARNED) {
		if (note(o, m, LEARNED_TEXT, e) == -1)
			return -1;
		return cluster_learn(c, MERGE_MEAN, &m->cost, e);
	}
	if (cost_parse(o->cost != NULL ? o->cost : COST_DEFAULT, &m->cost, e) ==
		-1 ||
	    note_cost(o, m, e) == -1)
		return -1;
	cluster_set_cost(c, &m->cost);
	return 0;
}

void
model_fini(struct model *m)
{
	cluster_fini(&m->cluster);
	cost_fini(&m->cost);
	plan_fini(&m->said);
}
