#ifndef HP_SORT_JOB_H
#define HP_SORT_JOB_H

/*
 * The description of a sort, a merge or a check, and the figures that result.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "base/tmp.h"
#include "input/budget.h"
#include "kernel/entry.h"
#include "record/header.h"
#include "record/order.h"
#include "run/codec.h"
#include "run/dropped.h"
#include "run/merge.h"
#include "run/polyphase.h"
#include "run/runs.h"

/* A part of a file. */
struct sort_extent {
	uint64_t off, bytes;
};

struct sort_job {
	const struct order *order;	   /* order_ready was called */
	const char *const *file;	   /* "-" is standard input */
	size_t nfiles;			   /* 0: standard input */
	uint64_t extent_off, extent_bytes; /* UINT64_MAX: to the end */
	/* For sort_merge, the part of each file; NULL: all of each. */
	const struct sort_extent *part;
	uint64_t header;  /* first records of each file that are not sorted */
	uint64_t memory;  /* bytes for the process; UINT64_MAX: by default */
	unsigned threads; /* at least 1 */
	size_t batch; /* most inputs merged at once; 0: what memory allows */
	enum merge_way way; /* with polyphase, batch is the number of files */
	struct tmpdirs tmp;
	enum codec_kind codec;	   /* of temporary files */
	const char *program;	   /* that compresses them instead, or NULL */
	struct progress *progress; /* is kept up to date; or NULL */
};

struct sort_stats {
	uint64_t records, bytes; /* read */
	uint64_t written;	 /* records, fewer with -u */
	uint64_t runs;		 /* in temporary files */
	uint64_t passes;	 /* over the runs, by merging */
	uint64_t moved;		 /* bytes that these passes wrote */
	uint64_t spilled;	 /* bytes of runs and merged runs */
	uint64_t stored;	 /* what they took in temporary files */
	struct dropped dropped;	 /* by -u, if the order has sum_dropped */
	struct header header;	 /* of the files */
	double read_s, sort_s, merge_s; /* sort_s includes writing */
};

/* Divides the job's memory up to the batches or the merge, and prepares its
 * runs. */
void job_runs(const struct sort_job *, const struct view *, struct runs *,
    struct budget *);

/* Adds the figures of the runs and of their merge. */
void job_tell(struct sort_stats *, const struct runs *, const struct merged *);

#endif
