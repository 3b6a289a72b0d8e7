#include <sys/resource.h>
#include <sys/stat.h>

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/io.h"
#include "run/pass.h"

enum {
	/*
	 * Minimum size in bytes of the buffers of one run, for all threads
	 * together.
	 */
	BUFFER_LEAST = 1 << 16,
	DESCRIPTORS_KEPT = 16,
	/*
	 * number of compression programs that may run at the same time, as in
	 * sort(1)
	 */
	PROGRAMS = 16,
	/*
	 * minimum size in bytes of a buffer whose memory free() returns to the
	 * system
	 */
	RETURNED = 1 << 16
};

void
runs_init(struct runs *r, const struct view *v, const struct tmpdirs *t,
    enum codec_kind codec, const char *program, uint64_t memory, size_t batch)
{
	*r = (struct runs){
		.view = v, .memory = memory, .threads = 1, .batch = batch
	};
	store_init(&r->store, t, codec, program, memory);
	feeds_init(&r->feeds, &r->store.tmp);
}

static void
run_fini(struct run *run)
{
	if (run->suspended != NULL)
		source_close(run->suspended);
	free(run->suspended);
	tape_fini(&run->tape);
	*run = (struct run){ .fd = -1 };
}

void
runs_fini(struct runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		run_fini(&r->run[i]);
	free(r->run);
	feeds_fini(&r->feeds);
	store_fini(&r->store);
	*r = (struct runs){ 0 };
}

