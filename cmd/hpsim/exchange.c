#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/mailbox.h>

#include "exchange.h"
#include "platform.h"

/*
 * Sends to all other movers and receives from them at the same time, as
 * hpexchange(1) does.  Each mover begins with its successor, so that the movers
 * do not all send to the same one first.
 */
static void
move(struct role *me)
{
	struct movers *m = &me->sim->movers;
	size_t n = 0;

	for (size_t d = 0; d < m->n; d++) {
		size_t to = (me->i + d) % m->n;
		long out = movers_bytes(m, me->i, to);

		if (out > 0)
			me->comm[n++] = sg_mailbox_put_async(
			    actor_mailbox(d == 0 ? 't' : 'x', to), me, out);
		if (d > 0 && movers_bytes(m, to, me->i) > 0)
			me->comm[n++] = sg_mailbox_get_async(
			    actor_mailbox('x', me->i), &me->got[d]);
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
