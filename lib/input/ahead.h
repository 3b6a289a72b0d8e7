#ifndef HP_INPUT_AHEAD_H
#define HP_INPUT_AHEAD_H

/*
 * The next batch of the input comes from the disk to the page cache while the
 * one before it is sorted and written.
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

/* About as much as was handed out of the input, which must stay open. */
void ahead_start(struct ahead *, const struct input *);
void ahead_end(struct ahead *);

#endif
