#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link/tcpsocket.h"

/*
 * Limits of the bytes in flight on network paths with a short round trip time.
 */
enum {
	FLIGHT = 3 << 20, /* limit for all connections of one node together */
	/*
	 * upper limit of the bytes in flight on one connection: two frames of
	 * data from a file
	 */
	FLIGHT_MOST = 1 << 20,
	/*
	 * Lower limit of the bytes in flight on one connection. With a smaller
	 * limit, sending a frame would take many iterations of the poll loop.
	 */
	FLIGHT_LEAST = 1 << 17,
	SHORT_US = 2000 /* round trip time of a short path */
};

enum {
	PORT_LOW = 10000,
	/* The default start of ip_local_port_range. */
	PORT_HIGH = 32768
};

static void
set(int fd, int level, int name, int value)
{
	/*
	 * Ignore errors, because the connection also works without these
	 * options.
	 */
	setsockopt(fd, level, name, &value, sizeof value);
}

/*
 * Sets the options of a connection. TCP_NODELAY is set because small messages
 * to the peer must not be delayed. SO_KEEPALIVE is set because firewalls forget
 * idle connections. TCP_USER_TIMEOUT is not set, because it also ends a
 * connection whose reader is slow (tcp(7)). The exchange itself detects silent
 * peers.
 */
void
tcpsocket_tune(int fd)
{
	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 30);
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
}

/*
 * All nodes send to all nodes at once, so a queue builds up before each link.
 * By default the queues grow until they overflow (the incast of Phanishayee et
 * al. 2008).  The more bytes a connection has in a queue, the larger is its
 * part of the link.  So a connection that lost packets early falls behind for
 * seconds.  At the end only such connections still send, and links are idle.
 *
 * On a short path, few bytes in flight are enough.  If each connection has the
 * same limit, all proceed at the same pace, and the bytes stay in the caches.
 * On long paths the kernel finds the right amount.
 */
void
tcpsocket_limit_flight(int fd, uint32_t connections)
{
	struct tcp_info info;
	socklen_t len = sizeof info;
	uint32_t flight = FLIGHT / connections;

	if (flight > FLIGHT_MOST)
		flight = FLIGHT_MOST;
	if (flight < FLIGHT_LEAST)
		flight = FLIGHT_LEAST;
	/*
	 * Set half of the value, because the kernel doubles the size of a send
	 * buffer to have space for its own records.
	 */
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
	    info.tcpi_rtt < SHORT_US)
		set(fd, SOL_SOCKET, SO_SNDBUF, (int)flight / 2);
}

static bool
is_loopback(const struct sockaddr *a)
{
	const struct sockaddr_in *in = (const void *)a;
	const struct sockaddr_in6 *in6 = (const void *)a;

	return a->sa_family == AF_INET ? ntohl(in->sin_addr.s_addr) >> 24 == 127
				       : IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

/* Returns the listening socket, or -1 with errno. */
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
 * Listens on all addresses of this host. Other nodes may use any of these
 * addresses, while the host's own name may resolve to 127.0.1.1. Only a node
 * without a host, or with a loopback address as its host, listens on the
 * loopback alone.
 */
int
tcpsocket_listen(const struct address *self, const struct addrinfo *list)
{
	unsigned char binary[sizeof(struct in6_addr)];
	const char *host = address_host(self);

	if (host == NULL ||
	    ((inet_pton(AF_INET, host, binary) == 1 ||
		 inet_pton(AF_INET6, host, binary) == 1) &&
		is_loopback(list->ai_addr)))
		return listen_at(list->ai_addr, list->ai_addrlen);
	return listen_everywhere(self->port);
}

void
tcpsocket_print(
    const struct sockaddr *a, socklen_t len, char *text, size_t size)
{
	char host[64], port[8];

	if (getnameinfo(a, len, host, sizeof host, port, sizeof port,
		NI_NUMERICHOST | NI_NUMERICSERV) == 0)
		snprintf(text, size, "%s port %s", host, port);
	else
		snprintf(text, size, "a connection");
}

/*
 * Returns whether the socket is connected to itself. If no process listens on a
 * local port, the kernel may choose this port as the source of a connection to
 * it.
 */
bool
tcpsocket_is_own_echo(int fd)
{
	struct sockaddr_storage a = { 0 }, b = { 0 };
	socklen_t alen = sizeof a, blen = sizeof b;

	return getsockname(fd, (struct sockaddr *)&a, &alen) == 0 &&
	    getpeername(fd, (struct sockaddr *)&b, &blen) == 0 &&
	    alen == blen && memcmp(&a, &b, alen) == 0;
}

int
tcp_free_ports(uint16_t *port, unsigned n, struct hp_err *e)
{
	int *fd = reallocarray(NULL, n, sizeof *fd);
	unsigned found = 0;

	if (fd == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u ports", n);
	/*
	 * Keep the sockets open until the last port is found. So no port is
	 * found twice.
	 */
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
