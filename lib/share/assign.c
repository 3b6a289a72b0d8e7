#include <inttypes.h>
#include <stdlib.h>

#include "share/assign.h"

struct task {
	uint64_t size;
	size_t number;
};

struct load {
	double seconds;
	uint64_t items;
};

static int
largest_first(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The rank that is done the earliest; c->n when it fits nowhere. */
static size_t
earliest(const struct cluster *c, const struct load *load, uint64_t size)
{
	double done, best = 0;
	size_t found = c->n;

	for (size_t j = 0; j < c->n; j++) {
		const struct curve *curve = &c->node[j].curve;
		uint64_t limit = curve_limit(curve);

		if (load[j].items > limit || size > limit - load[j].items)
			continue;
		done = load[j].seconds + curve_time(curve, size);
		if (found == c->n || done < best) {
			best = done;
			found = j;
		}
	}
	return found;
}

static int
assign(const struct cluster *c, const struct task *task, size_t n,
    struct load *load, uint32_t *to, struct hp_err *e)
{
	size_t j;

	for (size_t i = 0; i < n; i++) {
		uint64_t size = task[i].size;

		if ((j = earliest(c, load, size)) == c->n)
			return hp_fail(e, HP_NOSHARE,
			    "sublist %zu: no node has room for its %" PRIu64
			    " records",
			    task[i].number, size);
		load[j].seconds += curve_time(&c->node[j].curve, size);
		load[j].items += size;
		to[task[i].number] = (uint32_t)j;
	}
	return 0;
}

int
share_assign(const struct cluster *c, const uint64_t *size, size_t n,
    uint32_t *to, struct hp_err *e)
{
	struct task *task = calloc(n + 1, sizeof *task);
	struct load *load = calloc(c->n + 1, sizeof *load);
	int rc = -1;

	if (task == NULL || load == NULL) {
		hp_fail(e, HP_NOMEM, "%zu sublists", n);
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		task[i] = (struct task){ size[i], i };
	qsort(task, n, sizeof *task, largest_first);
	rc = assign(c, task, n, load, to, e);
out:
	free(load);
	free(task);
	return rc;
}
