#include <stdlib.h>

#include "base/clock.h"
#include "base/size.h"
#include "cmd.h"
#include "doc/trace.h"
#include "doc/unreached.h"
#include "net/exchange.h"
#include "node.h"
#include "notice.h"

/* Returns the addresses of all nodes, by rank. */
static struct address *
addresses(const struct cluster *c, struct hp_err *e)
{
	struct address *a;

	if ((a = reallocarray(NULL, c->n, sizeof *a)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%zu nodes", c->n);
		return NULL;
	}
	for (size_t i = 0; i < c->n; i++)
		a[i] = (struct address){ c->node[i].name, c->node[i].host,
			c->node[i].dir, c->node[i].port };
	return a;
}

/*
 * Data for the trace, for the report on the exchange, and for the checksums of
 * sent parts.
 */
struct told {
	const char *trace, *report, *sums; /* paths, or NULL */
	const struct exchange *x;
	const struct address *node; /* addresses of all nodes, by rank */
	size_t nodes;
	uint64_t me;
	double start_s;
};

/*
 * Write the checksums before the trace: whoever finds the trace relies on all
 * other files.
 */
static int
done(void *context, const struct exchange_totals *t, struct hp_err *e)
{
	const struct told *of = context;

	if (of->sums != NULL && sent_write(of->sums, of->x, e) == -1)
		return -1;
	if (of->trace == NULL)
		return 0;
	return doc_step_append(of->trace,
	    &(struct trace_step){ of->node[of->me].name, of->me, "exchange",
		of->start_s, clock_wall_s(), t->records, t->bytes },
	    e);
}

static int
report(void *context, const struct unreached *list, size_t n, struct hp_err *e)
{
	const struct told *of = context;
	struct misses l = { reallocarray(NULL, n + 1, sizeof *l.v), n, n };
	const char **name = reallocarray(NULL, of->nodes, sizeof *name);
	int rc = -1;

	if (l.v == NULL || name == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%s", of->report);
		goto out;
	}
	for (size_t i = 0; i < of->nodes; i++)
		name[i] = of->node[i].name;
	for (size_t i = 0; i < n; i++) {
		l.v[i] = (struct miss){ .peer = list[i].rank,
			.seconds = list[i].seconds,
			.back = list[i].back };
		miss_parse(unreached_word(list[i].why), &l.v[i].why);
	}
	rc = doc_misses_replace(of->report, of->me, name, &l, e);
out:
	misses_fini(&l);
	free(name);
	return rc;
}

int
node_run(const struct opts *o, const struct cluster *c, size_t me,
    const struct extents *l, struct hp_err *e)
{
	struct address *node = addresses(c, e);
	struct exchange x = { .transport = o->transport,
		.nodes = (uint32_t)c->n,
		.me = (uint32_t)me,
		.options = o->link,
		.path = o->input,
		.nparts = l->n,
		.prefix = o->prefix,
		.most = o->most,
		.spool = o->spool,
		.threads = o->threads > 0 ||
		    (o->threads == -1 && cpu_count() > 1),
		.notice = notice_print,
		.done = done,
		.report = o->report != NULL ? report : NULL };
	struct told told = { o->trace, o->report, o->sums.path, &x, node, c->n,
		me, clock_wall_s() };
	struct exchange_totals t;
	struct jobkey key = { .len = 0 };
	struct exchange_part *part = NULL;
	int rc = -1;

	x.context = &told;
	if (o->key != NULL) {
		if (jobkey_read(&key, o->key, e) == -1)
			goto out;
		x.options.key = &key;
	}
	if (node == NULL || (part = sent_parts(l, e)) == NULL)
		goto out;
	x.node = node;
	x.part = part;
	if (o->sums.path != NULL &&
	    (x.sum = sent_begin(&o->sums.format, l->n, e)) == NULL)
		goto out;
	if (x.transport == NULL)
		x.transport = transport_default(node, x.nodes, x.me);
	rc = exchange_run(&x, &t, e);
out:
	notice_rest();
	jobkey_wipe(&key);
	sent_free(x.sum, x.nparts);
	free(part);
	free(node);
	return rc;
}
