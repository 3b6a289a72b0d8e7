#include <stdlib.h>

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/mailbox.h>

#include "exchange.h"
#include "platform.h"

static int
by_latency(const void *a, const void *b)
{
	const struct sending *s = a, *t = b;

	return (s->latency_s > t->latency_s) - (s->latency_s < t->latency_s);
}

/*
 * Sends to all other movers and receives from them at the same time, as
 * hpexchange(1) does.  All movers begin at the same time, so the transfer of a
 * message begins when its latency is over.
 */
static void
move(struct role *me)
{
	struct movers *m = &me->sim->movers;
	size_t n = 0, sends = 0;
	double waited_s = 0;

	for (size_t i = 0; i < m->n; i++) {
		long out = movers_bytes(m, me->i, i);

		if (out > 0)
			me->sending[sends++] = (struct sending){
				movers_latency(m, me->i, i),
				actor_mailbox(i == me->i ? 't' : 'x', i), out
			};
		if (i != me->i && movers_bytes(m, i, me->i) > 0)
			me->comm[n++] = sg_mailbox_get_async(
			    actor_mailbox('x', me->i), &me->got[i]);
	}
	qsort(me->sending, sends, sizeof *me->sending, by_latency);
	for (size_t i = 0; i < sends; i++) {
		const struct sending *s = &me->sending[i];

		if (s->latency_s > waited_s) {
			sg_actor_sleep_for(s->latency_s - waited_s);
			waited_s = s->latency_s;
		}
		me->comm[n++] = sg_mailbox_put_async(s->to, me, s->bytes);
	}
	sg_comm_wait_all(me->comm, n);
}

static void
mover_main(int argc, char *argv[])
{
	struct role *me = sg_actor_self_get_data();
	struct sim *s = me->sim;

	(void)argc;
	(void)argv;
	sg_barrier_wait(s->movers_begin);
	move(me);
	s->movers.v[me->i].end_s = simgrid_get_clock();
	sg_barrier_wait(s->movers_end);
}

/* Receives the records that nodes of one group send to each other. */
static void
twin_main(int argc, char *argv[])
{
	struct role *me = sg_actor_self_get_data();

	(void)argc;
	(void)argv;
	sg_mailbox_get(actor_mailbox('t', me->i));
}

void
exchange_start(struct sim *s, struct role *role)
{
	char host[HOST_NAME];

	for (size_t g = 0; g < s->movers.n; g++) {
		platform_mover(s->w, &s->movers, g, host);
		actor_start(host, mover_main, &role[g]);
		if (movers_bytes(&s->movers, g, g) == 0)
			continue;
		platform_twin(g, host);
		actor_start(host, twin_main, &role[g]);
	}
}
