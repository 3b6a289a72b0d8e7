#ifndef HP_RUN_SOURCE_H
#define HP_RUN_SOURCE_H

/*
 * A sorted input of a merge: a file, a pipe, part of a file or a run in a
 * temporary file. It reads large blocks into one buffer and presents one record
 * at a time.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "record/header.h"
#include "run/feed.h"
#include "run/item.h"
#include "run/tape.h"

/*
 * A common limit for all sources of a merge. If a record is longer than the
 * buffer of its source, the buffer grows. All buffers together may grow by this
 * much memory. If only one buffer has grown, it may exceed the limit, so that
 * the merge can always continue.
 */
struct room {
	_Atomic int64_t left; /* bytes */
	_Atomic size_t grown; /* sources that have grown */
};

/*
 * Returns the memory in bytes that a source with a buffer of `bytes` bytes may
 * use. If keys are built from parts of a record (VIEW_BUILT), this includes the
 * memory for the keys of two records.
 */
static inline uint64_t
room_for(const struct view *v, uint64_t bytes)
{
	uint64_t most = 3 * v->key_most;

	if (v->kind != VIEW_BUILT)
		return bytes;
	return bytes + (3 * bytes < most ? 3 * bytes : most);
}

/*
 * Returns the largest buffer, in bytes, that a source can have if it may use
 * `room` bytes of memory in all. If keys are built from parts of a record
 * (VIEW_BUILT), a part of `room` is for the keys.
 */
static inline uint64_t
room_buffer(const struct view *v, uint64_t room)
{
	uint64_t most = 4 * v->key_most;

	if (v->kind != VIEW_BUILT)
		return room;
	return room < most ? room / 4 : room - most / 4 * 3;
}

struct source {
	const struct view *view;
	int fd;
	const char *name; /* for messages */
	bool owned;
	struct feed *feed; /* or NULL */
	off_t at; /* file offset of the next read; -1: read without seeking */
	uint64_t size; /* without seeking: io_size of the file at its opening */
	struct store *store; /* of the tape; NULL without one */
	const struct tape *tape;
	struct filter *filter; /* decompressor that feeds fd, or NULL */
	uint64_t left;

	unsigned char *buf;
	size_t cap, pos, end; /* pos: end of the current record */
	size_t seen; /* number of bytes from pos on that contain no delimiter */
	bool eof;
	struct room *room; /* limit for growth; NULL: none */
	bool grown;	   /* the buffer has grown beyond its initial size */

	struct header *header;	   /* still to be skipped, or NULL */
	struct header_sum skipped; /* the part skipped so far */

	struct item item, before; /* the current record and the previous one */
	bool put;		  /* the current record was written already */
	bool done;
	uint64_t nrec;
	struct keybuf keys[2];
};

/*
 * Opens a file of sorted records; "-" is standard input. If fd is not -1, it is
 * an open descriptor of the file: the source reads from its current offset and
 * does not close it. buffer is in bytes.
 */
int source_open(struct source *, const struct view *, const char *path, int fd,
    size_t buffer, struct hp_err *);
/*
 * Opens `bytes` bytes, from offset `at` on, of a regular file of sorted
 * records. Fails with HP_INPUT if the file is shorter.
 */
int source_open_extent(struct source *, const struct view *, const char *path,
    uint64_t at, uint64_t bytes, size_t buffer, struct hp_err *);
/*
 * Opens a pipe or another input that cannot seek. The caller owns the feed and
 * may wait for its data.
 */
int source_feed(struct source *, const struct view *, struct feed *,
    size_t buffer, struct hp_err *);
/* Opens `bytes` bytes of a file, from offset `at` on. The caller closes fd. */
int source_extent(struct source *, const struct view *, int fd, off_t at,
    uint64_t bytes, const char *name, size_t buffer, struct hp_err *);
/*
 * Opens `bytes` bytes of a run in a temporary file, from byte `from` on. A run
 * that was compressed by a program can only be read as a whole.
 */
