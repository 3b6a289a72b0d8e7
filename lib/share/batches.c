#include <math.h>
#include <stdbool.h>
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
 * Later phases of a run work on the finished batches, each on its own node. A
 * finished batch moves to another node if that node, with this batch, would
 * need less than this part of the time that the old node needs for its batches.
 */
#define MOVE_ENDED_PART 0.7
/*
 * The speed of a node is an average over its batches. When a batch of full size
 * ends, the weight of all earlier batches is multiplied by this factor.
 */
#define DECAY 0.5
/* Like DECAY, but for the average speed of a node over the whole run. */
#define MEAN_DECAY 0.9
/*
 * If a batch takes so many times as long as the earlier batches predict, the
 * node has become slow, and the earlier batches no longer count. A smaller
 * factor would forget them whenever a node pauses for a moment.
 */
#define CHANGED 3.0
/* A batch of less than this part of the largest one shows no such change. */
#define CHANGED_PART 0.5
/*
 * A batch that its node has begun or finished moves only if the work would end
 * at least this many seconds earlier on the other node. So a node that only
 * pauses for a moment keeps its batches.
 */
#define GAIN_S 0.1
/*
 * A node's speed is normally its average over the run. If the speed of its last
 * batches is lower by more than the factor SLOWER, or higher by more than
 * FASTER, that speed counts instead. FASTER is larger, because the speed of
 * single batches varies more upwards. Also, it costs more to miss that a node
 * has become slow.
 */
#define SLOWER 1.5
#define FASTER 2.5
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
batches_send(struct batches *b, size_t node, uint64_t items, double now_s)
{
	b->node[node].coming = items;
	b->node[node].sent_s = now_s;
}

void
batches_sent(struct batches *b, size_t node, double now_s)
{
	struct batch_node *n = &b->node[node];

	if (n->coming > 0) {
		n->item_s = fmax(now_s - n->sent_s, 0) / (double)n->coming;
		if (n->fast_s == 0 || n->item_s < n->fast_s)
			n->fast_s = n->item_s;
	}
	n->coming = 0;
}

void
batches_begin(struct batches *b, size_t node, uint64_t items, double now_s)
{
	b->node[node].running = items;
	b->node[node].since_s = now_s;
}

static void
add_batch(
    double *all, double *all_s, double keeps, uint64_t items, double seconds)
{
	*all = *all * keeps + (double)items;
	*all_s = *all_s * keeps + seconds;
}

/* Returns whether a batch shows that the node has become slow. */
static bool
is_change(const struct batch_node *n, double items, double seconds)
{
	return n->items > 0 && items >= CHANGED_PART * (double)n->most &&
	    seconds * n->items > CHANGED * n->seconds * items;
}

/*
 * Adds a batch of so many items and seconds to the averages that give the
 * node's speed.
 */
static void
note_time(struct batch_node *n, uint64_t items, double seconds)
{
	double part;

	n->most = items > n->most ? items : n->most;
	/*
	 * A smaller batch says less about the node's speed, because most of its
	 * time is the start of its command. So older batches keep more weight.
	 */
	part = (double)items / (double)n->most;
	/*
	 * If the clock is set back, the time can be negative. The speed must
	 * not become negative.
	 */
	if (!(seconds > 1e-6))
		seconds = 1e-6;
	if (is_change(n, (double)items, seconds))
		n->items = n->seconds = 0;
	add_batch(&n->items, &n->seconds, pow(DECAY, part), items, seconds);
	add_batch(&n->mean_items, &n->mean_seconds, pow(MEAN_DECAY, part),
	    items, seconds);
}

