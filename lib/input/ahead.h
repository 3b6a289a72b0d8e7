#ifndef HP_INPUT_AHEAD_H
#define HP_INPUT_AHEAD_H

/*
 * Read-ahead: while one part of a file is sorted and written, a thread reads
 * the next part into the page cache.
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
 * Starts a thread that reads about as many bytes ahead as the current batch
 * has. The input must stay open until ahead_end.
 */
void ahead_start(struct ahead *, const struct input *);
void ahead_end(struct ahead *);

#endif
