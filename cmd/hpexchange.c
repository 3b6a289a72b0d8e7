#include <sys/resource.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/clock.h"
#include "base/size.h"
#include "cmd.h"
#include "doc/cluster.h"
#include "doc/extents.h"
#include "doc/trace.h"
#include "net/exchange.h"

static const char usage[] =
    "hpexchange -C CLUSTER -N NODE [-t unix] [-i FILE -x EXTENTS] [-o PREFIX]\n"
    "                  [--timeout SECONDS] [--trace FILE]";

enum {
	OPT_TIMEOUT = CMD_OWN,
	OPT_TRACE
};

static const struct option longopts[] = {
	CMD_COMMON_LONG,
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ NULL, 0, NULL, 0 },
};

struct opts {
	const char *cluster, *node, *transport, *input, *extents, *prefix,
	    *trace;
	double timeout_s;
};

static void
parse(struct opts *o, int argc, char *argv[])
{
	struct hp_err e = { 0 };
	int ch;

	*o = (struct opts){ .transport = "unix", .timeout_s = 30 };
	while ((ch = getopt_long(argc, argv, "C:i:N:o:t:x:", longopts, NULL)) !=
	    -1) {
		switch (ch) {
		case 'C':
			o->cluster = optarg;
			break;
		case 'i':
			o->input = optarg;
			break;
		case 'N':
			o->node = optarg;
			break;
		case 'o':
			o->prefix = optarg;
			break;
		case 't':
			o->transport = optarg;
			break;
		case 'x':
			o->extents = optarg;
			break;
		case OPT_TIMEOUT:
			if (positive_parse(
				optarg, &o->timeout_s, "timeout", &e) == -1)
				cmd_bad(&e);
			break;
		case OPT_TRACE:
			o->trace = optarg;
			break;
		case CMD_HELP:
			cmd_help(usage);
		case CMD_VERSION:
			cmd_version();
		default:
			cmd_usage(usage);
		}
	}
	if (optind < argc || o->cluster == NULL || o->node == NULL ||
	    (o->input == NULL) != (o->extents == NULL))
		cmd_usage(usage);
	if (strcmp(o->transport, "unix") != 0)
		errx(
		    EXIT_TROUBLE, "transport '%s': must be unix", o->transport);
	if (o->timeout_s > 86400)
		errx(EXIT_TROUBLE, "timeout '%g': more than a day",
		    o->timeout_s);
}

/* Two connections and a file a node may be more than is usual. */
static void
allow_descriptors(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) == 0) {
		l.rlim_cur = l.rlim_max;
		setrlimit(RLIMIT_NOFILE, &l);
	}
}

static void
notice(const char *text)
{
	warnx("%s", text);
}

/* Where the nodes are, by rank. */
static struct address *
addresses(const struct cluster *c, struct hp_err *e)
{
	struct address *a;

	for (size_t i = 0; i < c->n; i++)
		if (c->node[i].dir == NULL) {
			hp_fail(e, HP_INPUT,
			    "%s: the cluster gives it no dir for its socket",
			    c->node[i].name);
			return NULL;
		}
	if ((a = reallocarray(NULL, c->n, sizeof *a)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%zu nodes", c->n);
		return NULL;
	}
	for (size_t i = 0; i < c->n; i++)
		a[i] = (struct address){ c->node[i].name, c->node[i].dir };
	return a;
}

/* The extents of this node's file, as the exchange wants them. */
static struct exchange_part *
parts(const char *path, const struct extents *l, size_t me, size_t nodes,
    struct hp_err *e)
{
	struct exchange_part *p;

	if ((p = reallocarray(NULL, l->n + 1, sizeof *p)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%zu extents", l->n);
		return NULL;
	}
	for (size_t i = 0; i < l->n; i++) {
		const struct extent *x = &l->v[i];

		if (x->rank != me || x->sublist >= nodes) {
			hp_fail(e, HP_INPUT,
			    "%s: line %zu: extent of node %ju for sublist %ju: "
			    "this is node %zu of %zu",
			    path, i + 1, (uintmax_t)x->rank,
			    (uintmax_t)x->sublist, me, nodes);
			free(p);
			return NULL;
		}
		p[i] = (struct exchange_part){ (uint32_t)x->sublist, x->offset,
			x->bytes, x->records };
	}
	return p;
}

static int
exchange(const struct opts *o, const struct cluster *c, size_t me,
    const struct extents *l, struct hp_err *e)
{
	struct exchange x = { .transport = &transport_unix,
		.nodes = (uint32_t)c->n,
		.me = (uint32_t)me,
		.timeout_s = o->timeout_s,
		.path = o->input,
		.nparts = l->n,
		.prefix = o->prefix,
		.notice = notice };
	struct exchange_totals t;
	struct address *node = addresses(c, e);
	struct exchange_part *part = NULL;
	double start_s = clock_wall_s();
	int rc = -1;

	if (node == NULL || (part = parts(o->extents, l, me, c->n, e)) == NULL)
		goto out;
	x.node = node;
	x.part = part;
	if ((rc = exchange_run(&x, &t, e)) == 0 && o->trace != NULL)
		rc = doc_step_append(o->trace,
		    &(struct step){ c->node[me].name, me, "exchange", start_s,
			clock_wall_s(), t.records, t.bytes },
		    e);
out:
	free(part);
	free(node);
	return rc;
}

int
main(int argc, char *argv[])
{
	struct opts o;
	struct cluster c = { 0 };
	struct extents l = { 0 };
	struct hp_err e = { 0 };
	size_t me;
	int rc = -1;

	parse(&o, argc, argv);
	/* A peer that goes away is to be named, not to end us. */
	signal(SIGPIPE, SIG_IGN);
	allow_descriptors();
	if (doc_cluster_read(o.cluster, &c, &e) == -1 ||
	    cluster_find(&c, o.node, &me, &e) == -1 ||
	    (o.extents != NULL && doc_extents_read(o.extents, &l, &e) == -1))
		goto out;
	rc = exchange(&o, &c, me, &l, &e);
out:
	extents_fini(&l);
	cluster_fini(&c);
	if (rc == -1 && e.errnum == EPIPE) {
		/* Our own reader has gone: as any other filter. */
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return cmd_finish(rc, &e);
}
