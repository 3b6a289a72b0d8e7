#include <sys/resource.h>
#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/team.h"
#include "run/divide.h"
#include "run/runs.h"

enum {
	BUFFER_LEAST = 1 << 16,
	BUFFER_MOST = 1 << 22,
	BUFFER_GOOD = 1 << 19, /* less makes a disk seek too often */
	DESCRIPTORS_KEPT = 16,
	CUTS = 1024,  /* records that are kept to divide a merge, at most */
	PROGRAMS = 16 /* at once, as in sort(1) */
};

void
runs_init(struct runs *r, const struct view *v, const struct tmpdirs *t,
    enum codec_kind codec, const char *program, uint64_t memory, size_t batch)
{
	*r = (struct runs){
		.view = v, .memory = memory, .threads = 1, .batch = batch
	};
	store_init(&r->store, t, codec, program, memory);
}

void
runs_fini(struct runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		tape_fini(&r->run[i].tape);
	free(r->run);
	store_fini(&r->store);
	*r = (struct runs){ 0 };
}

static int
add(struct runs *r, const struct run *run, struct hp_err *e)
{
	struct run *grown;
	size_t cap = r->cap < 16 ? 16 : 2 * r->cap;

	if (r->n == r->cap) {
		grown = reallocarray(r->run, cap, sizeof *grown);
		if (grown == NULL)
			return hp_fail_errno(e, HP_NOMEM, "runs");
		r->run = grown;
		r->cap = cap;
	}
	r->run[r->n++] = *run;
	return 0;
}

int
runs_add_file(struct runs *r, const char *path, int fd, struct hp_err *e)
{
	struct run run = { .path = path, .fd = fd };

	return add(r, &run, e);
}

int
runs_add_tape(struct runs *r, const struct tape *t, struct hp_err *e)
{
	struct run run = { .tape = *t };

	return add(r, &run, e);
}

/* What the longest records of a source may take: it has two of them in its
 * buffer, and perhaps their keys. */
static uint64_t
two_records(const struct runs *r)
{
	uint64_t two = 2 * (uint64_t)r->longest;

	return r->view->kind == VIEW_BUILT ? 4 * two : two;
}

static uint64_t
least_buffer(const struct runs *r)
{
	uint64_t two = two_records(r);

	return two > BUFFER_LEAST ? two : BUFFER_LEAST;
}

/* How many to merge at once. */
static size_t
width(const struct runs *r)
{
	uint64_t w = r->memory / BUFFER_GOOD, fds = 1024;
	uint64_t most = r->memory / least_buffer(r);
	struct rlimit l;

	w = w < 16 || w > most ? most : w;
	if (getrlimit(RLIMIT_NOFILE, &l) == 0)
		fds = l.rlim_cur;
	fds = fds > DESCRIPTORS_KEPT + 2 ? fds - DESCRIPTORS_KEPT : 2;
	/* A program takes two, and processors. */
	if (r->store.program != NULL)
		fds = fds / 2 < PROGRAMS ? fds / 2 : PROGRAMS;
	w = w < fds ? w : fds;
	if (r->batch != 0 && r->way == MERGE_KWAY)
		w = w < r->batch ? w : r->batch;
	return w < 2 ? 2 : (size_t)w;
}

static int
open_sources(struct runs *r, const struct run *run, size_t n, struct source *s,
    struct hp_err *e)
{
	uint64_t buffer = r->memory / (n + 4);
	size_t size = buffer < BUFFER_MOST ? (size_t)buffer : BUFFER_MOST;

	for (size_t i = 0; i < n; i++)
		if ((run[i].path != NULL
			    ? source_open(&s[i], r->view, run[i].path,
				  run[i].fd, size, e)
			    : source_tape(&s[i], r->view, &r->store,
				  &run[i].tape, 0, run[i].tape.bytes, size,
				  e)) == -1)
			return -1;
	return 0;
}

/* The runs as extents; 0 if one cannot be sought in, and what is to be closed
 * is always set. */
static int
as_extents(struct runs *r, const struct run *run, size_t n,
    struct extent_run *x, struct hp_err *e)
{
	struct stat st;
	size_t size;

	for (size_t i = 0; i < n; i++)
		x[i].fd = -1;
	for (size_t i = 0; i < n; i++) {
		if (run[i].tape.packed > 0)
			return 0;
		if (run[i].path == NULL) {
			x[i] = (struct extent_run){ .tape = &run[i].tape,
				.fd = -1,
				.bytes = run[i].tape.bytes,
				.name = run[i].tape.file->name };
			continue;
		}
		/* A FIFO would be waited for here. */
		if (strcmp(run[i].path, "-") == 0 || run[i].fd != -1 ||
		    (stat(run[i].path, &st) == 0 && !S_ISREG(st.st_mode)))
			return 0;
		if ((x[i].fd = io_open(run[i].path, e)) == -1)
			return -1;
		size = r->view->order->format.size;
		if (fstat(x[i].fd, &st) == -1 || !S_ISREG(st.st_mode) ||
		    (size != 0 && (uint64_t)st.st_size % size != 0))
			return 0;
		x[i].bytes = (uint64_t)st.st_size;
		x[i].name = run[i].path;
	}
	return 1;
}

/* With several threads, where all can be sought in: 1 done, 0 it takes one
 * thread, as with long records: those that runs are cut at are kept. */
