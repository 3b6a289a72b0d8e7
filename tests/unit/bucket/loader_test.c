/*
 * Loading the elements of a bucket.  Each thread has put elements into a list
 * of its own.
 */

#include "bucket/loader.h"
#include "test.h"

enum {
	CASES = 200,
	THREADS = 4,
	MOST = 2000, /* elements of a list: several chunks */
	ARENA = 1 << 20
};

struct lists {
	struct arena arena;
	struct heap heap[THREADS];
	struct pile pile[THREADS];
	struct list list[THREADS];
	size_t n; /* elements of all lists */
};

/* Fills the lists with the numbers 0, 1, ..., one list after the other. */
static void
fill(struct lists *ls)
{
	struct hp_err e = { 0 };

	*ls = (struct lists){ 0 };
	if (arena_init(&ls->arena, ARENA, ARENA, CHUNK, 0, &e) == -1)
		abort();
	for (size_t i = 0; i < THREADS; i++) {
		size_t n = test_below(3) > 0 ? test_below(MOST) : 0;

		ls->heap[i] = (struct heap){ .arena = &ls->arena };
		if (pile_init(&ls->pile[i], &ls->heap[i], 1, &e) == -1)
			abort();
		for (; n > 0; n--) {
			uint64_t *x = pile_put(&ls->pile[i], 0, sizeof *x);

			if (x == NULL)
				abort();
			*x = ls->n++;
		}
		pile_close(&ls->pile[i]);
		ls->list[i] = ls->pile[i].list[0];
	}
}

static void
empty(struct lists *ls)
{
	for (size_t i = 0; i < THREADS; i++)
		pile_fini(&ls->pile[i]);
	arena_fini(&ls->arena);
}

/* Copies all elements, up to `room` at a time, and checks their order. */
static void
copies_all(struct loader *l, const struct lists *ls, size_t room)
{
	static uint64_t to[THREADS * MOST];
	size_t n = 0, bytes;

	while ((bytes = loader_copy(l, to, room * sizeof *to)) > 0) {
		CHECK(bytes <= room * sizeof *to);
		for (size_t i = 0; i < bytes / sizeof *to; i++, n++)
			if (to[i] != n) {
				test_bad(__FILE__, __LINE__,
				    "%zu at a time: element %zu is %" PRIu64,
				    room, n, to[i]);
				return;
			}
	}
	CHECK_EQ_U64(n, ls->n);
	CHECK_EQ_U64(l->now, THREADS);
}

static void
lists_follow_each_other(void)
{
	for (size_t i = 0; i < CASES && test.bad == 0; i++) {
		struct buckets b = { .threads = THREADS };
		struct hp_err e = { 0 };
		struct loader l;
		struct lists ls;

		fill(&ls);
		REQUIRE(loader_init(&l, &b, MOST, &e) == 0);
		for (size_t k = 0; k < 3; k++) {
			const size_t room[] = { 1, 1 + test_below(MOST),
				(size_t)THREADS * MOST };

			loader_start(&l, &(struct bucket){ .list = ls.list });
			copies_all(&l, &ls, room[k]);
		}
		loader_fini(&l);
		empty(&ls);
	}
}

int
main(void)
{
	RUN(lists_follow_each_other);
	return test_done();
}
