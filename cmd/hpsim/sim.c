#include <math.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>

#include "exchange.h"
#include "platform.h"
#include "sim.h"

/* Kinds of messages. */
enum {
	PART = 'p',	/* a node's share of the input, sent to the node */
	DOCUMENT = 'd', /* a document, such as the plan, sent to a node */
	ANSWER = 'a', /* a node's answer to a document, sent to the launcher */
	RESULT = 'r'  /* a node's sorted records, sent to the launcher */
};

/*
 * Adds a step to the log.  The step began at start_s and ends at the current
 * simulated time.
 */
static void
note(struct sim *s, size_t rank, enum log_stage stage, const char *name,
    double start_s)
{
	log_add(&s->log,
	    (struct log_step){
		name, rank, stage, start_s, simgrid_get_clock() });
}

/*
 * Returns the bytes of input that are sent to a node, which are also the bytes
 * of its result.  Returns 0 for a node on the launcher's machine.
 */
static long
part_bytes(const struct sim *s, size_t rank)
{
	if (s->w->cluster.node[rank].host == NULL)
		return 0;
	return (long)((double)s->w->n[rank] * s->w->item_bytes + 0.5);
}

/* Returns the latency of a message between the launcher and a node. */
static double
latency(const struct role *me)
{
	const struct work *w = me->sim->w;

	if (work_at_launcher(w, me->i))
		return 0;
	return w->cluster.launcher.link.latency_s +
	    work_link(w, me->i)->latency_s;
}

static void
pause_for(double seconds)
{
	if (seconds > 0)
		sg_actor_sleep_for(seconds);
}

/* The time that the node needs to start a step. */
static double
step_s(const struct role *me)
{
	return me->sim->o->step_s + me->sim->w->cluster.node[me->i].step_s;
}

/* Works for a time on the node. */
static void
work_for(
    struct role *me, enum log_stage stage, const char *name, double seconds)
{
	double start_s = simgrid_get_clock();

	pause_for(seconds);
	note(me->sim, me->i, stage, name, start_s);
}

/* The launcher sends nothing before it has logged in to all hosts. */
static void
log_in(struct role *me)
{
	const struct node *node = &me->sim->w->cluster.node[me->i];
	double own_s = node->host != NULL ? node->login_s : 0;

	if (own_s > 0)
		work_for(me, LOG_START, "start", own_s);
	pause_for(me->sim->login_s - own_s);
}

static void
sort(struct role *me)
{
	const struct work *w = me->sim->w;

	/* The time of a sort includes the start of its step. */
	work_for(me, LOG_SORT, "sort",
	    curve_time(&w->cluster.node[me->i].curve, w->n[me->i]) +
		me->sim->o->step_s);
}

static void
receive_part(struct role *me)
{
	double start_s = simgrid_get_clock();

	if (me->sim->o->in_place || part_bytes(me->sim, me->i) == 0)
		return;
	actor_receive(actor_mailbox(PART, me->i));
	note(me->sim, me->i, LOG_SEND, "send", start_s);
}

/* Sends the document of a talk to the node, and receives the node's answer. */
static void
ask(struct role *me, const struct talk *t)
{
	actor_send(actor_mailbox(DOCUMENT, me->i), me, 1 + (long)t->to_node,
	    latency(me));
	actor_receive(actor_mailbox(ANSWER, me->i));
}

/*
 * Returns the bytes of a node's answer.  The candidates in all answers are
 * divided among the nodes in proportion to their records.
 */
static long
answer_bytes(const struct sim *s, const struct talk *t, size_t rank)
{
	if (s->w->total == 0)
		return 1;
	return 1 +
	    (long)(t->each +
		t->answers * (double)s->w->n[rank] / (double)s->w->total);
}

static void
answer(struct role *me, enum log_stage stage, const struct talk *t)
{
	double start_s = simgrid_get_clock();

	actor_receive(actor_mailbox(DOCUMENT, me->i));
	pause_for(step_s(me));
	actor_send(actor_mailbox(ANSWER, me->i), me,
	    answer_bytes(me->sim, t, me->i), latency(me));
	note(me->sim, me->i, stage, t->step, start_s);
	sg_barrier_wait(me->sim->all);
	if (t->then != NULL)
		sg_barrier_wait(me->sim->all);
}

static void
node_main(int argc, char *argv[])
{
	struct role *me = sg_actor_self_get_data();
	struct sim *s = me->sim;
	const struct node *node = &s->w->cluster.node[me->i];
	double start_s;

	(void)argc;
	(void)argv;
	log_in(me);
	receive_part(me);
	if (demand_sorts_first(s->o->algorithm))
		sort(me);
	sg_barrier_wait(s->all);
	for (size_t t = 0; t < s->talks.n; t++)
		answer(me, LOG_PIVOTS, &s->talks.talk[t]);
	start_s = simgrid_get_clock();
	pause_for(step_s(me));
	sg_barrier_wait(s->movers_begin);
	sg_barrier_wait(s->movers_end);
	log_add(&s->log,
	    (struct log_step){ "exchange", me->i, LOG_EXCHANGE, start_s,
		s->movers.v[s->movers.of[me->i]].end_s });
	if (demand_sorts_first(s->o->algorithm))
		work_for(me, LOG_MERGE, "merge",
		    (double)s->w->n[me->i] * node->merge_s_per_item +
			step_s(me));
	else
		sort(me);
	sg_barrier_wait(s->all);
	if (s->talks.last.step != NULL)
		answer(me, LOG_GATHER, &s->talks.last);
	start_s = simgrid_get_clock();
	if (s->o->leave || part_bytes(s, me->i) == 0)
		return;
	actor_send(actor_mailbox(RESULT, me->i), me, part_bytes(s, me->i),
	    latency(me));
	note(s, me->i, LOG_GATHER, "gather", start_s);
}

