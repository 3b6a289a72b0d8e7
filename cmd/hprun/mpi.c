#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "mpi.h"
#include "prove.h"
#include "quote.h"
#include "rsh.h"
#include "slurm.h"
#include "words.h"

/* Files of the work directory. */
static const char failed[] =
    "mpi.failed",	   /* a resumed run does not try again */
    hosts[] = "mpi.hosts", /* for srun: a line for each rank */
    tasks[] = "mpi.tasks"; /* for srun: their commands */

/* srun reads the commands from a file, where these characters are special. */
static int
check_words(const char *path, struct hp_err *e)
{
	if (path == NULL || strpbrk(path, " \t\n'\"\\%#") == NULL)
		return 0;
	return hp_fail(e, HP_USAGE,
	    "--transport mpi: %s: blanks, quotes, \\, %% and # are not for "
	    "srun",
	    path);
}

int
mpi_check(const struct run *run, struct hp_err *e)
{
	const char *program = slurm_is_used(run) ? "srun" : "mpirun";

	for (size_t i = 0; slurm_is_used(run) && i < run->nodes; i++) {
		const struct run_node *n = &run->node[i];

		if (n->host == NULL)
			return hp_fail(e, HP_USAGE,
			    "--transport mpi: node %s has no host, which srun "
			    "needs",
			    n->name);
		if (slurm_component(run, n->host) != ALLOCATION_WHOLE)
			return hp_fail(e, HP_USAGE,
			    "--transport mpi: not in a heterogeneous job");
		if (check_words(n->dir, e) == -1 ||
		    check_words(run->home, e) == -1)
			return -1;
	}
	if (run->o.dry || rsh_found(program, strlen(program)))
		return 0;
	return hp_fail(e, HP_IO,
	    "%s: not found; it starts the exchange (--transport mpi)", program);
}

bool
mpi_has_failed(const struct run *run)
{
	return !run->o.dry && access(failed, F_OK) == 0;
}

/* Adds the command of a node. */
static void
node_words(struct run *run, size_t rank, const char *file, struct words *w)
{
	const char *dir = run->node[rank].dir;

	words_addf(w, "%s%shpexchange-mpi", run->home != NULL ? run->home : "",
	    run->home != NULL ? "/" : "");
	words_add(w, "-C");
	words_addf(w, "%s/cluster.jsonl", dir);
	words_add(w, "-i");
	words_addf(w, "%s/%s", dir, file);
	words_add(w, "-x");
	words_addf(w, "%s/extents", dir);
	words_add(w, "-o");
	words_addf(w, "%s/from", dir);
	words_add(w, "--timeout");
	words_addf(w, "%" PRIu64, run->o.timeout_s);
	words_add(w, "--trace");
	words_addf(w, "%s/trace.mpi", dir);
	if (sums_in_exchange(file))
		sums_words(run, w, dir);
}

/*
 * Adds the environment of mpirun. Each MPI ignores the variables of the others.
 * Processes may outnumber processors, and each has several threads, which must
 * not be bound to one processor.
 */
static void
mpirun_environment(const struct run *run, struct words *w)
{
	words_add(w, "env");
	words_add(w, "OMPI_MCA_rmaps_base_oversubscribe=1");
	words_add(w, "OMPI_MCA_hwloc_base_binding_policy=none");
	words_add(w, "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe");
	words_add(w, "PRTE_MCA_hwloc_default_binding_policy=none");
	if (!run->remote)
		return;
	words_addf(w, "OMPI_MCA_plm_rsh_agent=%s", run->rsh);
	words_addf(w, "PRTE_MCA_plm_ssh_agent=%s", run->rsh);
	/* MPICH takes no arguments there. */
	if (run->o.rsh != NULL && strchr(run->o.rsh, ' ') == NULL)
		words_addf(w, "HYDRA_LAUNCHER_EXEC=%s", run->o.rsh);
}

static void
mpirun_words(struct run *run, const char *file, struct words *w)
{
	mpirun_environment(run, w);
	words_add(w, "mpirun");
	for (size_t i = 0; i < run->nodes; i++) {
		const char *host = run->node[i].host;

		if (i > 0)
			words_add(w, ":");
		words_add(w, "-n");
		words_add(w, "1");
		if (run->remote) {
			words_add(w, "-host");
			words_add(w, host != NULL ? host : "localhost");
		}
		node_words(run, i, file, w);
	}
}

