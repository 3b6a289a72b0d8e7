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
struct extent {
	uint64_t off, bytes; /* bytes UINT64_MAX: to the end */
};

/* A mapped file. */
struct piece {
	unsigned char *start, *end;
	const char *name;
	/* descriptor of the open file; -1 if too many files would stay open */
	int fd;
	uint64_t off;
};

struct input {
	const struct format *format;
	const char *const *file;
	size_t nfiles;
	size_t next; /* the file to open next */
	/* set if each file begins with a header; NULL otherwise */
	struct header *header;
	struct extent extent;
	pthread_mutex_t lock;

	/*
	 * The memory budget in bytes (budget.h). The engine sets these fields.
	 */
	size_t block;	   /* size of a block */
	size_t cap;	   /* text and elements together */
	size_t per_record; /* memory for the elements of one record */
	/* memory for the elements of a long record, per byte of the record */
	size_t per_byte;
	size_t key_most; /* maximum memory for one key */
	/* one more thread joins after each so many bytes from a pipe */
	size_t share;
	/* blocks are temporary: a thread drops each block after using it */
	bool passing;
	bool copied; /* elements contain copies of their records */

	/* Memory of the budget that is used so far. */
	uint64_t given; /* bytes handed out since input_forget */
	uint64_t come;	/* bytes handed out in all */
	/*
	 * bytes of text that threads have taken, as far as it is still in
	 * memory
	 */
	size_t text;
	size_t promised;  /* bytes reserved for the elements of blocks in use */
	unsigned working; /* number of threads that take blocks */
	pthread_cond_t due; /* signalled when one more thread may start */

	unsigned char *base;	  /* the reserved address range */
	size_t reserved;	  /* its size in bytes */
	unsigned char *pos, *end; /* text not handed out yet */

	/* Mapped files only: */
	bool mapped;
	struct piece *piece;
	size_t npieces, at;  /* at: index of the piece that contains pos */
	unsigned char *from; /* start of the text since input_forget */
	bool again;   /* input_again was called: this is the second pass */
	bool present; /* all text is in memory and stays there */

	/* Files that are read only: */
	int fd; /* the open file, or -1 */
	const char *name;
	/* bytes of this file still to read, up to the extent's end */
	uint64_t left;
	uint64_t taken; /* bytes read of this file */
	bool eof;	/* the last file has ended */

	uint64_t total;		   /* bytes of all files; 0: unknown */
	struct progress *progress; /* or NULL */
};

/* Text handed out to one thread; see blocks.h for its use. */
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
	INPUT_FULL = 2 /* more text follows, but there is no memory for it */
};

enum {
	/* number of threads that may read an input of any size */
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
    size_t n, struct header *, const struct extent *, uint64_t map_most,
    int not_fd, struct hp_err *);
void input_close(struct input *);

/* Returns the record that begins at s, in text that was handed out. */
struct span input_record(const struct input *, const unsigned char *s);

/* Declares that the text given to threads so far is no longer needed. */
void input_forget(struct input *);

#endif
