#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "job/launcher_hears.h"
#include "job/launcher_stage.h"
#include "job/votes.h"
#include "job/votes_text.h"
#include "judge.h"
#include "words.h"

struct ballot {
	struct run *run;
	struct votes_node *node;
	struct misses *report; /* reports of the nodes, by rank */
	struct votes_fate *fate;
};

/*
 * Returns whether the nodes' reports can show the cause of a failure.  They can
 * if the stage was an exchange, and a node could not reach its peers or a
 * machine was lost.
 */
static bool
concerns(const struct stage *s, const struct outcome *o)
{
	bool any = false;

	for (size_t i = 0; !any && i < s->n; i++)
		any = strcmp(s->step[i]->name, "exchange") == 0;
	if (!any)
		return false;
	return o->kind == OUTCOME_LOST ||
	    (o->kind == OUTCOME_FAILED && o->code == EXIT_LOST);
}

/*
 * Copies the nodes' reports to the launcher.  A report that cannot be fetched
 * is treated as missing.
 */
static void
fetch(struct run *run, struct launcher *l)
{
	struct outcome ignored;
	struct hp_err e;
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		const char *to = nth(&s, REPORT, i);
		struct step *step;

		unlink(to);
		if (launcher_hears(l, (int)i) != HEARS_IT)
			continue;
		step = stage_step(&s, (int)i, "setup");
		stage_skip_if(&s, step, ".", REPORT);
		stage_get(&s, step, REPORT, 0, ACTION_TO_END, port_file(to), 0);
	}
	launcher_stage(l, &s, &ignored, &e);
	stage_fini(&s);
}

/*
 * Reads the report of one node.  Prints a message if the report is invalid, and
 * ignores it.
 */
static void
read_report(struct ballot *b, size_t rank)
{
	struct misses *l = &b->report[rank];
	struct hp_err e;
	struct stage s;
	const char *path;

	stage_init(&s);
	path = nth(&s, REPORT, rank);
	if (access(path, F_OK) == 0) {
		if (doc_misses_read(path, rank, b->run->nodes, l, &e) == 0)
			b->node[rank].report = l;
		else
			run_say(
			    b->run, "%s: %s", b->run->node[rank].name, e.text);
	}
	stage_fini(&s);
}

static void
ask(struct ballot *b, struct launcher *l)
{
	struct run *run = b->run;

	fetch(run, l);
	for (size_t i = 0; i < run->nodes; i++) {
		static const enum votes_machine states[] = {
			[HEARS_IT] = VOTES_HEARD,
			[HEARS_NOT] = VOTES_LOST,
			[HEARS_AGAIN] = VOTES_BACK
		};

		b->node[i] = (struct votes_node){
			.machine = run->node[i].machine,
			.state = states[launcher_hears(l, (int)i)],
			.share = (double)run->node[i].share
		};
		read_report(b, i);
	}
}

/*
 * Marks the nodes to leave out.  Records the reason for each, which a message
 * gives later.
 */
static enum judgement
drop(struct ballot *b, struct outcome *o)
{
	struct run *run = b->run;
	char text[OUTCOME_WHY / 2];

	o->nlost = 0;
	for (size_t i = 0; i < run->nodes; i++) {
		const struct votes_fate *f = &b->fate[i];

		o->lost[i] = f->why != VOTES_STAYS;
		if (!o->lost[i])
			continue;
		votes_text(f, run->node[f->peer].name, text, sizeof text);
		free(run->node[i].lost_why);
		run->node[i].lost_why = strdup(text);
		if (o->nlost++ == 0)
			snprintf(o->why, sizeof o->why, "%s: %s",
			    run->node[i].name, text);
	}
	return JUDGE_DROP;
}

static enum judgement
decide(struct ballot *b, bool last, struct outcome *o)
{
	struct run *run = b->run;
	struct hp_err e;

	switch (votes_decide(b->node, run->nodes, last, b->fate, &e)) {
	case VOTES_DROP:
		return drop(b, o);
	case VOTES_NETWORK:
		run_say(run,
		    "more links between nodes are cut than a few nodes could "
		    "explain");
		return JUDGE_NOBODY;
	case VOTES_NOBODY:
		return JUDGE_NOBODY;
	case VOTES_FAILED:
		break;
	}
	return JUDGE_NOTHING;
}

enum judgement
judge_exchange(void *context, struct launcher *l, const struct stage *s,
    bool last, struct outcome *o)
{
	struct run *run = context;
	struct ballot b = { run, calloc(run->nodes, sizeof *b.node),
		calloc(run->nodes, sizeof *b.report),
		calloc(run->nodes, sizeof *b.fate) };
	enum judgement judged = JUDGE_NOTHING;

	if (b.node != NULL && b.report != NULL && b.fate != NULL &&
	    concerns(s, o)) {
		ask(&b, l);
		judged = decide(&b, last, o);
	}
	for (size_t i = 0; b.report != NULL && i < run->nodes; i++)
		misses_fini(&b.report[i]);
	free(b.node);
	free(b.report);
	free(b.fate);
	return judged;
}
