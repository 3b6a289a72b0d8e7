#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "doc/measured.h"
#include "doc/plan.h"
#include "links.h"
#include "print.h"
#include "profile.h"
#include "profile_links.h"
#include "profile_steps.h"
#include "profile_whole.h"
#include "quote.h"
#include "rewrite.h"
#include "words.h"
#include "work.h"

enum {
	/* most rounds in which all nodes sort their planned shares */
	ROUNDS_MOST = 9,
	ROUNDS_PRINTED = 3,
	/*
	 * The first measurement leaves two thirds of the time.  Four sorts must
	 * fit into that, so one sort may take a sixth of the time.
	 */
	SORTS_TIMES_3_OF_2 = 6
};

/*
 * Runs hpsolve for n records.  In a dry run, n is the value of a shell
 * expression.
 */
static int
solve(struct run *run, uint64_t n, const char *shell, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	WORDS_ADD(&w, "hpsolve", "-n",
	    late(run, &s, stage_text(&s, "%" PRIu64, n), shell), "-m",
	    run->o.method, run->cluster);
	return run_alone(run, &s, "plan", port_file("foreseen.jsonl"), &w, e);
}

/*
 * Plans for all records, or for fewer if sorting all would take too long.  Sets
 * *beyond if a share exceeds the measured sizes.
 */
static int
foresee(struct run *run, bool *beyond, struct hp_err *e)
{
	double makespan, all = (double)run->o.profile_s;
	uint64_t n;

	*beyond = true;
	if (solve(run, run->records,
		"\"$(sed 's/.*\"records\":\\([0-9]*\\).*/\\1/' count.jsonl)\"",
		e) == -1)
		return -1;
	if (run->o.dry) {
		char shell[64];

		snprintf(shell, sizeof shell,
		    "\"$(hprun --do foresee %" PRIu64 " foreseen.jsonl)\"",
		    run->o.profile_s);
		return solve(run, 0, shell, e);
	}
	if (doc_foreseen_read("foreseen.jsonl", &makespan, &n, beyond, e) == -1)
		return -1;
	n = foreseen_records(n, makespan, all);
	if (solve(run, n, NULL, e) == -1)
		return -1;
	return doc_foreseen_read("foreseen.jsonl", &makespan, &n, beyond, e);
}

uint64_t
foreseen_records(uint64_t n, double makespan, double seconds)
{
	if (makespan * SORTS_TIMES_3_OF_2 <= seconds)
		return n;
	return (uint64_t)((double)n * seconds / SORTS_TIMES_3_OF_2 / makespan);
}

/* What to add to the cluster file: profiles, and seconds to start a step. */
struct profiles {
	const char *cluster;
	const char *const *profile;
	size_t n;
	const struct node_start *start;
	size_t nstarts;
	bool nearer;
};

/* Writes the lines of the cluster file with the measured points. */
static int
put_lines(void *context, FILE *f, struct hp_err *e)
{
	const struct profiles *p = context;

	return doc_measured_write(p->cluster, p->profile, p->n, p->start,
	    p->nstarts, p->nearer, f, e);
}

int
profile_replace(const char *cluster, const char *new,
    const char *const *profile, size_t nprofiles, bool nearer, struct hp_err *e)
{
	struct profiles p = { cluster, profile, nprofiles, NULL, 0, nearer };

	return rewrite_file(cluster, new, put_lines, &p, e);
}

static int
print_take(struct run *run, const char *prefix, bool nearer)
{
	printf("hprun --do measured %s ", nearer ? "nearer" : "all");
	quote(stdout, run->cluster);
	for (size_t i = 0; i < run->nodes; i++)
		if (!run->node[i].measured)
			printf(" %s.%zu", prefix, i);
	putchar('\n');
	return 0;
}

/*
 * Adds the points in the files PREFIX.R, as far as these exist, to the cluster
 * file.  R is the rank of a node.
 */
static int
take(struct run *run, const char *prefix, const double *seconds, bool nearer,
    struct hp_err *e)
{
	struct node_start *start;
	struct profiles p;
	const char **profile;
	struct stage names;
	size_t n = 0;
	int rc = -1;

