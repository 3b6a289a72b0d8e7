/*
 * hprun sorts on several nodes by running the other programs of hptools; see
 * hprun(1).  The process that the user starts is a guard (job/guard.h).  Its
 * child, the worker, runs the launcher.  If a signal ends one of the two
 * processes, the other one cleans up.  On a host, `hprun --agent` runs steps
 * for the launcher.
 */

#include <sys/stat.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "again.h"
#include "base/io.h"
#include "batches.h"
#include "count.h"
#include "deal.h"
#include "default.h"
#include "do.h"
#include "estimate.h"
#include "files.h"
#include "gather.h"
#include "job.h"
#include "judge.h"
#include "kept.h"
#include "learn.h"
#include "leave.h"
#include "links.h"
#include "map.h"
#include "mapfiles.h"
#include "memory.h"
#include "methods.h"
#include "mpi.h"
#include "nodefiles.h"
#include "nodes.h"
#include "places.h"
#include "print.h"
#include "print_frame.h"
#include "profile.h"
#include "progress.h"
#include "record/words.h"
#include "room.h"
#include "rsh.h"
#include "run.h"
#include "serve.h"
#include "slurm.h"
#include "store.h"
#include "trace.h"
#include "types.h"
#include "words.h"
#include "work.h"

/*
 * A document that a host sends has at most this size, without the keys of
 * records in it.  Even with 10,000 nodes, a document with a line for each
 * candidate is smaller.
 */
#define DOCUMENT_MOST ((uint64_t)256 << 20)

static int (*const methods[])(
    struct run *, struct hp_err *) = { [DEMAND_EXACT] = exact,
	[DEMAND_PSRS] = psrs,
	[DEMAND_PSS] = pss,
	[DEMAND_PSOP] = psop,
	[DEMAND_RANGE] = range };

static void
say(void *context, int rank, const char *line)
{
	struct run *run = context;

	progress_say(run,
	    rank == STEP_LAUNCHER ? "launcher" : run->node[rank].name, line);
}

static void
note(void *context, const char *line)
{
	progress_say(context, "hprun", line);
}

/*
 * Chooses the transport.  Also decides whether the exchange stores files,
 * whether the nodes need an exchange, and how the result is gathered:
 * run.stored, run.direct, run.placed and run.collected.
 */
static int
find_transport(struct run *run, struct hp_err *e)
{
	bool mpi = false;

	run->transport = run->o.transport != NULL ? way_find(run->o.transport)
						  : way_default(run);
	mpi = run->transport->collective;
	if (mpi && mpi_has_failed(run))
		run->transport = way_default(run);
	run->stored = run->o.mode == MODE_SORT &&
	    (run->remote || run->o.keep != NULL || mpi);
	/*
	 * Nodes of this machine can read each other's sorted files.  So they
	 * need no exchange, unless --transport asks for one.
	 */
	run->direct = !run->stored && run->o.transport == NULL &&
	    sorts_first(run);
	/* With -u, the sizes of the parts are unknown before the merge. */
	run->placed = run->direct && run->o.mode == MODE_SORT &&
	    run->beside != NULL && run->o.leave == NULL && !run->o.order.unique;
	/*
	 * With --keep the parts must stay on the nodes, so that a resumed run
	 * can gather them.
	 */
	run->collected = run->stored && run->o.keep == NULL && !run->o.dry &&
	    !run->o.shared && begins_with_sort(run) && run->beside != NULL &&
	    run->o.leave == NULL && !run->o.order.unique;
	return rsh_check(run, e);
}

/* What the launcher does while it logs in to hosts. */
static int
meanwhile(void *context, struct hp_err *e)
{
	struct run *run = context;

	/*
	 * With -R, hpsplit and the nodes must use the same random bytes.  The
	 * file with these bytes does not exist yet (links_random).
	 */
	if (run->from_store || run->o.random || !room_for_range(run))
		return 0;
	return batches_divide(run, e);
}

