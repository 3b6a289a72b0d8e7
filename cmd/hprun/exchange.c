#include "exchange.h"
#include "judge.h"
#include "links.h"
#include "mpi.h"
#include "prove.h"
#include "words.h"

enum {
	RESTARTS = 3 /* how often a stage starts a killed hpexchange again */
};

int
make_fifos(struct run *run, const char *first, bool sources, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		if (first != NULL)
			words_add(&w, first);
		if (sources)
			across(run, "from", &w);
		else
			words_add(&w, "from");
		stage_files(&s, stage_step(&s, (int)i, "setup"), ACT_FIFO, &w);
	}
	return run_stage(run, &s, e);
}

/*
 * Limits what a node may send to another one to the size of the whole input.  A
 * hostile host cannot fill the disk of another host then.
 */
static void
limit_bytes(const struct run *run, struct words *w)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < run->nodes; i++)
		if (__builtin_add_overflow(bytes, run->node[i].bytes, &bytes))
			return;
	if (bytes == 0)
		return;
	/* The last record of each part may get a newline. */
	words_add(w, "--most");
	words_addf(w, "%ju", (uintmax_t)bytes + run->nodes);
}

static struct words
exchange_words(struct run *run, struct stage *s, size_t rank)
{
	struct words w = words_of(s);

	WORDS_ADD(&w, "hpexchange", "-C", "cluster.jsonl", "-N");
	words_addf(&w, "%zu", rank);
	WORDS_ADD(&w, "-t", run->transport->name, "--timeout");
	words_addf(&w, "%ju", (uintmax_t)run->o.timeout_s);
	if (run->o.threads != -1) {
		words_add(&w, "--threads");
		words_addf(&w, "%d", run->o.threads);
	}
	if (run->transport->ports)
		WORDS_ADD(&w, "-K", "key");
	if (run->home != NULL && run->transport->logins) {
		WORDS_ADD(&w, "--remote-path", run->home);
	}
	if (run->o.rsh != NULL && run->transport->logins)
		WORDS_ADD(&w, "--rsh", run->o.rsh);
	limit_bytes(run, &w);
	WORDS_ADD(&w, "--trace", "trace");
	if (run->remote)
		WORDS_ADD(&w, "--report", REPORT);
	return w;
}

void
exchange_step(struct run *run, struct stage *s, size_t rank, const char *file,
    bool sources)
{
	struct step *step = stage_step(s, (int)rank, "exchange");
	struct words w = exchange_words(run, s, rank), old = words_of(s);
	bool sums = run->stored && file != NULL && sums_in_exchange(file);

	step->restarts = run->stored ? RESTARTS : 0;
	words_add(&old, "trace");
	/*
	 * `arriving` is the directory of hpexchange --resume.  A node with a
	 * `trace` and no `arriving` has completed its exchange.  Its step is
	 * skipped, because it must not begin a new exchange when its peers
	 * resume theirs.  A node with both was killed at the end of its
	 * exchange.  Its trace is kept, because the resumed process may write
	 * no trace.
	 */
	if (run->stored) {
		stage_skip_if(s, step, "trace", "arriving");
		WORDS_ADD(&w, "--resume", "arriving");
	} else
		stage_files(s, step, ACT_REMOVE, &old);
	if (file != NULL)
		WORDS_ADD(&w, "-i", file, "-x", "extents");
	if (sources) {
		WORDS_ADD(&w, "-o", "from");
	}
	if (sums)
		sums_words(run, &w, NULL);
	stage_run(s, step, file != NULL ? port_none() : port_node("stream"),
	    sources ? port_none() : port_node("from"), &w);
	stage_get(s, step, "trace", 0, ACTION_TO_END,
	    port_file(nth(s, "trace", rank)), 0);
	if (sums)
		sums_get(s, step);
}

/*
 * After the exchange by one command for all nodes has failed, gives each node
 * an exchange step of its own.
 */
static int
change_transport(struct run *run, struct hp_err *e)
{
	const struct way *way = way_default(run);

	run_say(run, "the exchange by %s failed; it is repeated by %s",
	    run->transport->name, way->name);
	run->transport = way;
	return make_links(run, e);
}

int
exchange_files(struct run *run, const char *file, struct hp_err *e)
{
	struct stage s;
	bool done = false;

	if (run->transport->collective) {
		if (mpi_exchange(run, file, &done, e) == -1)
			return -1;
		if (done)
			return prove_sent(run, file, e);
		if (change_transport(run, e) == -1)
			return -1;
	}
	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		exchange_step(run, &s, i, file, true);
		if (!sums_in_exchange(file))
			sum_sent_step(run, &s, i, file);
	}
	if (run_stage(run, &s, e) == -1)
		return -1;
	return prove_sent(run, file, e);
}

int
remove_files(struct run *run, struct hp_err *e)
{
	struct stage s;

	if (run->o.keep != NULL)
		return 0;
	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		words_add(&w, "run");
		if (!run->direct) {
			words_add(&w, "cut");
			across(run, "from", &w);
		}
		stage_files(
		    &s, stage_step(&s, (int)i, "setup"), ACT_REMOVE, &w);
	}
	return run_stage(run, &s, e);
}

/*
 * Removes the launcher's copy of the input, unless the run may need it again.
 * If a host is lost, or the run is resumed, the input is divided anew.
 */
int
remove_input(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	if (!run->from_store || run->stored)
		return 0;
	stage_init(&s);
	w = words_of(&s);
	words_add(&w, "input");
	stage_files(&s, stage_step(&s, STEP_LAUNCHER, "setup"), ACT_REMOVE, &w);
	return run_stage(run, &s, e);
}
