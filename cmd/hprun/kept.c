#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batches.h"
#include "job/journal.h"
#include "kept.h"
#include "links.h"
#include "words.h"

/* Name of a file in each node's directory.  It contains the tag of the run. */
#define MARK "tag"

/*
 * The nodes that have finished steps.  The run needs the files of these nodes.
 */
struct needed {
	bool *node; /* true for these nodes, by rank */
	size_t nodes, n;
};

static int
note_step(void *context, const struct journal_entry *x, struct hp_err *e)
{
	struct needed *d = context;

	(void)e;
	if (x->passing || x->rank < 0 || (size_t)x->rank >= d->nodes)
		return 0;
	d->n += !d->node[x->rank];
	d->node[x->rank] = true;
	return 0;
}

/*
 * Asks each node with finished steps whether its directory has the file MARK.
 */
static int
ask(struct run *run, const struct needed *d, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		if (!d->node[i])
			continue;
		WORDS_ADD(&w, "hprun", "--do", "kept", MARK);
		stage_run(&s, stage_step(&s, (int)i, "setup"), port_none(),
		    port_file(nth(&s, "kept", i)), &w);
	}
	return run_stage(run, &s, e);
}

static int
check(struct run *run, const struct needed *d, struct hp_err *e)
{
	char name[64];
	FILE *f;

	for (size_t i = 0; i < run->nodes; i++) {
		if (!d->node[i])
			continue;
		snprintf(name, sizeof name, "kept.%zu", i);
		if ((f = fopen(name, "re")) == NULL)
			return hp_fail_errno(e, HP_IO, "%s", name);
		if (getc(f) != '1') {
			run_say(run,
			    "%s: the files of the earlier run are gone; the "
			    "run begins again",
			    run->node[i].name);
			run->vanished = true;
		}
		fclose(f);
	}
	return run->vanished ? -1 : 0;
}

static int
check_all(struct run *run, struct hp_err *e)
{
	struct needed d = { .nodes = run->nodes };
	int rc;

	if ((d.node = calloc(d.nodes, sizeof *d.node)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "hprun");
	rc = journal_each("journal", note_step, &d, e);
	if (rc == 0 && d.n > 0 && (rc = ask(run, &d, e)) == 0)
		rc = check(run, &d, e);
	free(d.node);
	return rc;
}

int
kept_check(struct run *run, struct hp_err *e)
{
	if (run->o.keep == NULL)
		return 0;
	/* Check only once: a later attempt begins with new directories. */
	if (run->resumed && !run->checked) {
		run->checked = true;
		if (check_all(run, e) == -1)
			return -1;
	}
	return put_everywhere(run, MARK, e);
}

int
kept_begin_again(struct run *run, struct hp_err *e)
{
	run->vanished = false;
	batches_forget(run);
	return journal_keep("journal", "store", e);
}

int
kept_do(char *words[], struct hp_err *e)
{
	if (words[0] == NULL)
		return hp_fail(e, HP_USAGE, "kept FILE");
	puts(access(words[0], F_OK) == 0 ? "1" : "0");
	return 0;
}
