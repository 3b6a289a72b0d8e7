#include <sys/stat.h>
#include <sys/statvfs.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "batches.h"
#include "bundle.h"
#include "doc/plan.h"
#include "files.h"
#include "room.h"
#include "words.h"

enum {
	BLOCK_BYTES = 512, /* unit of st_blocks */
	COPIES_MOST = 6, /* most copies of the input on one disk during a run */
	LINE_BYTES =
	    /*
	     * assumed length of a line; the planned shares hardly depend on it
	     */
	    100
};

/*
 * A directory that needs disk space.  It is a node's work directory, or on this
 * machine the directory of the stored input or of the result.
 */
struct place {
	/* name and host of the node; host "" is this machine */
	const char *name, *host;
	char *dir;
	uint64_t device, free;
	/* bytes of files that the node stores during the run */
	uint64_t need;
	uint64_t share;	 /* bytes of the node's part of the result */
	uint64_t beside; /* bytes of the whole input, or of the whole result */
};

struct places {
	struct place *v;
	size_t n;
	/* the copy of the input and the result exist at the same time */
	bool both;
};

static int
here(struct places *l, const char *dir, uint64_t bytes, struct hp_err *e)
{
	struct statvfs fs;
	struct stat st;

	if (stat(dir, &st) == -1 || statvfs(dir, &fs) == -1)
		return hp_fail_errno(e, HP_IO, "%s", dir);
	l->v[l->n] = (struct place){ .name = "launcher",
		.host = "",
		.dir = strdup(dir),
		.device = (uint64_t)st.st_dev,
		.free = (uint64_t)fs.f_bavail * fs.f_frsize,
		.beside = bytes };
	if (l->v[l->n++].dir == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%s", dir);
	return 0;
}

/*
 * Returns whether the node returns its records while it sorts them, so that it
 * stores no part of the result.
 */
static bool
returns_all(const struct run *run, size_t rank)
{
	return divides_by_key(run) && run->collected &&
	    (run->node[rank].host != NULL || batches_may_come(run));
}

/*
 * Returns the most copies of its share that a node stores at the same time.
 * Sets *sent if the node also stores the part of the input that it is sent.
 */
static unsigned
copies(const struct run *run, size_t rank, bool *sent)
{
	bool last = !sorts_first(run);

	/*
	 * A host that begins with the sort reads its part from the connection
	 * and does not store it.
	 */
	*sent = !begins_with_sort(run);
	if (divides_by_key(run))
		return returns_all(run, rank) ? 0 : 1;
	if (!run->stored)
		return run->placed ? 1 : 2;
	/*
	 * With batches and --keep, a node keeps its sorted batches beside the
	 * merged file.
	 */
	if (run->o.keep != NULL)
		return last ? 4 : batches_may_come(run) ? 4 : 3;
	/*
	 * The host removes the part that it was sent after cutting it into
	 * sublists.
	 */
	*sent = false;
	return last ? 3 : 2;
}

static uint64_t
need_of(const struct run *run, size_t rank, uint64_t share)
{
	uint64_t own = run->facts[rank].input_bytes;
	bool sent;
	uint64_t need = share * copies(run, rank, &sent);

	if (own > share)
		need += own - share;
	else if (own == 0 && run->node[rank].host != NULL && sent)
		need += share;
	return need;
}

static int
nodes(struct run *run, struct places *l, const struct plan *plan,
    uint64_t bytes, struct hp_err *e)
{
	for (size_t i = 0; i < run->nodes; i++) {
		const struct run_node *n = &run->node[i];
		uint64_t share = plan->n == 0
		    ? 0
		    : (uint64_t)((double)plan->share[i].n / (double)plan->n *
			  (double)bytes);
		char *dir = strdup(n->dir);

		if (dir == NULL)
			return hp_fail_errno(e, HP_NOMEM, "places");
		*strrchr(dir, '/') = '\0';
		l->v[l->n++] = (struct place){ .name = n->name,
			.host = n->host == NULL ? "" : n->host,
			.dir = dir,
			.device = run->facts[i].device,
			.free = run->facts[i].room,
			.need = need_of(run, i, share),
			.share = returns_all(run, i) ? 0 : share };
	}
	return 0;
}

static int
by_device(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int c = strcmp(x->host, y->host);

	if (c != 0)
		return c;
	return (x->device > y->device) - (x->device < y->device);
}

static uint64_t
mib(uint64_t bytes, bool up)
{
	return (bytes + (up ? (1 << 20) - 1 : 0)) >> 20;
}

/*
 * Compares the space that all directories on one disk need with the free space
 * of the disk.  Returns true if the free space is too small.
 */
static bool
judge(const struct run *run, const struct places *l, size_t from, size_t to)
{
	uint64_t need = 0, share = 0, beside = 0, most = 0, all;

	for (size_t i = from; i < to; i++) {
		const struct place *p = &l->v[i];

		need += p->need;
		share += p->share;
		beside += p->beside;
		most = p->beside > most ? p->beside : most;
	}
	all = share + (l->both ? beside : most);
	if (all < need)
		all = need;
	if (all <= l->v[from].free)
		return false;
	for (size_t i = from; i < to; i++)
		if (i == from || strcmp(l->v[i].name, l->v[i - 1].name) != 0)
			run_say(run,
			    "%s: %s: %" PRIu64 " MiB are needed, %" PRIu64
			    " MiB are free",
			    l->v[i].name, l->v[i].dir, mib(all, true),
			    mib(l->v[from].free, false));
	return true;
}

static bool
judge_all(const struct run *run, struct places *l)
{
	bool lacks = false;
	size_t end;

	qsort(l->v, l->n, sizeof *l->v, by_device);
	for (size_t i = 0; i < l->n; i = end) {
		for (end = i + 1;
		     end < l->n && by_device(&l->v[i], &l->v[end]) == 0;)
			end++;
		if (judge(run, l, i, end))
			lacks = true;
	}
	return lacks;
}

/* Plans shares for an estimated number of records. */
static int
plan(struct run *run, uint64_t bytes, struct plan *plan, struct hp_err *e)
{
	size_t size = run->o.order.format.size;
	struct stage s;
	struct words w;

	stage_init(&s);
	s.passing = true;
	w = words_of(&s);
	WORDS_ADD(&w, "hpsolve", "-n");
	words_addf(&w, "%" PRIu64, bytes / (size > 0 ? size : LINE_BYTES) + 1);
	WORDS_ADD(&w, "-m",
	    run->o.profile_s > 0 || run->unknown ? "equal" : run->o.method,
	    "nodes.jsonl");
	if (run_alone(run, &s, "setup", port_file("room.jsonl"), &w, e) == -1)
		return -1;
	return doc_plan_read("room.jsonl", plan, e);
}

/*
 * Returns whether every disk has enough space for any plan, so that none need
 * be computed.
 */
static bool
plenty(const struct run *run, const struct places *l, uint64_t bytes)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < l->n; i++)
		least = l->v[i].free < least ? l->v[i].free : least;
	for (size_t i = 0; i < run->nodes; i++)
		least = run->facts[i].room < least ? run->facts[i].room : least;
	return least >= COPIES_MOST * bytes;
}