static int
open_launcher(struct run *run, struct hp_err *e)
{
	struct job_node *node = calloc(run->nodes, sizeof *node);
	struct job_config config = { .node = node,
		.nodes = run->nodes,
		.home = run->home,
		.work = run->work,
		.rsh = run->rsh,
		.launch = run->launch,
		.direct = !run->transport->logins,
		.timeout_s = (double)run->o.timeout_s,
		.document_most = DOCUMENT_MOST,
		.keep = run->o.keep != NULL,
		.again = run->resumed,
		.guard = run->guard,
		.say = say,
		.note = note,
		.step = progress_step,
		.meanwhile = meanwhile,
		.judge = judge_exchange,
		.tick = run->progress.terminal ? progress_tick : NULL,
		.context = run };

	if (node == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	run->job_node = node;
	for (size_t i = 0; i < run->nodes; i++) {
		const struct run_node *n = &run->node[i];

		node[i] = (struct job_node){ n->name, n->host, n->dir, n->in,
			n->leave, n->beside, slurm_component(run, n->host) };
	}
	return launcher_open(&run->launcher, &config, run->facts, e);
}

/* Prepares the data that all attempts of this run use. */
static int
prepare(struct run *run, struct hp_err *e)
{
	struct order plain = run->o.order;

	if ((run->cwd = getcwd(NULL, 0)) == NULL)
		return hp_fail_errno(e, HP_IO, "current directory");
	run->home = find_home();
	if (slurm_choose(run, e) == -1 || rsh_choose(run, e) == -1)
		return -1;
	plain.random_source = run->o.random ? "random" : NULL;
	if ((run->order_words = order_words(&plain, NULL, e)) == NULL)
		return -1;
	order_init(&plain);
	plain.format = run->o.order.format;
	plain.zero = run->o.order.zero;
	if ((run->format_words = order_words(&plain, NULL, e)) == NULL)
		return -1;
	run->format_name = "line";
	if (plain.format.kind != FORMAT_LINE)
		run->format_name = run->format_words[0] + strlen("-F");
	progress_init(run);
	return memory_parse(run, e);
}

/*
 * Limits the documents that hosts send by the size of the input.  A document
 * may contain 4 bytes for each byte of the input: a byte of a key has two
 * hexadecimal digits, and a document may have both ends of each sublist.
 */
static int
limit_documents(struct run *run)
{
	uint64_t bytes = 0;
	struct stat st;

	if (run->o.dry)
		return 0;
	for (size_t i = 0; i < run->nodes && run->o.in_place != NULL; i++)
		bytes += run->node[i].bytes;
	if (run->o.in_place == NULL && stat(run->input, &st) == 0)
		bytes = (uint64_t)st.st_size;
	launcher_limit_documents(run->launcher, DOCUMENT_MOST + 4 * bytes);
	return 0;
}

/* Does all stages of one attempt to sort, from the input to the result. */
static int
sort_all(struct run *run, struct hp_err *e)
{
	if (links_source(run, e) == -1 || types_apply(run, e) == -1 ||
	    links_random(run, e) == -1 || room_check(run, false, e) == -1 ||
	    store_input(run, e) == -1 || room_check(run, true, e) == -1 ||
	    deal_count(run, e) == -1 || limit_documents(run) == -1 ||
	    profile_nodes(run, e) == -1 || make_links(run, e) == -1 ||
	    batches_deal(run, e) == -1 ||
	    methods[run->o.algorithm](run, e) == -1)
		return -1;
	return gather(run, e);
}

static int (*const modes[])(
    struct run *, struct hp_err *) = { [MODE_SORT] = sort_all,
	[MODE_COUNT] = count_items,
	[MODE_MAP] = map_records,
	[MODE_FILES] = map_files };

/* Records a signal that arrived while no stage was running. */
static void
note_signal(struct run *run)
{
	int signal = run->launcher == NULL ? 0 : launcher_signal(run->launcher);

	if (signal != 0)
		run->outcome = (struct outcome){ .kind = OUTCOME_INTERRUPTED,
			.rank = STEP_LAUNCHER,
			.code = signal };
}

static int
attempt(struct run *run, struct hp_err *e)
{
	int rc = -1;

	if (nodes_read(run, e) == -1)
		return -1;
	default_method(run);
	if (find_transport(run, e) == -1 || slurm_check(run, e) == -1 ||
	    places_find(run, e) == -1 ||
	    (run->transport->collective && mpi_check(run, e) == -1))
		return -1;
	memory_equal(run);
	if (run->o.dry) {
		if (print_begin(run, e) == -1 ||
		    modes[run->o.mode](run, e) == -1)
			return -1;
		return print_end(run, e);
	}
	run->outcome = (struct outcome){ 0 };
	/*
	 * Write the identity before the launcher opens: --resume needs its tag
	 * to find the nodes' directories.
	 */
	if (work_identify(run, e) == 0 && open_launcher(run, e) == 0 &&
	    nodefiles_check(run, e) == 0 && kept_check(run, e) == 0 &&
	    (rc = modes[run->o.mode](run, e)) == 0 &&
	    (rc = trace_write(run, e)) == 0)
		rc = learn_write(run, e);
	if (rc == -1)
		note_signal(run);
	/*
	 * After a failed proof, the kept files cannot be trusted.  So a resumed
	 * run repeats all steps, and deals all batches again.
	 */
	if (rc == -1 && run->unproven && run->o.keep != NULL) {
		batches_forget(run);
		launcher_forget(run->launcher, &(struct hp_err){ 0 });
	}
	return rc;
}

static int
try_until_done(struct run *run, struct hp_err *e)
{
	bool goes_on = true;
	int rc = -1;

	while (goes_on) {
		*e = (struct hp_err){ 0 };
		rc = attempt(run, e);
		goes_on = rc == -1 && run->launcher != NULL && again(run, e);
		if (run->launcher != NULL)
			launcher_close(run->launcher, goes_on);
		free(run->job_node);
		run->job_node = NULL;
		run->launcher = NULL;
	}
	return rc;
}

/* Returns whether the run failed because the reader of the output has ended. */
static bool
reader_ended(const struct run *run, const struct hp_err *e)
{
	const struct outcome *o = &run->outcome;

	if (run->o.estimate || run->o.dry)
		return e->errnum == EPIPE;
	return o->kind == OUTCOME_KILLED && o->code == SIGPIPE &&
	    strcmp(o->step, "gather") == 0;
}

/*
 * Reports the end of the run and returns the worker's exit status.  If a signal
 * ended the run, the status is 128 plus the signal number (end_as).
 */
static int
finish(struct run *run, int rc, struct hp_err *e)
{
	const struct outcome *o = &run->outcome;

	if (rc == -1 && run->naming)
		run_say(run,
		    "some parts may already have their final names; "
		    "these parts are complete");
	else if (rc == -1 && run->given && run->o.leave != NULL)
		run_say(run,
		    "the parts of the result are complete and have their final "
		    "names");
	progress_clear(run);
	if (rc == -1 && o->kind == OUTCOME_INTERRUPTED)
		return 128 + o->code;
	if (rc == -1 && reader_ended(run, e)) {
		if (!run->pipe_ignored)
			return 128 + SIGPIPE;
		*e = (struct hp_err){ 0 };
		errno = EPIPE;
		hp_fail_errno(e, HP_IO, "standard output");
	}
	if (rc == -1)
		run_suggest_transport(run);
	rc = cmd_finish(rc, e);
	/* hpsolve exits with EXIT_NO if no plan exists, and so does hprun. */
	if (rc != 0 && o->kind == OUTCOME_FAILED && o->code == EXIT_NO &&
	    strcmp(o->step, "plan") == 0)
		rc = EXIT_NO;
	if (rc != 0 && run->o.keep != NULL && run->began)
		run_say(run,
		    "finished steps are kept; continue with --resume %s%s",
		    run->o.keep,
		    run->resumed ? "; if a kept file is damaged, begin again "
				   "with --keep and an empty directory"
				 : "");
	if (rc != 0 && o->kind == OUTCOME_FAILED && o->code >= 126 &&
	    o->code <= 127)
		return o->code;
	return rc;
}

static int
work(struct guard *guard, void *context)
{
	struct run *run = context;
	struct hp_err e = { 0 };
	int rc = -1;

	run->guard = guard;
	run->pipe_ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
	if (prepare(run, &e) == -1 || files_find(run, &e) == -1 ||
	    job_files(run, &e) == -1 || nodes_source(run, &e) == -1 ||
	    (estimate_is_due(run) && estimate(run, &e) == -1))
		return finish(run, -1, &e);
	if (run->o.estimate)
		return finish(run, 0, &e);
	if (work_enter(run, &e) == 0 && files_make_beside(run, &e) == 0)
		rc = try_until_done(run, &e);
	work_leave(run);
	return finish(run, rc, &e);
}

/* Ends the guard process like the worker: by the same signal or exit status. */
static int
end_as(int status)
{
	if (status > 128 && status < 160) {
		signal(status - 128, SIG_DFL);
		kill(getpid(), status - 128);
	}
	return status;
}

static int
guarded(int (*what)(struct guard *, void *), void *context)
{
	int status = guard_run(what, context);

	if (status == -1) {
		warn("cannot begin");
		return EXIT_TROUBLE;
	}
	return status;
}

int
main(int argc, char *argv[])
{
	static struct run run;

	if (argc > 1 && strcmp(argv[1], "--do") == 0)
		return do_main(argc - 2, argv + 2);
	opts_parse(&run.o, argc, argv);
	io_open_many();
	if (run.o.agent_calls && serve_call() == -1)
		return EXIT_TROUBLE;
	if (run.o.agent)
		return guarded(serve_agent, NULL);
	if (run.o.dry)
		return work(NULL, &run);
	return end_as(guarded(work, &run));
}