static void
srun_words(struct run *run, struct words *w)
{
	static const char *const unset[] = { "SLURM_CPUS_PER_TASK",
		"SRUN_CPUS_PER_TASK", "SLURM_NTASKS_PER_NODE",
		"SLURM_TASKS_PER_NODE" };
	static const char *const fixed[] = { "srun", "--quiet",
		"--job-name=hprun", "--mpi=pmix", "--distribution=arbitrary",
		"--input=none", "--output=all", "--error=all", "--export=ALL",
		"--chdir=/", "--kill-on-bad-exit=1" };
	size_t machines = 0;

	words_add(w, "env");
	for (size_t i = 0; i < sizeof unset / sizeof *unset; i++) {
		words_add(w, "-u");
		words_add(w, unset[i]);
	}
	/* The agents have a step of the job on the same nodes. */
	words_add(w, "SLURM_OVERLAP=1");
	words_addf(w, "SLURM_HOSTFILE=%s/%s", run->work, hosts);
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		words_add(w, fixed[i]);
	for (size_t i = 0; i < run->nodes; i++)
		machines += run->node[i].machine == i;
	words_addf(w, "--nodes=%zu", machines);
	words_addf(w, "--ntasks=%zu", run->nodes);
	words_add(w, "--multi-prog");
	words_addf(w, "%s/%s", run->work, tasks);
}

static void
write_hosts(struct run *run, const char *file, FILE *f)
{
	(void)file;
	for (size_t i = 0; i < run->nodes; i++)
		fprintf(f, "%s\n", run->node[i].host);
}

static void
write_tasks(struct run *run, const char *file, FILE *f)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		node_words(run, i, file, &w);
		fprintf(f, "%zu", i);
		for (size_t j = 0; j < w.n; j++)
			fprintf(f, " %s", w.v[j]);
		putc('\n', f);
	}
	stage_fini(&s);
}

/* Writes a file of the work directory, or prints the command that does. */
static int
make_file(struct run *run, const char *name, const char *file,
    void (*lines)(struct run *, const char *, FILE *), struct hp_err *e)
{
	struct file_out f;

	if (run->o.dry) {
		printf("cat >%s <<'END'\n", name);
		lines(run, file, stdout);
		puts("END");
		return 0;
	}
	if (file_begin(&f, name, e) == -1)
		return -1;
	lines(run, file, f.file);
	return file_end(&f, 0, e);
}

/* hpexchange-mpi appends to the trace, so that of a failed try is removed. */
static int
remove_traces(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		words_add(&w, "trace.mpi");
		stage_files(
		    &s, stage_step(&s, (int)i, "setup"), ACT_REMOVE, &w);
	}
	return run_stage(run, &s, e);
}

/* Fetches the nodes' traces, and the checksums of what was sent. */
static int
examine(struct run *run, const char *file, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct step *step = stage_step(&s, (int)i, "setup");

		stage_get(&s, step, "trace.mpi", 0, ACTION_TO_END,
		    port_file(nth(&s, "trace", i)), 0);
		if (sums_in_exchange(file))
			sums_get(&s, step);
		else
			sum_sent_step(run, &s, i, file);
	}
	return run_stage(run, &s, e);
}

/*
 * Tells whether another transport can help: the step itself failed, and neither
 * was a machine lost nor the run interrupted.
 */
static bool
only_it_failed(const struct outcome *o)
{
	return (o->kind == OUTCOME_FAILED || o->kind == OUTCOME_KILLED) &&
	    o->rank == STEP_LAUNCHER && strcmp(o->step, "exchange") == 0;
}

static int
note_failure(struct hp_err *e)
{
	struct file_out f;

	return file_begin(&f, failed, e) == -1 ? -1 : file_end(&f, 0, e);
}

int
mpi_exchange(struct run *run, const char *file, bool *done, struct hp_err *e)
{
	struct stage s;
	struct words w;

	*done = false;
	if (remove_traces(run, e) == -1)
		return -1;
	stage_init(&s);
	w = words_of(&s);
	if (!slurm_is_used(run))
		mpirun_words(run, file, &w);
	else if (make_file(run, hosts, file, write_hosts, e) == -1 ||
	    make_file(run, tasks, file, write_tasks, e) == -1) {
		stage_fini(&s);
		return -1;
	} else
		srun_words(run, &w);
	if (run_alone(run, &s, "exchange", port_none(), &w, e) == -1)
		return only_it_failed(&run->outcome) ? note_failure(e) : -1;
	*done = true;
	return examine(run, file, e);
}
