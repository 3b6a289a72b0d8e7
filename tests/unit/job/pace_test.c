/* Parts that arrive at the same time: which machines are held back. */

#include "job/pace.h"
#include "test.h"

enum {
	MIB = 1 << 20
};

/* Three machines with parts of 100, 32 and 320 MiB. */
struct lab {
	struct machine m[3];
	struct paces p;
};

static void
begin(struct lab *l)
{
	static const uint64_t mib[] = { 100, 32, 320 };
	struct hp_err e = { 0 };

	*l = (struct lab){ 0 };
	for (size_t i = 0; i < 3; i++)
		CHECK(paces_add(&l->p, &l->m[i], mib[i] * MIB, &e) == 0);
}

static void
who_is_ahead_waits_for_the_slowest(void)
{
	struct lab l;

	begin(&l);
	for (size_t i = 0; i < 3; i++)
		CHECK(!paces_hold(&l.p, &l.m[i]));
	/* 3 % are allowed, 4 % are not. */
	paces_taken(&l.p, &l.m[0], 3 * MIB);
	CHECK(!paces_hold(&l.p, &l.m[0]));
	paces_taken(&l.p, &l.m[0], 1 * MIB);
	CHECK(paces_hold(&l.p, &l.m[0]));
	CHECK(!paces_hold(&l.p, &l.m[1]) && !paces_hold(&l.p, &l.m[2]));
	CHECK(paces_next(&l.p) == NULL);
	paces_taken(&l.p, &l.m[1], 1 * MIB);
	CHECK(paces_next(&l.p) == NULL);
	paces_taken(&l.p, &l.m[2], 10 * MIB);
	CHECK(paces_next(&l.p) == &l.m[0]);
	CHECK(paces_next(&l.p) == NULL);
	CHECK(!paces_hold(&l.p, &l.m[0]));
	paces_fini(&l.p);
}

static void
a_machine_that_has_all_its_bytes_does_not_hold_others(void)
{
	struct lab l;

	begin(&l);
	paces_taken(&l.p, &l.m[1], 32 * MIB);
	paces_taken(&l.p, &l.m[2], 32 * MIB);
	CHECK(paces_hold(&l.p, &l.m[2]));
	/* The part of the first machine ends early, because its step failed. */
	paces_taken(&l.p, &l.m[0], 100 * MIB);
	CHECK(paces_next(&l.p) == &l.m[2]);
	paces_taken(&l.p, &l.m[2], 288 * MIB);
	CHECK(!paces_hold(&l.p, &l.m[2]));
	/* Another part for the same machine. */
	CHECK(paces_add(&l.p, &l.m[1], 32 * MIB, &(struct hp_err){ 0 }) == 0);
	CHECK_EQ_U64(l.p.n, 3);
	CHECK(!paces_hold(&l.p, &l.m[1]));
	paces_fini(&l.p);
}

static void
a_machine_that_stops_is_not_held_back(void)
{
	struct lab l;

	begin(&l);
	paces_taken(&l.p, &l.m[0], 50 * MIB);
	CHECK(paces_hold(&l.p, &l.m[0]) && l.m[0].pace.held);
	paces_stop(&l.p, &l.m[0], 50 * MIB);
	CHECK(!l.m[0].pace.held);
	CHECK_EQ_U64(l.p.held, 0);
	CHECK(paces_next(&l.p) == NULL);
	paces_fini(&l.p);
}

static void
small_parts_have_no_pace(void)
{
	struct lab l = { 0 };
	struct hp_err e = { 0 };

	CHECK(paces_add(&l.p, &l.m[0], 8 * MIB, &e) == 0);
	CHECK(paces_add(&l.p, &l.m[1], 64 * MIB, &e) == 0);
	CHECK(paces_add(&l.p, &l.m[2], 0, &e) == 0);
	paces_taken(&l.p, &l.m[1], 60 * MIB);
	paces_taken(&l.p, &l.m[0], 1 * MIB);
	for (size_t i = 0; i < 3; i++)
		CHECK(!paces_hold(&l.p, &l.m[i]));
	paces_fini(&l.p);
}

static void
nobody_waits_for_a_machine_that_has_stopped(void)
{
	struct lab l;

	begin(&l);
	paces_taken(&l.p, &l.m[0], 50 * MIB);
	for (int i = 0; i < 100; i++)
		paces_tick(&l.p);
	CHECK(paces_hold(&l.p, &l.m[0]));
	for (int i = 0; i < 7; i++)
		paces_tick(&l.p);
	CHECK(paces_next(&l.p) == NULL);
	/* It is slow, but not still. */
	paces_taken(&l.p, &l.m[1], 1);
	paces_taken(&l.p, &l.m[1], MIB - 1);
	for (int i = 0; i < 7; i++)
		paces_tick(&l.p);
	CHECK(paces_next(&l.p) == NULL);
	/* Less than 1 MiB does not count. */
	paces_taken(&l.p, &l.m[1], 1);
	paces_tick(&l.p);
	CHECK(paces_next(&l.p) == &l.m[0]);
	CHECK(!paces_hold(&l.p, &l.m[0]));
	/* The next stage has a pace again. */
	paces_clear(&l.p);
	CHECK(l.m[0].pace.bytes == 0 && l.p.held == 0);
	CHECK(paces_add(&l.p, &l.m[0], 32 * MIB, &(struct hp_err){ 0 }) == 0);
	CHECK(paces_add(&l.p, &l.m[1], 32 * MIB, &(struct hp_err){ 0 }) == 0);
	paces_taken(&l.p, &l.m[0], 5 * MIB);
	CHECK(paces_hold(&l.p, &l.m[0]));
	paces_fini(&l.p);
}

int
main(void)
{
	RUN(who_is_ahead_waits_for_the_slowest);
	RUN(a_machine_that_has_all_its_bytes_does_not_hold_others);
	RUN(a_machine_that_stops_is_not_held_back);
	RUN(small_parts_have_no_pace);
	RUN(nobody_waits_for_a_machine_that_has_stopped);
	return test_done();
}
