#include <math.h>
#include <stdlib.h>

#include "share/batches.h"

/* Each node gets about this many batches during the whole run. */
#define ROUNDS 24.0
/*
 * A batch must take at least this many seconds, because a command is started
 * for each batch.
 */
#define LEAST_S 0.05
/*
 * A waiting batch moves if another node would finish it in less than this part
 * of the time that its own node would need.
 */
#define MOVE_PART 0.5
/*
 * The speed of a node is an average over its batches. When a batch of full size
 * ends, the weight of all earlier batches is multiplied by this factor.
 */
#define DECAY 0.5
/*
 * Near the end of the run, a batch must take at least this many seconds. A
 * smaller batch would cost more time than it saves.
 */
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
	/*
	 * A smaller batch says less about the node's speed, because most of its
	 * time is the start of its command. So older batches keep more weight.
	 */
	keeps = pow(DECAY, (double)items / (double)n->most);
	/*
	 * If the clock is set back, the time can be negative. The speed must
	 * not become negative.
	 */
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
 * Returns the sum of the speeds of all nodes. A node that has not finished a
 * batch yet counts with the mean speed of the others. If its first batch
 * already takes longer than that speed predicts, it counts with less.
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
	/*
	 * All nodes together need rest_s seconds for the items that are left.
	 */
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
	/*
	 * Estimate in how many seconds the node `from` would finish the waiting
	 * batch, after its current one. If its speed is unknown, the estimate
	 * is the time that it has spent on the current batch.
	 */
	there_s = slow > 0 ? (double)items / slow : now_s - n->since_s;
	if (slow > 0)
		there_s += fmax(
		    0, (double)n->running / slow - (now_s - n->since_s));
	return (double)items / fast < there_s * MOVE_PART;
}
