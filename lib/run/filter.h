#ifndef HP_RUN_FILTER_H
#define HP_RUN_FILTER_H

/*
 * The program of --compress-program, with the conventions of sort(1): PROG
 * compresses and PROG -d decompresses, from standard input to standard output.
 * The compressed data is stored on a tape, that is, in blocks of temporary
 * files. If a disk is full, the next blocks go to another directory.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "run/tape.h"

struct filter;

/*
 * Starts the compression program. The program compresses the bytes given to
 * filter_write, and its output is stored on a new tape.
 */
struct filter *filter_pack(struct store *, struct tape *, struct hp_err *);
int filter_write(struct filter *, const void *, size_t n, struct hp_err *);
/*
 * Ends the compression. Call this after the last byte. `bytes` is the
 * uncompressed size. Waits for the program and frees the filter. Returns -1 if
 * the tape is not complete.
 */
int filter_end(struct filter *, uint64_t bytes, struct hp_err *);

/*
 * Starts a program that decompresses the tape. The caller reads the output of
 * the program from *out.
 */
struct filter *
filter_unpack(struct store *, const struct tape *, int *out, struct hp_err *);
/*
 * Ends the decompression. Call this after the last byte was read. Fails unless
 * the program has written nothing more and exited with status 0. `all` means
 * that the caller has read as many bytes as the run should have. Even then the
 * exit status is checked, because some programs report damaged input only by
 * their exit status.
 */
int filter_done(struct filter *, bool all, struct hp_err *);
/*
 * Stops the program and frees a filter that is not needed any more. Does
 * nothing for NULL.
 */
void filter_stop(struct filter *);

#endif
