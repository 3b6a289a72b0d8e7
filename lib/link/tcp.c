#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "link/tls.h"
#include "link/transport.h"

/*
 * With one address of a host.  After each second a node that was cut off is
 * tried anew: the kernel would wait ever longer between its tries.
 */
static const double PATIENCE_S = 1;

/* Bytes that are under way on short paths. */
enum {
	FLIGHT = 3 << 20,	/* from one node to all others, */
	FLIGHT_MOST = 1 << 20,	/* and to one of them: two frames of a file; */
	FLIGHT_LEAST = 1 << 17, /* or a frame would take many turns */
	SHORT_US = 2000
};

enum {
	PORT_LOW = 10000,
	PORT_HIGH =
	    32768 /* from here on for outgoing connections, by default */
};

/* A node as it is dialed. */
struct target {
	struct addrinfo *list, *next; /* addresses; the one to try next */
	int fd;			      /* on its way there; -1: none is */
	int errnum;		      /* what the last try came to */
	double since_s;
};

struct tcp {
	struct tls_party party;
	uint32_t nodes;
	struct target target[]; /* by rank */
};

static void
set(int fd, int level, int name, int value)
{
	/* None of them matters so much that it is worth failing. */
	setsockopt(fd, level, name, &value, sizeof value);
}

/*
 * Notes are small and do not wait for more.  Keepalive is for the boxes on the
 * way that forget a connection which rests.  TCP_USER_TIMEOUT is not set: it
 * also ends a connection whose reader is alive and slow (tcp(7)), and who is
 * silent is found by the exchange itself.
 */
static void
tune(int fd)
{
	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 30);
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
}

/*
 * All send to all at once, so that before each link there is a queue.  The
 * kernel lets them grow until they overflow (the incast of Phanishayee et al.
 * 2008), and since who has much in a queue gets much of the link, a connection
 * that lost something early stays behind the others for seconds; they end
 * before it, and then links are idle.  On a short path a link is full with
 * little under way, and with as much for each all go at the same pace; it also
 * stays in the caches.  What a long path holds is for the kernel to find out.
 */
static void
limit_flight(int fd, uint32_t others)
{
	struct tcp_info info;
	socklen_t len = sizeof info;
	uint32_t flight = FLIGHT / others;

	if (flight > FLIGHT_MOST)
		flight = FLIGHT_MOST;
	if (flight < FLIGHT_LEAST)
		flight = FLIGHT_LEAST;
	/* The kernel doubles it, for what it needs beside the bytes. */
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
	    info.tcpi_rtt < SHORT_US)
		set(fd, SOL_SOCKET, SO_SNDBUF, (int)flight / 2);
}

/*
 * Before all else, because it waits: for the names of hosts it may take
 * seconds.
 */
static int
resolve(const struct address *at, struct addrinfo **list, struct hp_err *e)
{
	/* Without a host it is on this machine. */
	const char *host = at->host != NULL ? at->host : "127.0.0.1";
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV };
	char port[8];
	int rc;

	if (at->port == 0)
		return hp_fail(
		    e, HP_INPUT, "%s: the cluster gives it no port", at->name);
	snprintf(port, sizeof port, "%u", at->port);
	rc = getaddrinfo(host, port, &hints, list);
	if (rc == EAI_SYSTEM)
		return hp_fail_errno(e, HP_IO, "%s: %s", at->name, host);
	if (rc != 0)
		return hp_fail(
		    e, HP_IO, "%s: %s: %s", at->name, host, gai_strerror(rc));
	return 0;
}

/* Whether no node before this one has its place. */
static int
check_place(const struct address *node, uint32_t i, struct hp_err *e)
{
	const char *host = node[i].host != NULL ? node[i].host : "";

	for (uint32_t j = 0; j < i; j++)
		if (node[j].port == node[i].port &&
		    strcmp(node[j].host != NULL ? node[j].host : "", host) == 0)
			return hp_fail(e, HP_INPUT,
			    "%s: the cluster gives it the port of %s",
			    node[i].name, node[j].name);
	return 0;
}

