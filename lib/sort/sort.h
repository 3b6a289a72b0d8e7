#ifndef HP_SORT_SORT_H
#define HP_SORT_SORT_H

/*
 * Sorting, checking and merging files of records on this machine, with all its
 * processors and within a given amount of memory.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/tmp.h"
#include "record/header.h"
#include "record/order.h"
#include "run/codec.h"
#include "run/dropped.h"
#include "run/polyphase.h"

/* A part of a file. */
struct sort_extent {
	uint64_t off, bytes;
};

struct sort_job {
	const struct order *order;	   /* ready */
	const char *const *file;	   /* "-" is standard input */
	size_t nfiles;			   /* 0: standard input */
	uint64_t extent_off, extent_bytes; /* UINT64_MAX: to the end */
	/* Of sort_merge: the part of each file; NULL: all of it. */
	const struct sort_extent *part;
	uint64_t header;  /* first records of each file that are not sorted */
	uint64_t memory;  /* bytes for the process; UINT64_MAX: by default */
	unsigned threads; /* at least 1 */
	size_t batch; /* most inputs merged at once; 0: what memory allows */
	enum merge_way way; /* with polyphase, batch is the number of files */
	struct tmpdirs tmp;
	enum codec_kind codec;	   /* of temporary files */
	const char *program;	   /* that compresses them instead, or NULL */
	struct progress *progress; /* to be told how far it is, or NULL */
};

struct sort_stats {
	uint64_t records, bytes;	/* read */
	uint64_t written;		/* records, fewer with -u */
	uint64_t runs;			/* in temporary files */
	uint64_t passes;		/* over the runs, by merging */
	uint64_t moved;			/* bytes that these passes wrote */
	uint64_t spilled;		/* bytes of runs and merged runs */
	uint64_t stored;		/* what they took in temporary files */
	struct dropped dropped;		/* by -u, if the order asks for it */
	struct header header;		/* what was written of the headers */
	double read_s, sort_s, merge_s; /* sort_s: and writing what is sorted */
};

/*
 * The memory that a job may take: what is asked for, by default half of what
 * there is; no more than there is, nor than is enough for the files.
 */
uint64_t sort_memory(const struct sort_job *);

/*
 * Sort the files into a descriptor; name is for messages.  The header of the
 * first file that is not empty goes first.
 */
int sort_files(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

/*
 * Merge the files, each of which is sorted.  HP_INPUT names the file and the
 * record where one is not.
 */
int sort_merge(const struct sort_job *, int fd, const char *name,
    struct sort_stats *, struct hp_err *);

/*
 * Is the one file in order (with the order's -u: and without repeated keys)?
 * HP_NO says in sort(1)'s words where it is not.
 */
int sort_check(const struct sort_job *, struct hp_err *);

#endif
