#ifndef HP_RUN_OUTBUF_H
#define HP_RUN_OUTBUF_H

/*
 * A buffer of one thread before an output, from a place of it on, or from where
 * the output is at a turn.  The buffer is all that is filled before that.  What
 * passes by the page cache lies in it as in the file's pages.
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
	size_t turn; /* number */
	off_t at;    /* where in it the next bytes go; -1 before the turn */
	unsigned char *buf;
	size_t cap, len;
	size_t lead; /* bytes of a page before those in the buffer */
	size_t full; /* bytes to be written, unless another thread writes */
	uint64_t bytes;
};

int outbuf_init(struct outbuf *, struct output *, size_t cap, struct hp_err *);
/* From here on: a place, or that of a turn. */
void outbuf_start(struct outbuf *, off_t at);
void outbuf_start_in_turn(struct outbuf *, size_t turn);
int outbuf_flush(struct outbuf *, struct hp_err *);
/* All was flushed: the next one's turn.  -1 when another thread failed. */
int outbuf_end(struct outbuf *);
/* Harmless on a zeroed struct. */
void outbuf_fini(struct outbuf *);

/* What outbuf_put does without room, or for more than the buffer has ever. */
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

/* A record of any length, and a delimiter behind it or -1. */
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
