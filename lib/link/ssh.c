#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "link/login.h"
#include "link/transport.h"
#include "link/turns.h"

enum {
	/* sshd drops logins at random from the tenth on (MaxStartups). */
	LOGINS = 8,
	/* What fails so often at the start is not a matter of chance. */
	TRIES = 7,
	/* And what is refused for good, it may be, once. */
	HOPELESS = 2
};

static const double TERM_S = 0.25; /* to end after SIGTERM */
/* For a node that was there: if it is not there now, it has ended. */
static const double RETURN_S = 1;

/* A word for a shell, whatever is in it: allocated, or NULL. */
static char *
quote(const char *s)
{
	char *word = malloc(4 * strlen(s) + 3), *p = word;

	if (word == NULL)
		return NULL;
	*p++ = '\'';
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			p = stpcpy(p, "'\\''");
		else
			*p++ = *s;
	}
	strcpy(p, "'");
	return word;
}

/*
 * What the shell of the host is to run.  Only a single quoted word is the same
 * in all shells that a user may have there, so sh sets the path.
 */
static char *
remote_command(const struct address *to,
    const struct transport_options *options, double timeout_s)
{
	char *dir = quote(to->dir), *command = NULL, *path = NULL;
	int n = -1;

	if (dir != NULL && options->remote_path == NULL)
		n = asprintf(&command,
		    "exec hpexchange --timeout %g --serve %s", timeout_s, dir);
	else if (dir != NULL && (path = quote(options->remote_path)) != NULL)
		n = asprintf(&command,
		    "exec sh -c 'PATH=$0:$PATH; export PATH; "
		    "exec hpexchange \"$@\"' %s --timeout %g --serve %s",
		    path, timeout_s, dir);
	free(path);
	free(dir);
	return n == -1 ? NULL : command;
}

struct ssh {
	struct login *login;
	size_t logins;
	struct refusal refusal[]; /* by rank */
};

static int
ssh_open(struct door *d, const struct address *node, uint32_t nodes,
    uint32_t me, const struct transport_options *options, struct hp_err *e)
{
	int rc = unix_open(d, node, nodes, me, options, e);

	d->ssh = calloc(1, sizeof *d->ssh + nodes * sizeof(struct refusal));
	if (rc == 0 && d->ssh == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	return rc;
}

/* Whether all have ended. */
static bool
reap(struct ssh *s)
{
	size_t left = 0;

	for (size_t i = 0; i < s->logins; i++)
		if (!login_ended(&s->login[i], &s->refusal[s->login[i].rank]))
			s->login[left++] = s->login[i];
	s->logins = left;
	return left == 0;
}

static void
hear(struct ssh *s)
{
	reap(s);
	for (size_t i = 0; i < s->logins; i++)
		login_hear(&s->login[i], &s->refusal[s->login[i].rank]);
}

/* Room for one more, or NULL. */
static struct login *
next(struct ssh *s)
{
	struct login *grown = reallocarray(
	    s->login, s->logins + 1, sizeof *grown);

	if (grown == NULL)
		return NULL;
	s->login = grown;
	return grown + s->logins;
}

static int
start(struct door *d, const struct address *to, int fd)
{
	struct login *l = next(d->ssh);
	char *command = remote_command(
	    to, d->options, d->known ? RETURN_S : d->options->timeout_s);
	int rc = ENOMEM;

	if (l != NULL && command != NULL) {
		*l = (struct login){ .rank = (uint32_t)(to - d->node),
			.quiet = d->again };
		rc = login_start(l, d->options->rsh, to->host, command, fd);
	}
	d->ssh->logins += rc == 0;
	free(command);
	return rc;
}

static int
ssh_dial(struct door *d, const struct address *to, struct channel *c,
    struct hp_err *e)
{
	int fd[2], rc;

	if (turns_near(to, &d->node[d->me]))
		return unix_dial(d, to, c, e);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == -1)
		return hp_fail_errno(e, HP_IO, "%s", to->name);
	rc = start(d, to, fd[1]);
	close(fd[1]);
	/* Only our end: the other may be shared with who knows whom. */
	if (rc == 0 && fcntl(fd[0], F_SETFL, O_NONBLOCK) == -1)
		rc = errno;
	if (rc == 0) {
		*c = channel_of(fd[0]);
		return 1;
	}
	close(fd[0]);
	errno = rc;
	return hp_fail_errno(e, HP_IO, "%s: %s", to->name, d->options->rsh);
}

static void
ssh_tend(struct door *d)
{
	hear(d->ssh);
}

static const char *
ssh_why(struct door *d, uint32_t rank, bool *hopeless)
{
	const struct refusal *r = &d->ssh->refusal[rank];

	hear(d->ssh);
	*hopeless = r->hopeless >= HOPELESS;
	return r->why[0] != '\0' ? r->why : NULL;
}

static void
wait_for_all(struct ssh *s, double end_s)
{
	const struct timespec nap = { .tv_nsec = 10000000 };

	while (!reap(s) && clock_now_s() < end_s)
		nanosleep(&nap, NULL);
}

/*
 * The connections are closed: what carried them brings our last words, and has
 * nothing to do any more.  One that is stuck is not waited for.
 */
static void
end_all(struct ssh *s, double end_s)
{
	wait_for_all(s, end_s);
	for (size_t i = 0; i < s->logins; i++)
		kill(s->login[i].pid, SIGTERM);
	wait_for_all(s, clock_now_s() + TERM_S);
	for (size_t i = 0; i < s->logins; i++)
		login_kill(&s->login[i], &s->refusal[s->login[i].rank]);
	free(s->login);
	free(s);
}

static void
ssh_close(struct door *d)
{
	if (d->ssh != NULL)
		end_all(d->ssh, d->end_s);
	d->ssh = NULL;
	unix_close(d);
}

const struct transport transport_ssh = {
	.name = "ssh",
	.logins = LOGINS,
	.tries = TRIES,
	.open = ssh_open,
	.poll_fd = unix_poll_fd,
	.accept = unix_accept,
	.close = ssh_close,
	.tend = ssh_tend,
	.dial = ssh_dial,
	.why = ssh_why,
};

const struct transport *
transport_between(const struct address *node, uint32_t nodes, uint32_t me)
{
	for (uint32_t i = 0; i < nodes; i++)
		if (!turns_near(&node[i], &node[me]))
			return &transport_ssh;
	return &transport_unix;
}
