#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "collect.h"
#include "direct.h"
#include "doc/extents.h"
#include "fetched.h"
#include "file.h"
#include "files.h"
#include "gather.h"
#include "leave.h"
#include "print.h"
#include "printed.h"
#include "progress.h"
#include "prove.h"
#include "words.h"

/* Writes the size of each node's result. */
static int
note_sizes(const struct stage *s, struct hp_err *e)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct step *step = s->step[i];
		const struct action *last;

		if (step->nactions == 0)
			continue;
		last = &step->action[step->nactions - 1];
		if (last->kind != ACT_SIZE)
			continue;
		if (file_piece((size_t)step->rank, last->size, e) == -1)
			return -1;
	}
	return 0;
}

int
gather_pieces(struct run *run, struct stage *s, struct hp_err *e)
{
	int rc = run_and_keep(run, s, e);

	if (rc == 0 && !run->o.dry)
		rc = note_sizes(s, e);
	stage_fini(s);
	return rc;
}

/* Computes the offset of each part in the result, and writes parts.jsonl. */
static int
lay_out(struct run *run, struct parts *l, struct hp_err *e)
{
	char name[64];

	if (run->o.dry)
		return print_lay_out(run, e);
	for (size_t i = 0; i < run->nodes; i++) {
		snprintf(name, sizeof name, "pieces.%zu", i);
		if (doc_pieces_read(name, i, l, e) == -1)
			return -1;
	}
	parts_lay_out(l, run->header_bytes);
	return file_parts(l, e);
}

/*
 * Adds the actions that copy the parts of one node to their offsets in the
 * target.
 */
static void
get_parts(struct run *run, struct stage *s, size_t rank,
    const struct fetched *f, struct port target)
{
	const struct parts *l = f->parts;
	struct step *step = NULL;

	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].rank != rank)
			continue;
		if (step == NULL)
			step = stage_step(s, (int)rank, "gather");
		if (fetches(run, rank))
			target.tap = &f->tap[i].tap;
		stage_get(s, step, "out", l->v[i].offset, l->v[i].bytes, target,
		    target.kind == PORT_STANDARD ? 0 : l->v[i].at);
	}
}

/*
 * Adds the commands by which a node writes its parts into the result file
 * itself.  With --shared, all nodes see this file.
 */
static void
put_parts(struct run *run, struct stage *s, size_t rank, const struct parts *l)
{
	struct step *step = NULL;

	for (size_t i = 0; i < l->n; i++) {
		struct words w;

		if (l->v[i].rank != rank)
			continue;
		if (step == NULL)
			step = stage_step(s, (int)rank, "gather");
		w = ordered(run, s, "hpmerge", NULL);
		words_add(&w, "--extent");
		words_addf(
		    &w, "%" PRIu64 ":%" PRIu64, l->v[i].offset, l->v[i].bytes);
		WORDS_ADD(&w, "-o", run->beside, "--at");
		words_addf(&w, "%" PRIu64, l->v[i].at);
		words_add(&w, "out");
		stage_run(s, step, port_none(), port_none(), &w);
	}
}

/* Adds the step that checks a node's parts, unless the launcher does. */
static void
prove_stored(struct run *run, struct stage *s, size_t rank)
{
	if (run->stored && !fetches(run, rank))
		prove_step(run, s, rank);
}

/*
 * Gathers all parts at the same time, except those that the launcher has
 * collected during the merge.  In the same stage hpcheck reads each stored part
 * that the launcher does not check itself.
 */
static int
gather_file(struct run *run, const char *result, const struct fetched *f,
    struct hp_err *e)
{
	struct stage s;
	int rc;

	if (run->o.dry && print_gather(run, result, e) == -1)
		return -1;
	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		if (collects(run, i))
			continue;
		if (run->o.shared && run->beside != NULL)
			put_parts(run, &s, i, f->parts);
		else
			get_parts(run, &s, i, f, port_file(result));
		prove_stored(run, &s, i);
	}
	rc = run_stage(run, &s, e);
	for (size_t i = 0; rc == 0 && i < run->nodes; i++)
		if (fetches(run, i) && !collects(run, i))
			rc = fetched_write(f, i, e);
	return rc;
}

/*
 * Writes the parts to standard output, one after the other.  Written output
 * cannot be taken back, so no step may be repeated.
 */