int source_tape(struct source *, const struct view *, struct store *,
    const struct tape *, uint64_t from, uint64_t bytes, size_t buffer,
    struct hp_err *);
/* Continues with other bytes of the same file or run. The buffer is reused. */
void source_move(struct source *, uint64_t from, uint64_t bytes);
/*
 * Frees the buffer. source_resume allocates it again and continues at the
 * current record. An input that cannot seek keeps its buffer, because its data
 * cannot be read again.
 */
void source_suspend(struct source *);
int source_resume(struct source *, size_t buffer, struct hp_err *);
/* Does nothing on a zeroed struct. */
void source_close(struct source *);

/*
 * Advances to the next record, or sets `done` at the end. Returns SOURCE_EMPTY
 * if the buffer has no complete record: call source_fill and try again. Returns
 * SOURCE_DISORDER if the new record sorts before the previous record. The
 * member `before` then holds the previous record until the next source_fill.
 * Before the first record, skips the header; nrec also counts the records of
 * the header.
 */
enum {
	SOURCE_EMPTY = 1,
	SOURCE_DISORDER = 2,
	SOURCE_FULL = 3
};
int source_next(struct source *, struct hp_err *);

/*
 * Properties of the order that source_step needs. They are computed once per
 * merge, because source_step runs once per record.
 */
struct shape {
	bool quick; /* source_step can handle this order */
	bool flip;
	size_t slice; /* offset of the key's first eight bytes */
	/* A copy of the format, which the compiler can keep in registers. */
	struct format format;
};

static inline struct shape
source_shape(const struct view *v)
{
	const struct order *o = v->order;

	return (struct shape){ .quick = v->kind == VIEW_SLICE &&
		    o->slice_len >= 8 && o->slice_off < SIZE_MAX / 2,
		.flip = v->flip[0],
		.format = o->format,
		.slice = o->slice_off };
}

enum {
	/*
	 * Distance in bytes between the current record and the data to
	 * prefetch. It is long enough for the data to arrive before the merge
	 * needs it.
	 */
	STEP_AHEAD = 1 << 10,
	CACHE_LINE = 64
};

/*
 * The hardware prefetcher does not follow many inputs at once, so each source
 * prefetches its own next records.
 */
static inline void
source_prefetch(const unsigned char *at, size_t len)
{
	__builtin_prefetch(at + STEP_AHEAD);
	if (len > CACHE_LINE)
		__builtin_prefetch(at + STEP_AHEAD + CACHE_LINE);
}

/*
 * Returns true if there is a current record and `next` does not sort before it.
 * Must not be called if keys are built from parts of a record (VIEW_BUILT).
 */
bool source_rises(const struct source *, struct span next, uint64_t prefix);

/*
 * A fast version of source_next for the usual case: the next record is complete
 * and in order. Otherwise returns false and changes nothing. An `if` on the
 * length of the record selects how to load its key prefix. The processor
 * predicts this branch, so it loads the prefix before it knows where the record
 * ends.
 */
static inline bool
source_step(struct source *s, const struct shape *k)
{
	const unsigned char *at = s->buf + s->pos;
	const unsigned char *end = scan_find(
	    &k->format, at, 0, s->buf + s->end);
	uint64_t prefix;
	size_t len;

	if (end == NULL)
		return false;
	len = (size_t)(end - at);
	if (__builtin_expect(len >= k->slice + 8, 1))
		prefix = load_top(at + k->slice, 8);
	else
		prefix = span_load((struct span){ at, len }, k->slice, false);
	prefix = k->flip ? ~prefix : prefix;
	if (__builtin_expect(prefix <= s->item.prefix, 0) &&
	    !source_rises(s, (struct span){ at, len }, prefix))
		return false;
	source_prefetch(at, len);
	s->item.record = (struct span){ at, len };
	s->item.prefix = prefix;
	s->pos += len + scan_delim(&k->format);
	s->nrec++;
	return true;
}

#endif
