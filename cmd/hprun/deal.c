#include <sys/stat.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deal.h"
#include "doc/candidates.h"
#include "doc/parts.h"
#include "doc/extents.h"
#include "doc/plan.h"
#include "estimate.h"
#include "file.h"
#include "memory.h"
#include "print.h"
#include "printed.h"
#include "progress.h"
#include "prove.h"
#include "quote.h"
#include "store.h"
#include "words.h"

static int
count_input(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = ordered(run, &s, "hpsplit", "count");
	WORDS_ADD(&w, "-N", "0", run->input);
	return run_alone(run, &s, "count", port_file("count.jsonl"), &w, e);
}

/*
 * Reads the counts of the nodes' parts from n files.  Writes the sizes of the
 * parts to deal.jsonl and the total to count.jsonl.  Without `node`, offsets
 * and sizes in bytes stay 0.
 */
static int
note_parts(const char *const *count, size_t n, const struct run_node *node,
    struct hp_err *e)
{
	struct file_out f;
	uint64_t all = 0;
	int rc = 0;

	if (file_begin(&f, "deal.jsonl", e) == -1)
		return -1;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct extent x = { .sublist = i, .rank = i };

		if (node != NULL) {
			x.offset = node[i].offset;
			x.bytes = node[i].bytes;
		}
		rc = doc_total_read(count[i], &x.records, e);
		all += x.records;
		if (rc == 0)
			rc = doc_extent_write(f.file, &x, e);
	}
	if (file_end(&f, rc, e) == -1 || file_begin(&f, "count.jsonl", e) == -1)
		return -1;
	return file_end(&f, doc_count_write(f.file, 0, 0, all, e), e);
}

static int
count_parts(struct run *run, struct hp_err *e)
{
	struct words names;
	struct stage s;
	int rc;

	for (size_t i = 0; i < run->nodes; i++) {
		run->node[i].offset = 0;
		run->node[i].bytes = run->facts[i].input_bytes;
	}
	if (run->o.header > 0 && store_header_in_place(run, e) == -1)
		return -1;
	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = ordered(run, &s, "hpsplit", "count");

		words_add(&w, "-N");
		words_addf(&w, "%zu", i);
		part_words(run, &s, i, &w);
		stage_run(&s, stage_step(&s, (int)i, "count"), port_none(),
		    port_file(nth(&s, "parts", i)), &w);
		sum_in_place_step(run, &s, i);
	}
	if (run_stage(run, &s, e) == -1)
		return -1;
	if (run->o.dry)
		return print_note_parts(run, e);
	stage_init(&s);
	names = words_of(&s);
	across(run, "parts", &names);
	rc = s.nomem ? hp_fail_errno(e, HP_NOMEM, "parts")
		     : note_parts(names.v, run->nodes, run->node, e);
	stage_fini(&s);
	return rc;
}

/* Writes the number of records that was counted before the run. */
static int
note_counted(struct run *run, struct hp_err *e)
{
	struct file_out f;

	if (file_begin(&f, "count.jsonl", e) == -1)
		return -1;
	return file_end(&f, doc_count_write(f.file, 0, 0, run->records, e), e);
}

int
deal_count(struct run *run, struct hp_err *e)
{
	int rc;

	/* The records were counted before the input was divided. */
	if (run->divided)
		return 0;
	if (run->counted && !run->from_store && run->o.in_place == NULL)
		return note_counted(run, e);
	rc = run->o.in_place != NULL ? count_parts(run, e)
				     : count_input(run, e);

	if (rc == -1 || run->o.dry)
		return rc;
	return doc_total_read("count.jsonl", &run->records, e);
}

int
deal_take_plan(struct run *run, struct hp_err *e)
{
	struct plan plan = { 0 };
	int rc = doc_plan_read("plan.jsonl", &plan, e);

	if (rc == 0 && plan.nodes != run->nodes)
		rc = hp_fail(e, HP_INPUT, "plan.jsonl: made for other nodes");
	for (size_t i = 0; rc == 0 && i < plan.nodes; i++)
		run->node[i].share = plan.share[i].n;
	run->records = plan.n;
	if (rc == 0)
		estimate_advise(run, &plan);
	plan_fini(&plan);
	return rc;
}

/*
 * Adds the mean size of a record to the options of hpsolve, so that the plan
 * covers all stages and not only the sort.
 */
