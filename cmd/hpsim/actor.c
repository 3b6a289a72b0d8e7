#include <stdio.h>
#include <stdlib.h>

#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>

#include "actor.h"
#include "platform.h"

sg_mailbox_t
actor_mailbox(char kind, size_t i)
{
	char name[HOST_NAME];

	snprintf(name, sizeof name, "%c%zu", kind, i);
	return sg_mailbox_by_name(name);
}

void
actor_send(sg_mailbox_t to, struct role *me, long bytes, double latency_s)
{
	/* An empty message ends when both actors are ready. */
	sg_mailbox_put(to, me, 0);
	if (latency_s > 0)
		sg_actor_sleep_for(latency_s);
	sg_mailbox_put(to, me, bytes);
}

void
actor_receive(sg_mailbox_t from)
{
	sg_mailbox_get(from);
	sg_mailbox_get(from);
}

void
actor_start(const char *host, void (*run)(int, char **), struct role *role)
{
	sg_actor_t actor = sg_actor_init(host, sg_host_by_name(host));

	sg_actor_set_data(actor, role);
	sg_actor_start_(actor, run, 0, NULL);
}

struct role *
roles_new(struct sim *s, size_t n, size_t messages, struct hp_err *e)
{
	struct role *r = calloc(n, sizeof *r);
	sg_comm_t *comm = calloc(n * messages, sizeof *comm);
	void **got = calloc(n * messages, sizeof *got);
	struct sending *sending = calloc(n * messages, sizeof *sending);

	if (r == NULL || comm == NULL || got == NULL || sending == NULL) {
		free(r);
		free(comm);
		free(got);
		free(sending);
		hp_fail_errno(e, HP_NOMEM, "simulation");
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		r[i] = (struct role){ s, i, &comm[i * messages],
			&got[i * messages], &sending[i * messages] };
	return r;
}

void
roles_free(struct role *r)
{
	if (r == NULL)
		return;
	free(r->comm);
	free(r->got);
	free(r->sending);
	free(r);
}
