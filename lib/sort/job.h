#ifndef HP_SORT_JOB_H
#define HP_SORT_JOB_H

/*
 * The description of a job (a sort, a merge or a check), and the statistics of
 * its run.
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
	const struct order *order; /* order_ready must have been called */
	const char *const *file;   /* "-" is standard input */
	size_t nfiles;		   /* 0: read standard input */
	uint64_t extent_off, extent_bytes; /* UINT64_MAX: whole files */
	/*
	 * for sort_merge only: which part of each file to read; NULL: read
	 * whole files
	 */
	const struct sort_extent *part;
	/*
	 * number of records in the header of each file; headers are not sorted
	 */
	uint64_t header;
	/* maximum memory of the process in bytes; UINT64_MAX: the default */
	uint64_t memory;
	unsigned threads; /* at least 1 */
	/*
	 * maximum number of inputs to merge at once; 0: as many as the memory
	 * allows
	 */
	size_t batch;
	/*
	 * How sorted runs are merged. With polyphase merging, `batch` is the
	 * number of tapes (temporary files).
	 */
	enum merge_way way;
	struct tmpdirs tmp;
	enum codec_kind codec; /* compression of temporary files */
	const char *program; /* program that compresses them instead, or NULL */
	/* counters that are updated during the job; NULL: none */
	struct progress *progress;
};

struct sort_stats {
	uint64_t records, bytes; /* read from the input */
	uint64_t written;	 /* records written; fewer with -u */
	uint64_t runs;		 /* number of runs in temporary files */
	uint64_t passes;	 /* number of merge passes over the runs */
	uint64_t moved;		 /* bytes written by these passes */
	uint64_t spilled;	 /* bytes of all runs, including merged ones */
	uint64_t stored;	 /* bytes of all runs after compression */
	/*
	 * count and checksum of the records that -u omitted, if the order has
	 * sum_dropped
	 */
	struct dropped dropped;
	struct header header;		/* header of the files */
	double read_s, sort_s, merge_s; /* sort_s includes writing */
};

/*
 * Divides the job's memory between sorting and merging. Prepares the set of
 * sorted runs.
 */
void job_runs(const struct sort_job *, const struct view *, struct runs *,
    struct budget *);

/*
 * Adds the statistics of the runs and of their merge to the statistics of the
 * sort.
 */
void job_tell(struct sort_stats *, const struct runs *, const struct merged *);

#endif