/*
 * Simulates the launcher's messages with one node, in their order.  Each
 * message begins when both the node and its clerk are ready.  One clerk for
 * each node is much faster than one for all nodes: SimGrid searches all
 * messages of an actor whenever one of them ends.
 */
static void
clerk_main(int argc, char *argv[])
{
	struct role *me = sg_actor_self_get_data();
	struct sim *s = me->sim;
	bool moves = part_bytes(s, me->i) > 0;

	(void)argc;
	(void)argv;
	pause_for(s->login_s);
	if (!s->o->in_place && moves)
		actor_send(actor_mailbox(PART, me->i), me, part_bytes(s, me->i),
		    latency(me));
	for (size_t t = 0; t < s->talks.n; t++)
		ask(me, &s->talks.talk[t]);
	if (s->talks.last.step != NULL)
		ask(me, &s->talks.last);
	if (!s->o->leave && moves)
		actor_receive(actor_mailbox(RESULT, me->i));
}

/* Simulates the launcher's own step after the answers of all nodes. */
static void
conclude(struct sim *s, const struct talk *t)
{
	double start_s;

	sg_barrier_wait(s->all);
	if (t->then == NULL)
		return;
	start_s = simgrid_get_clock();
	if (s->o->step_s > 0)
		sg_actor_sleep_for(s->o->step_s);
	note(s, LOG_LAUNCHER, LOG_PIVOTS, t->then, start_s);
	sg_barrier_wait(s->all);
}

static void
launcher_main(int argc, char *argv[])
{
	struct role *me = sg_actor_self_get_data();
	struct sim *s = me->sim;

	(void)argc;
	(void)argv;
	sg_barrier_wait(s->all);
	for (size_t t = 0; t < s->talks.n; t++)
		conclude(s, &s->talks.talk[t]);
	sg_barrier_wait(s->movers_begin);
	sg_barrier_wait(s->movers_end);
	sg_barrier_wait(s->all);
	if (s->talks.last.step != NULL)
		conclude(s, &s->talks.last);
}

static void
start(struct sim *s, struct role *launcher, struct role *nodes,
    struct role *movers)
{
	size_t n = s->w->cluster.n;
	char host[HOST_NAME];

	for (size_t i = 0; i < n; i++)
		if (s->w->cluster.node[i].host != NULL)
			s->login_s = fmax(
			    s->login_s, s->w->cluster.node[i].login_s);
	s->all = sg_barrier_init((unsigned)n + 1);
	s->movers_begin = sg_barrier_init((unsigned)(n + 1 + s->movers.n));
	s->movers_end = sg_barrier_init((unsigned)(n + 1 + s->movers.n));
	actor_start("L", launcher_main, launcher);
	for (size_t i = 0; i < n; i++) {
		platform_node(s->w, i, host);
		actor_start(host, node_main, &nodes[i]);
		actor_start("L", clerk_main, &nodes[i]);
	}
	exchange_start(s, movers);
	simgrid_run();
	sg_barrier_destroy(s->all);
	sg_barrier_destroy(s->movers_begin);
	sg_barrier_destroy(s->movers_end);
}

int
sim_run(struct sim *s, struct hp_err *e)
{
	struct role *launcher = NULL, *nodes = NULL, *movers = NULL;
	int rc = -1;

	if (talks_make(s->o, s->w, &s->talks, e) == -1 ||
	    movers_make(s->w, s->o->groups, &s->movers, e) == -1)
		return -1;
	launcher = roles_new(s, 1, 1, e);
	nodes = roles_new(s, s->w->cluster.n, 1, e);
	movers = roles_new(s, s->movers.n, 2 * s->movers.n, e);
	if (launcher != NULL && nodes != NULL && movers != NULL &&
	    platform_make(s->w, &s->movers, s->o->half_duplex, e) == 0) {
		start(s, launcher, nodes, movers);
		log_span(&s->log, LOG_SEND, "send");
		log_span(&s->log, LOG_GATHER, "gather");
		rc = s->log.short_of_memory ? hp_fail(e, HP_NOMEM, "simulation")
					    : 0;
	}
	roles_free(launcher);
	roles_free(nodes);
	roles_free(movers);
	return rc;
}

void
sim_fini(struct sim *s)
{
	movers_fini(&s->movers);
	log_fini(&s->log);
}
