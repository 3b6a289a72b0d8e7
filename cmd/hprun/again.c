#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "batches.h"
#include "identity.h"
#include "job/journal.h"
#include "kept.h"
#include "list.h"
#include "work.h"

enum {
	/* most attempts with the same nodes after broken connections */
	BROKEN_MOST = 2
};

/*
 * Returns true if hprun must not try again after a failure: another attempt
 * cannot help, or the output was already delivered.
 */
static bool
final(const struct run *run)
{
	const struct outcome *o = &run->outcome;

	if (run->given || !run->remote || o->nlost == 0 || o->lost == NULL)
		return true;
	if (o->kind == OUTCOME_INTERRUPTED || o->kind == OUTCOME_GONE)
		return true;
	/*
	 * With --in-place, a renamed part of the result may have replaced the
	 * input of its node.
	 */
	return run->o.in_place != NULL && run->naming;
}

/*
 * Returns whether a resumed run has failed because the launcher's files of the
 * earlier run are damaged.  After a power failure, files that the journal
 * relies on may be empty or missing.
 */
static bool
is_damaged(const struct run *run, const struct hp_err *e)
{
	return run->resumed && run->checked && !run->renewed && !run->given &&
	    !run->naming && run->outcome.kind == OUTCOME_DONE &&
	    (e->kind == HP_INPUT || e->errnum == ENOENT);
}

/*
 * Prints one message for each lost node.  `why` is the reason for all nodes;
 * NULL: each node has its own reason.
 */
static void
say_lost(const struct run *run, const char *why, const char *then)
{
	for (size_t i = 0; i < run->nodes; i++) {
		const struct run_node *n = &run->node[i];
		const char *own = n->lost_why != NULL ? n->lost_why : "lost";

		if (run->outcome.lost[i])
			run_say(run, "%s: %s; %s", n->name,
			    why != NULL ? why : own, then);
	}
}

static void
lose(struct run *run)
{
	for (size_t i = 0; i < run->nodes; i++)
		if (run->outcome.lost[i]) {
			char *name = strdup(run->node[i].name);

			if (name != NULL)
				list_add(&run->lost, name);
		}
}

/*
 * Prepares another attempt.  The journal keeps only the step `store`, so that
 * the copy of the input is used again.
 */
static bool
begin(struct run *run, const bool *lost, struct hp_err *e)
{
	struct hp_err why = { 0 };

	if (run->naming)
		run_say(run,
		    "some parts may already have their final names; "
		    "these parts are complete");
	batches_forget(run);
	if (identity_lose(run, lost, &why) == -1 ||
	    journal_keep("journal", "store", &why) == -1) {
		*e = why;
		return false;
	}
	return true;
}

bool
again(struct run *run, struct hp_err *e)
{
	const struct outcome *o = &run->outcome;

	if (is_damaged(run, e)) {
		run->renewed = true;
		run_say(run, "%s", e->text);
		run_say(run,
		    "files of the earlier run are damaged; the run begins "
		    "again");
		return kept_begin_again(run, e) == 0;
	}
	if (run->vanished)
		return kept_begin_again(run, e) == 0;
	if (final(run))
		return false;
	if (o->broke_only && run->broken < BROKEN_MOST) {
		run->broken++;
		say_lost(
		    run, "the connection to it broke", "the run starts again");
		return begin(run, NULL, e);
	}
	if (run->o.in_place != NULL || o->nlost >= run->nodes)
		return false;
	run_suggest_transport(run);
	say_lost(run, NULL, "its share goes to the others");
	if (!begin(run, o->lost, e))
		return false;
	lose(run);
	return true;
}
