#include <errno.h>
#include <signal.h>
#include <stdbool.h>
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
#include "doc/unreached.h"
#include "link/tcp.h"
#include "link/tcpsocket.h"
#include "net/exchange.h"
#include "net/relay.h"

static const char ssh[] = "ssh -T -o BatchMode=yes -o ConnectTimeout=10 "
			  "-o ServerAliveInterval=5 -o ServerAliveCountMax=3";

enum {
	DAY_S = 86400,
	NOTICES = 10,
	PORTS_MOST = 1000
};

struct opts {
	const char *cluster, *node, *input, *extents, *prefix, *trace, *serve,
	    *spool, *report;
	const char *key;
	const struct transport *transport; /* NULL: not given */
	uint64_t free_ports;		   /* 0: not given */
	int threads;			   /* -1: not given */
	struct transport_options link;
};

static int
set_transport(void *to, int letter, const char *arg, struct hp_err *e)
{
	const struct transport *t = transport_find(arg);

	(void)letter;
	if (t == NULL)
		return hp_fail(e, HP_USAGE,
		    "transport '%s': must be ssh, tcp or unix", arg);
	*(const struct transport **)to = t;
	return 0;
}

static int
set_threads(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	if (strcmp(arg, "0") != 0 && strcmp(arg, "2") != 0)
		return hp_fail(
		    e, HP_USAGE, "threads '%s': must be 0 or 2", arg);
	*(int *)to = arg[0] - '0';
	return 0;
}

static int
set_timeout(void *to, int letter, const char *arg, struct hp_err *e)
{
	if (set_positive(to, letter, arg, e) == -1)
		return -1;
	return *(double *)to <= DAY_S
	    ? 0
	    : hp_fail(e, HP_USAGE, "number '%s': must be at most %d, one day",
		  arg, DAY_S);
}

static int
set_free_ports(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return int_parse(
	    arg == NULL ? "1" : arg, 1, PORTS_MOST, to, "number", e);
}

/* clang-format off */
static const struct cmd_form forms[] = {
	{ "-C CLUSTER -N NODE", "[-i FILE -x EXTENTS]" },
	{ "--free-port[=COUNT]", NULL },
	{ "--serve DIR", NULL },
	{ 0 },
};
enum {
	EXCHANGE = 1 << 0,
	FREE_PORT = 1 << 1,
	SERVE = 1 << 2
};

