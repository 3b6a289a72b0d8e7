#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/nodes.h"
#include "doc/parts.h"
#include "doc/plan.h"
#include "estimate.h"
#include "files.h"
#include "nodes.h"
#include "words.h"

/* An unnamed file, and a name by which this process can open it. */
struct scratch {
	int fd;
	char name[64];
};

static int
scratch_make(struct scratch *s, struct hp_err *e)
{
	if ((s->fd = memfd_create("estimate", MFD_CLOEXEC)) == -1)
		return hp_fail_errno(e, HP_IO, "estimate");
	snprintf(s->name, sizeof s->name, "/proc/self/fd/%d", s->fd);
	return 0;
}

/* Runs one of the programs; its input is empty, its output goes to `to`. */
static int
execute(const struct run *run, char *const argv[], int to, struct hp_err *e)
{
	posix_spawn_file_actions_t files;
	char *path = NULL;
	int status = 0, bad;
	pid_t pid;

	if (run->home != NULL &&
	    asprintf(&path, "%s/%s", run->home, argv[0]) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%s", argv[0]);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
	bad = posix_spawnp(
	    &pid, path != NULL ? path : argv[0], &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	free(path);
	if (bad != 0)
		return hp_fail(e, HP_IO, "%s: %s", argv[0], strerror(bad));
	if (waitpid(pid, &status, 0) == -1)
		return hp_fail_errno(e, HP_IO, "%s", argv[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return hp_fail(e,
	    WIFEXITED(status) && WEXITSTATUS(status) == 1 ? HP_NO : HP_IO,
	    "%s: failed", argv[0]);
}

/* Counts the records of one file. */
static int
count_file(struct run *run, char *file, uint64_t *n, struct hp_err *e)
{
	static char program[] = "hpsplit", action[] = "count", rank[] = "-N",
		    zero[] = "0";
	size_t words = 0;
	struct scratch s;
	char **argv;
	int rc = -1;

	while (run->order_words[words] != NULL)
		words++;
	if ((argv = calloc(words + 6, sizeof *argv)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", file);
	argv[0] = program;
	argv[1] = action;
	memcpy(argv + 2, run->order_words, words * sizeof *argv);
	argv[words + 2] = rank;
	argv[words + 3] = zero;
	argv[words + 4] = file;
	if (scratch_make(&s, e) == 0) {
		if (execute(run, argv, s.fd, e) == 0)
			rc = doc_total_read(s.name, n, e);
		close(s.fd);
	}
	free(argv);
	return rc;
}

static int
count_all(struct run *run, uint64_t *records, uint64_t *bytes, struct hp_err *e)
{
	uint64_t n;

	*records = 0;
	*bytes = files_input_bytes(run);
	for (char **file = run->operand; *file != NULL; file++) {
		struct stat st;

		if (strcmp(*file, "-") == 0 || stat(*file, &st) == -1 ||
		    !S_ISREG(st.st_mode))
			return hp_fail(e, HP_INPUT,
			    "--estimate and --use-fewer need files as input, "
			    "not a pipe");
		if (count_file(run, *file, &n, e) == -1)
			return -1;
		*records += n;
	}
	return 0;
}

static bool
takes_part(const void *context, const char *name)
{
	const struct run *run = context;

	for (size_t i = 0; i < run->o.without.n; i++)
		if (strcmp(run->o.without.v[i], name) == 0)
			return false;
	return true;
}

/* Writes the plan of the run to a scratch file. */
static int
solve(struct run *run, const struct scratch *to, struct hp_err *e)
{
	static char program[] = "hpsolve", count[] = "-n", method[] = "-m",
		    size[] = "--bytes-per-item";
	char number[32], mean[64], *name = strdup(run->o.method);
	char *argv[] = { program, count, number, method, name, NULL, NULL, NULL,
		NULL };
	uint64_t records, bytes;
	struct scratch nodes = { .fd = -1 };
	FILE *f = NULL;
	size_t n = 5;
	int rc = -1;

	if (name == NULL || count_all(run, &records, &bytes, e) == -1 ||
	    scratch_make(&nodes, e) == -1 ||
	    (f = fdopen(dup(nodes.fd), "w")) == NULL)
		goto out;
	rc = doc_nodes_copy(
	    run->cluster, run->node_lines, takes_part, run, f, e);
	if (fclose(f) == EOF || rc == -1)
		goto out;
	snprintf(number, sizeof number, "%" PRIu64, records);
	snprintf(mean, sizeof mean, "%.17g",
	    records > 0 ? (double)bytes / (double)records : 1);
	if (estimate_whole(run)) {
		argv[n++] = size;
		argv[n++] = mean;
	}
	/* The child's descriptor is closed, so it opens this process's. */
	snprintf(nodes.name, sizeof nodes.name, "/proc/%d/fd/%d", (int)getpid(),
	    nodes.fd);
	argv[n] = nodes.name;
	rc = execute(run, argv, to->fd, e);
out:
	if (nodes.fd != -1)
		close(nodes.fd);
	free(name);
	return rc;
}

static int
print(const struct scratch *s, struct hp_err *e)
{
	char buf[65536];
	ssize_t n;

	lseek(s->fd, 0, SEEK_SET);
	while ((n = io_read(s->fd, buf, sizeof buf)) > 0)
		if (io_write(STDOUT_FILENO, buf, (size_t)n) == -1)
			return hp_fail_errno(e, HP_IO, "standard output");
	return n == -1 ? hp_fail_errno(e, HP_IO, "estimate") : 0;
}

static bool
alone_is_faster(const struct plan *p)
{
	return p->alone > 0 && p->alone < p->makespan;
}

static size_t
idle_nodes(const struct plan *p)
{
	size_t idle = 0;

	for (size_t i = 0; i < p->nodes; i++)
		idle += p->share[i].n == 0;
	return idle;
}

void
estimate_advise(const struct run *run, const struct plan *p)
{
	size_t idle = idle_nodes(p);

	if (alone_is_faster(p))
		run_say(run,
		    "fewer machines would be faster: this machine alone needs "
		    "about %.3g s, the %zu nodes %.3g s (see --use-fewer)",
		    p->alone, p->nodes, p->makespan);
	else if (p->nstages > 0 && idle > 0 && p->n > 0)
		run_say(run,
		    "fewer machines would be as fast: %zu of %zu nodes get no "
		    "records (see --use-fewer)",
		    idle, p->nodes);
}

/* Replaces the cluster by this machine. */
static int
use_this_machine(struct run *run, const struct plan *p, struct hp_err *e)
{
	run_say(run,
	    "sorting on this machine alone: about %.3g s instead of %.3g s",
	    p->alone, p->makespan);
	free(run->cluster);
	run->cluster = NULL;
	run->o.cluster = NULL;
	run->o.transport = NULL;
	run->o.without.n = 0;
	run->o.nodes = 1;
	return nodes_source(run, e);
}

/* Leaves out the nodes that get nothing. */
static int
use_fewer(struct run *run, const struct plan *p, struct hp_err *e)
{
	size_t idle = idle_nodes(p);

	if (alone_is_faster(p))
		return use_this_machine(run, p, e);
	if (p->nstages == 0 || idle == 0 || p->n == 0)
		return 0;
	for (size_t i = 0; i < p->nodes; i++) {
		char *name;

		if (p->share[i].n > 0)
			continue;
		/* The list borrows the name until the process ends. */
		if ((name = strdup(p->share[i].node)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "nodes");
		list_add(&run->o.without, name);
	}
	run_say(run, "%zu of %zu nodes would get no records and are left out",
	    idle, p->nodes);
	return 0;
}

bool
estimate_whole(const struct run *run)
{
	return run->o.mode == MODE_SORT && run->o.in_place == NULL &&
	    run->o.leave == NULL && sorts_first(run);
}

int
estimate(struct run *run, struct hp_err *e)
{
	struct plan plan = { 0 };
	struct scratch s;
	int rc;

	if (scratch_make(&s, e) == -1)
		return -1;
	rc = solve(run, &s, e);
	if (rc == 0 && run->o.estimate)
		rc = print(&s, e);
	if (rc == 0 && lseek(s.fd, 0, SEEK_SET) == 0 &&
	    (rc = doc_plan_read(s.name, &plan, e)) == 0) {
		if (plan.nstages == 0)
			run_say(run,
			    "the cluster has no links: only the sort is "
			    "estimated");
		if (!run->o.estimate)
			rc = use_fewer(run, &plan, e);
		else
			estimate_advise(run, &plan);
	}
	plan_fini(&plan);
	close(s.fd);
	return rc;
}

int
size_do(char *words[], struct hp_err *e)
{
	uint64_t records;
	struct stat st;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(e, HP_USAGE, "size FILE COUNT");
	if (stat(words[0], &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[0]);
	if (doc_total_read(words[1], &records, e) == -1)
		return -1;
	printf(
	    "%.17g\n", records > 0 ? (double)st.st_size / (double)records : 1);
	return 0;
}
