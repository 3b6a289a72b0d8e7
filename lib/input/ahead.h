#ifndef HP_INPUT_AHEAD_H
#define HP_INPUT_AHEAD_H

/*
 * Reading ahead: a thread brings the next batch of a file into the page cache
 * while the batch before it is sorted and written.
 */

#include <sys/types.h>

#include <pthread.h>
#include <stdbool.h>

#include "input/input.h"

struct ahead {
	int fd;
	off_t at, end;
	pthread_t thread;
	bool runs;
};

/* Begins to read about as many bytes as this batch has.  The input stays open
 * until ahead_end. */
void ahead_start(struct ahead *, const struct input *);
void ahead_end(struct ahead *);

#endif
