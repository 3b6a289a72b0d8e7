#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "cmd.h"
#include "link/tcpsocket.h"
#include "net/relay.h"
#include "node.h"

static int
serve(const struct opts *o, struct hp_err *e)
{
	struct address here = { .name = o->serve, .dir = o->serve };

	return relay_run(
	    &here, o->link.timeout_s, STDIN_FILENO, STDOUT_FILENO, e);
}

static int
free_ports(unsigned n, struct hp_err *e)
{
	uint16_t port[OPTS_PORTS_MOST];

	if (tcp_free_ports(port, n, e) == -1)
		return -1;
	for (unsigned i = 0; i < n; i++)
		printf("%u\n", port[i]);
	return 0;
}

int
main(int argc, char *argv[])
{
	struct opts o;
	struct cluster c = { 0 };
	struct extents l = { 0 };
	struct hp_err e = { 0 };
	size_t me;
	int rc = -1;

	opts_parse(&o, argc, argv);
	if (o.free_ports > 0)
		return cmd_finish(free_ports((unsigned)o.free_ports, &e), &e);
	/*
	 * Without this, writing to a lost peer would end the process by
	 * SIGPIPE.  The write then fails with EPIPE instead.
	 */
	signal(SIGPIPE, SIG_IGN);
	io_open_many(); /* each node takes two connections and a file */
	if (o.serve != NULL) {
		rc = serve(&o, &e);
		goto out;
	}
	if (doc_cluster_read(o.cluster, &c, &e) == -1 ||
	    cluster_find(&c, o.node, &me, &e) == -1 ||
	    (o.extents != NULL &&
		doc_extents_read(o.extents, me, c.n, &l, &e) == -1))
		goto out;
	rc = node_run(&o, &c, me, &l, &e);
out:
	extents_fini(&l);
	cluster_fini(&c);
	if (rc == -1 && e.errnum == EPIPE) {
		/*
		 * The process that reads standard output has ended.  End by
		 * SIGPIPE, as other filters do.
		 */
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return cmd_finish(rc, &e);
}