static int
merge_many(struct runs *r, const struct run *run, size_t n, struct output *out,
    uint64_t *records, struct hp_err *e)
{
	struct extent_run *x;
	uint64_t each = r->memory / (r->threads + TEAM_SPARE) / (n + 2);
	uint64_t total = 0;
	off_t start = out->at;
	int rc;

	if (n < 2 || (r->threads < 2 && run[0].path != NULL) ||
	    each < BUFFER_LEAST || two_records(r) > r->memory / CUTS ||
	    (r->store.codec != CODEC_NONE && each < 2 * r->store.block))
		return 0;
	if ((x = calloc(n, sizeof *x)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu", n);
	rc = as_extents(r, run, n, x, e);
	for (size_t i = 0; i < n; i++)
		total += x[i].bytes;
	if (rc == 1 && total < DIVIDE_LEAST)
		rc = 0;
	if (rc == 1 &&
	    merge_divided(r->view, &r->store, x, n, r->threads, r->memory, out,
		records, e) == -1)
		rc = -1;
	for (size_t i = 0; i < n; i++)
		io_close(x[i].fd);
	free(x);
	/* One thread after the other will say where it is not sorted. */
	if (rc == -1 && e->kind == HP_INPUT) {
		*e = (struct hp_err){ 0 };
		output_again(out, start);
		return 0;
	}
	return rc;
}

static int
merge_one_thread(struct runs *r, const struct run *run, size_t n,
    struct output *out, uint64_t *records, struct hp_err *e)
{
	struct source *s = calloc(n + 1, sizeof *s);
	uint64_t buffer = r->memory / (n + 4);
	struct sink k = { 0 };
	int rc = -1;

	buffer = buffer < BUFFER_MOST / 4 ? buffer : BUFFER_MOST / 4;
	if (s == NULL)
		return hp_fail_errno(e, HP_NOMEM, "merge of %zu", n);
	if (sink_init(&k, out, (size_t)buffer, e) == 0 &&
	    open_sources(r, run, n, s, e) == 0) {
		sink_start(&k, out->at);
		rc = merge(r->view, s, n, &k, e);
	}
	for (size_t i = 0; i < n; i++)
		source_close(&s[i]);
	sink_fini(&k);
	free(s);
	if (rc == 0 && out->muted)
		rc = hp_fail(e, HP_INPUT, "an input changed while it was read");
	*records = k.records;
	if (rc == 0)
		out->at = k.at;
	return rc;
}

static int
merge_some(struct runs *r, const struct run *run, size_t n, struct output *out,
    uint64_t *records, struct hp_err *e)
{
	off_t start = out->at;
	int rc;

	out->progress = r->progress;
	rc = merge_many(r, run, n, out, records, e);
	if (rc == 0)
		rc = merge_one_thread(r, run, n, out, records, e);
	r->moved += (uint64_t)(out->at - start);
	return rc == -1 ? -1 : 0;
}

/* Merge n runs into a new one; their tapes are released. */
static int
merge_group(struct runs *r, struct run *run, size_t n, struct run *merged,
    struct hp_err *e)
{
	struct output out;
	uint64_t records;
	int rc;

	*merged = (struct run){ .fd = -1 };
	if (output_to_tape(&out, &r->store, &merged->tape, e) == -1)
		return -1;
	if ((rc = merge_some(r, run, n, &out, &records, e)) == -1)
		output_fail(&out);
	if (output_close(&out, e) == -1 || rc == -1) {
		tape_fini(&merged->tape);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		tape_release(&run[i].tape);
	return 0;
}

/* Until w are left, which take the place of all. */
static int
merge_by_neighbours(struct runs *r, size_t w, struct hp_err *e)
{
	size_t first = 0, n;
	struct run merged, *run;

	while (r->n > w) {
		/* No more than it takes to merge w in the end. */
		n = r->n - w + 1 < w ? r->n - w + 1 : w;
		if (first + 2 > r->n)
			first = 0;
		if (first == 0)
			r->passes++;
		n = n < r->n - first ? n : r->n - first;
		run = r->run + first++;
		if (merge_group(r, run, n, &merged, e) == -1)
			return -1;
		*run = merged;
		memmove(run + 1, run + n,
		    (size_t)(r->run + r->n - (run + n)) * sizeof *run);
		r->n -= n - 1;
	}
	r->passes++;
	return 0;
}

/* The inputs of a merge of the plan, which leave their places. */
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

/* All merges of the plan but the last, whose inputs take the place of all. */
static int
follow(struct runs *r, const struct polyphase *p, struct run *results,
    struct run *inputs, struct hp_err *e)
{
	size_t last = p->nmerges - 1;

	for (size_t i = 0; i < last; i++) {
		take_inputs(r, p, i, results, inputs);
		if (merge_group(r, inputs, p->merge[i].n, &results[i], e) ==
		    -1) {
			for (size_t k = 0; k < p->merge[i].n; k++)
				tape_fini(&inputs[k].tape);
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
		rc = hp_fail_errno(e, HP_NOMEM, "merge of %zu", r->n);
	else if (p.nmerges > 0)
		rc = follow(r, &p, results, inputs, e);
	for (size_t i = 0; results != NULL && i < p.nmerges; i++)
		tape_fini(&results[i].tape);
	free(results);
	free(inputs);
	polyphase_fini(&p);
	return rc;
}

int
runs_merge(struct runs *r, int fd, const char *name, uint64_t *records,
    struct hp_err *e)
{
	struct output out;
	int rc;

	if ((r->way == MERGE_POLYPHASE ? merge_by_phases : merge_by_neighbours)(
		r, width(r), e) == -1)
		return -1;
	output_init(&out, fd, name);
	/* What is larger than memory; not on disks that are slow. */
	if (store_is_direct(&r->store))
		output_past_cache(&out);
	rc = merge_some(r, r->run, r->n, &out, records, e);
	return output_close(&out, e) == -1 ? -1 : rc;
}
