#ifndef HP_NET_EXCHANGE_H
#define HP_NET_EXCHANGE_H

/*
 * The exchange: every node sends each other node the records that belong there.
 * All pairs of nodes exchange data at the same time, in unequal amounts.
 *
 * Each ordered pair of nodes has a connection, which the sender makes.  The
 * sender keeps sent frames in a window of 4 MiB until the receiver acknowledges
 * them.  A receiver without room does not read, so its sender waits.  Meanwhile
 * the receiver sends notes, which show that it is alive.  When a connection
 * breaks, is silent or delivers damaged bytes, the sender makes a new one.  The
 * sender continues with the frame for which the receiver asks.
 *
 * Memory is at most about 6 MiB for each peer.  With unix sockets sent frames
 * are in shared memory and are not copied (window.h).
 *
 * The receiver verifies each frame, and at the end the totals.  Finally it
 * tells each sender that all data are stored.  A node succeeds only when all
 * other nodes have told it so.  If a node is gone, or silent for the timeout,
 * all other nodes fail with HP_LOST.
 *
 * One process is one node.  One thread does all the work, or one thread sends
 * and another receives.  Experiments A.2 and A.3 of Cérin, Dubacq and Roch 2006
 * compare the two.
 */

#include "link/transport.h"
#include "net/parts.h"
#include "net/unreached.h"

struct exchange_totals {
	/* received from all nodes, including this one */
	uint64_t records, bytes;
};

struct exchange {
	const struct transport *transport;
	const struct address *node; /* by rank */
	uint32_t nodes, me;
	struct transport_options options; /* its timeout is that of all waits */
	const char *path; /* input file; NULL: framed standard input */
	const struct exchange_part *part; /* extents of the input file */
	size_t nparts;
	/*
	 * a checksum for each element of `part`, initialized by the caller;
	 * NULL: compute no checksums
	 */
	struct part_sum *sum;
	const char *prefix; /* of the output files; NULL: standard output */
	uint64_t most;	    /* bytes that a node may send to this one; 0: any */
	/*
	 * The spool directory (spool.h). If this process is killed, a new
	 * process resumes from it. NULL: the exchange cannot be resumed. A
	 * spool requires that `path` and `prefix` are set.
	 */
	const char *spool;
	/*
	 * Prints a note for the user. A note reports an event that is no
	 * failure.
	 */
	void (*notice)(const char *);
	bool threads; /* one sends, one receives */
	/*
	 * Called when the exchange is complete, before the spool is removed. If
	 * the function fails, or the process is killed before the function
	 * ends, a new process can resume. NULL: no call.
	 */
	int (*done)(
	    void *context, const struct exchange_totals *, struct hp_err *);
	/*
	 * Called at the start, and whenever the list of unreached peers
	 * changes, but never by two threads at once. NULL: no call.
	 */
	int (*report)(
	    void *context, const struct unreached *, size_t n, struct hp_err *);
	void *context;
};

/*
 * Runs the exchange. The caller must ignore SIGPIPE. Fails with HP_LOST when a
 * node is lost, and with HP_INPUT when the input is damaged. Fails with HP_IO
 * and EPIPE when the reader of the output has ended.
 */
int exchange_run(
    const struct exchange *, struct exchange_totals *, struct hp_err *);

#endif