	if (run->o.dry)
		return print_take(run, prefix, nearer);
	start = calloc(run->nodes, sizeof *start);
	profile = calloc(run->nodes, sizeof *profile);
	stage_init(&names);
	if (start == NULL || profile == NULL) {
		hp_fail_errno(e, HP_NOMEM, "profiles");
		goto out;
	}
	for (size_t i = 0; i < run->nodes; i++) {
		const char *name = nth(&names, prefix, i);

		if (run->node[i].measured || access(name, F_OK) == -1)
			continue;
		start[n] = (struct node_start){ run->node[i].name, seconds[i] };
		profile[n++] = name;
	}
	p = (struct profiles){ run->cluster, profile, n, start, n, nearer };
	rc = rewrite_cluster(run, put_lines, &p, e);
out:
	stage_fini(&names);
	free(start);
	free(profile);
	return rc;
}

/*
 * Repeats a round in which each node sorts its planned share, until the next
 * round would end too late.
 */
static int
more_rounds(struct run *run, double end_s, struct hp_err *e)
{
	for (int round = 1; round <= ROUNDS_MOST; round++) {
		double began_s = clock_now_s();
		struct plan plan = { 0 };
		int rc = run->o.dry ? profile_shares(run, NULL, "more", e)
				    : doc_plan_read("foreseen.jsonl", &plan, e);

		if (rc == 0 && !run->o.dry)
			rc = profile_shares(run, &plan, "more", e);
		plan_fini(&plan);
		if (rc == -1)
			return -1;
		if (run->o.dry ? round == ROUNDS_PRINTED
			       : 2 * clock_now_s() - began_s > end_s)
			break;
	}
	return 0;
}

/*
 * Measures the planned shares if they exceed the measured sizes.  Every node
 * sorts its share of the first plan, and a second plan with these times is
 * measured as well.  So the final plan need not extrapolate (Lastovetsky and
 * Reddy 2010, partial estimation).
 */
static int
measure_shares(
    struct run *run, const double *start, double end_s, struct hp_err *e)
{
	struct plan plan = { 0 };
	bool beyond;
	int rc = run->o.dry ? 0 : doc_plan_read("foreseen.jsonl", &plan, e);

	if (rc == 0)
		rc = profile_shares(run, run->o.dry ? NULL : &plan, "first", e);
	plan_fini(&plan);
	if (rc == -1 || take(run, "first", start, true, e) == -1 ||
	    foresee(run, &beyond, e) == -1 || more_rounds(run, end_s, e) == -1)
		return -1;
	return take(run, "more", start, true, e);
}

static bool
all_measured(const struct run *run)
{
	for (size_t i = 0; i < run->nodes; i++)
		if (!run->node[i].measured)
			return false;
	return true;
}

static int
profile(struct run *run, double *start, struct hp_err *e)
{
	double end_s = clock_now_s() + (double)run->o.profile_s;
	bool beyond;

	if (profile_starts(run, start, e) == -1 ||
	    profile_measure(run, e) == -1 ||
	    take(run, "profile", start, false, e) == -1 ||
	    foresee(run, &beyond, e) == -1)
		return -1;
	if (run->o.dry)
		puts("hprun --do beyond foreseen.jsonl");
	return beyond ? measure_shares(run, start, end_s, e) : 0;
}

static int
measure_nodes(struct run *run, struct hp_err *e)
{
	double *start = calloc(run->nodes, sizeof *start);
	int rc;

	if (start == NULL)
		return hp_fail_errno(e, HP_NOMEM, "profiles");
	rc = profile(run, start, e);
	free(start);
	return rc;
}

int
profile_nodes(struct run *run, struct hp_err *e)
{
	bool links = !run->o.dry && profile_lacks_links(run);
	bool points = !all_measured(run);

	if (run->o.profile_s == 0 || (!links && !points))
		return 0;
	if ((points && measure_nodes(run, e) == -1) ||
	    (links && profile_whole(run, e) == -1))
		return -1;
	/*
	 * The cluster file is part of the run's identity.  It has changed, so
	 * write the identity again.
	 */
	if (links_source(run, e) == -1)
		return -1;
	return work_identify(run, e);
}
