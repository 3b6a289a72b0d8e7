#ifndef HP_CMD_HPEXCHANGE_MPI_OUTPUT_H
#define HP_CMD_HPEXCHANGE_MPI_OUTPUT_H

/* The thread that checks the frames for a node and writes their records. */

#include <pthread.h>

#include "flow.h"
#include "net/sink.h"

/* Starts the thread.  It sets `stored` when it has written everything. */
struct output {
	struct flow *flow;
	struct sink *sink; /* open; only the thread uses it until `stored` */
	pthread_t thread;
};

int output_start(struct output *, struct hp_err *);

#endif
