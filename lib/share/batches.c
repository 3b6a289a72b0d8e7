#include <math.h>
#include <stdlib.h>

#include "share/batches.h"

/* The time of a whole run has so many batches of each node. */
#define ROUNDS 24.0
/* A batch takes no less time, as a command has to be started for it. */
#define LEAST_S 0.05
/* Moving a batch pays if the other node needs this part of the time. */
#define MOVE_PART 0.5
/* The weight that a batch keeps when another one of full size has finished. */
#define DECAY 0.5
/* A smaller batch at the end wastes more than it saves. */
#define LAST_S (LEAST_S / 2)

int
batches_init(struct batches *b, size_t nodes, uint64_t all, uint64_t first,
    struct hp_err *e)
{
	*b = (struct batches){ .n = nodes, .all = all, .first = first };
	b->node = calloc(nodes, sizeof *b->node);
	return b->node == NULL ? hp_fail(e, HP_NOMEM, "batches") : 0;
}

void
batches_fini(struct batches *b)
{
	free(b->node);
	*b = (struct batches){ 0 };
}

void
batches_begin(struct batches *b, size_t node, uint64_t items, double now_s)
{
	b->node[node].running = items;
	b->node[node].since_s = now_s;
}

void
batches_end(struct batches *b, size_t node, uint64_t items, double seconds)
{
	struct batch_node *n = &b->node[node];
	double keeps;

	n->most = items > n->most ? items : n->most;
	/* A small batch tells less: most of its time is that of its start. */
	keeps = pow(DECAY, (double)items / (double)n->most);
	/* A clock that is set back must not make a speed negative. */
	if (!(seconds > 1e-6))
		seconds = 1e-6;
	n->items = n->items * keeps + (double)items;
	n->seconds = n->seconds * keeps + seconds;
	n->running = 0;
}

double
batches_speed(const struct batches *b, size_t node, double now_s)
{
	const struct batch_node *n = &b->node[node];
	double spent_s = now_s - n->since_s, items = (double)n->running;

	if (n->items <= 0)
		return 0;
	if (n->running == 0 || spent_s * n->items <= n->seconds * items)
		return n->items / n->seconds;
	return (n->items * DECAY + items) / (n->seconds * DECAY + spent_s);
}

/*
 * Returns the sum of all speeds.  A node without a finished batch counts as
 * the mean of the others, or as what it can have done at most.
 */
static double
sum_of_speeds(const struct batches *b, double now_s)
{
	double sum = 0, most, mean;
	size_t known = 0;

	for (size_t i = 0; i < b->n; i++) {
		sum += batches_speed(b, i, now_s);
		known += b->node[i].items > 0;
	}
	mean = known > 0 ? sum / (double)known : 0;
	for (size_t i = 0; i < b->n; i++) {
		const struct batch_node *n = &b->node[i];

		if (n->items > 0)
			continue;
		most = n->running > 0 && now_s > n->since_s
		    ? (double)n->running / (now_s - n->since_s)
		    : mean;
		sum += fmin(most, mean);
	}
	return sum;
}

uint64_t
batches_next(const struct batches *b, size_t node, uint64_t left, double now_s)
{
	double speed = batches_speed(b, node, now_s), sum, rest_s, time_s, want;

	if (left == 0)
		return 0;
	if (!(speed > 0))
		return left < b->first ? left : b->first;
	sum = sum_of_speeds(b, now_s);
	/* All nodes need this time for what is left. */
	rest_s = (double)left / sum;
	time_s = fmax((double)b->all / sum / ROUNDS, LEAST_S);
	if (rest_s > LEAST_S)
		time_s = fmin(time_s, fmax(rest_s / 2, LEAST_S));
	else
		time_s = fmax(rest_s, LAST_S);
	want = ceil(speed * time_s);
	if (want >= (double)left)
		return left;
	return want < 1 ? 1 : (uint64_t)want;
}

int
batches_moves(const struct batches *b, size_t from, size_t to, uint64_t items,
    double now_s)
{
	double slow = batches_speed(b, from, now_s);
	double fast = batches_speed(b, to, now_s), there_s;
	const struct batch_node *n = &b->node[from];

	if (!(fast > 0) || n->running == 0)
		return 0;
	/* The node's own batch is far from done as far as anyone knows. */
	there_s = slow > 0 ? (double)items / slow : now_s - n->since_s;
	if (slow > 0)
		there_s += fmax(
		    0, (double)n->running / slow - (now_s - n->since_s));
	return (double)items / fast < there_s * MOVE_PART;
}
