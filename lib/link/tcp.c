#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "link/tcp.h"
#include "link/tcpsocket.h"
#include "link/tls.h"

/*
 * Seconds to wait for connect(2) to one address of a host. After that, connect
 * again with a new socket. The kernel doubles the time between its own retries,
 * so it would notice late that a link is repaired.
 */
static const double CONNECT_S = 1;

/* Connecting to one node. */
struct target {
	struct addrinfo *list, *next; /* addresses; the one to try next */
	int fd;			      /* is connecting; -1: none */
	int errnum;		      /* error of the last attempt; 0: none */
	double since_s;		      /* start of the attempt */
};

struct tcp {
	struct tls_party party;
	uint32_t nodes;
	struct target target[]; /* by rank */
};

/*
 * Resolves the host name. Called before the exchange begins, because a lookup
 * may take seconds.
 */
static int
resolve(const struct address *at, struct addrinfo **list, struct hp_err *e)
{
	/* A node without a host is on this machine. */
	const char *host = at->host != NULL ? address_host(at) : "127.0.0.1";
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV };
	char port[8];
	int rc;

	if (at->port == 0)
		return hp_fail(
		    e, HP_INPUT, "%s: has no port in the cluster", at->name);
	snprintf(port, sizeof port, "%u", at->port);
	rc = getaddrinfo(host, port, &hints, list);
	if (rc == EAI_SYSTEM)
		return hp_fail_errno(e, HP_IO, "%s: %s", at->name, host);
	if (rc != 0)
		return hp_fail(e, HP_IO,
		    "%s: %s: %s (by tcp, nodes find each other by these names, "
		    "which need not be those of ssh)",
		    at->name, host, gai_strerror(rc));
	return 0;
}

/*
 * Fails if an earlier node of the cluster has the same host and the same port.
 */
static int
check_unique(const struct address *node, uint32_t i, struct hp_err *e)
{
	const char *host = node[i].host != NULL ? address_host(&node[i]) : "";
	const char *other;

	for (uint32_t j = 0; j < i; j++) {
		other = node[j].host != NULL ? address_host(&node[j]) : "";
		if (node[j].port == node[i].port && strcmp(other, host) == 0)
			return hp_fail(e, HP_INPUT,
			    "%s: has the same host and port as %s in the "
			    "cluster",
			    node[i].name, node[j].name);
	}
	return 0;
}

static int
tcp_open(struct endpoint *p, const struct address *node, uint32_t nodes,
    uint32_t me, const struct transport_options *options, struct hp_err *e)
{
	struct tcp *t = calloc(1, sizeof *t + nodes * sizeof *t->target);
	int on = 1;

	*p = (struct endpoint){
		.node = node, .me = me, .options = options, .dir = -1, .fd = -1
	};
	if ((p->state = t) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	t->nodes = nodes;
	for (uint32_t i = 0; i < nodes; i++)
		t->target[i].fd = -1;
	for (uint32_t i = 0; i < nodes; i++) {
		if (resolve(&node[i], &t->target[i].list, e) == -1 ||
		    check_unique(node, i, e) == -1)
			return -1;
		t->target[i].next = t->target[i].list;
	}
	if (tls_party_init(&t->party, node[me].name, options->key, e) == -1)
		return -1;
	p->fd = tcpsocket_listen(&node[me], t->target[me].list);
	if (p->fd == -1)
		return hp_fail_errno(
		    e, HP_IO, "%s: port %u", node[me].name, node[me].port);
	/*
	 * The peer that connects sends first. With this option the kernel
	 * reports a connection only when data have arrived. So a connection
	 * without data never enters the backlog.
	 */
	setsockopt(p->fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &on, sizeof on);
	return 0;
}

static int
tcp_accept(struct endpoint *p, struct channel *c, struct hp_err *e)
{
	struct tcp *t = p->state;
	struct sockaddr_storage from;
	socklen_t len = sizeof from;
	char peer[80];
	int fd = accept4(p->fd, (struct sockaddr *)&from, &len,
	    SOCK_NONBLOCK | SOCK_CLOEXEC);

	/*
	 * Fail only if descriptors or memory have run out, because then the
	 * error would occur again at each call.
	 */
	if (fd == -1 &&
	    (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		errno == ENOMEM))
		return hp_fail_errno(e, HP_IO, "accept");
	if (fd == -1)
		return 0;
	tcpsocket_tune(fd);
	tcpsocket_print((struct sockaddr *)&from, len, peer, sizeof peer);
	return tls_accept(&t->party, fd, peer, c, e) == -1 ? -1 : 1;
}

static void
stop(struct target *t)
{
	if (t->fd != -1)
		close(t->fd);
	t->fd = -1;
}

static void
tcp_close(struct endpoint *p)
{
	struct tcp *t = p->state;

	if (p->fd != -1)
		close(p->fd);
	p->fd = -1;
	for (uint32_t i = 0; t != NULL && i < t->nodes; i++) {
		stop(&t->target[i]);
		if (t->target[i].list != NULL)
			freeaddrinfo(t->target[i].list);
	}
	if (t != NULL)
		tls_party_fini(&t->party);
	free(t);
	p->state = NULL;
}

/*
 * Starts to connect to the next address of the host. Returns 0, or -1 with
 * errnum set.
 */
static int
start(struct target *t)
{
	const struct addrinfo *a = t->next;

	t->next = a->ai_next != NULL ? a->ai_next : t->list;
	t->since_s = clock_now_s();
	t->fd = socket(
	    a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (t->fd != -1) {
		tcpsocket_tune(t->fd);
		if (connect(t->fd, a->ai_addr, a->ai_addrlen) == 0 ||
		    errno == EINPROGRESS)
			return 0;
	}
	t->errnum = errno;
	stop(t);
	return -1;
}

/*
 * Returns 1 when the connection is made, 0 when not yet, and -1 with errnum
 * set.
 */
static int
connected(struct target *t)
{
	struct pollfd p = { .fd = t->fd, .events = POLLOUT };
	int errnum = 0;
	socklen_t len = sizeof errnum;

	if (poll(&p, 1, 0) != 1) {
		if (t->since_s + CONNECT_S >= clock_now_s())
			return 0;
		errnum = ETIMEDOUT;
	} else if (getsockopt(t->fd, SOL_SOCKET, SO_ERROR, &errnum, &len) == -1)
		errnum = errno;
	else if (errnum == 0 && tcpsocket_is_own_echo(t->fd))
		errnum = ECONNREFUSED;
	if (errnum == 0)
		return 1;
	t->errnum = errnum;
	return -1;
}

/*
 * Connects to a node. No error is final: the node may be started later than
 * this one, for example. The exchange decides how long to retry.
 */
static int
tcp_connect(struct endpoint *p, const struct address *to, struct attempt *a,
    struct channel *c, struct hp_err *e)
{
	struct tcp *tcp = p->state;
	struct target *t = &tcp->target[to - p->node];
	int rc = -1, fd;

	if (t->fd != -1 || start(t) == 0)
		rc = connected(t);
	if (rc == -1)
		stop(t);
	if (rc != 1) {
		a->errnum = t->errnum;
		a->absent = t->errnum == ECONNREFUSED;
		return 0;
	}
	fd = t->fd;
	t->fd = -1;
	t->errnum = 0;
	tcpsocket_limit_flight(fd, tcp->nodes - 1);
	return tls_connect(&tcp->party, fd, to->name, c, e) == -1 ? -1 : 1;
}

const struct transport transport_tcp = {
	.name = "tcp",
	.open = tcp_open,
	.accept = tcp_accept,
	.close = tcp_close,
	.connect = tcp_connect,
};
