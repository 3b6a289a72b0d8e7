#include <math.h>
#include <stdlib.h>

#include "share/limits.h"
#include "share/reach.h"

/*
 * Sums of items are limited to this value, so that sums over many nodes stay
 * below 2^64.
 */
static const uint64_t MOST = (uint64_t)1 << 62;

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

int
reach_init(struct reach *r, const struct problem *p, struct hp_err *e)
{
	uint64_t *all = calloc(p->cluster->n, (STAGES + 2) * sizeof *all);

	*r = (struct reach){ .p = p, .n = p->cluster->n, .cap = all };
	if (all == NULL)
		return hp_fail(e, HP_NOMEM, "plan for %zu nodes", r->n);
	for (size_t k = 0; k < STAGES; k++) {
		r->most[k] = all + (k + 1) * r->n;
		r->T[k] = NAN;
	}
	r->order = all + (STAGES + 1) * r->n;
	return 0;
}

void
reach_fini(struct reach *r)
{
	free(r->cap);
	*r = (struct reach){ 0 };
}

static bool
is_remote(const struct reach *r, size_t rank)
{
	return r->p->cluster->node[rank].host != NULL;
}

/*
 * Returns the largest number of items with which a node finishes stage k within
 * the time T.
 */
static uint64_t
most_by(const struct reach *r, enum stages_kind k, size_t rank, double T,
    size_t big)
{
	uint64_t total = r->p->total, n;

	if (k == STAGES_EXCHANGE && rank == big)
		return total;
	n = limits_node(r->p, k, rank, T, r->most[k][rank]);
	/*
	 * If one node has more than half of the items, each other node has less
	 * than half.
	 */
	if (k == STAGES_EXCHANGE && big != REACH_NONE)
		n = least(n, total == 0 ? 0 : (total - 1) / 2);
	return n;
}

/*
 * Node `big` has more than half of the items. Returns how many items all other
 * nodes together may have, so that `big` finishes the exchange within the time
 * T. A node with n items sends and receives as much as a node with total - n
 * items. So this is the number of items with which `big` would keep the limit
 * if it had less than half.
 */
static uint64_t
away_by(const struct reach *r, double T, size_t big)
{
	uint64_t total = r->p->total, n;

	if (big == REACH_NONE || total == 0)
		return total;
	n = limits_node(r->p, STAGES_EXCHANGE, big, T, 0);
	return least(n, (total - 1) / 2);
}

/*
 * Lowers *l to the number of items and of remote nodes that the launcher can
 * serve in stage k within the time T.
 */
static void
limit_launcher(
    const struct reach *r, enum stages_kind k, double T, struct stages_load *l)
{
	struct stages_load most = limits_launcher(r->p, k, T);

	l->items = least(l->items, most.items);
	l->nodes = least(l->nodes, most.nodes);
}

static int
descending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/*
 * Within its time limits, the launcher can exchange data with only so many
 * remote nodes. If there are more, sets the capacity of the smallest of them to
 * 0, by their capacities. Node `big`, which has more than half of all items, is
 * served first.
 */
static void
leave_served(struct reach *r, size_t big)
{
	size_t n = 0, served = r->launcher.nodes, more;
	uint64_t last;

	for (size_t i = 0; i < r->n; i++)
		if (is_remote(r, i) && i != big && r->cap[i] > 0)
			r->order[n++] = r->cap[i];
	if (big != REACH_NONE && is_remote(r, big)) {
		if (served == 0)
			r->cap[big] = 0;
		else
			served--;
	}
	if (n <= served)
		return;
	qsort(r->order, n, sizeof *r->order, descending);
	/*
	 * Keep the `served` nodes with the largest capacities. `last` is the
	 * smallest capacity that is kept. If several nodes have this capacity,
	 * `more` of them are kept.
	 */
	last = served > 0 ? r->order[served - 1] : UINT64_MAX;
	for (more = 0; more < served && r->order[served - 1 - more] == last;)
		more++;
	for (size_t i = 0; i < r->n; i++) {
		if (!is_remote(r, i) || i == big || r->cap[i] > last)
			continue;
		if (r->cap[i] == last && more > 0)
			more--;
		else
			r->cap[i] = 0;
	}
}

/*
 * Adds up how many items the nodes can take within the time limits of the
 * stages: *remote for nodes on other machines, *local for the others. Leaves
 * out node `big`, which has more than half of the items.
 */
static void
add_up(const struct reach *r, const uint64_t *cap, size_t big, uint64_t *remote,
    uint64_t *local)
{
	*remote = *local = 0;
	for (size_t i = 0; i < r->n; i++) {
		uint64_t *sum = is_remote(r, i) ? remote : local;

		if (i != big)
			*sum = least(*sum + cap[i], MOST);
	}
}

/*
 * Computes most[k] again for the stages whose limits have changed. In most
 * calls, only one has.
 */
