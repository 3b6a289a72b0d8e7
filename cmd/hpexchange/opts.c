#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "base/io.h"
#include "base/outfile.h"
#include "base/size.h"
#include "cmd.h"
#include "link/tcp.h"
#include "opts.h"
#include "synopsis.h"

static const char ssh[] = CMD_SSH
    " -o ConnectTimeout=10 "
    "-o ServerAliveInterval=5 -o ServerAliveCountMax=3";

static int
set_transport(void *to, int letter, const char *arg, struct hp_err *e)
{
	const struct transport *t = transport_find(arg);

	(void)letter;
	if (strcmp(arg, "mpi") == 0)
		return hp_fail(e, HP_USAGE,
		    "transport 'mpi' is a program of its own: let mpirun start "
		    "hpexchange-mpi");
	if (t == NULL)
		return hp_fail(e, HP_USAGE,
		    "transport '%s': must be ssh, tcp or unix", arg);
	*(const struct transport **)to = t;
	return 0;
}

static int
set_free_ports(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return int_parse(
	    arg == NULL ? "1" : arg, 1, OPTS_PORTS_MOST, to, "number", e);
}

static int
set_most(void *to, int letter, const char *arg, struct hp_err *e)
{
	(void)letter;
	return int_parse(arg, 1, UINT64_MAX, to, "number", e);
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
	{ 'C', "cluster", "CLUSTER", "read the nodes from CLUSTER",
	    set_text, TO(cluster), .forms = EXCHANGE },
	{ 'i', "input", "FILE", "send records of FILE, not of a stream",
	    set_text, TO(input), .forms = EXCHANGE },
	{ 'K', "key-file", "KEYFILE", "read the key for tcp from KEYFILE",
	    set_text, TO(key), .forms = EXCHANGE },
	{ 'N', "node", "NODE", "run as this node, by rank or name",
	    set_text, TO(node), .forms = EXCHANGE },
	{ 'o', "output", "PREFIX", "write a file PREFIX.N for each source",
	    set_text, TO(prefix), .forms = EXCHANGE },
	{ 't', "transport", "ssh|tcp|unix", "how the nodes reach each other",
	    set_transport, TO(transport), .forms = EXCHANGE },
	{ 'x', "extents", "EXTENTS", "read the parts of the file from EXTENTS",
	    set_text, TO(extents), .forms = EXCHANGE },
	{ 0, "free-port", "[=COUNT]", "print free ports and exit",
	    set_free_ports, TO(free_ports), .forms = FREE_PORT },
	{ 0, "most", "BYTES", "fail if a node sends more than BYTES",
	    set_most, TO(most), .forms = EXCHANGE },
	{ 0, "remote-path", "DIR", "search DIR on hosts for hpexchange",
	    set_text, TO(link.remote_path), .forms = EXCHANGE },
	{ 0, "report", "FILE", "write to FILE which nodes are not reached",
	    set_text, TO(report), .forms = EXCHANGE },
	{ 0, "resume", "DIR", "keep state in DIR, to continue from",
	    set_text, TO(spool), .forms = EXCHANGE },
	{ 0, "rsh", "COMMAND", "log in with COMMAND instead of ssh",
	    set_text, TO(link.rsh), .forms = EXCHANGE },
	{ 0, "serve", "DIR", "connect a login to the node in DIR",
	    set_text, TO(serve), .forms = SERVE },
	{ 0, "threads", "0|2", "number of extra threads",
	    set_exchange_threads, TO(threads), .forms = EXCHANGE },
	{ 0, "timeout", "SECONDS", "fail if a node is silent for so long",
	    set_timeout, TO(link.timeout_s), .forms = EXCHANGE | SERVE },
	{ 0, "trace", "FILE", "append a line about the exchange to FILE",
	    set_text, TO(trace), .forms = EXCHANGE },
	{ 0 },
};
/* clang-format on */

static const struct cmd_part tables[] = {
	{ own },
	{ sent_options, offsetof(struct opts, sums), EXCHANGE },
	{ 0 },
};
static const struct cmd_syntax syntax = { forms, tables, "" };

static void
must(bool is, const char *what)
{
	if (!is)
		cmd_misuse(&syntax, "%s", what);
}

/* Exits 2 if this output is an input, or is where received records go. */
static void
check_file(const struct opts *o, const char *option, const char *path)
{
	const char *const input[] = { o->cluster, o->input, o->extents,
		o->key };

	sent_spares(
	    option, path, input, sizeof input / sizeof *input, o->prefix);
}

/* Exits 2 if the output files would be removed with the files of --resume. */
static void
check_prefix(const struct opts *o)
{
	char *dir = o->spool != NULL ? io_directory(o->prefix) : NULL;

	if (dir != NULL && outfile_same(dir, o->spool))
		errx(EXIT_TROUBLE,
		    "-o %s: the directory of --resume is removed at the end",
		    o->prefix);
	free(dir);
}

/* Rejects options of hpexchange that contradict each other. */
static void
check(struct opts *o)
{
	bool any = o->cluster != NULL || o->node != NULL || o->input != NULL ||
	    o->extents != NULL || o->prefix != NULL || o->spool != NULL ||
	    o->trace != NULL || o->report != NULL || o->transport != NULL ||
	    o->key != NULL || o->sums.path != NULL || o->threads != -1 ||
	    o->most > 0;

	if (o->serve != NULL || o->free_ports > 0) {
		must(!any && (o->serve == NULL || o->free_ports == 0),
		    "--serve and --free-port exclude all other options");
		return;
	}
	must(o->cluster != NULL && o->node != NULL, "-C and -N are needed");
	must((o->input == NULL) == (o->extents == NULL),
	    "-i and -x must be given together");
	must(o->transport != &transport_tcp || o->key != NULL,
	    "-t tcp needs a key: use -K");
	must(o->key == NULL || o->transport == &transport_tcp,
	    "-K needs -t tcp");
	must(o->spool == NULL || (o->input != NULL && o->prefix != NULL),
	    "--resume needs -i, -x and -o");
	if (o->key != NULL && strcmp(o->key, "-") == 0 && o->input == NULL)
		errx(EXIT_TROUBLE,
		    "standard input cannot be both key and records");
	sent_check(&o->sums, o->input != NULL, &syntax);
	cmd_outputs_differ("--report", o->report, "--sums", o->sums.path);
	cmd_outputs_differ("--report", o->report, "--trace", o->trace);
	cmd_outputs_differ("--sums", o->sums.path, "--trace", o->trace);
	check_file(o, "--report", o->report);
	check_file(o, "--sums", o->sums.path);
	check_file(o, "--trace", o->trace);
	check_prefix(o);
}

void
opts_parse(struct opts *o, int argc, char *argv[])
{
	int first;

	*o = (struct opts){ .threads = -1,
		.sums = { .format = format_line },
		.link = { .timeout_s = 30, .rsh = ssh } };
	first = cmd_parse(&syntax, o, argc, argv);
	if (first < argc)
		cmd_misuse(&syntax, "extra operand '%s'", argv[first]);
	check(o);
	if (o->input == NULL && o->serve == NULL && o->free_ports == 0)
		cmd_reads_terminal();
}
