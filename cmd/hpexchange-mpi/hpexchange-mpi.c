#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/names.h"
#include "cmd.h"
#include "doc/cluster.h"
#include "doc/extents.h"
#include "doc/trace.h"
#include "mover.h"
#include "net/parts.h"
#include "node.h"
#include "opts.h"

/* The data of this process, which is one node of the exchange. */
struct job {
	const struct opts *o;
	struct cluster cluster;
	const char **name; /* names of the nodes, by rank */
	uint32_t me;
	bool known; /* the rank of this process is known */
	/*
	 * Option arguments in which `{rank}` is replaced by the rank; NULL: not
	 * given.
	 */
	char *input, *extents, *prefix, *sums, *trace;
	/*
	 * The description of the exchange for node_run.  Its threads may use it
	 * until the process ends.
	 */
	struct exchange exchange;
	struct address *node;
	struct exchange_part *part;
	double start_s;
};

static int
read_cluster(struct job *j, struct hp_err *e)
{
	if (doc_cluster_read(j->o->cluster, &j->cluster, e) == -1)
		return -1;
	j->name = reallocarray(NULL, j->cluster.n, sizeof *j->name);
	if (j->name == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu nodes", j->cluster.n);
	for (size_t i = 0; i < j->cluster.n; i++)
		j->name[i] = j->cluster.node[i].name;
	return 0;
}

/*
 * Makes Open MPI send messages over TCP as a stream.  By default the receiver
 * of a long message tells the sender where to put the bytes (PUT).  That reply
 * waits behind all data in its direction, so the two directions between two
 * nodes take turns, and use only two thirds of the link.  The value allows SEND
 * (1) in place (8), but not PUT.  A value that the user has set is kept.
 */
static int
prefer_send(struct hp_err *e)
{
	return setenv("OMPI_MCA_btl_tcp_flags", "9", 0) == 0
	    ? 0
	    : hp_fail_errno(e, HP_NOMEM, "environment");
}

/*
 * Checks the number of processes.  If mpirun belongs to another MPI than this
 * program, each process is alone in its world.  mpirun tells in the environment
 * how many it has started.
 */
static int
check_size(const struct job *j, int size, struct hp_err *e)
{
	static const char *const all[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };

	for (size_t i = 0; size == 1 && i < sizeof all / sizeof *all; i++) {
		const char *started = getenv(all[i]);

		if (started != NULL && strtol(started, NULL, 10) > 1)
			return hp_fail(e, HP_USAGE,
			    "mpirun has started %.9s processes, but none sees "
			    "the others: mpirun belongs to another MPI than "
			    "this program",
			    started);
	}
	if ((size_t)size != j->cluster.n)
		return hp_fail(e, HP_USAGE,
		    "%s has %zu nodes, but MPI has started %d processes: "
		    "start one for each node",
		    j->o->cluster, j->cluster.n, size);
	return 0;
}

/* Starts MPI.  The rank of this process is also the rank of its node. */
static int
begin(struct job *j, int *argc, char ***argv, struct hp_err *e)
{
	int level, rank, size, rc;

	if (prefer_send(e) == -1)
		return -1;
	rc = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
	if (rc != MPI_SUCCESS)
		return mover_failed(rc, "MPI_Init", e);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (check_size(j, size, e) == -1) {
		/* Open MPI would leave files; nobody else waits for this. */
		if (size == 1)
			MPI_Finalize();
		return -1;
	}
	j->me = (uint32_t)rank;
	j->known = true;
	return 0;
}

static int
with_rank(const struct job *j, const char *arg, char **out, struct hp_err *e)
{
	*out = arg == NULL ? NULL : opts_with_rank(arg, j->me);
	return arg == NULL || *out != NULL
	    ? 0
	    : hp_fail_errno(e, HP_NOMEM, "%s", arg);
}

static int
name_files(struct job *j, struct hp_err *e)
{
	return with_rank(j, j->o->input, &j->input, e) == -1 ||
		with_rank(j, j->o->extents, &j->extents, e) == -1 ||
		with_rank(j, j->o->prefix, &j->prefix, e) == -1 ||
		with_rank(j, j->o->sums.path, &j->sums, e) == -1 ||
		with_rank(j, j->o->trace, &j->trace, e) == -1
	    ? -1
	    : 0;
}

static int
sums(const struct job *j, struct hp_err *e)
{
	return j->sums == NULL ? 0 : sent_write(j->sums, &j->exchange, e);
}

static int
trace(const struct job *j, const struct exchange_totals *t, struct hp_err *e)
{
	return j->trace == NULL
	    ? 0
	    : doc_step_append(j->trace,
		  &(struct trace_step){ j->name[j->me], j->me, "exchange",
		      j->start_s, clock_wall_s(), t->records, t->bytes },
		  e);
}

/* Fills the description of the exchange for this node. */
static int
describe(struct job *j, struct hp_err *e)
{
	struct extents l = { 0 };

	j->node = calloc(j->cluster.n, sizeof *j->node);
	if (j->node == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu nodes", j->cluster.n);
	for (size_t i = 0; i < j->cluster.n; i++)
		j->node[i].name = j->name[i];
	if (name_files(j, e) == -1 ||
	    (j->extents != NULL &&
		doc_extents_read(j->extents, j->me, j->cluster.n, &l, e) == -1))
		return -1;
	j->part = sent_parts(&l, e);
	j->exchange = (struct exchange){ .node = j->node,
		.nodes = (uint32_t)j->cluster.n,
		.me = j->me,
		.path = j->input,
		.part = j->part,
		.nparts = l.n,
		.prefix = j->prefix };
	extents_fini(&l);
	if (j->part == NULL)
		return -1;
	if (j->sums != NULL)
		j->exchange.sum = sent_begin(
		    &j->o->sums.format, j->exchange.nparts, e);
	return j->sums != NULL && j->exchange.sum == NULL ? -1 : 0;
}

static int
run(struct job *j, struct node *n, struct hp_err *e)
{
	const uint64_t frame = FRAME_HEAD + PARTS_CHUNK;
	uint64_t window = (j->o->window + frame - 1) / frame;
	struct exchange_totals totals;

	return describe(j, e) == -1 ||
		node_run(n, &j->exchange, (uint32_t)window, &totals, e) == -1 ||
		sums(j, e) == -1 || trace(j, &totals, e) == -1
	    ? -1
	    : 0;
}

/*
 * Puts the name of the node before a message, because all nodes may share one
 * standard error.
 */
static void
sign(struct hp_err *e, const char *name)
{
	char text[HP_ERR_TEXT];

	snprintf(text, sizeof text, "%s", e->text);
	snprintf(e->text, sizeof e->text, "%s: %.*s", name,
	    (int)(sizeof e->text / 2), text);
}

/*
 * Prints the error, tells the other nodes, and ends the process.  It does not
 * call MPI_Finalize, which waits for all nodes, and some may hang.  `n` is this
 * node, or NULL before it is created.
 */
static _Noreturn void
give_up(const struct job *j, struct node *n, struct hp_err *e)
{
	struct hp_err ours = *e;
	bool unread = e->errnum == EPIPE; /* end silently, as filters do */
	int status = EXIT_TROUBLE;

	if (j->known)
		sign(&ours, j->name[j->me]);
	if (!unread)
		status = cmd_finish(-1, &ours);
	if (n != NULL)
		node_quit(n, e);
	names_remove();
	if (unread) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	_exit(status);
}

static void
job_fini(struct job *j)
{
	free(j->input);
	free(j->extents);
	free(j->prefix);
	free(j->sums);
	free(j->trace);
	sent_free(j->exchange.sum, j->exchange.nparts);
	free(j->part);
	free(j->node);
	free(j->name);
	cluster_fini(&j->cluster);
}

int
main(int argc, char *argv[])
{
	struct opts o;
	struct job j = { .o = &o, .start_s = clock_wall_s() };
	struct watch watch;
	struct hp_err e = { 0 };
	struct node *n = NULL;

	opts_parse(&o, argc, argv);
	/* if the reader of stdout ends, a write fails; no signal */
	signal(SIGPIPE, SIG_IGN);
	io_open_many();
	if (read_cluster(&j, &e) == -1 ||
	    watch_start(&watch, o.timeout_s, &e) == -1 ||
	    begin(&j, &argc, &argv, &e) == -1)
		give_up(&j, NULL, &e);
	if (watch_peers(&watch, j.name, (uint32_t)j.cluster.n, j.me, &e) ==
		-1 ||
	    (n = node_new(j.name, (uint32_t)j.cluster.n, j.me, &watch, &e)) ==
		NULL ||
	    run(&j, n, &e) == -1)
		give_up(&j, n, &e);
	watch_phase(&watch, WATCH_FINALIZE);
	MPI_Finalize();
	watch_phase(&watch, WATCH_OFF);
	node_free(n);
	job_fini(&j);
	return cmd_finish(0, &e);
}
