/* Surfaces of speeds: sections by parameters (cost/surface.h). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/surface.h"
#include "test.h"

enum {
	ITEMS = 12 /* of the points of all sections; divided by small numbers */
};

static struct setting
setting(const char *name, double value)
{
	return (struct setting){ strdup(name), value };
}

/* A section of one point: ITEMS items in so many seconds. */
static void
add(struct surface *f, double w, double h, double seconds)
{
	struct section s = {
		.nsettings = h > 0 ? 2 : 1, .npoints = 1, .capacity = UINT64_MAX
	};
	struct hp_err e = { 0 };

	s.setting = calloc(2, sizeof *s.setting);
	s.point = calloc(1, sizeof *s.point);
	REQUIRE(s.setting != NULL && s.point != NULL);
	s.setting[0] = setting("w", w);
	if (h > 0)
		s.setting[1] = setting("h", h);
	s.point[0] = (struct point){ .n = ITEMS, .seconds = seconds };
	REQUIRE(surface_add(f, &s, &e) == 0);
}

/* The order in which sections come does not matter: permutation p of 4. */
static void
add_in_order(struct surface *f, unsigned p)
{
	double w[] = { 1, 2, 4, 8 }, swap;

	for (unsigned i = 4; i > 1; p /= i--) {
		swap = w[i - 1];
		w[i - 1] = w[p % i];
		w[p % i] = swap;
	}
	for (unsigned i = 0; i < 4; i++)
		add(f, w[i], 0, ITEMS * w[i]);
}

/* The speed at w is 1 / w where it was measured, and on a line between. */
static void
the_nearest_sections_count(void)
{
	static const struct {
		double w, speed;
	} cases[] = { { 1, 1 }, { 1.5, 0.75 }, { 2, 0.5 }, { 3, 0.375 },
		{ 4, 0.25 }, { 5, 0.21875 }, { 8, 0.125 } };
	struct hp_err e = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (unsigned p = 0; p < 24; p++) {
			struct surface f = { 0 };

			add_in_order(&f, p);
			REQUIRE(surface_cut(&f, BEYOND_CONST, "w", cases[i].w,
				    &e) == 0);
			REQUIRE(f.n == 1 && f.section[0].npoints > 0);
			CHECK(f.section[0].nsettings == 0);
			CHECK(fabs(f.section[0].point[0].seconds *
				      cases[i].speed -
				  ITEMS) < 1e-9);
			surface_fini(&f);
		}
}

static void
nothing_is_known_beyond_the_sections(void)
{
	static const double w[] = { 0.5, 0.999, 8.001, 100 };
	struct hp_err e;

	for (size_t i = 0; i < sizeof w / sizeof *w; i++) {
		struct surface f = { 0 };

		add_in_order(&f, 7);
		e = (struct hp_err){ 0 };
		CHECK(surface_cut(&f, BEYOND_CONST, "w", w[i], &e) == -1);
		CHECK(e.kind == HP_USAGE &&
		    strstr(e.text, "measured range, 1 to 8") != NULL);
		CHECK(surface_cut(&f, BEYOND_CONST, "h", 1, &e) == -1);
		CHECK(strstr(e.text, "without a value of 'h'") != NULL);
		CHECK(surface_has(&f, "w") && !surface_has(&f, "h"));
		surface_fini(&f);
	}
}

/* Sections of other heights are no neighbours in width. */
static void
other_parameters_stay(void)
{
	struct surface f = { 0 };
	struct hp_err e = { 0 };

	for (int h = 1; h <= 2; h++)
		for (int w = 3; w > 0; w--)
			add(&f, w, h, ITEMS * w * h);
	REQUIRE(surface_cut(&f, BEYOND_CONST, "w", 2.5, &e) == 0);
	REQUIRE(f.n == 2);
	for (size_t i = 0; i < 2; i++) {
		/* 1/2 and 1/3, over the height: 5/12 on average */
		double h = f.section[i].setting[0].value;

		CHECK(f.section[i].nsettings == 1);
		CHECK_EQ_STR(f.section[i].setting[0].name, "h");
		CHECK(fabs(f.section[i].point[0].seconds * 5 / 12 / h - ITEMS) <
		    1e-9);
	}
	CHECK(
	    f.section[0].setting[0].value + f.section[1].setting[0].value == 3);
	REQUIRE(surface_cut(&f, BEYOND_CONST, "h", 1, &e) == 0);
	CHECK(f.n == 1 &&
	    fabs(f.section[0].point[0].seconds * 5 / 12 - ITEMS) < 1e-9);
	surface_fini(&f);
}

int
main(void)
{
	RUN(the_nearest_sections_count);
	RUN(nothing_is_known_beyond_the_sections);
	RUN(other_parameters_stay);
	return test_done();
}
