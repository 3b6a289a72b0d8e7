/*
 * The log of unreached peers: what both directions know of a peer becomes one
 * line.
 */

#include "net/unreached.h"
#include "test.h"

static struct unreached_log *
log_new(void)
{
	static struct unreached_log l;
	struct hp_err e;

	unreached_fini(&l);
	l = (struct unreached_log){ .lock = PTHREAD_MUTEX_INITIALIZER };
	if (unreached_init(&l, 3, &e) == -1)
		exit(1);
	return &l;
}

/* What both halves of an exchange saw of a peer, and what is reported. */
static const struct {
	enum unreached_why why[2];
	double seconds[2];
	bool back[2];
	struct unreached want;
} seen[] = {
	{ { UNREACHED_SILENT, 0 }, { 4, 0 }, { 0 },
	    { 1, UNREACHED_SILENT, 4, false } },
	{ { 0, UNREACHED_SILENT }, { 0, 4 }, { 0 },
	    { 1, UNREACHED_SILENT, 4, false } },
	/*
	 * If both directions miss the peer, the stronger reason and the
	 * longer time count.
	 */
	{ { UNREACHED_NO_ROUTE, UNREACHED_SILENT }, { 4, 6 }, { 0 },
	    { 1, UNREACHED_NO_ROUTE, 6, false } },
	/*
	 * One direction has heard the peer again, the other one has
	 * not.
	 */
	{ { UNREACHED_BROKEN, UNREACHED_SILENT }, { 9, 4 }, { true },
	    { 1, UNREACHED_SILENT, 4, false } },
	{ { UNREACHED_SILENT, UNREACHED_BROKEN }, { 4, 9 }, { 0, true },
	    { 1, UNREACHED_SILENT, 4, false } },
	{ { UNREACHED_SILENT, UNREACHED_BROKEN }, { 4, 9 }, { true, true },
	    { 1, UNREACHED_BROKEN, 9, true } },
	{ { 0 }, { 0 }, { 0 }, { 0 } },
	{ { 0 }, { 0 }, { true, true }, { 0 } },
};

static void
both_halves_give_one_line(void)
{
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
		struct unreached_log *l = log_new();
		const struct unreached *list;

		for (unsigned half = 0; half < 2; half++) {
			unreached_note(l, half, 1, seen[i].why[half],
			    seen[i].seconds[half]);
			if (seen[i].back[half])
				unreached_note(l, half, 1, UNREACHED_NOT, 0);
		}
		CHECK_EQ_U64(unreached_list(l, &list), seen[i].want.why != 0);
		if (seen[i].want.why == 0)
			continue;
		CHECK_EQ_U64(list->rank, 1);
		CHECK_EQ_U64(list->why, seen[i].want.why);
		CHECK_NEAR(list->seconds, seen[i].want.seconds, 0);
		CHECK_EQ_U64(list->back, seen[i].want.back);
	}
}

int
main(void)
{
	RUN(both_halves_give_one_line);
	return test_done();
}