void
batches_end(struct batches *b, size_t node, uint64_t items, double seconds)
{
	struct batch_node *n = &b->node[node];

	note_time(n, items, seconds);
	n->running = 0;
	n->ended_s = n->since_s + seconds;
	n->held += items;
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
	if (is_change(n, items, spent_s))
		return items / spent_s;
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

double
batches_mean_speed(const struct batches *b, size_t node, double now_s)
{
	const struct batch_node *n = &b->node[node];
	double now = batches_speed(b, node, now_s), mean;

	if (n->items <= 0)
		return 0;
	mean = n->mean_items / n->mean_seconds;
	return now > mean * FASTER || now * SLOWER < mean ? now : mean;
}

double
batches_later_s(const struct batches *b, size_t node, uint64_t items,
    unsigned moves, double now_s)
{
	double work_s = 1 / batches_mean_speed(b, node, now_s);

	return (double)items * fmax(work_s, moves * b->node[node].fast_s);
}

size_t
batches_slowest(const struct batches *b, double now_s)
{
	double most = -1, speed, time_s;
	size_t slowest = 0;

	for (size_t i = 0; i < b->n; i++) {
		speed = batches_mean_speed(b, i, now_s);
		time_s = speed > 0 ? (double)b->node[i].held / speed : 0;
		if (time_s > most) {
			most = time_s;
			slowest = i;
		}
	}
	return slowest;
}

/* When the idle node began to wait for the batch that is on its way. */
static double
waits_since(const struct batch_node *n)
{
	return fmax(n->sent_s, n->ended_s);
}

/*
 * Returns the remaining time of work that was expected to last expected_s
 * seconds and has lasted spent_s seconds so far. The reason for a delay is
 * unknown. So if the work is late, assumes that it needs as much more time as
 * it is already late.
 */
static double
rest_of(double expected_s, double spent_s)
{
	return fabs(expected_s - spent_s);
}

/* Returns how long the node needs for an unfinished batch. */
static double
rest_of_batch(const struct batch_node *n, double speed, uint64_t items,
    enum batch_state state, double now_s)
{
	double rest_s = 0;

	/*
	 * The speed of the node is unknown. Assume that its current batch is
	 * half done, so the rest takes as long as the node has already worked.
	 */
	if (n->running > 0 && !(speed > 0))
		return now_s - n->since_s;
	if (n->running > 0)
		rest_s = rest_of((double)n->running * n->seconds / n->items,
		    now_s - n->since_s);
	if (state == BATCH_RUNS)
		return rest_s;
	if (n->running == 0 && n->coming > 0)
		rest_s = rest_of(
		    n->item_s * (double)items, now_s - waits_since(n));
	return speed > 0 ? rest_s + (double)items / speed : rest_s;
}

int
batches_moves(const struct batches *b, size_t from, size_t to, uint64_t items,
    enum batch_state state, double now_s)
{
	const struct batch_node *f = &b->node[from], *t = &b->node[to];
	double slow = batches_mean_speed(b, from, now_s);
	double fast = batches_mean_speed(b, to, now_s), here_s, there_s, end_s;

	if (!(fast > 0) || (state == BATCH_ENDED && !(slow > 0)))
		return 0;
	/* A batch that has arrived at an idle node begins at once. */
	if (state == BATCH_WAITS && f->running == 0 && f->coming == 0)
		return 0;
	here_s = (double)items * (t->item_s + 1 / fast);
	if (state != BATCH_ENDED) {
		there_s = rest_of_batch(f, slow, items, state, now_s);
		return here_s < there_s * MOVE_PART &&
		    (state == BATCH_WAITS || here_s + GAIN_S < there_s);
	}
	there_s = (double)f->held / slow;
	if (f->running > 0)
		there_s += rest_of_batch(f, slow, 0, BATCH_RUNS, now_s);
	end_s = here_s + (double)(t->held + items) / fast;
	return here_s < (double)items / slow * MOVE_PART &&
	    end_s < there_s * MOVE_ENDED_PART && end_s + GAIN_S < there_s;
}

void
batches_leave(struct batches *b, size_t node, uint64_t items,
    enum batch_state state, double now_s)
{
	struct batch_node *n = &b->node[node];

	switch (state) {
	case BATCH_WAITS:
		if (n->running == 0 && n->coming > 0)
			note_time(n, items,
			    now_s - waits_since(n) +
				rest_of_batch(n, 0, items, state, now_s));
		n->coming = 0;
		break;
	case BATCH_RUNS:
		if (n->running > 0)
			note_time(n, items,
			    now_s - n->since_s +
				rest_of_batch(n, batches_speed(b, node, now_s),
				    items, state, now_s));
		n->running = 0;
		n->ended_s = now_s;
		break;
	case BATCH_ENDED:
		n->held -= items < n->held ? items : n->held;
		break;
	}
}
