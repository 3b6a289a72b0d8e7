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
#include "until.h"
#include "words.h"

/*
 * Milliseconds that srun has to exit after all processes have ended.  If a step
 * has several components, srun 22.05 (Debian 12) sometimes hangs then: its PMIx
 * plugin joins one thread once for each component.
 */
#define SRUN_PAUSE_MS "10000"

/* Names of files in the work directory. */
static const char failed[] =
    /*
     * exists if the exchange by MPI has failed; a resumed run does not try it
     * again
     */
    "mpi.failed",
		  /*
		   * Hosts for srun, one line for each rank.  The name has the
		   * first rank of the Slurm component as a suffix.
		   */
    hosts[] = "mpi.hosts";

int
mpi_check(const struct run *run, struct hp_err *e)
{
	const char *program = slurm_is_used(run) ? "srun" : "mpirun";
	int component = ALLOCATION_WHOLE;

	for (size_t i = 0; slurm_is_used(run) && i < run->nodes; i++) {
		const struct run_node *n = &run->node[i];

		if (n->host == NULL)
			return hp_fail(e, HP_USAGE,
			    "--transport mpi: node %s has no host, which srun "
			    "needs",
			    n->name);
		if (slurm_component(run, n->host) < component)
			return hp_fail(e, HP_USAGE,
			    "--transport mpi: node %s must be before the nodes "
			    "of later components of the job",
			    n->name);
		component = slurm_component(run, n->host);
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

/* Adds the hpexchange-mpi command of the node whose directory is `dir`. */
static void
node_words(struct run *run, const char *dir, const char *file, struct words *w)
{
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
 * Sets the environment of mpirun.  Each implementation of MPI ignores the
 * variables of the others.  Processes may outnumber processors, and each has
 * several threads, which must not be bound to one processor.
 */
static void
mpirun_environment(const struct run *run, struct words *w)
{
	WORDS_ADD(w, "env", "OMPI_MCA_rmaps_base_oversubscribe=1",
	    "OMPI_MCA_hwloc_base_binding_policy=none",
	    "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
	    "PRTE_MCA_hwloc_default_binding_policy=none");
	if (!run->remote)
		return;
	words_addf(w, "OMPI_MCA_plm_rsh_agent=%s", run->rsh);
	words_addf(w, "PRTE_MCA_plm_ssh_agent=%s", run->rsh);
	/* MPICH accepts only a program name here, without arguments. */
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
		WORDS_ADD(w, "-n", "1");
		if (run->remote)
			WORDS_ADD(
			    w, "-host", host != NULL ? host : "localhost");
		node_words(run, run->node[i].dir, file, w);
	}
}

/*
 * Adds one command for all nodes of a component, because srun cannot start
 * different commands in several components.  Each process changes to the
 * directory of its rank.
 */
static void
node_words_by_rank(
    struct run *run, const char *file, const char *done, struct words *w)
{
	words_addf(w, "%s%shprun", run->home != NULL ? run->home : "",
	    run->home != NULL ? "/" : "");
	WORDS_ADD(w, "--do", "ranked");
	words_addf(w, "%zu", run->nodes);
	words_add(w, done);
	for (size_t i = 0; i < run->nodes; i++)
		words_add(w, run->node[i].dir);
	node_words(run, ".", file, w);
}

/*
 * Returns the end of the range of nodes from `first` on that are in the same
 * Slurm component as node `first`.
 */
static size_t
component_end(const struct run *run, size_t first)
{
	int component = slurm_component(run, run->node[first].host);

	while (first < run->nodes &&
	    slurm_component(run, run->node[first].host) == component)
		first++;
	return first;
}

/* Adds the options of srun for the nodes of one Slurm component. */
static void
component_words(
    const struct run *run, size_t first, size_t end, struct words *w)
{
	static const char *const fixed[] = { "--quiet", "--job-name=hprun",
		"--mpi=pmix", "--distribution=arbitrary", "--input=none",
		"--output=all", "--error=all", "--export=ALL", "--chdir=/",
		"--kill-on-bad-exit=1" };
	int component = slurm_component(run, run->node[first].host);
	size_t machines = 0;

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		words_add(w, fixed[i]);
	if (component != ALLOCATION_WHOLE)
		words_addf(w, "--het-group=%d", component);
	for (size_t i = first; i < end; i++)
		machines += run->node[i].machine == i;
	words_addf(w, "--nodelist=%s/%s.%zu", run->work, hosts, first);
	words_addf(w, "--nodes=%zu", machines);
	words_addf(w, "--ntasks=%zu", end - first);
}

static void
srun_words(struct run *run, const char *file, struct words *w)
{
	static const char *const unset[] = { "SLURM_CPUS_PER_TASK",
		"SRUN_CPUS_PER_TASK", "SLURM_NTASKS_PER_NODE",
		"SLURM_TASKS_PER_NODE" };
	const char *done = "";

	if (component_end(run, 0) < run->nodes) {
		done = UNTIL_DONE;
		WORDS_ADD(w, "hprun", "--do", "until");
		words_addf(w, "%zu", run->nodes);
		words_add(w, SRUN_PAUSE_MS);
	}
	words_add(w, "env");
	for (size_t i = 0; i < sizeof unset / sizeof *unset; i++) {
		WORDS_ADD(w, "-u", unset[i]);
	}
	/*
	 * The agents run in another step of the Slurm job on the same machines,
	 * so allow steps to overlap.
	 */
	WORDS_ADD(w, "SLURM_OVERLAP=1", "srun");
	for (size_t i = 0, end; i < run->nodes; i = end) {
		end = component_end(run, i);
		if (i > 0)
			words_add(w, ":");
		component_words(run, i, end, w);
		node_words_by_rank(run, file, done, w);
	}
}

static void
write_hosts(struct run *run, size_t first, size_t end, FILE *f)
{
	for (size_t i = first; i < end; i++)
		fprintf(f, "%s\n", run->node[i].host);
}

/*
 * Writes a list of hosts for each Slurm component, which srun reads.  A dry run
 * prints the commands that write the lists.
 */
static int
make_hosts(struct run *run, struct hp_err *e)
{
	char name[64];
	struct file_out f;

	for (size_t i = 0, end; i < run->nodes; i = end) {
		end = component_end(run, i);
		snprintf(name, sizeof name, "%s.%zu", hosts, i);
		if (run->o.dry) {
			printf("cat >%s <<'END'\n", name);
			write_hosts(run, i, end, stdout);
			puts("END");
			continue;
		}
		if (file_begin(&f, name, e) == -1)
			return -1;
		write_hosts(run, i, end, f.file);
		if (file_end(&f, 0, e) == -1)
			return -1;
	}
	return 0;
}

/*
 * Removes the nodes' traces of an earlier exchange by MPI, because
 * hpexchange-mpi would append to them.
 */
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

/*
 * Fetches the traces of all nodes, and the checksums of the records that they
 * sent.
 */
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
 * Returns whether another transport may help: the exchange step itself failed,
 * no machine was lost, and the run was not interrupted.
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
	else if (make_hosts(run, e) == -1) {
		stage_fini(&s);
		return -1;
	} else
		srun_words(run, file, &w);
	if (run_alone(run, &s, "exchange", port_none(), &w, e) == -1)
		return only_it_failed(&run->outcome) ? note_failure(e) : -1;
	*done = true;
	return examine(run, file, e);
}
