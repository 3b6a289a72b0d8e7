#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_io.h"
#include "job/agent_listen.h"
#include "job/dial.h"
#include "link/tcpsocket.h"
#include "link/tls.h"

enum {
	/* maximum number of connections that may be from strangers */
	CALLERS = 8
};

struct agent_caller {
	struct agent_source source; /* its fd is that of the channel */
	struct channel channel;
	struct wire wire;
};

struct agent_listen {
	struct jobkey key;
	struct tls_party party;
	struct agent_source port; /* the listening socket */
	struct agent_caller caller[CALLERS];
	struct agent_caller *launcher; /* NULL: not connected yet */
};

/*
 * Copies the address of this machine that ssh connected to: the third word of
 * SSH_CONNECTION.
 */
static bool
own_address(char address[MESSAGE_ADDRESS + 1])
{
	const char *words = getenv("SSH_CONNECTION");
	char port[8];

	return words != NULL &&
	    sscanf(words, "%*63s %*7s %63s %7s", address, port) == 2;
}

/* Listens on a free port. Returns the descriptor, or -1. */
static int
open_port(const char *address, uint16_t *port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *list;
	struct address self = { .host = address };
	struct hp_err e;
	char service[8];
	int fd;

	if (tcp_free_ports(port, 1, &e) == -1)
		return -1;
	self.port = *port;
	snprintf(service, sizeof service, "%u", *port);
	if (getaddrinfo(address, service, &hints, &list) != 0)
		return -1;
	fd = tcpsocket_listen(&self, list);
	freeaddrinfo(list);
	return fd;
}

static void
close_caller(struct agent *a, struct agent_caller *c)
{
	agent_unwatch(a, &c->source);
	wire_fini(&c->wire);
	channel_close(&c->channel);
	c->source.fd = -1;
}

/* Closes the port, and all connections except that of the launcher. */
static void
close_port(struct agent *a)
{
	struct agent_listen *l = a->listen;

	agent_unwatch(a, &l->port);
	if (l->port.fd != -1)
		close(l->port.fd);
	l->port.fd = -1;
	for (size_t i = 0; i < CALLERS; i++)
		if (&l->caller[i] != l->launcher)
			close_caller(a, &l->caller[i]);
}

static int
new_listen(struct agent *a, const char *key, struct hp_err *e)
{
	struct agent_listen *l = a->listen = calloc(1, sizeof *l);

	if (l == NULL)
		return hp_fail(e, HP_NOMEM, "agent: connection");
	l->port = (struct agent_source){ .kind = SOURCE_PORT, .fd = -1 };
	for (size_t i = 0; i < CALLERS; i++) {
		l->caller[i].source = (struct agent_source){
			.kind = SOURCE_CALLER, .fd = -1
		};
		l->caller[i].channel = CHANNEL_NONE;
	}
	l->key.len = strlen(key);
	memcpy(l->key.bytes, key, l->key.len);
	return tls_party_init(&l->party, DIAL_AGENT, &l->key, e);
}

int
listen_begin(struct agent *a, const struct message *m, struct hp_err *e)
{
	char address[MESSAGE_ADDRESS + 1] = "";
	struct message answer = { .type = MESSAGE_LISTENING,
		.address = address };
	struct hp_err why;
	uint16_t port;

	if (a->has_opened || a->listen != NULL)
		return hp_fail(e, HP_INPUT, "agent: 'listen' is too late");
	if (own_address(address) && new_listen(a, m->key, &why) == 0) {
		a->listen->port.fd = open_port(address, &port);
		if (a->listen->port.fd != -1 &&
		    agent_watch(a, &a->listen->port, e) == -1)
			return -1;
		if (a->listen->port.fd != -1)
			answer.port = port;
	}
	return agent_send(a, &answer, e);
}