static bool
is_loopback(const struct sockaddr *a)
{
	const struct sockaddr_in *in = (const void *)a;
	const struct sockaddr_in6 *in6 = (const void *)a;

	return a->sa_family == AF_INET ? ntohl(in->sin_addr.s_addr) >> 24 == 127
				       : IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

/* Listens, or returns -1 with errno. */
static int
listen_at(const struct sockaddr *a, socklen_t len)
{
	int fd = socket(
	    a->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int errnum;

	if (fd == -1)
		return -1;
	set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (a->sa_family == AF_INET6)
		set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
	if (bind(fd, a, len) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	errnum = errno;
	close(fd);
	errno = errnum;
	return -1;
}

static int
listen_everywhere(uint16_t port)
{
	struct sockaddr_in6 any6 = { .sin6_family = AF_INET6,
		.sin6_addr = IN6ADDR_ANY_INIT,
		.sin6_port = htons(port) };
	struct sockaddr_in any = { .sin_family = AF_INET,
		.sin_port = htons(port) };
	int fd = listen_at((const void *)&any6, sizeof any6);

	if (fd == -1 && errno != EADDRINUSE) /* no IPv6 here */
		fd = listen_at((const void *)&any, sizeof any);
	return fd;
}

/*
 * On all addresses: which of them the others come by is not for us to know, and
 * a machine may well call itself 127.0.1.1.  Only who is given as an address of
 * the loopback, or as nothing, is not to be reached from elsewhere.
 */
static int
listen_as(const struct address *self, const struct addrinfo *list)
{
	unsigned char binary[sizeof(struct in6_addr)];

	if (self->host == NULL ||
	    ((inet_pton(AF_INET, self->host, binary) == 1 ||
		 inet_pton(AF_INET6, self->host, binary) == 1) &&
		is_loopback(list->ai_addr)))
		return listen_at(list->ai_addr, list->ai_addrlen);
	return listen_everywhere(self->port);
}

static int
tcp_open(struct door *d, const struct address *node, uint32_t nodes,
    uint32_t me, const struct transport_options *options, struct hp_err *e)
{
	struct tcp *t = calloc(1, sizeof *t + nodes * sizeof *t->target);

	*d = (struct door){
		.node = node, .me = me, .options = options, .dir = -1, .fd = -1
	};
	if ((d->tcp = t) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	t->nodes = nodes;
	for (uint32_t i = 0; i < nodes; i++)
		t->target[i].fd = -1;
	for (uint32_t i = 0; i < nodes; i++) {
		if (resolve(&node[i], &t->target[i].list, e) == -1 ||
		    check_place(node, i, e) == -1)
			return -1;
		t->target[i].next = t->target[i].list;
	}
	if (tls_party_init(&t->party, node[me].name, options->key, e) == -1)
		return -1;
	if ((d->fd = listen_as(&node[me], t->target[me].list)) == -1)
		return hp_fail_errno(
		    e, HP_IO, "%s: port %u", node[me].name, node[me].port);
	/*
	 * Who connects and says nothing is not worth a seat: whom we wait for
	 * speaks first.
	 */
	set(d->fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, 1);
	return 0;
}

static int
tcp_poll_fd(const struct door *d)
{
	return d->fd;
}

/* Where somebody comes from, for people to read. */
static void
print_address(const struct sockaddr *a, socklen_t len, char *text, size_t size)
{
	char host[64], port[8];

	if (getnameinfo(a, len, host, sizeof host, port, sizeof port,
		NI_NUMERICHOST | NI_NUMERICSERV) == 0)
		snprintf(text, size, "%s port %s", host, port);
	else
		snprintf(text, size, "a connection");
}

static int
tcp_accept(struct door *d, struct channel *c, struct hp_err *e)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof from;
	char peer[80];
	int fd = accept4(d->fd, (struct sockaddr *)&from, &len,
	    SOCK_NONBLOCK | SOCK_CLOEXEC);

	/* Only what would go on for ever is trouble. */
	if (fd == -1 &&
	    (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		errno == ENOMEM))
		return hp_fail_errno(e, HP_IO, "accept");
	if (fd == -1)
		return 0;
	tune(fd);
	print_address((struct sockaddr *)&from, len, peer, sizeof peer);
	return tls_accept(&d->tcp->party, fd, peer, c, e) == -1 ? -1 : 1;
}

static void
hang_up(struct target *t)
{
	if (t->fd != -1)
		close(t->fd);
	t->fd = -1;
}

static void
tcp_close(struct door *d)
{
	if (d->fd != -1)
		close(d->fd);
	d->fd = -1;
	for (uint32_t i = 0; d->tcp != NULL && i < d->tcp->nodes; i++) {
		hang_up(&d->tcp->target[i]);
		if (d->tcp->target[i].list != NULL)
			freeaddrinfo(d->tcp->target[i].list);
	}
	if (d->tcp != NULL)
		tls_party_fini(&d->tcp->party);
	free(d->tcp);
	d->tcp = NULL;
}

/* Sets out for the next address. */
static int
set_out(struct target *t)
{
	const struct addrinfo *a = t->next;

	t->next = a->ai_next != NULL ? a->ai_next : t->list;
	t->since_s = clock_now_s();
	t->fd = socket(
	    a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (t->fd != -1) {
		tune(t->fd);
		if (connect(t->fd, a->ai_addr, a->ai_addrlen) == 0 ||
		    errno == EINPROGRESS)
			return 0;
	}
	t->errnum = errno;
	hang_up(t);
	return -1;
}

/*
 * A port of this machine that nobody listens at may be given to the very
 * connection that goes there, which then comes from itself.
 */
static bool
is_echo(int fd)
{
	struct sockaddr_storage a = { 0 }, b = { 0 };
	socklen_t alen = sizeof a, blen = sizeof b;

	return getsockname(fd, (struct sockaddr *)&a, &alen) == 0 &&
	    getpeername(fd, (struct sockaddr *)&b, &blen) == 0 &&
	    alen == blen && memcmp(&a, &b, alen) == 0;
}

/* Whether it arrived: 1, 0 for not yet, or -1 that it cannot. */
static int
arrived(struct target *t)
{
	struct pollfd p = { .fd = t->fd, .events = POLLOUT };
	int errnum = 0;
	socklen_t len = sizeof errnum;

	if (poll(&p, 1, 0) != 1) {
		if (t->since_s + PATIENCE_S >= clock_now_s())
			return 0;
		errnum = ETIMEDOUT;
	} else if (getsockopt(t->fd, SOL_SOCKET, SO_ERROR, &errnum, &len) == -1)
		errnum = errno;
	else if (errnum == 0 && is_echo(t->fd))
		errnum = ECONNREFUSED;
	if (errnum == 0)
		return 1;
	t->errnum = errnum;
	return -1;
}

/*
 * What keeps a connection from coming about may pass, and does when a node is
 * started later than we are: how long to try is for the exchange to say.
 */
static int
tcp_dial(struct door *d, const struct address *to, struct channel *c,
    struct hp_err *e)
{
	struct target *t = &d->tcp->target[to - d->node];
	int rc = -1, fd;

	if (t->fd != -1 || set_out(t) == 0)
		rc = arrived(t);
	if (rc == -1)
		hang_up(t);
	if (rc != 1) {
		d->obstacle = t->errnum;
		d->gone = t->errnum == ECONNREFUSED;
		return 0;
	}
	fd = t->fd;
	t->fd = -1;
	t->errnum = 0;
	limit_flight(fd, d->tcp->nodes - 1);
	return tls_connect(&d->tcp->party, fd, to->name, c, e) == -1 ? -1 : 1;
}

const struct transport transport_tcp = {
	.name = "tcp",
	.open = tcp_open,
	.poll_fd = tcp_poll_fd,
	.accept = tcp_accept,
	.close = tcp_close,
	.dial = tcp_dial,
};

int
tcp_free_ports(uint16_t *port, unsigned n, struct hp_err *e)
{
	int *fd = reallocarray(NULL, n, sizeof *fd);
	unsigned found = 0;

	if (fd == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u ports", n);
	/* All are held until the last is found, so that they differ. */
	for (unsigned tries = 0; found < n && tries < 100 + 10 * n; tries++) {
		port[found] = (uint16_t)(PORT_LOW +
		    arc4random_uniform(PORT_HIGH - PORT_LOW));
		if ((fd[found] = listen_everywhere(port[found])) != -1)
			found++;
	}
	for (unsigned i = 0; i < found; i++)
		close(fd[i]);
	free(fd);
	if (found < n)
		return hp_fail_errno(e, HP_IO, "no free port");
	return 0;
}
