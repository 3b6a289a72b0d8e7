#include <stdio.h>
#include <unistd.h>

#include "doc/cluster.h"
#include "doc/learn.h"
#include "learn.h"
#include "rewrite.h"
#include "trace.h"

/*
 * Fails if a node has no points.  The speed of such a node, if the file gives
 * one, cannot be compared with the seconds of other nodes.
 */
static int
check_points(FILE *f, struct hp_err *e)
{
	struct cluster c = { 0 };
	char name[64];
	int rc;

	if (fflush(f) == EOF)
		return hp_fail_errno(e, HP_IO, "learned points");
	snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(f));
	rc = doc_cluster_read(name, &c, e);
	for (size_t i = 0; rc == 0 && i < c.n; i++)
		if (c.node[i].curve.npoints == 0)
			rc = hp_fail(e, HP_INPUT,
			    "node '%s' sorted nothing, and has no points",
			    c.node[i].name);
	cluster_fini(&c);
	return rc;
}

/*
 * Writes the lines of the cluster file, with the times of the traced sort
 * added.
 */
static int
put_lines(void *context, FILE *f, struct hp_err *e)
{
	const struct run *run = context;
	char trace[] = "learned.trace", *traces[] = { trace };

	if (doc_learn(run->cluster, traces, 1, "sort", false, f, e) == -1)
		return -1;
	return check_points(f, e);
}

int
learn_write(struct run *run, struct hp_err *e)
{
	struct hp_err why = { 0 };
	int rc;

	if (!run->o.learn)
		return 0;
	/*
	 * --use-fewer has chosen this machine, which is not in the cluster
	 * file.
	 */
	if (run->cluster == NULL) {
		run_say(run, "nothing was learned: this machine is no node");
		return 0;
	}
	unlink("learned.trace");
	if (trace_append(run, "learned.trace", e) == -1)
		return -1;
	rc = rewrite_cluster(run, put_lines, run, &why);
	unlink("learned.trace");
	if (rc == 0)
		return 0;
	if (why.kind == HP_INPUT) {
		run_say(run, "nothing was learned: %s", why.text);
		return 0;
	}
	*e = why;
	return -1;
}
