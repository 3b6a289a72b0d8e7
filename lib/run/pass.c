#include <stdlib.h>
#include <string.h>

#include "run/merge.h"
#include "run/parallel.h"
#include "run/pass.h"

enum {
	BUFFER_MOST = 1 << 22
};

/* Opens a file that the user named. The source skips the header of the file. */
static int
open_file(struct runs *r, struct run *run, size_t size, struct source *s,
    struct hp_err *e)
{
	if ((run->feed != NULL ? source_feed(s, r->view, run->feed, size, e)
			       : source_open(s, r->view, run->path, run->fd,
				     size, e)) == -1)
		return -1;
	s->header = run->header ? r->header : NULL;
	/*
	 * The header of the first file was read when that file was opened.
	 * Count its records here, because messages contain record numbers.
	 */
	if (run->fd != -1 && r->header != NULL)
		s->nrec = r->header->first.records;
	return 0;
}

static int
open_one(struct runs *r, struct run *run, size_t size, struct source *s,
    struct hp_err *e)
{
	if (run->suspended != NULL) {
		*s = *run->suspended;
		free(run->suspended);
		run->suspended = NULL;
		/*
		 * The tape is part of the struct run, which may have moved in
		 * its array. So set the pointer again.
		 */
		if (s->tape != NULL)
			s->tape = &run->tape;
		return source_resume(s, size, e);
	}
	if (run->part)
		return source_open_extent(
		    s, r->view, run->path, run->off, run->bytes, size, e);
	if (run->path != NULL)
		return open_file(r, run, size, s, e);
	return source_tape(
	    s, r->view, &r->store, &run->tape, 0, run->tape.bytes, size, e);
}

/*
 * Returns the size in bytes of the merge's output buffers, but at most half of
 * the memory. These buffers stay allocated while other merges reduce the number
 * of runs.
 */
static uint64_t
reserved(const struct runs *r, const struct merge_out *k)
{
	uint64_t bytes = k->out.cap + k->last.cap;

	return bytes < r->memory / 2 ? bytes : r->memory / 2;
}

/*
 * Opens the sources of all runs. The memory that is left then serves to enlarge
 * the buffers if records are long.
 */
static int
open_sources(struct runs *r, struct run *run, size_t n, uint64_t buffer,
    const struct merge_out *k, struct source *s, struct room *room,
    struct hp_err *e)
{
	size_t size = buffer < BUFFER_MOST ? (size_t)buffer : BUFFER_MOST;

	room->left = (int64_t)(r->memory - reserved(r, k));
	for (size_t i = 0; i < n; i++) {
		if (open_one(r, &run[i], size, &s[i], e) == -1)
			return -1;
		/*
		 * If only two sources are left, their buffers may grow without
		 * a limit, because a merge needs at least two sources.
		 */
		s[i].room = n > 2 ? room : NULL;
		room->left -= (int64_t)room_for(r->view, s[i].cap);
	}
	return 0;
}

/*
 * Interrupts a merge that ran out of memory. Stores each source in its run, so
 * that the merge can continue later.
 */
static int
suspend(struct run *run, size_t n, struct source *s, struct hp_err *e)
{
	for (size_t i = 0; i < n; i++) {
		if ((run[i].suspended = malloc(sizeof *s)) == NULL)
			return hp_fail_errno(
			    e, HP_NOMEM, "merge of %zu runs", n);
		source_suspend(&s[i]);
		*run[i].suspended = s[i];
		s[i] = (struct source){ .fd = -1 };
	}
	return 0;
}

/*
 * Reduces the number of runs, because their current records together do not fit
 * into memory. First copies runs that cannot seek (such as pipes) to temporary
 * files, because their buffers cannot be freed. Then merges adjacent runs. Each
 * of these merges has at most half as many sources as the merge that ran out of
 * memory.
 */
static int
reduce(
    struct runs *r, struct run *run, size_t *n, size_t grown, struct hp_err *e)
{
	size_t w = *n / 2 < grown / 2 ? *n / 2 : grown / 2;
	struct run alone;

	for (size_t i = 0; i < *n; i++) {
		if (run[i].suspended->buf == NULL)
			continue;
		if (pass_to_tape(r, &run[i], 1, &alone, e) == -1)
			return -1;
		run[i] = alone;
	}
	return pass_reduce(r, run, n, w < 2 ? 2 : w, e);
}