static int
gather_stdout(struct run *run, const struct fetched *f, struct hp_err *e)
{
	struct stage s;

	if (run->o.dry && print_gather(run, NULL, e) == -1)
		return -1;
	run->given = true;
	progress_give_way(run);
	for (size_t i = 0; i < run->nodes; i++) {
		stage_init(&s);
		s.passing = s.once = true;
		get_parts(run, &s, i, f, port_standard());
		prove_stored(run, &s, i);
		if (run_stage(run, &s, e) == -1 ||
		    (fetches(run, i) && fetched_write(f, i, e) == -1))
			return -1;
	}
	return 0;
}

int
gather_begin(struct run *run, const char *result, struct hp_err *e)
{
	char buf[65536];
	ssize_t n = 0;
	int out, in;

	if (run->o.dry)
		return print_begin_result(run, result, e);
	out = open(result,
	    O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (out == -1)
		return hp_fail_errno(e, HP_IO, "%s", result);
	if (run->o.header > 0 &&
	    (in = open("header", O_RDONLY | O_CLOEXEC)) != -1) {
		while ((n = io_read(in, buf, sizeof buf)) > 0)
			if (io_write(out, buf, (size_t)n) == -1) {
				n = -1;
				break;
			}
		close(in);
	}
	if (n == -1)
		hp_fail_errno(e, HP_IO, "%s", result);
	if (close(out) == -1 && n != -1)
		n = hp_fail_errno(e, HP_IO, "%s", result);
	return n == -1 ? -1 : 0;
}

static int
copy_out(struct run *run, const char *file, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	s.passing = s.once = true;
	w = cat_words(run, &s);
	words_add(&w, file);
	run->given = true;
	if (run->output == NULL)
		progress_give_way(run);
	return run_alone(run, &s, "gather",
	    run->output == NULL ? port_standard()
				: (struct port){ PORT_FILE, run->output, true },
	    &w, e);
}

static int
gather_to_file(struct run *run, const struct fetched *f, struct hp_err *e)
{
	const struct parts *l = f->parts;
	const char *result = run->beside != NULL ? run->beside : "result";
	uint64_t bytes = run->header_bytes;

	if ((!run->collected && gather_begin(run, result, e) == -1) ||
	    gather_file(run, result, f, e) == -1 ||
	    (run->stored && prove_parts(run, e) == -1))
		return -1;
	for (size_t i = 0; i < l->n; i++)
		bytes += l->v[i].bytes;
	if (run->beside != NULL)
		return files_appear(run, bytes, e);
	return copy_out(run, "result", e);
}

/*
 * Completes a result into which the merges have written directly.  In the
 * trace, the step gather of each node tells how many records it has merged.
 */
static int
gather_placed(struct run *run, struct hp_err *e)
{
	struct node_runs runs = { 0 };
	struct stage s;
	uint64_t records, bytes, end = run->header_bytes;
	int rc;

	if (run->o.dry)
		return files_appear(run, 0, e);
	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++)
		stage_size(&s, stage_step(&s, (int)i, "gather"), run->beside);
	if ((rc = run_and_keep(run, &s, e)) == 0)
		rc = direct_read(run, &runs, e);
	for (size_t i = 0; rc == 0 && i < run->nodes; i++) {
		direct_received(&runs, i, &records, &bytes);
		end += bytes;
	}
	direct_fini(&runs);
	stage_fini(&s);
	return rc == -1 ? -1 : files_appear(run, end, e);
}

int
gather(struct run *run, struct hp_err *e)
{
	struct parts l = { 0 };
	struct fetched f = { 0 };
	int rc = -1;

	if (run->placed)
		return gather_placed(run, e);
	if ((batches_return(run) ? doc_parts_read("parts.jsonl", &l, e)
				 : lay_out(run, &l, e)) == -1 ||
	    fetched_init(&f, run, &l, e) == -1)
		goto out;
	if (run->o.leave != NULL)
		rc = leave(run, &l, e);
	else if (run->output != NULL || run->o.algorithm == DEMAND_PSOP ||
	    (run->o.mode != MODE_SORT && run->remote))
		rc = gather_to_file(run, &f, e);
	else if (run->o.header > 0 && copy_out(run, "header", e) == -1)
		rc = -1;
	else if ((rc = gather_stdout(run, &f, e)) == 0 && run->stored)
		rc = prove_parts(run, e);
out:
	fetched_fini(&f);
	parts_fini(&l);
	return rc;
}
