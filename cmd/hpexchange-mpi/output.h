#ifndef HP_CMD_HPEXCHANGE_MPI_OUTPUT_H
#define HP_CMD_HPEXCHANGE_MPI_OUTPUT_H

/*
 * The thread that verifies the frames for this node and writes their records to
 * the outputs.
 */

#include <pthread.h>

#include "flow.h"
#include "net/sink.h"

/*
 * Starts the writer thread.  When it has written the records of all nodes, it
 * sets `stored` of the flow.
 */
struct output {
	struct flow *flow;
	/* open sink; only the writer uses it until `stored` is set */
	struct sink *sink;
	pthread_t thread;
};

int output_start(struct output *, struct hp_err *);

#endif
