#ifndef HP_NET_EXCHANGE_H
#define HP_NET_EXCHANGE_H

/*
 * Every node sends each other node what belongs there: an all-to-all exchange
 * of unequal parts, with every pair of nodes at work at once.
 *
 * Each ordered pair of nodes has a connection, which the sender makes.  What is
 * sent is kept, 4 MiB at most, until the receiver tells that it was handed on;
 * a receiver that has no room does not read, and its sender waits, while notes
 * in the other direction tell that it lives.  When a connection breaks, brings
 * something damaged or nothing at all, the sender makes another one, and goes
 * on with the frame that the receiver asks for.  Memory is at most about 6 MiB
 * a peer; by unix sockets what is sent lies in memory that both ends have, and
 * is not copied on its way (window.h).
 *
 * Every frame is verified where it arrives; after the last one the receiver
 * compares the totals and answers that all is stored, and no node ends well
 * before it has that answer from all others.  A node that is gone, or not heard
 * of for the timeout, is HP_LOST at each other node, by its name.
 *
 * One process a node.  One thread does all, or one sends and another receives:
 * what the experiments A.2 and A.3 of Cérin, Dubacq and Roch 2006 compare.
 */

#include "net/parts.h"
#include "link/transport.h"
#include "net/unreached.h"

struct exchange_totals {
	uint64_t records, bytes; /* that came here, this node's own included */
};

struct exchange {
	const struct transport *transport;
	const struct address *node; /* by rank */
	uint32_t nodes, me;
	struct transport_options options; /* the timeout holds for all */
	const char *path; /* file of the parts; NULL: framed standard input */
	const struct exchange_part *part;
	size_t nparts;
	const char *prefix; /* of the outputs; NULL: standard output */
	/*
	 * Directory for what another process goes on from, after this one was
	 * killed (spool.h); NULL: none.  Takes a path and a prefix.
	 */
	const char *spool;
	/* Told in one line: who was refused.  Nothing is wrong with the run. */
	void (*notice)(const char *);
	bool threads; /* one sends, one receives */
	/*
	 * Told when all is done, and before what was kept goes: who is killed
	 * between, or fails here, goes on from there.  NULL: nobody.
	 */
	int (*done)(
	    void *context, const struct exchange_totals *, struct hp_err *);
	/*
	 * Told at the beginning, and whenever it changes, which peers this node
	 * does not reach; it may fail.  By either half, one at a time.  NULL:
	 * nobody.
	 */
	int (*report)(
	    void *context, const struct unreached *, size_t n, struct hp_err *);
	void *context;
};

/*
 * SIGPIPE must be ignored.  HP_LOST: a node went away; HP_INPUT: what came in
 * was damaged; HP_IO with EPIPE: the reader of the output went away.
 */
int exchange_run(
    const struct exchange *, struct exchange_totals *, struct hp_err *);

#endif
