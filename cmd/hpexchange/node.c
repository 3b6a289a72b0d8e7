#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/outfile.h"
#include "base/size.h"
#include "cmd.h"
#include "doc/summary.h"
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

/* Converts the extents of this node's file for the exchange. */
static struct exchange_part *
parts(const struct extents *l, struct hp_err *e)
{
	struct exchange_part *p;

	if ((p = reallocarray(NULL, l->n + 1, sizeof *p)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%zu extents", l->n);
		return NULL;
	}
	for (size_t i = 0; i < l->n; i++) {
		const struct extent *x = &l->v[i];

		p[i] = (struct exchange_part){ (uint32_t)x->sublist, x->offset,
			x->bytes, x->records };
	}
	return p;
}

/* Begins a sum of the records of each part. */
static struct part_sum *
sums(const struct opts *o, size_t n, struct hp_err *e)
{
	struct part_sum *s = calloc(n + 1, sizeof *s);

	if (s == NULL)
		hp_fail_errno(e, HP_NOMEM, "%zu sums", n);
	for (size_t i = 0; s != NULL && i < n; i++)
		piecesum_begin(&s[i].sum, &o->format);
	return s;
}

/* Data for the trace, the report and the sums. */
struct told {
	const char *trace, *report, *sums; /* paths, or NULL */
	const struct exchange *x;
	const struct address *node; /* addresses of all nodes, by rank */
	size_t nodes;
	uint64_t me;
	double start_s;
};

static int
write_sums(const struct exchange *x, FILE *f, struct hp_err *e)
{
	for (size_t i = 0; i < x->nparts; i++) {
		const struct piecesum *p = &x->sum[i].sum;
		struct summary s = { .records = p->records,
			.bytes = p->bytes,
			.checksum = p->sum };
		uint64_t sublist = x->part[i].sublist;

		if (doc_sum_write(f, &s, &sublist, e) == -1)
			return -1;
	}
	return 0;
}

/* The file exists only when it is complete. */
static int
replace_sums(const struct told *of, struct hp_err *e)
{
	struct outfile out;
	FILE *f = NULL;
	int fd, rc = -1;

	if (outfile_open(&out, of->sums, e) == -1)
		return -1;
	if ((fd = dup(out.fd)) == -1 || (f = fdopen(fd, "w")) == NULL)
		hp_fail_errno(e, HP_IO, "%s", of->sums);
	else
		rc = write_sums(of->x, f, e);
	if (f != NULL && fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", of->sums);
	else if (f == NULL && fd != -1)
		close(fd);
	if (rc == -1) {
		outfile_abort(&out);
		return -1;
	}
	return outfile_commit(&out, e);
}

/* The sums come first: the trace tells that all is done. */
static int
done(void *context, const struct exchange_totals *t, struct hp_err *e)
{
	const struct told *of = context;

	if (of->sums != NULL && replace_sums(of, e) == -1)
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
		.spool = o->spool,
		.threads = o->threads > 0 ||
		    (o->threads == -1 && cpu_count() > 1),
		.notice = notice_print,
		.done = done,
		.report = o->report != NULL ? report : NULL };
	struct told told = { o->trace, o->report, o->sums, &x, node, c->n, me,
		clock_wall_s() };
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
	if (node == NULL || (part = parts(l, e)) == NULL)
		goto out;
	x.node = node;
	x.part = part;
	if (o->sums != NULL && (x.sum = sums(o, l->n, e)) == NULL)
		goto out;
	if (x.transport == NULL)
		x.transport = transport_default(node, x.nodes, x.me);
	rc = exchange_run(&x, &t, e);
out:
	notice_rest();
	jobkey_wipe(&key);
	for (size_t i = 0; x.sum != NULL && i < x.nparts; i++)
		piecesum_fini(&x.sum[i].sum);
	free(x.sum);
	free(part);
	free(node);
	return rc;
}
