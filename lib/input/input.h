#ifndef HP_INPUT_INPUT_H
#define HP_INPUT_INPUT_H

/*
 * The input of a sort: the text of its files, one after the other, as whole
 * records. Text that was handed out keeps its address until input_forget.
 *
 * Regular files are mapped one behind the other, so that addresses increase in
 * input order. Other files are read into one reserved address range, with the
 * same result. Text that was handed out counts as memory, mapped or not.
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

/* The part of each file to sort. */
struct input_range {
	uint64_t off, bytes; /* bytes UINT64_MAX: the whole file */
};

/* A mapped file. */
struct text_piece {
	unsigned char *start, *end;
	const char *name;
	/*
	 * descriptor of the file; -1: the input has too many files to keep them
	 * all open
	 */
	int fd;
	uint64_t off;
};

struct input {
	const struct format *format;
	const char *const *file;
	size_t nfiles;
	size_t next; /* the file to open next */
	/* the header of each file; NULL: the files have no headers */
	struct header *header;
	struct input_range extent;
	pthread_mutex_t lock;

	/*
	 * The memory budget in bytes (budget.h). The code that sorts the
	 * records sets these fields.
	 */
	size_t block;	   /* size of a block */
	size_t cap;	   /* text and elements together */
	size_t per_record; /* memory for the elements of one record */
	/* for long records: memory for the elements, per byte of the record */
	size_t per_byte;
	size_t key_most; /* maximum memory for one key */
	/*
	 * for a pipe: one more thread starts each time this many bytes have
	 * been read
	 */
	size_t share;
	/*
	 * whether each block of text is dropped from memory when its thread
	 * takes the next block; text of mapped files then does not pass through
	 * the mapping (copy.h), unless input_again was called
	 */
	bool passing;
	bool copied; /* elements contain copies of their records */

	/* The following members count how much of the memory budget is used. */
	/*
	 * bytes handed out since input_forget, with the delimiters that files
	 * lack at their ends
	 */
	uint64_t given;
	uint64_t come; /* bytes handed out in all */
	/* bytes of text that threads have taken and that are still in memory */
	size_t text;
	/*
	 * bytes of memory reserved for the elements that threads make from
	 * their current blocks
	 */
	size_t promised;
	unsigned working;   /* number of threads that take blocks */
	pthread_cond_t due; /* signalled when one more thread may start */

	unsigned char *base;	  /* the reserved address range */
	size_t reserved;	  /* its size in bytes */
	unsigned char *pos, *end; /* text not handed out yet */

	/* Mapped files only: */
	bool mapped;
	struct text_piece *piece;
	/* `at` is the index of the piece (mapped file) that contains pos. */
	size_t npieces, at;
	unsigned char *from; /* start of the text since input_forget */
	/* input_again was called: the input is being read a second time */
	bool again;
	bool present; /* the whole input is in memory and stays there */

	/* Files that are read only: */
	int fd; /* the open file, or -1 */
	const char *name;
	/*
	 * bytes that are still to be read from this file, up to its end or the
	 * end of the requested part
	 */
	uint64_t left;
	uint64_t taken; /* bytes read of this file */
	uint64_t size;	/* io_size of this file when it was opened */
	bool eof;	/* the last file has ended */

	uint64_t total;		   /* bytes of all files; 0: unknown */
	struct progress *progress; /* or NULL */
};

/*
 * Text of whole records that was handed to one thread by input_block
 * (blocks.h).
 */
struct block {
	const unsigned char *start, *end;
	size_t promised;    /* bytes reserved for its elements */
	unsigned char *own; /* the thread's buffer for temporary blocks */
	bool passes;	    /* the text is in that buffer */
	bool works;	    /* the thread is counted in in->working */
};

enum {
	INPUT_END = 0,
	INPUT_BLOCK = 1,
	INPUT_FULL = 2 /* there is more text, but no memory for it */
};

enum {
	/* Any input may be read by this many threads, even if it is small. */
	INPUT_FEW_THREADS = 2
};

/*
 * Opens the input. A file may be "-"; n = 0 means standard input. The files are
 * mapped if they have at most map_most bytes together. not_fd is a file that is
 * written at the same time, so it must not be mapped; -1: none. header is set
 * if each file begins with a header, and that of the first file was read
 * already; else NULL.
 */
int input_open(struct input *, const struct format *, const char *const *file,
    size_t n, struct header *, const struct input_range *, uint64_t map_most,
    int not_fd, struct hp_err *);
void input_close(struct input *);

/*
 * Returns the record that begins at s. The text at s must have been handed to a
 * thread before.
 */
struct span input_record(const struct input *, const unsigned char *s);

/*
 * Declares that the caller no longer needs the text that was handed to threads
 * so far.
 */
void input_forget(struct input *);

#endif