/*
 * Merges until the end (returns 0) or until the memory is full (returns
 * MERGE_FULL). If the memory is full, reduces the number of runs for the next
 * call. Returns -1 on an error.
 */
static int
merge_on(struct runs *r, struct run *run, size_t *n, uint64_t buffer,
    struct merge_out *k, struct hp_err *e)
{
	struct source *s = calloc(*n + 1, sizeof *s);
	struct room room = { 0 };
	uint64_t memory = r->memory;
	int rc = -1;

	if (s == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu runs", *n);
	if (open_sources(r, run, *n, buffer, k, s, &room, e) == 0)
		rc = merge(r->view, s, *n, k, e);
	if (rc == MERGE_FULL && suspend(run, *n, s, e) == -1)
		rc = -1;
	for (size_t i = 0; i < *n; i++)
		source_close(&s[i]);
	free(s);
	if (rc != MERGE_FULL)
		return rc;
	r->memory -= reserved(r, k);
	if (reduce(r, run, n, room.grown, e) == -1)
		rc = -1;
	r->memory = memory;
	return rc;
}

static int
merge_one_thread(struct runs *r, struct run *run, size_t n, struct output *out,
    struct merged *count, struct hp_err *e)
{
	uint64_t buffer = room_buffer(r->view, r->memory / 2 / (n + 4));
	uint64_t most = buffer < BUFFER_MOST / 4 ? buffer : BUFFER_MOST / 4;
	struct merge_out k = { 0 };
	int rc = outbuf_init(&k.out, out, (size_t)most, e);

	if (rc == 0)
		outbuf_start(&k.out, out->at);
	if (rc == 0)
		do
			rc = merge_on(r, run, &n, buffer, &k, e);
		while (rc == MERGE_FULL);
	merge_out_fini(&k);
	if (rc == 0 && out->discards)
		rc = hp_fail(e, HP_INPUT, "an input changed while it was read");
	merged_add(count, &k.count);
	if (rc == 0)
		out->at = k.out.at;
	return rc;
}

int
pass_merge(struct runs *r, struct run *run, size_t n, struct output *out,
    struct merged *count, struct hp_err *e)
{
	off_t start = out->at;
	int rc;

	out->progress = r->progress;
	rc = parallel_merge(r, run, n, out, count, e);
	if (rc == 0)
		rc = merge_one_thread(r, run, n, out, count, e);
	r->moved += (uint64_t)(out->at - start);
	return rc == -1 ? -1 : 0;
}

int
pass_to_tape(struct runs *r, struct run *run, size_t n, struct run *merged,
    struct hp_err *e)
{
	struct output out;
	struct merged count = { 0 };
	int rc;

	*merged = (struct run){ .fd = -1 };
	if (output_to_tape(&out, &r->store, &merged->tape, e) == -1)
		return -1;
	if ((rc = pass_merge(r, run, n, &out, &count, e)) == -1)
		output_fail(&out);
	if (output_close(&out, e) == -1 || rc == -1) {
		tape_fini(&merged->tape);
		return -1;
	}
	/*
	 * The next pass will count the records written here when it reads them.
	 * So now count only the records that -u left out.
	 */
	merged_add(&r->left_out,
	    &(struct merged){ count.repeats, count.repeated, count.repeats,
		count.repeated, count.checksum });
	for (size_t i = 0; i < n; i++)
		tape_release(&run[i].tape);
	return 0;
}

int
pass_reduce_once(
    struct runs *r, struct run *all, size_t *left, size_t w, struct hp_err *e)
{
	size_t first = 0, n;
	struct run merged, *run;

	r->passes++;
	while (*left > w && first + 2 <= *left) {
		n = *left - w + 1 < w ? *left - w + 1 : w;
		n = n < *left - first ? n : *left - first;
		run = all + first++;
		if (pass_to_tape(r, run, n, &merged, e) == -1)
			return -1;
		*run = merged;
		memmove(run + 1, run + n,
		    (size_t)(all + *left - (run + n)) * sizeof *run);
		for (; n > 1; n--)
			all[--*left] = (struct run){ .fd = -1 };
	}
	return 0;
}

int
pass_reduce(
    struct runs *r, struct run *all, size_t *left, size_t w, struct hp_err *e)
{
	while (*left > w)
		if (pass_reduce_once(r, all, left, w, e) == -1)
			return -1;
	return 0;
}
