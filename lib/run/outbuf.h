#ifndef HP_RUN_OUTBUF_H
#define HP_RUN_OUTBUF_H

/*
 * The output buffer of one thread. If the offset of the thread's part in the
 * file is known, the thread writes at any time. Otherwise it must wait until
 * the earlier parts are written, and until then it only fills the buffer.
 *
 * Output that bypasses the page cache is written in whole pages. So a byte has
 * the same position in its page of the buffer as in its page of the file.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "kernel/entry.h"
#include "run/output.h"

struct outbuf {
	struct output *out;
	bool in_turn;
	size_t turn; /* turn number, as in output_wait */
	/* file offset of the next write; -1 before the thread's turn */
	off_t at;
	unsigned char *buf;
	size_t cap, len;
	/* number of unused bytes at the start of `buf`, before the data */
	size_t lead;
	/*
	 * When the buffer holds this many bytes, it is written, unless another
	 * thread is writing.
	 */
	size_t full;
	uint64_t bytes;
};

int outbuf_init(struct outbuf *, struct output *, size_t cap, struct hp_err *);
/*
 * Both functions begin a new part with an empty buffer. outbuf_start writes the
 * part at offset `at`. outbuf_start_in_turn writes it when turn number `turn`
 * comes.
 */
void outbuf_start(struct outbuf *, off_t at);
void outbuf_start_in_turn(struct outbuf *, size_t turn);
int outbuf_flush(struct outbuf *, struct hp_err *);
/*
 * Ends this thread's turn, so that the next thread can write. Call this after
 * outbuf_flush. Returns -1 if another thread failed.
 */
int outbuf_end(struct outbuf *);
/* Does nothing on a zeroed struct. */
void outbuf_fini(struct outbuf *);

/* Does the work of outbuf_put if the record does not fit into the buffer. */
int outbuf_put_full(struct outbuf *, struct span, int delim, struct hp_err *);

static inline void
outbuf_copy(struct outbuf *b, struct span s, int delim)
{
	unsigned char *to = b->buf + b->lead + b->len;

	memcpy(to, s.at, s.len);
	if (delim != -1)
		to[s.len] = (unsigned char)delim;
	b->len += s.len + (delim != -1);
}

/* Writes a record of any length, and a delimiter unless `delim` is -1. */
static inline int
outbuf_put(struct outbuf *b, struct span s, int delim, struct hp_err *e)
{
	size_t n = s.len + (delim != -1);

	b->bytes += n;
	if (b->full < b->len + n)
		return outbuf_put_full(b, s, delim, e);
	outbuf_copy(b, s, delim);
	return 0;
}

#endif