#define TO(member) offsetof(struct opts, member)
static const struct cmd_option own[] = {
	{ 'C', NULL, "CLUSTER", "read the nodes from CLUSTER",
	    set_text, TO(cluster), .forms = EXCHANGE },
	{ 'i', NULL, "FILE", "send records of FILE, not of a stream",
	    set_text, TO(input), .forms = EXCHANGE },
	{ 'K', NULL, "KEYFILE", "read the key for tcp from KEYFILE",
	    set_text, TO(key), .forms = EXCHANGE },
	{ 'N', NULL, "NODE", "this node, by rank or name",
	    set_text, TO(node), .forms = EXCHANGE },
	{ 'o', NULL, "PREFIX", "write a file PREFIX.N for each source",
	    set_text, TO(prefix), .forms = EXCHANGE },
	{ 't', NULL, "ssh|tcp|unix", "the transport between the nodes",
	    set_transport, TO(transport), .forms = EXCHANGE },
	{ 'x', NULL, "EXTENTS", "read the parts of the file from EXTENTS",
	    set_text, TO(extents), .forms = EXCHANGE },
	{ 0, "free-port", "[=COUNT]", "print free ports and exit",
	    set_free_ports, TO(free_ports), .forms = FREE_PORT },
	{ 0, "remote-path", "DIR", "search DIR on hosts for hpexchange",
	    set_text, TO(link.remote_path), .forms = EXCHANGE },
	{ 0, "report", "FILE", "write to FILE which peers are not reached",
	    set_text, TO(report), .forms = EXCHANGE },
	{ 0, "resume", "DIR", "keep in DIR what a restart needs",
	    set_text, TO(spool), .forms = EXCHANGE },
	{ 0, "rsh", "COMMAND", "log in with COMMAND instead of ssh",
	    set_text, TO(link.rsh), .forms = EXCHANGE },
	{ 0, "serve", "DIR", "connect a login with the exchange in DIR",
	    set_text, TO(serve), .forms = SERVE },
	{ 0, "threads", "0|2", "extra threads that send and receive",
	    set_threads, TO(threads), .forms = EXCHANGE },
	{ 0, "timeout", "SECONDS", "silence after which a peer is lost",
	    set_timeout, TO(link.timeout_s), .forms = EXCHANGE | SERVE },
	{ 0, "trace", "FILE", "append a line about the exchange to FILE",
	    set_text, TO(trace), .forms = EXCHANGE },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part tables[] = { { own }, { 0 } };
static const struct cmd_syntax syntax = { forms, tables, "" };

static void
must(bool is, const char *what)
{
	if (!is)
		cmd_misuse(&syntax, "%s", what);
}

/* Checks that the options fit together. */
static void
check(const struct opts *o)
{
	bool any = o->cluster != NULL || o->node != NULL || o->input != NULL ||
	    o->extents != NULL || o->prefix != NULL || o->spool != NULL ||
	    o->trace != NULL || o->report != NULL || o->transport != NULL ||
	    o->key != NULL || o->threads != -1;

	if (o->serve != NULL || o->free_ports > 0) {
		must(!any && (o->serve == NULL || o->free_ports == 0),
		    "--serve and --free-port exclude all other options");
		return;
	}
	must(o->cluster != NULL && o->node != NULL, "-C and -N are needed");
	must((o->input == NULL) == (o->extents == NULL),
	    "-i and -x need each other");
	must(o->transport != &transport_tcp || o->key != NULL,
	    "-t tcp needs a key: use -K");
	must(o->key == NULL || o->transport == &transport_tcp,
	    "-K needs -t tcp");
	must(o->spool == NULL || (o->input != NULL && o->prefix != NULL),
	    "--resume needs -i, -x and -o");
	if (o->key != NULL && strcmp(o->key, "-") == 0 && o->input == NULL)
		errx(EXIT_TROUBLE,
		    "standard input cannot be both key and records");
}

static void
parse(struct opts *o, int argc, char *argv[])
{
	int first;

	*o = (struct opts){ .threads = -1,
		.link = { .timeout_s = 30, .rsh = ssh } };
	first = cmd_parse(&syntax, o, argc, argv);
	if (first < argc)
		cmd_misuse(&syntax, "extra operand '%s'", argv[first]);
	check(o);
	if (o->input == NULL && o->serve == NULL && o->free_ports == 0)
		cmd_reads_terminal();
}

/*
 * Messages about refused connections, limited in rate by a token bucket: ten at
 * once, then one per second.
 */
static struct {
	double tokens, told_s;
	uintmax_t untold;
} notices = { .tokens = NOTICES };

static void
tell_untold(void)
{
	if (notices.untold > 0)
		warnx("and %ju more like this", notices.untold);
	notices.untold = 0;
}

static void
notice(const char *text)
{
	double now_s = clock_now_s();

	notices.tokens += now_s - notices.told_s;
	notices.told_s = now_s;
	if (notices.tokens > NOTICES)
		notices.tokens = NOTICES;
	if (notices.tokens < 1) {
		notices.untold++;
		return;
	}
	notices.tokens--;
	tell_untold();
	warnx("%s", text);
}

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

/* Data for the trace and the report. */
struct told {
	const char *trace, *report; /* paths, or NULL */
	const struct address *node; /* addresses of all nodes, by rank */
	size_t nodes;
	uint64_t me;
	double start_s;
};

static int
trace(void *context, const struct exchange_totals *t, struct hp_err *e)
{
	const struct told *of = context;

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

static int
exchange(const struct opts *o, const struct cluster *c, size_t me,
    const struct extents *l, struct hp_err *e)
{
	struct address *node = addresses(c, e);
	struct told told = { o->trace, o->report, node, c->n, me,
		clock_wall_s() };
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
		.notice = notice,
		.done = o->trace != NULL ? trace : NULL,
		.report = o->report != NULL ? report : NULL,
		.context = &told };
	struct exchange_totals t;
	struct jobkey key = { .len = 0 };
	struct exchange_part *part = NULL;
	int rc = -1;

	if (o->key != NULL) {
		if (jobkey_read(&key, o->key, e) == -1)
			goto out;
		x.options.key = &key;
	}
	if (node == NULL || (part = parts(l, e)) == NULL)
		goto out;
	x.node = node;
	x.part = part;
	if (x.transport == NULL)
		x.transport = transport_default(node, x.nodes, x.me);
	rc = exchange_run(&x, &t, e);
out:
	tell_untold();
	jobkey_wipe(&key);
	free(part);
	free(node);
	return rc;
}

static int
serve(const struct opts *o, struct hp_err *e)
{
	struct address here = { .name = o->serve, .dir = o->serve };

	return relay_run(
	    &here, o->link.timeout_s, STDIN_FILENO, STDOUT_FILENO, e);
}

static int
free_ports(unsigned n, struct hp_err *e)
{
	uint16_t port[PORTS_MOST];

	if (tcp_free_ports(port, n, e) == -1)
		return -1;
	for (unsigned i = 0; i < n; i++)
		printf("%u\n", port[i]);
	return 0;
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
	if (o.free_ports > 0)
		return cmd_finish(free_ports((unsigned)o.free_ports, &e), &e);
	/* A lost peer must be reported, not end the process. */
	signal(SIGPIPE, SIG_IGN);
	cmd_opens_many(); /* each node takes two connections and a file */
	if (o.serve != NULL) {
		rc = serve(&o, &e);
		goto out;
	}
	if (doc_cluster_read(o.cluster, &c, &e) == -1 ||
	    cluster_find(&c, o.node, &me, &e) == -1 ||
	    (o.extents != NULL &&
		doc_extents_read(o.extents, me, c.n, &l, &e) == -1))
		goto out;
	rc = exchange(&o, &c, me, &l, &e);
out:
	extents_fini(&l);
	cluster_fini(&c);
	if (rc == -1 && e.errnum == EPIPE) {
		/*
		 * Standard output's reader is gone: end by SIGPIPE as other
		 * filters do.
		 */
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return cmd_finish(rc, &e);
}
