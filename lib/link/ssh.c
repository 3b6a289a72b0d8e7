#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/shellword.h"
#include "link/login.h"
#include "link/ssh.h"
#include "link/unix.h"

enum {
	/*
	 * With ten logins pending, sshd begins to refuse further logins at
	 * random (MaxStartups).
	 */
	LOGINS = 8,
	/*
	 * After this many failed logins in a row, a node counts as lost. sshd
	 * is unlikely to refuse so many logins at random.
	 */
	ATTEMPTS = 7,
	/* A permanent error is retried once. */
	PERMANENT_MOST = 2
};

static const double TERM_S = 0.25; /* from SIGTERM to SIGKILL */
/*
 * Seconds that hpexchange --serve waits for the process of a node that was
 * connected before. The socket of the node exists as long as the process runs,
 * so a missing socket means that the process has ended.
 */
static const double RETURN_S = 1;

/*
 * Returns the command line for the login shell of the host, which may be any
 * shell. Shells set variables in different ways, so the command runs sh, which
 * sets PATH.
 */
static char *
remote_command(const struct address *to,
    const struct transport_options *options, double timeout_s)
{
	char *dir = shellword(to->dir), *command = NULL, *path = NULL;
	int n = -1;

	if (dir != NULL && options->remote_path == NULL)
		n = asprintf(&command,
		    "exec hpexchange --timeout %g --serve %s", timeout_s, dir);
	else if (dir != NULL &&
	    (path = shellword(options->remote_path)) != NULL)
		n = asprintf(&command,
		    "exec sh -c 'PATH=$0:$PATH; export PATH; "
		    "exec hpexchange \"$@\"' %s --timeout %g --serve %s",
		    path, timeout_s, dir);
	free(path);
	free(dir);
	return n == -1 ? NULL : command;
}

struct ssh {
	struct login *login; /* the running ones */
	size_t logins;
	struct login_failures failures[]; /* by rank */
};

static int
ssh_open(struct endpoint *p, const struct address *node, uint32_t nodes,
    uint32_t me, const struct transport_options *options, struct hp_err *e)
{
	int rc = unix_open(p, node, nodes, me, options, e);

	p->state = calloc(
	    1, sizeof(struct ssh) + nodes * sizeof(struct login_failures));
	if (rc == 0 && p->state == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	return rc;
}

/* Frees the logins that have ended. Returns true if none is left. */
static bool
reap(struct ssh *s)
{
	size_t left = 0;

	for (size_t i = 0; i < s->logins; i++)
		if (!login_ended(&s->login[i], &s->failures[s->login[i].rank]))
			s->login[left++] = s->login[i];
	s->logins = left;
	return left == 0;
}

static void
read_messages(struct ssh *s)
{
	reap(s);
	for (size_t i = 0; i < s->logins; i++)
		login_read(&s->login[i], &s->failures[s->login[i].rank]);
}

/* Room for one more login, or NULL. */
static struct login *
new_login(struct ssh *s)
{
	struct login *grown = reallocarray(
	    s->login, s->logins + 1, sizeof *grown);

	if (grown == NULL)
		return NULL;
	s->login = grown;
	return grown + s->logins;
}

static int
start(struct endpoint *p, const struct address *to, const struct attempt *a,
    int fd)
{
	struct ssh *s = p->state;
	struct login *l = new_login(s);
	char *command = remote_command(
	    to, p->options, a->known ? RETURN_S : p->options->timeout_s);
	int rc = ENOMEM;

	if (l != NULL && command != NULL) {
		*l = (struct login){ .rank = (uint32_t)(to - p->node),
			.quiet = a->quiet };
		rc = login_start(l, p->options->rsh, to->host, command, fd);
	}
	s->logins += rc == 0;
	free(command);
	return rc;
}

static int
ssh_connect(struct endpoint *p, const struct address *to, struct attempt *a,
    struct channel *c, struct hp_err *e)
{
	int fd[2], rc;

	if (address_is_local(to, &p->node[p->me]))
		return unix_connect(to, a, c, e);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == -1)
		return hp_fail_errno(e, HP_IO, "%s", to->name);
	rc = start(p, to, a, fd[1]);
	close(fd[1]);
	/*
	 * Only this end of the socket pair must not block. The other end
	 * belongs to ssh and its children, which expect a blocking descriptor.
	 */
	if (rc == 0 && fcntl(fd[0], F_SETFL, O_NONBLOCK) == -1)
		rc = errno;
	if (rc == 0) {
		*c = channel_of(fd[0]);
		return 1;
	}
	close(fd[0]);
	errno = rc;
	return hp_fail_errno(e, HP_IO, "%s: %s", to->name, p->options->rsh);
}

static void
ssh_tend(struct endpoint *p)
{
	read_messages(p->state);
}

static const char *
ssh_why(struct endpoint *p, uint32_t rank, bool *permanent)
{
	struct ssh *s = p->state;
	const struct login_failures *f = &s->failures[rank];

	read_messages(s);
	*permanent = f->permanent >= PERMANENT_MOST;
	return f->why[0] != '\0' ? f->why : NULL;
}

static void
wait_for_all(struct ssh *s, double end_s)
{
	while (!reap(s) && clock_now_s() < end_s)
		clock_sleep_s(0.01);
}

/*
 * Ends all logins. The connections of the logins are already closed, so the
 * logins deliver the last bytes and exit by themselves. Logins that have not
 * exited at end_s are killed.
 */
static void
end_all(struct ssh *s, double end_s)
{
	wait_for_all(s, end_s);
	for (size_t i = 0; i < s->logins; i++)
		kill(s->login[i].pid, SIGTERM);
	wait_for_all(s, clock_now_s() + TERM_S);
	for (size_t i = 0; i < s->logins; i++)
		login_kill(&s->login[i], &s->failures[s->login[i].rank]);
	free(s->login);
	free(s);
}

static void
ssh_close(struct endpoint *p)
{
	if (p->state != NULL)
		end_all(p->state, p->end_s);
	p->state = NULL;
	unix_close(p);
}

const struct transport transport_ssh = {
	.name = "ssh",
	.logins_most = LOGINS,
	.attempts_most = ATTEMPTS,
	.open = ssh_open,
	.accept = unix_accept,
	.close = ssh_close,
	.tend = ssh_tend,
	.connect = ssh_connect,
	.why = ssh_why,
};
