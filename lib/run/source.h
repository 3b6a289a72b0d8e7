#ifndef HP_RUN_SOURCE_H
#define HP_RUN_SOURCE_H

/*
 * One sorted input of a merge, read ahead by large blocks, and the record that
 * is its turn.
 */

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "run/feed.h"
#include "run/item.h"
#include "run/tape.h"

/*
 * What the buffers of some sources may grow by, all together, when there are
 * records that are longer than they are.  The only one that grows may always.
 */
struct room {
	_Atomic int64_t left; /* bytes */
	_Atomic size_t grown; /* sources that took some of it */
};

/* What a buffer may take, with the keys of two records in it. */
static inline uint64_t
room_for(const struct view *v, uint64_t bytes)
{
	uint64_t most = 3 * v->key_most;

	if (v->kind != VIEW_BUILT)
		return bytes;
	return bytes + (3 * bytes < most ? 3 * bytes : most);
}

/* The buffer that so much is for. */
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
	struct feed *feed; /* or NULL, and a descriptor or a tape */
	off_t at; /* where to read next, or -1: where the descriptor is */
	struct store *store; /* or NULL, and a */
	const struct tape *tape;
	struct filter *filter; /* that writes what is read, or NULL */
	uint64_t left;

	unsigned char *map;   /* all of the file, borrowed, or NULL */
	unsigned char *buf;   /* in it, then */
	size_t cap, pos, end; /* pos: behind the present record */
	size_t seen;	      /* bytes from pos on without a delimiter */
	bool eof;
	struct room *room; /* or NULL: as much as there is */
	bool grown;	   /* took some of it */

	struct item item, before; /* the present record, the one before it */
	bool put;		  /* item was merged already */
	bool done;
	uint64_t nrec;
	struct keybuf keys[2];
};

/*
 * Open a file of sorted records, "-" for standard input.  fd: a descriptor of
 * the file that is read from where it stands, and stays the caller's; -1 for
 * none.
 */
int source_open(struct source *, const struct view *, const char *path, int fd,
    size_t buffer, struct hp_err *);
/*
 * Open `bytes` bytes from `at` on of a regular file of sorted records. HP_INPUT
 * if the file has no such bytes.
 */
int source_open_extent(struct source *, const struct view *, const char *path,
    uint64_t at, uint64_t bytes, size_t buffer, struct hp_err *);
/* A feed, which stays the caller's: it may be waited for. */
int source_feed(struct source *, const struct view *, struct feed *,
    size_t buffer, struct hp_err *);
/* `bytes` bytes from `at` on of a file, which stays the caller's. */
int source_extent(struct source *, const struct view *, int fd, off_t at,
    uint64_t bytes, const char *name, size_t buffer, struct hp_err *);
/* The same of a run in the store; all of it, if a program packed it. */
int source_tape(struct source *, const struct view *, struct store *,
    const struct tape *, uint64_t from, uint64_t bytes, size_t buffer,
    struct hp_err *);
/* A file that is mapped as a whole; source_move says which bytes of it. */
void source_mapped(
    struct source *, const struct view *, unsigned char *map, const char *name);
/* Other bytes of the same file or run, into the same buffer. */
void source_move(struct source *, uint64_t from, uint64_t bytes);
/*
 * Gives the memory back until source_go_on, which begins with the present
 * record; but what cannot be sought in keeps all that was read.
 */
void source_rest(struct source *);
int source_go_on(struct source *, size_t buffer, struct hp_err *);
/* Harmless on a zeroed struct. */
void source_close(struct source *);

/*
 * Go to the next record, which becomes item, or set done.  SOURCE_EMPTY when
 * this needs another source_fill; SOURCE_DISORDER when the new record belongs
 * before the one that was there, which is `before` as long as the buffer stays.
 */
enum {
	SOURCE_EMPTY = 1,
	SOURCE_DISORDER = 2,
	SOURCE_FULL = 3
};
int source_next(struct source *, struct hp_err *);

/* What source_step looks at for each record, the same for all of a merge. */
struct shape {
	bool quick; /* it has something to do */
	bool lines, flip;
	unsigned char delim;
	size_t size;  /* unless they are lines */
	size_t slice; /* where the first eight bytes of the key are */
};

static inline struct shape
source_shape(const struct view *v)
{
	const struct order *o = v->order;

	return (struct shape){ .quick = v->kind == VIEW_SLICE &&
		    o->slice_len >= 8 && o->slice_off < SIZE_MAX / 2,
		.lines = o->format.kind == FORMAT_LINE,
		.flip = v->flip[0],
		.delim = o->format.delim,
		.size = o->format.size,
		.slice = o->slice_off };
}

enum {
	STEP_AHEAD = 1 << 10, /* bytes, which take some records' time to come */
	CACHE_LINE = 64
};

/* No processor foresees what comes next from each of many inputs. */
static inline void
source_prefetch(const unsigned char *at, size_t len)
{
	__builtin_prefetch(at + STEP_AHEAD);
	if (len > CACHE_LINE)
		__builtin_prefetch(at + STEP_AHEAD + CACHE_LINE);
}

/* Is there a record, and does another one belong behind it?  Not VIEW_BUILT. */
bool source_rises(const struct source *, struct span next, uint64_t prefix);

/*
 * What source_next does where the next record is there in full and not out of
 * order; false, and nothing is done, where it is not.  The prefix must not wait
 * for where the record ends, as all that a merge does next waits for it: so a
 * branch that is foreseen tells whether the record is long enough.
 */
static inline bool
source_step(struct source *s, const struct shape *k)
{
	const unsigned char *at = s->buf + s->pos, *end;
	size_t have = s->end - s->pos, len = k->size;
	uint64_t prefix;

	if (k->lines) {
		if ((end = memchr(at, k->delim, have)) == NULL)
			return false;
		len = (size_t)(end - at);
	} else if (have < len)
		return false;
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
	s->pos += len + k->lines;
	s->nrec++;
	return true;
}

/* One read into the buffer, which waits if it must; SOURCE_FULL when there is
 * no room for it. */
int source_fill(struct source *, struct hp_err *);
/* Is there room for a read, and may there be something to read? */
bool source_wants(const struct source *);

#endif
