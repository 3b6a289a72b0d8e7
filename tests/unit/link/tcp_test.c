/*
 * Connections of the tcp transport: both ends in one process, over the loopback
 * interface.
 */

#include <sys/socket.h>

#include <signal.h>
#include <time.h>

#include "link/tcp.h"
#include "link/tcpsocket.h"
#include "test.h"

enum {
	NODES_MOST = 10
};

/* Connects from this endpoint to node 1, which listens. */
static void
connect_to_1(struct endpoint *from, struct channel *c)
{
	struct timespec nap = { .tv_nsec = 1000000 };
	struct attempt a = { .known = false };
	struct hp_err e;
	int rc;

	while (
	    (rc = transport_tcp.connect(from, &from->node[1], &a, c, &e)) == 0)
		nanosleep(&nap, NULL);
	CHECK_EQ_I64(rc, 1);
}

/* Connects node 0 to node 1 in an exchange of `nodes` nodes. Returns the size
 * of the kernel's send buffer in bytes. */
static int
kept_by_kernel(uint32_t nodes)
{
	struct jobkey key = { .len = JOBKEY_MIN };
	struct transport_options options = { .timeout_s = 10, .key = &key };
	struct address node[NODES_MOST] = { 0 };
	uint16_t port[NODES_MOST];
	struct endpoint from, to;
	struct channel c = CHANNEL_NONE, again = CHANNEL_NONE;
	unsigned before = test_descriptors();
	struct hp_err e;
	int bytes = 0;
	socklen_t len = sizeof bytes;

	CHECK(tcp_free_ports(port, nodes, &e) == 0);
	for (uint32_t i = 0; i < nodes; i++)
		node[i] = (struct address){ .name = "any", .port = port[i] };
	CHECK(transport_tcp.open(&from, node, nodes, 0, &options, &e) == 0);
	CHECK(transport_tcp.open(&to, node, nodes, 1, &options, &e) == 0);
	connect_to_1(&from, &c);
	CHECK(getsockopt(c.fd, SOL_SOCKET, SO_SNDBUF, &bytes, &len) == 0);
	/* After a broken connection, the next one is new. */
	connect_to_1(&from, &again);
	CHECK(c.fd != again.fd);
	channel_close(&c);
	CHECK(getsockopt(again.fd, SOL_SOCKET, SO_SNDBUF, &bytes, &len) == 0);
	channel_close(&again);
	transport_tcp.close(&from);
	transport_tcp.close(&to);
	CHECK_EQ_U64(test_descriptors(), before);
	return bytes;
}

/*
 * Send buffers are limited, so that the kernel does not queue all data of a
 * node.
 */
static void
few_unsent_bytes_are_queued_in_the_kernel(void)
{
	CHECK(kept_by_kernel(2) <= 1 << 20);
	CHECK(kept_by_kernel(NODES_MOST) <= (3 << 20) / (NODES_MOST - 1));
}

/* Opens an endpoint of node 0; returns the text of the error. */
static const char *
open_error(struct address *node, uint32_t n)
{
	static struct hp_err e;
	struct jobkey key = { .len = JOBKEY_MIN };
	struct transport_options options = { .timeout_s = 10, .key = &key };
	struct endpoint p;
	uint16_t port[1];

	e = (struct hp_err){ 0 };
	CHECK_EQ_I64(tcp_free_ports(port, 1, &e), 0);
	for (uint32_t i = 0; i < n; i++)
		if (node[i].port == 0)
			node[i].port = port[0];
	if (transport_tcp.open(&p, node, n, 0, &options, &e) == 0)
		e.text[0] = '\0';
	else
		CHECK_EQ_U64(e.kind, HP_INPUT);
	transport_tcp.close(&p);
	return e.text;
}

static void
each_node_has_an_address_of_its_own(void)
{
	unsigned before = test_descriptors();

	CHECK_EQ_STR(open_error((struct address[]){ { .name = "a" },
				    { .name = "b", .port = 9 },
				    { .name = "c", .port = 9 } },
			 3),
	    "c: has the same host and port as b in the cluster");
	CHECK_EQ_STR(
	    open_error(
		(struct address[]){ { .name = "a" }, { .name = "b" } }, 2),
	    "b: has the same host and port as a in the cluster");
	CHECK_EQ_STR(open_error((struct address[]){ { .name = "a" },
				    { .name = "b", .host = "127.0.0.1" },
				    { .name = "c", .host = "127.0.0.1" } },
			 3),
	    "c: has the same host and port as b in the cluster");
	CHECK_EQ_STR(open_error((struct address[]){ { .name = "a" },
				    { .name = "b", .host = "127.0.0.1" },
				    { .name = "c", .host = "127.0.0.2" },
				    { .name = "d", .port = 9 } },
			 4),
	    "");
	CHECK_EQ_U64(test_descriptors(), before);
}

int
main(void)
{
	signal(SIGPIPE, SIG_IGN);
	RUN(few_unsent_bytes_are_queued_in_the_kernel);
	RUN(each_node_has_an_address_of_its_own);
	return test_done();
}