/*
 * Returns how many of the bytes have no space yet. An earlier attempt may have
 * written the file, or a part of it.
 */
static uint64_t
without(const char *path, uint64_t bytes)
{
	struct stat st;
	uint64_t taken;

	if (stat(path, &st) == -1)
		return bytes;
	taken = (uint64_t)st.st_blocks * BLOCK_BYTES;
	return taken < bytes ? bytes - taken : 0;
}

/* Returns whether an earlier attempt has divided the input for this one. */
static bool
has_copy(const struct run *run)
{
	return run->divided && run->remote && run->nodes > 1;
}

static int
whole_files(struct run *run, struct places *l, uint64_t bytes, struct hp_err *e)
{
	char *dir;
	int rc = 0;
	uint64_t copies = (run->from_store ? without(run->input, bytes) : 0) +
	    (divides_by_key(run) && !has_copy(run) ? without(run->ranges, bytes)
						   : 0);

	if ((run->from_store || divides_by_key(run)) &&
	    here(l, ".", copies, e) == -1)
		return -1;
	if (l->n > 0) {
		free(l->v[0].dir);
		if ((l->v[0].dir = strdup(run->work)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "places");
	}
	if (run->beside == NULL)
		return 0;
	if ((dir = io_directory(run->output)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "places");
	rc = here(l, dir, without(run->beside, bytes), e);
	free(dir);
	return rc;
}

static int
check(struct run *run, struct places *l, uint64_t bytes, struct hp_err *e)
{
	struct plan shares = { 0 };
	int rc = -1;

	if (whole_files(run, l, bytes, e) == -1)
		return -1;
	if (plenty(run, l, bytes))
		return 0;
	if (plan(run, bytes, &shares, e) == 0 && shares.nodes == run->nodes &&
	    nodes(run, l, &shares, bytes, e) == 0)
		rc = judge_all(run, l) ? hp_fail(e, HP_IO, "%s", "") : 0;
	plan_fini(&shares);
	return rc;
}

int
room_check(struct run *run, bool stored, struct hp_err *e)
{
	struct places l = { .both = run->stored || divides_by_key(run) };
	uint64_t bytes = 0;
	struct stat st;
	int rc;

	if (run->o.dry ||
	    (stored && !run->o.files && files_input_bytes(run) > 0))
		return 0;
	if (run->o.in_place != NULL)
		for (size_t i = 0; i < run->nodes; i++)
			bytes += run->facts[i].input_bytes;
	else if (stored && stat(run->o.files ? BUNDLE : run->input, &st) == 0)
		bytes = (uint64_t)st.st_size;
	else if (!stored)
		bytes = files_input_bytes(run);
	if (bytes == 0)
		return 0;
	if ((l.v = calloc(run->nodes + 2, sizeof *l.v)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "places");
	rc = check(run, &l, bytes, e);
	for (size_t i = 0; i < l.n; i++)
		free(l.v[i].dir);
	free(l.v);
	return rc;
}

bool
room_for_range(struct run *run)
{
	struct place place[2];
	struct places l = { .v = place };
	struct hp_err ignored = { 0 };
	bool room = whole_files(run, &l, files_input_bytes(run), &ignored) == 0;

	for (size_t i = 0; i < l.n; i++) {
		uint64_t need = 0;

		for (size_t j = 0; j < l.n; j++)
			if (place[j].device == place[i].device)
				need += place[j].beside;
		room = room && need <= place[i].free;
	}
	for (size_t i = 0; i < l.n; i++)
		free(place[i].dir);
	return room;
}
