#ifndef HP_INPUT_INPUT_H
#define HP_INPUT_INPUT_H

/*
 * The input of a sort: the files one after the other, in blocks of whole
 * records that stay where they are until input_forget.
 *
 * Regular files are mapped, in a row, so that addresses grow with the order of
 * the input; anything else is read into one stretch of memory, to the same
 * effect.  Every byte handed out is resident, mapped or not, and counts.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "kernel/entry.h"
#include "kernel/pile.h"
#include "record/format.h"
#include "record/header.h"

struct extent {
	uint64_t off, bytes; /* UINT64_MAX: to the end */
};

struct piece { /* a mapped file */
	unsigned char *start, *end;
	const char *name;
	int fd; /* it is open, if there are few; or -1 */
	uint64_t off;
};

struct input {
	const struct format *format;
	const char *const *file;
	size_t nfiles, next;
	struct header *header; /* of each file, or NULL */
	struct extent extent;
	pthread_mutex_t lock;

	size_t block;	    /* bytes to hand out at once */
	size_t cap;	    /* bytes that text and entries may take together */
	size_t per_record;  /* bytes of entries for each record */
	size_t per_byte;    /* and for each byte of a long one, */
	size_t key_most;    /* but no more than this for one */
	bool passing;	    /* a block is not needed when it is done with */
	bool copied;	    /* what is in it has moved elsewhere then */
	uint64_t given;	    /* bytes handed out since input_forget, */
	uint64_t come;	    /* and in all */
	size_t share;	    /* bytes for each thread, total not known */
	unsigned working;   /* threads that take blocks */
	pthread_cond_t due; /* one more may */
	size_t text;	    /* of these, what is still resident */
	size_t promised;    /* entries of blocks that are in work */

	unsigned char *base; /* the stretch of addresses */
	size_t reserved;
	unsigned char *pos, *end; /* text that was not handed out yet */

	bool mapped;
	struct piece *piece;
	size_t npieces, at;
	unsigned char *from; /* text since input_forget starts here */
	bool again;	     /* all was handed out once */
	bool present;	     /* all is resident, and stays */

	int fd; /* the file that is read, or -1 */
	const char *name;
	uint64_t left;	/* to be read of its extent */
	uint64_t taken; /* bytes read of it */
	bool eof;
	uint64_t total;		   /* bytes there are, 0 if not known */
	struct progress *progress; /* or NULL */
};

struct block {
	const unsigned char *start, *end;
	size_t promised;
	unsigned char *own; /* the thread's memory for blocks that pass */
	bool passes;	    /* the block lies there */
	bool works;	    /* the thread takes blocks */
};

/*
 * Files may be "-"; none mean standard input.  They are mapped if they have at
 * most map_most bytes together.  not_fd: a file that is written meanwhile,
 * which must not be mapped; -1 for none.  header: each file begins with one,
 * that of the first file was taken; NULL for none.
 */
int input_open(struct input *, const struct format *, const char *const *file,
    size_t n, struct header *, const struct extent *, uint64_t map_most,
    int not_fd, struct hp_err *);
void input_close(struct input *);

enum {
	INPUT_END = 0,
	INPUT_BLOCK = 1,
	INPUT_FULL = 2 /* there is more, but not in this budget */
};

enum {
	INPUT_FEW_THREADS = 2 /* that read any input, however small */
};

/*
 * The next block, for any thread; the struct must be zero at first and then
 * what the same thread got the last time, which is done with, and freed by
 * block_fini, whatever happens.  The first block after input_forget comes
 * whatever it needs.
 *
 * How much will come of a pipe is not known, and what the threads have of their
 * own should be little beside it: so blocks grow with what has come, and all
 * threads but two wait in their first call until there is enough for them, or
 * another thread leaves.
 */
int input_block(
    struct input *, const struct arena *, struct block *, struct hp_err *);
void block_fini(struct input *, struct block *);
/* Of these threads as many as all that has come of a pipe is worth; of a known
 * input, all. */
unsigned input_worth(const struct input *, unsigned threads);

/* When passing, but not the block itself: what is between s and end stays
 * until input_forget, where the block goes on. */
void input_keep(struct input *, struct block *, const unsigned char *s,
    const unsigned char *end);

/* Text to look at before the first block, not handed out by this. */
int input_peek(struct input *, struct block *, struct hp_err *);

/* The same of as much as `most` bytes, or a long record, where it is not
 * mapped; empty at the end. */
int input_ahead(struct input *, size_t most, struct piece *, struct hp_err *);
/* All before the end of such text is done with, but keeps its memory for what
 * is read next; until that is behind the text that is there. */
void input_skip(struct input *, unsigned char *end);
void input_trim(struct input *);

/*
 * Up to n stretches of text from all over the input that are in memory anyway,
 * each from the start of a record on; returns how many.  Mapped input only.
 */
size_t input_sample(const struct input *, struct block *, size_t n);
/* n bytes at s of such a stretch, without pages that come to this process, as
 * with each come its neighbours. */
void input_copy(
    const struct input *, unsigned char *to, const unsigned char *s, size_t n);

/* What has come of a mapped input by looking at it goes again. */
void input_drop(const struct input *);

/* All of a mapped input is handed out once more, passing or to stay. */
void input_again(struct input *, bool passing);

/* The record that begins at s, of text that was handed out. */
struct span input_record(const struct input *, const unsigned char *s);

/* The text handed out so far is not needed any more. */
void input_forget(struct input *);

#endif
