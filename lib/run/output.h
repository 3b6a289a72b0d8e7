#ifndef HP_RUN_OUTPUT_H
#define HP_RUN_OUTPUT_H

/*
 * One output from many threads: a file, a pipe, or a tape of the store.  The
 * work is numbered in the order of the output; who has its number's turn learns
 * where to write.  Into a regular file or a tape a thread may pass the turn on
 * as soon as it knows how much it is going to write, and then writes while the
 * next one does, too.
 */

#include <sys/types.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "run/direct.h"
#include "run/filter.h"
#include "run/tape.h"

struct output {
	int fd;
	const char *name;
	struct store *store; /* or NULL, and a */
	struct tape *tape;
	struct filter *filter; /* to the tape by way of a program, or NULL */
	bool seekable;
	struct direct past; /* the file once more, past the page cache */
	off_t at;	    /* of the next byte; counts for pipes as well */
	off_t start;
	uint64_t sent; /* bytes that cannot be taken back: not seekable */
	uint64_t skip; /* of what comes are there already */
	bool muted;    /* only to see whether there is an error */
	pthread_mutex_t lock;
	pthread_cond_t turned;
	size_t turn;
	bool failed;
	_Atomic unsigned writing;  /* threads, into a file */
	struct progress *progress; /* or NULL */
};

void output_init(struct output *, int fd, const char *name);
/* To a new tape of the store. */
int
output_to_tape(struct output *, struct store *, struct tape *, struct hp_err *);
/*
 * From now on whole pages of a file pass by the page cache, from an address
 * that lies in a page where they do in the file; where this cannot be, or is
 * slow, they go through it after all.
 */
void output_past_cache(struct output *);
/* Leaves the descriptor's offset behind what was written, up to at. */
int output_close(struct output *, struct hp_err *);

/* Wait for turn number n: where to write, or -1 if another thread failed. */
off_t output_wait(struct output *, size_t n);
/* Pass the turn on; the next one writes from `at` on. */
void output_pass(struct output *, off_t at);
/* Nobody waits any longer. */
void output_fail(struct output *);
/* After a failure: from `at` on again.  What is in a pipe already cannot be
 * taken back: either the same comes once more, or nothing more goes there. */
void output_again(struct output *, off_t at, bool same);

/*
 * Does another thread write to the file?  The kernel lets in one at a time, and
 * a second one spins until then.
 */
bool output_is_busy(const struct output *);
/* Write n bytes, at `at` if it is seekable. */
int output_write(
    struct output *, const void *, size_t n, off_t at, struct hp_err *);

#endif
