#ifndef HP_INPUT_INPUT_H
#define HP_INPUT_INPUT_H

/*
 * The input of a sort: its files one after the other, as text of whole records.
 * Text that was handed out stays where it is until input_forget.
 *
 * Regular files are mapped in a row, so that addresses grow with the order of
 * the input.  Anything else is read into one stretch of memory, to the same
 * effect. All text that was handed out counts as memory, mapped or not.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "kernel/entry.h"
#include "record/format.h"
#include "record/header.h"

/* The part of each file that is the input. */
struct extent {
	uint64_t off, bytes; /* UINT64_MAX bytes: to the end */
};

/* A mapped file. */
struct piece {
	unsigned char *start, *end;
	const char *name;
	int fd; /* the open file; -1 if there are too many */
	uint64_t off;
};

struct input {
	const struct format *format;
	const char *const *file;
	size_t nfiles;
	size_t next;	       /* the file to open next */
	struct header *header; /* each file begins with one; or NULL */
	struct extent extent;
	pthread_mutex_t lock;

	/* The budget, in bytes (budget.h).  The engine sets these. */
	size_t block;	   /* to hand out at once */
	size_t cap;	   /* text and elements together */
	size_t per_record; /* elements for each record, */
	size_t per_byte;   /* for each byte of a long record, */
	size_t key_most;   /* but of one key no more than this */
	size_t share;	   /* text that is worth one more thread, of a pipe */
	bool passing;	   /* a block is not needed when it is done with */
	bool copied;	   /* then its records are in the elements */

	/* What the budget is used for. */
	uint64_t given;	    /* bytes handed out since input_forget */
	uint64_t come;	    /* bytes handed out in all */
	size_t text;	    /* bytes of given that are still in memory */
	size_t promised;    /* bytes of elements of the blocks in work */
	unsigned working;   /* threads that take blocks */
	pthread_cond_t due; /* one more thread may */

	unsigned char *base;	  /* the stretch of addresses, */
	size_t reserved;	  /* and its bytes */
	unsigned char *pos, *end; /* text that was not handed out yet */

	/* Of mapped files. */
	bool mapped;
	struct piece *piece;
	size_t npieces, at;  /* at: the piece that pos is in */
	unsigned char *from; /* text since input_forget starts here */
	bool again;	     /* all was handed out once before */
	bool present;	     /* all is in memory and stays there */

	/* Of files that are read. */
	int fd; /* the open file, or -1 */
	const char *name;
	uint64_t left;	/* bytes to be read of it, up to the extent's end */
	uint64_t taken; /* bytes read of it */
	bool eof;	/* of the last file */

	uint64_t total;		   /* bytes of all files; 0: not known */
	struct progress *progress; /* or NULL */
};

/* Text for one thread; its use is told in blocks.h. */
struct block {
	const unsigned char *start, *end;
	size_t promised;    /* bytes of its elements */
	unsigned char *own; /* the thread's memory for blocks that pass */
	bool passes;	    /* the block is in that memory */
	bool works;	    /* the thread counts as one that works */
};

enum {
	INPUT_END = 0,
	INPUT_BLOCK = 1,
	INPUT_FULL = 2 /* there is more text, but no room for it */
};

enum {
	INPUT_FEW_THREADS = 2 /* that read any input, however small */
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

/* The record that begins at s, of text that was handed out. */
struct span input_record(const struct input *, const unsigned char *s);

/* The text handed out so far is not needed any more. */
void input_forget(struct input *);

#endif
