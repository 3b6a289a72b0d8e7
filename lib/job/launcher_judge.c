#include <string.h>

#include "job/launcher_hears.h"
#include "job/launcher_judge.h"

void
name_the_lost(
    struct launcher *l, const struct retry_facts *facts, struct outcome *o)
{
	size_t lost = 0, back = 0;
	struct machine *m;

	o->lost = l->lost;
	memset(l->lost, 0, l->c.nodes * sizeof *l->lost);
	if (!retry_hope(&l->cause, facts))
		return;
	for (size_t i = 0; i < l->machines; i++) {
		m = &l->machine[i];
		if (!m->lost)
			continue;
		lost++;
		back += m->state == MACHINE_READY;
		for (size_t k = 0; k < m->nodes; k++)
			l->lost[m->rank[k]] = true;
		o->nlost += m->nodes;
	}
	o->broke_only = lost > 0 && back == lost;
	if (lost == 0) {
		l->lost[l->cause.rank] = true;
		o->nlost = 1;
	}
}

/*
 * The state of the failed stage. It is saved while config.judge runs other
 * stages.
 */
struct put_aside {
	struct stage *stage;
	struct task *task;
	size_t tasks, running, done, most;
	struct cause cause;
	struct retry retry;
};

static struct put_aside
put_aside(struct launcher *l)
{
	struct put_aside p = { l->stage, l->task, l->tasks, l->running, l->done,
		l->most, l->cause, l->retry };

	l->stage = NULL;
	l->task = NULL;
	l->tasks = l->running = l->done = 0;
	/*
	 * Steps get new numbers, so that a late message about an old step
	 * cannot be taken for a message about a new one.
	 */
	l->first_id += l->ids;
	l->ids = 0;
	return p;
}

static void
take_back(struct launcher *l, const struct put_aside *p)
{
	l->stage = p->stage;
	l->task = p->task;
	l->tasks = p->tasks;
	l->running = p->running;
	l->done = p->done;
	l->most = p->most;
	l->cause = p->cause;
	l->retry = p->retry;
}

/*
 * Asks config.judge which nodes to drop. A node whose step failed may be
 * healthy: a node that has lost its links makes steps of other nodes fail.
 */
enum judgement
judge_stage(
    struct launcher *l, const struct retry_facts *facts, struct outcome *o)
{
	bool last = l->nlost > 0 || l->retry.stages >= RETRY_STAGES;
	enum judgement judged;
	struct put_aside p;

	if (l->c.judge == NULL || l->judging || l->signal != 0 || l->gone ||
	    l->fatal.kind != HP_NONE || l->growth.kind != HP_NONE ||
	    !retry_hope(&l->cause, facts))
		return JUDGE_NOTHING;
	cause_outcome(&l->cause, o);
	o->lost = l->lost;
	o->nlost = 0;
	for (size_t i = 0; i < l->c.nodes; i++) {
		l->lost[i] = launcher_hears(l, (int)i) != HEARS_IT;
		o->nlost += l->lost[i];
	}
	p = put_aside(l);
	l->judging = true;
	judged = l->c.judge(l->c.context, l, p.stage, last, o);
	l->judging = false;
	take_back(l, &p);
	/*
	 * The callback blames no node, although machines were lost. Perhaps
	 * only their connections broke. After JUDGE_NOTHING, name_the_lost
	 * tells the caller whether all of them have answered a new login.
	 */
	if (judged == JUDGE_NOBODY && l->nlost > 0)
		judged = JUDGE_NOTHING;
	if (judged != JUDGE_DROP) {
		o->why[0] = '\0';
		memset(l->lost, 0, l->c.nodes * sizeof *l->lost);
		o->nlost = 0;
	}
	return judged;
}
