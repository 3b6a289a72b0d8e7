#ifndef HP_CMD_HPEXCHANGE_MPI_INPUT_H
#define HP_CMD_HPEXCHANGE_MPI_INPUT_H

/* The thread that reads the input of a node and makes the frames. */

#include <pthread.h>

#include "flow.h"

int input_start(pthread_t *, struct flow *, struct hp_err *);

#endif
