#include <sys/resource.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shellword.h"
#include "job/agent.h"
#include "job/child.h"
#include "job/launch.h"

#define BLANKS " \t\n"

enum {
	CANNOT_SERVE = 2,
	NOT_TO_BE_RUN = 126, /* exit statuses of a shell */
	NOT_FOUND = 127
};

static void
no_wire(struct login_process *p)
{
	*p = (struct login_process){ .pid = -1, .wire = -1, .said = -1 };
}

/*
 * Makes a pair of connected sockets. Only the launcher's end is non-blocking,
 * because the child's program may expect a blocking one.
 */
static int
connect_pair(int *ours, int *theirs)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == -1)
		return -1;
	*ours = pair[0];
	*theirs = pair[1];
	return fcntl(*ours, F_SETFL, O_NONBLOCK);
}

void
launch_afresh(size_t files)
{
	struct rlimit limit;

	setsid();
	child_signals();
	if (files > 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = files;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* Closes all descriptors except standard input, output, error and fd. */
static void
close_others(int fd)
{
	if (fd > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0U, 0);
}

static void
serve(const struct launch_spec *spec, int wire)
{
	struct agent_config config = { .in = wire,
		.out = wire,
		.stdin_fd = spec->host == NULL ? STDIN_FILENO : -1,
		.stdout_fd = spec->host == NULL ? STDOUT_FILENO : -1,
		.home = spec->home,
		.local = spec->host == NULL };
	struct hp_err e = { 0 };

	launch_afresh(spec->files);
	/*
	 * The agent must go on after the launcher has ended, in order to clean
	 * up. So SIGPIPE must not end the agent.
	 */
	signal(SIGPIPE, SIG_IGN);
	close_others(wire);
	_exit(agent_serve(&config, &e) == 0 ? 0 : CANNOT_SERVE);
}

/* Forks the agent of this machine. The child becomes the agent without exec. */
static int
start_local(
    const struct launch_spec *spec, struct login_process *p, struct hp_err *e)
{
	int theirs = -1;

	no_wire(p);
	if (connect_pair(&p->wire, &theirs) == 0) {
		p->pid = fork();
		if (p->pid == 0)
			serve(spec, theirs);
	}
	if (p->pid == -1) {
		hp_fail_errno(e, HP_IO, "an agent cannot be started");
		if (p->wire != -1)
			close(p->wire);
	}
	if (theirs != -1)
		close(theirs);
	return p->pid == -1 ? -1 : 0;
}

char *
launch_line(const char *home)
{
	char *word, *line = NULL;

	if (home == NULL)
		return strdup("exec hprun --agent");
	/*
	 * The user's shell on the host is perhaps csh, which sets variables in
	 * another way. So let sh set PATH.
	 */
	word = shellword(home);
	if (word == NULL ||
	    asprintf(&line,
		"exec sh -c 'PATH=$0:$PATH; export PATH; exec hprun \"$@\"' "
		"%s --agent",
		word) == -1)
		line = NULL;
	free(word);
	return line;
}

/* A login command: the words of --rsh, the host and the remote command line. */
struct command {
	char *words, *host, *line;
	char **argv;
};

static void
command_fini(struct command *c)
{
	free(c->words);
	free(c->host);
	free(c->line);
	free(c->argv);
}

static int
command_init(
    struct command *c, const struct launch_spec *spec, struct hp_err *e)
{
	size_t n = 0;
	char *rest, *word;

	c->words = strdup(spec->rsh);
	c->host = strdup(spec->host);
	c->line = launch_line(spec->home);
	c->argv = calloc(strlen(spec->rsh) / 2 + 4, sizeof *c->argv);
	if (c->words == NULL || c->host == NULL || c->line == NULL ||
	    c->argv == NULL)
		return hp_fail(e, HP_NOMEM, "out of memory");
	for (word = strtok_r(c->words, BLANKS, &rest); word != NULL;
	     word = strtok_r(NULL, BLANKS, &rest))
		c->argv[n++] = word;
	if (n == 0)
		return hp_fail(e, HP_USAGE, "--rsh: the command is empty");
	c->argv[n] = c->host;
	c->argv[n + 1] = c->line;
	return 0;
}

static void
run_login(const struct launch_spec *spec, char **argv, int wire, int said)
{
	int code;

	launch_afresh(spec->files);
	/*
	 * The agent takes SSH_CONNECTION as a sign that ssh has started it.
	 * That would be wrong if this process runs in a session of ssh, but the
	 * login command is not ssh.
	 */
	unsetenv("SSH_CONNECTION");
	if (dup2(wire, STDIN_FILENO) != -1 && dup2(wire, STDOUT_FILENO) != -1 &&
	    dup2(said, STDERR_FILENO) != -1)
		execvp(argv[0], argv);
	code = errno == ENOENT ? NOT_FOUND : NOT_TO_BE_RUN;
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(code);
}

static int
fork_login(const struct launch_spec *spec, char **argv, struct login_process *p)
{
	int theirs = -1, errors[2] = { -1, -1 };

	if (connect_pair(&p->wire, &theirs) == 0 &&
	    pipe2(errors, O_CLOEXEC) == 0 &&
	    fcntl(errors[0], F_SETFL, O_NONBLOCK) == 0) {
		p->pid = fork();
		if (p->pid == 0)
			run_login(spec, argv, theirs, errors[1]);
	}
	p->said = errors[0];
	if (theirs != -1)
		close(theirs);
	if (errors[1] != -1)
		close(errors[1]);
	if (p->pid != -1)
		return 0;
	if (p->wire != -1)
		close(p->wire);
	if (p->said != -1)
		close(p->said);
	return -1;
}

/*
 * Starts an agent through a login command such as ssh. The words of --rsh are
 * split at blanks; no local shell is involved. The host's shell gets only the
 * line that launch_line made.
 */
static int
start_ssh(
    const struct launch_spec *spec, struct login_process *p, struct hp_err *e)
{
	struct command c = { 0 };
	int rc;

	no_wire(p);
	if (spec->host == NULL || spec->rsh == NULL)
		return hp_fail(e, HP_USAGE, "--rsh: the command is empty");
	rc = command_init(&c, spec, e);
	if (rc == 0) {
		rc = fork_login(spec, c.argv, p);
		if (rc == -1)
			hp_fail_errno(
			    e, HP_IO, "%s cannot be started", c.argv[0]);
	}
	command_fini(&c);
	return rc;
}

static const struct launch_method methods[] = {
	{ "local", start_local }, { "ssh", start_ssh },
	{ "slurm", NULL }, /* srun.c */
};

const struct launch_method *
launch_method(const char *name)
{
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}
