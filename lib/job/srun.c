#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/allocation.h"
#include "job/launch.h"
#include "job/srun.h"

enum {
	WORDS_MOST = 32,
	NOT_TO_BE_RUN = 126, /* exit statuses of a shell */
	NOT_FOUND = 127
};

/* The command line of srun. */
struct command {
	char *own[5]; /* words that were allocated */
	size_t nown;
	const char *argv[WORDS_MOST];
	size_t n;
};

static void
command_fini(struct command *c)
{
	for (size_t i = 0; i < c->nown; i++)
		free(c->own[i]);
}

/* Adds a word made by asprintf. */
static int
add_made(struct command *c, int made, char **word, struct hp_err *e)
{
	if (made == -1 || *word == NULL)
		return hp_fail(e, HP_NOMEM, "out of memory");
	c->own[c->nown++] = *word;
	c->argv[c->n++] = *word;
	return 0;
}

/* Adds --nodelist with all names. */
static int
add_nodes(struct command *c, const struct srun_spec *spec, struct hp_err *e)
{
	size_t len = sizeof "--nodelist=";
	char *word, *to;

	for (size_t i = 0; i < spec->nodes; i++)
		len += strlen(spec->node[i]) + 1;
	word = malloc(len);
	if (word != NULL) {
		to = stpcpy(word, "--nodelist=");
		for (size_t i = 0; i < spec->nodes; i++) {
			if (i > 0)
				*to++ = ',';
			to = stpcpy(to, spec->node[i]);
		}
	}
	return add_made(c, 0, &word, e);
}

/*
 * Fixed options of srun. They override environment variables of the user's job,
 * which could change the directory, input, environment and processors of the
 * agents. They also keep srun from ending all agents if one task fails or a
 * node is lost.
 */
static const char *const fixed[] = { "srun", "--quiet", "--job-name=hprun",
	"--ntasks-per-node=1", "--cpu-bind=none", "--mpi=none", "--input=all",
	"--output=all", "--error=all", "--export=ALL", "--chdir=/", "--no-kill",
	"--kill-on-bad-exit=0", "--wait=0" };

static int
command_init(struct command *c, const struct srun_spec *spec, struct hp_err *e)
{
	char *line = launch_line(spec->home), *word = NULL;
	int rc;

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		c->argv[c->n++] = fixed[i];
	rc = add_made(c, asprintf(&word, "--nodes=%zu", spec->nodes), &word, e);
	if (rc == 0)
		rc = add_made(
		    c, asprintf(&word, "--ntasks=%zu", spec->nodes), &word, e);
	if (rc == 0)
		rc = add_nodes(c, spec, e);
	if (rc == 0 && spec->component != ALLOCATION_WHOLE)
		rc = add_made(c,
		    asprintf(&word, "--het-group=%d", spec->component), &word,
		    e);
	c->argv[c->n++] = "/bin/sh";
	c->argv[c->n++] = "-c";
	if (rc == 0)
		rc = add_made(c,
		    line == NULL ? -1 : asprintf(&word, "%s=call", line), &word,
		    e);
	free(line);
	return rc;
}

static _Noreturn void
run(const struct srun_spec *spec, const char *const *argv, int in, int said)
{
	union {
		const char *const *lent;
		char *const *borrowed;
	} words = { .lent = argv };
	int code;

	launch_afresh(spec->files);
	/*
	 * SLURM_OVERLAP lets the agents share the nodes' processors and memory
	 * with other steps of the job. Older versions of Slurm share anyway and
	 * ignore the variable, but they would refuse the option --overlap.
	 */
	setenv("SLURM_OVERLAP", "1", 1);
	unsetenv("SLURM_CPUS_PER_TASK");
	unsetenv("SRUN_CPUS_PER_TASK");
	if (dup2(in, STDIN_FILENO) != -1 && dup2(said, STDOUT_FILENO) != -1 &&
	    dup2(said, STDERR_FILENO) != -1)
		execvp(argv[0], words.borrowed);
	code = errno == ENOENT ? NOT_FOUND : NOT_TO_BE_RUN;
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(code);
}

static void
close_pair(int pair[2])
{
	for (int i = 0; i < 2; i++)
		if (pair[i] != -1)
			close(pair[i]);
}

/*
 * Starts srun and writes the line with port and key to its standard input. The
 * write does not block, because the line is shorter than a pipe's buffer.
 */
static int
fork_srun(struct srun *s, const struct srun_spec *spec, const char *const *argv)
{
	int in[2] = { -1, -1 }, said[2] = { -1, -1 };
	char line[CALL_LINE];
	size_t len;

	call_line(spec->to, line);
	len = strlen(line);
	if (pipe2(in, O_CLOEXEC) == 0 && pipe2(said, O_CLOEXEC) == 0 &&
	    fcntl(said[0], F_SETFL, O_NONBLOCK) == 0 &&
	    write(in[1], line, len) == (ssize_t)len) {
		s->pid = fork();
		if (s->pid == 0)
			run(spec, argv, in[0], said[1]);
	}
	explicit_bzero(line, sizeof line);
	if (s->pid != -1) {
		s->said = said[0];
		said[0] = -1;
	}
	close_pair(in);
	close_pair(said);
	return s->pid == -1 ? -1 : 0;
}

int
srun_start(struct srun *s, const struct srun_spec *spec, struct hp_err *e)
{
	struct command c = { 0 };
	int rc;

	*s = (struct srun){ .pid = -1, .said = -1 };
	rc = command_init(&c, spec, e);
	if (rc == 0 && fork_srun(s, spec, c.argv) == -1)
		rc = hp_fail_errno(e, HP_IO, "srun cannot be started");
	command_fini(&c);
	return rc;
}

bool
srun_ended(struct srun *s, int *code)
{
	int status;

	if (s->pid == -1 || waitpid(s->pid, &status, WNOHANG) != s->pid)
		return false;
	s->pid = -1;
	*code = WIFEXITED(status) ? WEXITSTATUS(status)
				  : 128 + WTERMSIG(status);
	return true;
}

void
srun_kill(struct srun *s)
{
	if (s->said != -1)
		close(s->said);
	s->said = -1;
	if (s->pid == -1)
		return;
	/*
	 * Kill the whole session, because srun has two processes. If only the
	 * first one died, the second would end the Slurm step with SIGKILL
	 * while the agents clean up.
	 */
	kill(-s->pid, SIGKILL);
	kill(s->pid, SIGKILL);
	while (waitpid(s->pid, NULL, 0) == -1 && errno == EINTR)
		;
	s->pid = -1;
}
