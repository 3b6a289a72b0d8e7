#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "share/assign.h"

struct task {
	uint64_t size;
	size_t number;
	uint32_t rank;
};

struct load {
	double seconds;
	uint64_t items;
};

struct assignment {
	const struct cluster *c;
	struct task *task; /* sorted, the largest first */
	size_t n;
	struct load *load;
	/*
	 * pointers to all tasks, grouped by node; the tasks of node j begin at
	 * of[begin[j]]
	 */
	struct task **of;
	size_t *begin;
};

static int
largest_first(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static double
time_of(const struct assignment *a, size_t rank, uint64_t size)
{
	return curve_time(&a->c->node[rank].curve, size);
}

/*
 * Returns whether the node can take the items if it gives away `out` items and
 * gets `in` items.
 */
static bool
has_room(const struct assignment *a, size_t rank, uint64_t out, uint64_t in)
{
	uint64_t items = a->load[rank].items - out;
	uint64_t limit = curve_limit(&a->c->node[rank].curve);

	return items <= limit && in <= limit - items;
}

/*
 * Returns the rank of the node that would finish earliest if it got the
 * sublist. Returns c->n if no node can take so many items.
 */
static size_t
earliest(const struct assignment *a, uint64_t size)
{
	double done, best = 0;
	size_t found = a->c->n;

	for (size_t j = 0; j < a->c->n; j++) {
		if (!has_room(a, j, 0, size))
			continue;
		done = a->load[j].seconds + time_of(a, j, size);
		if (found == a->c->n || done < best) {
			best = done;
			found = j;
		}
	}
	return found;
}

static void
give(struct assignment *a, struct task *t, size_t rank)
{
	t->rank = (uint32_t)rank;
	a->load[rank].seconds += time_of(a, rank, t->size);
	a->load[rank].items += t->size;
}

static void
take(struct assignment *a, const struct task *t)
{
	a->load[t->rank].seconds -= time_of(a, t->rank, t->size);
	a->load[t->rank].items -= t->size;
}

static int
in_turn(struct assignment *a, struct hp_err *e)
{
	size_t j;

	for (size_t i = 0; i < a->n; i++) {
		struct task *t = &a->task[i];

		if ((j = earliest(a, t->size)) == a->c->n)
			return hp_fail(e, HP_NOSHARE,
			    "sublist %zu: no node has room for its %" PRIu64
			    " records",
			    t->number, t->size);
		give(a, t, j);
	}
	return 0;
}

/*
 * An exchange between two nodes: the node that finishes last gives the task
 * `out` to another node and gets the task `in`, which may be NULL.
 */
struct swap {
	struct task *out, *in;
	size_t other;
	/* time at which both nodes have finished after the exchange */
	double done;
};

/*
 * Considers an exchange: the task `out` moves from its node, which finishes
 * last, to the node `other`. The task `in` moves the other way; NULL: no task.
 * If both nodes have room, and then finish earlier than after the exchange
 * *best, replaces *best. Returns whether the node that gives `out` would still
 * finish after `other`.
 */
static bool
consider(const struct assignment *a, struct task *out, struct task *in,
    size_t other, struct swap *best)
{
	size_t last = out->rank;
	uint64_t back = in == NULL ? 0 : in->size;
	double mine = a->load[last].seconds - time_of(a, last, out->size) +
	    time_of(a, last, back);
	double theirs = a->load[other].seconds + time_of(a, other, out->size) -
	    time_of(a, other, back);
	double done = mine > theirs ? mine : theirs;

	if (done < best->done && has_room(a, other, back, out->size) &&
	    has_room(a, last, out->size, back))
		*best = (struct swap){ out, in, other, done };
	return mine > theirs;
}

/*
 * Chooses the task of the node `other` to exchange for `out`, a task of the
 * node that finishes last. theirs[n] are the tasks of the other node, the
 * largest first. The larger the task that the last node receives, the later it
 * finishes, and the earlier the other node. So binary search finds the task
 * with which both finish at nearly the same time.
 */
static void
best_partner(const struct assignment *a, struct task *out, struct task **theirs,
    size_t n, size_t other, struct swap *best)
{
	size_t low = 0, high = n, middle;

	consider(a, out, NULL, other, best);
	while (low < high) {
		middle = low + (high - low) / 2;
		if (consider(a, out, theirs[middle], other, best))
			low = middle + 1;
		else
			high = middle;
	}
}

static size_t
last_done(const struct assignment *a)
{
	size_t last = 0;

	for (size_t j = 1; j < a->c->n; j++)
		if (a->load[j].seconds > a->load[last].seconds)
			last = j;
	return last;
}

/*
 * Returns whether all nodes finish at about the same time, so that no exchange
 * gains anything.
 */
static bool
even(const struct assignment *a, size_t last)
{
	double most = a->load[last].seconds, least = most;

	for (size_t j = 0; j < a->c->n; j++)
		if (a->load[j].seconds < least)
			least = a->load[j].seconds;
	return most - least <= most * 1e-4;
}

/*
 * Groups the tasks by node. Each group is sorted, with the largest task first.
 */
static void
by_node(struct assignment *a)
{
	size_t n = 0;

	memset(a->begin, 0, (a->c->n + 1) * sizeof *a->begin);
	for (size_t i = 0; i < a->n; i++)
		a->begin[a->task[i].rank]++;
	for (size_t j = 0; j <= a->c->n; j++) {
		n += a->begin[j];
		a->begin[j] = n;
	}
	for (size_t i = a->n; i-- > 0;)
		a->of[--a->begin[a->task[i].rank]] = &a->task[i];
}

/*
 * Exchanges tasks between the node that finishes last and another node, so that
 * the later of the two finishes as early as possible. Returns false if no
 * exchange helps.
 */
static bool
improve(struct assignment *a)
{
	size_t last = last_done(a);
	struct swap best = { .done = a->load[last].seconds };

	if (even(a, last))
		return false;
	by_node(a);
	for (size_t j = 0; j < a->c->n; j++)
		for (size_t i = a->begin[last];
		     j != last && i < a->begin[last + 1]; i++)
			best_partner(a, a->of[i], a->of + a->begin[j],
			    a->begin[j + 1] - a->begin[j], j, &best);
	if (best.out == NULL)
		return false;
	take(a, best.out);
	if (best.in != NULL) {
		take(a, best.in);
		give(a, best.in, last);
	}
	give(a, best.out, best.other);
	return true;
}

static int
assignment_init(struct assignment *a, const struct cluster *c,
    const uint64_t *size, size_t n, struct hp_err *e)
{
	*a = (struct assignment){ .c = c, .n = n };
	a->task = calloc(n + 1, sizeof *a->task);
	a->of = calloc(n + 1, sizeof(struct task *));
	a->begin = calloc(c->n + 1, sizeof *a->begin);
	a->load = calloc(c->n + 1, sizeof *a->load);
	if (a->task == NULL || a->of == NULL || a->begin == NULL ||
	    a->load == NULL)
		return hp_fail(e, HP_NOMEM, "%zu sublists", n);
	for (size_t i = 0; i < n; i++)
		a->task[i] = (struct task){ .size = size[i], .number = i };
	qsort(a->task, n, sizeof *a->task, largest_first);
	return 0;
}

static void
assignment_fini(struct assignment *a)
{
	free(a->task);
	free(a->of);
	free(a->begin);
	free(a->load);
}

int
share_assign(const struct cluster *c, const uint64_t *size, size_t n,
    enum assign_method method, uint32_t *to, struct hp_err *e)
{
	struct assignment a;
	int rc = -1;

	if (assignment_init(&a, c, size, n, e) == -1 || in_turn(&a, e) == -1)
		goto out;
	if (method == ASSIGN_EXCHANGE)
		for (size_t i = 0; i < 4 * n && improve(&a); i++)
			continue;
	for (size_t i = 0; i < n; i++)
		to[a.task[i].number] = a.task[i].rank;
	rc = 0;
out:
	assignment_fini(&a);
	return rc;
}
