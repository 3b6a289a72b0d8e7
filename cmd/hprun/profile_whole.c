#include <stdlib.h>

#include "doc/cluster.h"
#include "doc/links.h"
#include "links.h"
#include "profile_links.h"
#include "profile_steps.h"
#include "profile_whole.h"
#include "rewrite.h"
#include "trial.h"
#include "trial_deal.h"

/* What to add to the lines of a cluster. */
struct whole {
	const char *cluster; /* file with the lines */
	const struct node *v;
	size_t n;
	const struct launcher *launcher;
	const char *profile; /* measured points of the launcher, or NULL */
};

static int
put_lines(void *context, FILE *f, struct hp_err *e)
{
	const struct whole *w = context;

	return doc_links_write(
	    w->cluster, w->v, w->n, w->launcher, w->profile, f, e);
}

/* Reads the nodes of this run, with the links that were measured. */
static int
linked_cluster(struct run *run, struct node *v, const struct launcher *l,
    struct cluster *c, struct hp_err *e)
{
	const struct cluster links = {
		.node = v, .n = run->nodes, .launcher = *l
	};
	const char *file;

	if (links_source(run, e) == -1 || trial_write(&links, &file, e) == -1)
		return -1;
	return doc_cluster_read(file, c, e);
}

static int
measure(struct run *run, struct node *v, struct hp_err *e)
{
	struct launcher l = { 0 };
	struct cluster c = { 0 };
	int rc = profile_links(run, v, &l, e);

	if (rc == 0 && (rc = profile_launcher(run, e)) == 0)
		rc = linked_cluster(run, v, &l, &c, e);
	if (rc == 0 && trial_possible(run))
		rc = trial(run, &c, e);
	if (rc == 0) {
		struct whole w = { run->cluster, c.node, c.n, &c.launcher,
			"profile.launcher" };

		rc = rewrite_cluster(run, put_lines, &w, e);
	}
	cluster_fini(&c);
	return rc;
}

int
profile_whole(struct run *run, struct hp_err *e)
{
	struct node *v = calloc(run->nodes, sizeof *v);
	int rc;

	if (v == NULL)
		return hp_fail_errno(e, HP_NOMEM, "links");
	for (size_t i = 0; i < run->nodes; i++)
		v[i].name = run->node[i].name;
	if ((rc = measure(run, v, e)) == 0)
		run->linked = true;
	free(v);
	return rc;
}
