#ifndef HP_RUN_OUTPUT_H
#define HP_RUN_OUTPUT_H

/*
 * One output that many threads write: a file, a pipe or a tape. Its parts are
 * numbered in order, and each part has a turn. output_wait returns the offset
 * when the turn comes. For a regular file or a tape, a thread that knows the
 * size of its part can pass the turn on before it writes. Several threads then
 * write at once.
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
	struct store *store; /* of the tape; NULL without one */
	struct tape *tape;
	/* program that compresses the data for the temporary file, or NULL */
	struct filter *filter;
	bool seekable;
	/* A second descriptor of the file, opened with O_DIRECT. */
	struct direct uncached;
	/* offset of the next byte to write; it is counted for pipes, too */
	off_t at;
	off_t start;
	/*
	 * number of bytes written to a pipe; the reader may have them already,
	 * so they cannot be replaced
	 */
	uint64_t sent;
	/*
	 * If the merge starts again: number of bytes that are not written
	 * again, because the pipe already has them.
	 */
	uint64_t skip;
	/*
	 * Write nothing more. The merge still runs, to find the error in the
	 * input.
	 */
	bool discards;
	pthread_mutex_t lock;
	pthread_cond_t turned;
	size_t turn;
	bool failed;
	/* Number of threads that are writing to the file. */
	_Atomic unsigned writing;
	struct progress *progress; /* or NULL */
};

void output_init(struct output *, int fd, const char *name);
/*
 * Prepares an output to a new tape of the store, that is, to a new run in the
 * temporary files.
 */
int
output_to_tape(struct output *, struct store *, struct tape *, struct hp_err *);
/*
 * Bypasses the page cache for whole pages. This needs buffers that are aligned
 * like the file. The page cache is used after all if the disk is slow or
 * refuses direct writes.
 */
void output_past_cache(struct output *);
/*
 * Releases the output. The file offset of the descriptor is then at the end of
 * the data.
 */
int output_close(struct output *, struct hp_err *);

/*
 * Waits until parts 0 to n - 1 are written. Returns the offset at which to
 * write part n, or -1 if another thread failed.
 */
off_t output_wait(struct output *, size_t n);
/* Lets the thread of the next part write, at offset `at`. */
void output_pass(struct output *, off_t at);
/* Marks the output as failed and wakes all threads that wait. */
void output_fail(struct output *);
/*
 * Starts again at offset `at` after a failure. Data that was written to a pipe
 * cannot be taken back. If the caller writes the same data again (`same`), the
 * bytes that the pipe has are skipped. Otherwise nothing more is written.
 */
void output_again(struct output *, off_t at, bool same);

/*
 * Returns true if another thread is writing to the file. The kernel lets one
 * thread at a time write, and a second thread would spin.
 */
bool output_is_busy(const struct output *);
/* Writes n bytes, at offset `at` if the output is seekable. */
int output_write(
    struct output *, const void *, size_t n, off_t at, struct hp_err *);

#endif