int
listen_accept(struct agent *a, struct hp_err *e)
{
	struct agent_listen *l = a->listen;
	struct sockaddr_storage from;
	socklen_t len = sizeof from;
	struct agent_caller *c = l->caller;
	char peer[80];
	int fd;

	if (l->port.fd == -1)
		return 0;
	fd = accept4(l->port.fd, (struct sockaddr *)&from, &len,
	    SOCK_NONBLOCK | SOCK_CLOEXEC);
	/*
	 * If the system cannot accept a connection now, the connection stays
	 * pending and the port stays readable. The event loop would try again
	 * all the time. So close the port. The launcher then continues to use
	 * the login.
	 */
	if (fd == -1 &&
	    (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		errno == ENOMEM))
		close_port(a);
	if (fd == -1)
		return 0;
	while (c < l->caller + CALLERS && c->source.fd != -1)
		c++;
	if (c == l->caller + CALLERS) {
		close(fd);
		return 0;
	}
	tcpsocket_tune(fd);
	tcpsocket_print((struct sockaddr *)&from, len, peer, sizeof peer);
	if (tls_accept(&l->party, fd, peer, &c->channel, e) == -1)
		return -1;
	c->source.fd = fd;
	if (wire_init_channel(
		&c->wire, WIRE_AGENT, &c->channel, "launcher", e) == -1)
		return -1;
	return agent_watch(a, &c->source, e);
}

/*
 * Makes this the connection of the agent. The agent goes on to watch the
 * login, because the launcher has gone if the login ends.
 */
static int
adopt(struct agent *a, struct agent_caller *c, struct hp_err *e)
{
	agent_unwatch(a, &a->in);
	agent_unwatch(a, &a->out);
	agent_unwatch(a, &c->source);
	a->listen->launcher = c;
	close_port(a);
	a->login = a->in;
	a->login.kind = SOURCE_LOGIN;
	a->login_out = a->out.fd;
	wire_fini(&a->wire);
	a->wire = c->wire;
	a->blocked = false;
	c->wire = (struct wire){ 0 };
	a->in.fd = c->source.fd;
	a->out.fd = fcntl(a->in.fd, F_DUPFD_CLOEXEC, 3);
	if (a->out.fd == -1)
		return hp_fail_errno(e, HP_IO, "agent");
	return agent_watch(a, &a->login, e) == -1 ? -1
						  : agent_watch(a, &a->in, e);
}

bool
listen_login(const struct agent *a)
{
	unsigned char rest[1024];
	ssize_t n = recv(a->login.fd, rest, sizeof rest, MSG_DONTWAIT);

	/* The login may be a pipe, which wire_init made non-blocking. */
	if (n == -1 && errno == ENOTSOCK)
		n = read(a->login.fd, rest, sizeof rest);
	return n > 0 ||
	    (n == -1 &&
		(errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

int
listen_hear(struct agent *a, struct agent_source *s, struct hp_err *e)
{
	struct agent_caller *c = a->listen->caller;
	struct hp_err why;
	int rc;

	while (&c->source != s)
		c++;
	if (s->fd == -1 || c == a->listen->launcher)
		return 0;
	/*
	 * Reading and writing both continue the handshake. Once the handshake
	 * is complete, writing sends the agent's stream head. The launcher
	 * sends no messages before it has received this head, so it never uses
	 * a connection that it may still give up. Write after reading: if
	 * reading completes the handshake, no later event would cause the head
	 * to be written.
	 */
	rc = wire_read(&c->wire, &why);
	if (rc != -1 && wire_flush(&c->wire, &why) == -1)
		rc = -1;
	if (rc == -1)
		close_caller(a, c);
	if (rc != 1)
		return 0;
	return adopt(a, c, e) == -1 ? -1 : 1;
}

void
listen_end(struct agent *a)
{
	if (a->listen != NULL && a->listen->launcher == NULL)
		close_port(a);
}

void
listen_fini(struct agent *a)
{
	if (a->listen == NULL)
		return;
	if (a->listen->launcher != NULL) {
		close_caller(a, a->listen->launcher);
		a->in.fd = -1; /* was the same descriptor */
	}
	a->listen->launcher = NULL;
	close_port(a);
	tls_party_fini(&a->listen->party);
	jobkey_wipe(&a->listen->key);
	free(a->listen);
	a->listen = NULL;
}