static int
add(struct runs *r, const struct run *run, struct hp_err *e)
{
	if (ARRAY_ROOM(r->run, r->n, r->cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "runs");
	r->run[r->n++] = *run;
	return 0;
}

int
runs_add_file(
    struct runs *r, const char *path, int fd, bool header, struct hp_err *e)
{
	struct run run = {
		.path = path, .fd = fd, .header = header && r->header != NULL
	};

	if (feed_is(path, fd) &&
	    (run.feed = feeds_add(&r->feeds, path, fd, e)) == NULL)
		return -1;
	return add(r, &run, e);
}

int
runs_add_extent(struct runs *r, const char *path, uint64_t off, uint64_t bytes,
    struct hp_err *e)
{
	struct run run = {
		.path = path, .fd = -1, .part = true, .off = off, .bytes = bytes
	};
	struct stat st;

	/*
	 * Check the type before the file is opened: opening a FIFO would wait
	 * for a process that writes to it.
	 */
	if (strcmp(path, "-") == 0 ||
	    (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
		return hp_fail(
		    e, HP_INPUT, "%s: --extent needs a regular file", path);
	return add(r, &run, e);
}

int
runs_add_tape(struct runs *r, const struct tape *t, struct hp_err *e)
{
	struct run run = { .tape = *t };

	return add(r, &run, e);
}

/*
 * Returns the minimum size in bytes of the read buffer of one run. The buffer
 * is small, so that many runs can be merged at once. Small reads are slow, but
 * another pass over all data would take longer. Compressed blocks can only be
 * decompressed as a whole, so the buffer must hold three of them.
 */
static uint64_t
least_buffer(const struct runs *r)
{
	uint64_t two = runs_two_records(r), least = BUFFER_LEAST;

	if (r->store.packers.codec != CODEC_NONE &&
	    3 * r->store.packers.block > least)
		least = 3 * r->store.packers.block;
	return two > least ? two : least;
}

static uint64_t
descriptors(void)
{
	uint64_t fds = 1024;
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) == 0)
		fds = l.rlim_cur;
	return fds > DESCRIPTORS_KEPT + 2 ? fds - DESCRIPTORS_KEPT : 2;
}

/* Returns the maximum number of runs to merge at once. */
static size_t
width(const struct runs *r)
{
	uint64_t w = r->memory / least_buffer(r), fds = descriptors();
	size_t files = 0;

	for (size_t i = 0; i < r->n; i++)
		files += r->run[i].path != NULL;
	/*
	 * Feeds, the inputs that cannot seek, are opened before they are
	 * merged. So half of the descriptors is for feeds.
	 */
	if (r->feeds.n > 0 && files > fds)
		fds /= 2;
	/*
	 * Each run that a program decompresses needs two descriptors. The
	 * number of such programs is limited, because they take processor time.
	 * Without programs, the runs need no descriptors of their own.
	 */
	if (r->store.program != NULL)
		fds = fds / 2 < PROGRAMS ? fds / 2 : PROGRAMS;
	else if (files <= fds)
		fds = w;
	w = w < fds ? w : fds;
	if (r->batch != 0 && r->way == MERGE_KWAY)
		w = w < r->batch ? w : r->batch;
	return w < 2 ? 2 : (size_t)w;
}

/*
 * Merges adjacent runs until at most w runs are left, which can be merged at
 * once. Each pass leaves fewer input files to open, so w may grow: more
 * descriptors are free.
 */
static int
merge_by_neighbours(struct runs *r, size_t w, struct hp_err *e)
{
	for (; r->n > w; w = width(r))
		if (pass_reduce_once(r, r->run, &r->n, w, e) == -1)
			return -1;
	r->passes++;
	return 0;
}

/* Moves the inputs of the plan's merge number i to the array `to`. */
static void
take_inputs(struct runs *r, const struct polyphase *p, size_t i,
    struct run *results, struct run *to)
{
	const struct polyphase_merge *m = &p->merge[i];

	for (size_t k = 0; k < m->n; k++) {
		size_t node = p->input[m->first + k];
		struct run *from = node < p->runs ? &r->run[node]
						  : &results[node - p->runs];

		to[k] = *from;
		*from = (struct run){ .fd = -1 };
	}
}

/*
 * Executes all merges of the plan except the last one. r->run then holds the
 * inputs of the last merge.
 */
static int
follow(struct runs *r, const struct polyphase *p, struct run *results,
    struct run *inputs, struct hp_err *e)
{
	size_t last = p->nmerges - 1;

	for (size_t i = 0; i < last; i++) {
		take_inputs(r, p, i, results, inputs);
		if (pass_to_tape(r, inputs, p->merge[i].n, &results[i], e) ==
		    -1) {
			for (size_t k = 0; k < p->merge[i].n; k++)
				run_fini(&inputs[k]);
			return -1;
		}
	}
	take_inputs(r, p, last, results, inputs);
	r->n = p->merge[last].n;
	memcpy(r->run, inputs, r->n * sizeof *inputs);
	return 0;
}

static int
merge_by_phases(struct runs *r, size_t w, struct hp_err *e)
{
	size_t tapes = r->batch != 0 ? r->batch : POLYPHASE_TAPES;
	struct run *results, *inputs;
	struct polyphase p;
	int rc = 0;

	tapes = tapes < w + 1 ? tapes : w + 1;
	if (polyphase_plan(&p, r->n, tapes < 3 ? 3 : tapes, e) == -1)
		return -1;
	r->passes = p.phases;
	results = calloc(p.nmerges + 1, sizeof *results);
	inputs = calloc(p.tapes, sizeof *inputs);
	if (results == NULL || inputs == NULL)
		rc = hp_fail_errno(e, HP_NOMEM, "merge of %zu runs", r->n);
	else if (p.nmerges > 0)
		rc = follow(r, &p, results, inputs, e);
	for (size_t i = 0; results != NULL && i < p.nmerges; i++)
		run_fini(&results[i]);
	free(results);
	free(inputs);
	polyphase_fini(&p);
	return rc;
}

/*
 * Sets how many feeds (inputs that cannot seek) may be open: as many as there
 * are descriptors that a merge of w runs does not need.
 */
static void
share_descriptors(struct runs *r, size_t w)
{
	uint64_t all = descriptors(), taken = w;

	if (r->store.program != NULL)
		taken *= 2;
	else if (r->n <= all)
		/*
		 * Each run needs at most one descriptor, so there are enough
		 * descriptors for all runs.
		 */
		taken = 0;
	r->feeds.most = all > taken ? (size_t)(all - taken) : 0;
}

/*
 * Copies each input that is also the output to a temporary file, as sort(1)
 * does. Otherwise the merge would read what it writes.
 */
static int
save_inputs(struct runs *r, int fd, struct hp_err *e)
{
	struct run copy;

	for (size_t i = 0; i < r->n; i++) {
		if (r->run[i].path == NULL ||
		    !io_overwrites(fd, r->run[i].path))
			continue;
		if (pass_to_tape(r, &r->run[i], 1, &copy, e) == -1)
			return -1;
		r->run[i] = copy;
	}
	return 0;
}

int
runs_merge(struct runs *r, int fd, const char *name, struct merged *count,
    struct hp_err *e)
{
	struct output out;
	uint64_t feeds = feeds_memory(&r->feeds);
	size_t w;
	int rc;

	r->memory -= feeds < r->memory / 2 ? feeds : r->memory / 2;
	if (save_inputs(r, fd, e) == -1)
		return -1;
	w = width(r);
	share_descriptors(r, w);
#ifdef M_MMAP_THRESHOLD
	/*
	 * By default, glibc raises this threshold when a large buffer is freed.
	 * It would then keep the memory of long records instead of returning it
	 * to the system.
	 */
	mallopt(M_MMAP_THRESHOLD, RETURNED);
#endif
	if ((r->way == MERGE_POLYPHASE ? merge_by_phases : merge_by_neighbours)(
		r, w, e) == -1)
		return -1;
	output_init(&out, fd, name);
	/*
	 * The output is larger than memory, so bypass the page cache unless the
	 * disk is slow.
	 */
	if (store_is_direct(&r->store))
		output_past_cache(&out);
	*count = (struct merged){ 0 };
	rc = pass_merge(r, r->run, r->n, &out, count, e);
	/*
	 * If records are large, this pass may itself have merged some runs into
	 * a new run first. So add what -u left out only now.
	 */
	merged_add(count, &r->left_out);
	return output_close(&out, e) == -1 ? -1 : rc;
}