static int
mean_size(struct run *run, struct stage *s, struct words *w, struct hp_err *e)
{
	const char *quoted;
	char *shell;
	size_t size;
	struct stat st = { 0 };
	FILE *f;

	if (!run->o.dry && stat(run->input, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", run->input);
	if ((f = open_memstream(&shell, &size)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "plan");
	fputs("\"$(hprun --do size ", f);
	quote(f, run->input);
	fputs(" count.jsonl)\"", f);
	if (fclose(f) == EOF)
		return hp_fail_errno(e, HP_NOMEM, "plan");
	quoted = stage_text(s, "%s", shell);
	free(shell);
	words_add(w, "--bytes-per-item");
	words_add(w,
	    late(run, s,
		stage_text(s, "%.17g",
		    (double)st.st_size /
			(double)(run->records + !run->records)),
		quoted));
	if (divides_by_key(run))
		words_add(w, "--by-key");
	return 0;
}

int
deal_plan(struct run *run, struct hp_err *e)
{
	return deal_plan_by(run, "cluster.jsonl", e);
}

int
deal_plan_by(struct run *run, const char *cluster, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	WORDS_ADD(
	    &w, "hpsolve", "-n", record_count(run, &s), "-m", run->o.method);
	if (run->linked && run->remote && estimate_whole(run) &&
	    (run->o.dry || run->records > 0) && mean_size(run, &s, &w, e) == -1)
		return -1;
	words_add(&w, cluster);
	if (run_alone(run, &s, "plan", port_file("plan.jsonl"), &w, e) == -1)
		return -1;
	if (run->o.dry)
		return 0;
	if (deal_take_plan(run, e) == -1)
		return -1;
	memory_share(run);
	return 0;
}

int
deal_take(struct run *run, struct hp_err *e)
{
	struct parts l = { 0 };
	int rc = doc_deal_read("deal.jsonl", &l, e);

	if (rc == 0 && l.n != run->nodes)
		rc = hp_fail(e, HP_INPUT, "deal.jsonl: made for other nodes");
	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		run->node[i].offset = l.v[i].offset;
		run->node[i].bytes = l.v[i].bytes;
	}
	parts_fini(&l);
	return rc;
}

static void
send_step(struct run *run, struct stage *s, size_t rank)
{
	const struct run_node *n = &run->node[rank];
	struct action *put = stage_put(s, stage_step(s, (int)rank, "send"),
	    run->input, n->offset, n->bytes, "in");

	if (run->o.dry)
		print_send(s, rank, run->input, put);
}

/*
 * Sends each host its part of the input.  In the same stage, the launcher
 * computes the checksum of each part.
 */
static int
send_parts(struct run *run, struct hp_err *e)
{
	struct stage s;

	if (!run->stored && !run->remote)
		return 0;
	stage_init(&s);
	sum_dealt(run, &s);
	for (size_t i = 0; i < run->nodes; i++)
		if (run->node[i].host != NULL && !run->o.shared)
			send_step(run, &s, i);
	return run_stage(run, &s, e);
}

int
deal_input(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	if (run->o.in_place != NULL) {
		progress_measure(run);
		return 0;
	}
	stage_init(&s);
	w = ordered(run, &s, "hpsplit", divides_by_key(run) ? "range" : "deal");
	WORDS_ADD(&w, "-P", "plan.jsonl");
	if (divides_by_key(run))
		WORDS_ADD(&w, "-o", run->ranges, "--sums", "given.jsonl");
	words_add(&w, run->input);
	if (run_alone(run, &s, "deal", port_file("deal.jsonl"), &w, e) == -1 ||
	    (!run->o.dry && deal_take(run, e) == -1))
		return -1;
	progress_measure(run);
	/*
	 * In a job, and in methods that begin with the sort, the first step of
	 * each node receives its part.  Other methods need the parts in a stage
	 * of its own.
	 */
	return run->o.mode == MODE_SORT && !begins_with_sort(run)
	    ? send_parts(run, e)
	    : 0;
}

/*
 * Writes deal.jsonl and count.jsonl for a script of --dry-run.  The script uses
 * only the numbers of records, so the offsets and sizes are 0.
 */
int
parts_do(char *words[], struct hp_err *e)
{
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	return note_parts((const char *const *)words, n, NULL, e);
}
