#ifndef HP_INPUT_AHEAD_H
#define HP_INPUT_AHEAD_H

/*
 * Read-ahead: a thread reads the next batch of a file into the page cache while
 * the current batch is sorted and written.
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

/*
 * Starts to read about as many bytes as the current batch has. The input must
 * stay open until ahead_end.
 */
void ahead_start(struct ahead *, const struct input *);
void ahead_end(struct ahead *);

#endif