static void
set_most(struct reach *r, const double *T, size_t big)
{
	for (int k = 0; k < STAGES; k++) {
		if (T[k] == r->T[k] && (big == r->big || k != STAGES_EXCHANGE))
			continue;
		for (size_t i = 0; i < r->n; i++)
			r->most[k][i] = most_by(
			    r, (enum stages_kind)k, i, T[k], big);
		r->T[k] = T[k];
	}
	r->big = big;
}

bool
reach_all(struct reach *r, const double *T, size_t big)
{
	uint64_t total = r->p->total, remote, local, others, L;

	r->launcher = (struct stages_load){ total, r->n };
	for (int k = 0; k < STAGES; k++)
		limit_launcher(r, (enum stages_kind)k, T[k], &r->launcher);
	L = r->launcher.items;
	r->away = away_by(r, T[STAGES_EXCHANGE], big);
	set_most(r, T, big);
	for (size_t i = 0; i < r->n; i++) {
		r->cap[i] = total;
		for (int k = 0; k < STAGES; k++)
			r->cap[i] = least(r->cap[i], r->most[k][i]);
	}
	leave_served(r, big);
	add_up(r, r->cap, big, &remote, &local);
	if (big == REACH_NONE)
		return local + least(L, remote) >= total;
	others = least(local + remote, r->away);
	if (!is_remote(r, big))
		return r->cap[big] + least(local + least(L, remote), r->away) >=
		    total;
	/*
	 * The launcher can send at most L items. Node `big`, which has more
	 * than half of all items, gets its items first. The other remote nodes
	 * share the rest of L.
	 */
	if (r->cap[big] >= L)
		return L + least(local, r->away) >= total;
	remote = least(remote, L - r->cap[big]);
	others = least(local + remote, others);
	return r->cap[big] + others >= total;
}

/*
 * Gives `items` to the nodes on other machines (remote) or on this machine, in
 * proportion to what each of them can take. `all` is the sum of what they can
 * take.
 */
static void
spread(const struct reach *r, bool remote, size_t big, uint64_t items,
    uint64_t all, uint64_t *n)
{
	uint64_t rest = items;

	for (size_t i = 0; i < r->n; i++) {
		if (i == big || is_remote(r, i) != remote)
			continue;
		n[i] = (uint64_t)((long double)r->cap[i] * items /
		    (all > 0 ? all : 1));
		n[i] = least(least(n[i], r->cap[i]), rest);
		rest -= n[i];
	}
	for (size_t i = 0; i < r->n && rest > 0; i++) {
		uint64_t more;

		if (i == big || is_remote(r, i) != remote)
			continue;
		/*
		 * Rounding has left some items over. Give only a few of them to
		 * each node.
		 */
		more = least(rest, least(r->cap[i] - n[i], 1 + rest / r->n));
		n[i] += more;
		rest -= more;
	}
	for (size_t i = 0; i < r->n && rest > 0; i++) {
		uint64_t more;

		if (i == big || is_remote(r, i) != remote)
			continue;
		more = least(rest, r->cap[i] - n[i]);
		n[i] += more;
		rest -= more;
	}
}

void
reach_shares(const struct reach *r, size_t big, uint64_t *n)
{
	uint64_t rest = r->p->total, L = r->launcher.items, remote, local,
		 hosts;

	add_up(r, r->cap, big, &remote, &local);
	if (big != REACH_NONE) {
		n[big] = least(r->cap[big], rest);
		if (is_remote(r, big)) {
			n[big] = least(n[big], L);
			L -= n[big];
		}
		rest -= n[big];
	}
	/*
	 * Give the nodes on other machines a share in proportion to what they
	 * can take, but no more than the launcher can send.
	 */
	hosts = remote + local == 0
	    ? 0
	    : (uint64_t)((long double)rest * remote / (remote + local));
	hosts = least(hosts, least(L, remote));
	if (rest - hosts > local)
		hosts = rest - local;
	spread(r, true, big, hosts, remote, n);
	spread(r, false, big, rest - hosts, local, n);
}

bool
reach_idle(struct reach *r, enum stages_kind k, double shorter, size_t big)
{
	struct stages_load load = { r->p->total, r->n };
	uint64_t hosts = 0;
	size_t nodes = 0;

	if (k == STAGES_EXCHANGE && big != REACH_NONE)
		return false;
	for (size_t i = 0; i < r->n; i++) {
		uint64_t other = r->p->total;

		for (int l = 0; l < STAGES; l++)
			if (l != (int)k)
				other = least(other, r->most[l][i]);
		if (most_by(r, k, i, shorter, big) < other)
			return false;
		if (is_remote(r, i)) {
			hosts = least(hosts + other, MOST);
			nodes += other > 0;
		}
	}
	limit_launcher(r, k, shorter, &load);
	return load.items >= least(hosts, r->p->total) && load.nodes >= nodes;
}
