/*
 * Runs a job on files.  The records of the input are names of files on the
 * launcher's machine.  Each node gets contiguous files of this list, and the
 * total size of its files depends on its speed.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "bundle.h"
#include "deal.h"
#include "doc/extents.h"
#include "doc/plan.h"
#include "gather.h"
#include "links.h"
#include "mapfiles.h"
#include "progress.h"
#include "room.h"
#include "store.h"
#include "words.h"

/*
 * Copies the files into the bundle.  The step has the name `store`, which the
 * journal keeps, so that other attempts and a resumed run use the same copy.
 */
static int
pack(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = do_words(&s, "pack");
	WORDS_ADD(
	    &w, run->o.order.zero ? "zline" : "line", run->input, run->cwd);
	return run_alone(run, &s, "store", port_none(), &w, e);
}

static int
allot(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = do_words(&s, "allot");
	WORDS_ADD(&w, "plan.jsonl", BUNDLE_ENDS);
	if (run_alone(run, &s, "deal", port_file("deal.jsonl"), &w, e) == -1 ||
	    (!run->o.dry && deal_take(run, e) == -1))
		return -1;
	progress_measure(run);
	return 0;
}

int
map_files(struct run *run, struct hp_err *e)
{
	if (links_source(run, e) == -1 || job_weights(run, e) == -1 ||
	    store_input(run, e) == -1 || pack(run, e) == -1 ||
	    room_check(run, true, e) == -1 || deal_count(run, e) == -1 ||
	    job_plan(run, e) == -1 || allot(run, e) == -1 ||
	    job_run(run, e) == -1)
		return -1;
	return gather(run, e);
}

/* Reads the offset at which the next file ends in the bundle. */
static int
next_end(FILE *f, uint64_t *at, struct hp_err *e)
{
	char line[32];
	uint64_t end;

	if (fgets(line, sizeof line, f) == NULL)
		return hp_fail(e, HP_INPUT,
		    "%s: has fewer lines than the plan has files", BUNDLE_ENDS);
	line[strcspn(line, "\n")] = '\0';
	if (int_parse(line, *at, INT64_MAX, &end, BUNDLE_ENDS, e) == -1)
		return -1;
	*at = end;
	return 0;
}

static int
print_extents(const struct plan *plan, FILE *f, struct hp_err *e)
{
	uint64_t at = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->nodes; i++) {
		struct extent x = { .sublist = i,
			.rank = i,
			.offset = at,
			.records = plan->share[i].n };

		for (uint64_t k = 0; rc == 0 && k < x.records; k++)
			rc = next_end(f, &at, e);
		x.bytes = at - x.offset;
		if (rc == 0)
			rc = doc_extent_write(stdout, &x, e);
	}
	return rc;
}

int
allot_do(char *words[], struct hp_err *e)
{
	struct plan plan = { 0 };
	FILE *f;
	int rc;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(e, HP_USAGE, "allot PLAN ENDS");
	if ((f = fopen(words[1], "re")) == NULL)
		return hp_fail_errno(e, HP_IO, "%s", words[1]);
	rc = doc_plan_read(words[0], &plan, e);
	if (rc == 0)
		rc = print_extents(&plan, f, e);
	plan_fini(&plan);
	fclose(f);
	return rc;
}
