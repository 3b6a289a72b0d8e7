/* Lists of lines return their lines in the order in which they were added. */
#include "bucket/text.h"
#include "test.h"

enum {
	N = 5000,
	LONGEST = 6000
};

static unsigned char *text;

static bool
same(struct span a, struct span b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

/* Short and long lines of one list come back in order. */
static void
lines_return_as_they_came(void)
{
	static struct span line[N];
	struct hp_err e = { 0 };
	struct arena a;
	struct heap h = { .arena = &a };
	struct pile p;
	struct walk at;
	size_t n = 0;

	REQUIRE(arena_init(&a, 1 << 26, 1 << 26, 1 << 18, 1 << 26, &e) == 0);
	REQUIRE(pile_init(&p, &h, 2, &e) == 0);
	for (size_t i = 0; i < N; i++) {
		size_t most = test_below(4) ? TEXT_NEAR_MOST : LONGEST;

		line[i] = (struct span){ text + i % 100, test_below(most) };
		if (line[i].len <= TEXT_NEAR_MOST)
			REQUIRE(text_put_near(&p, 1, line[i]) == 0);
		else
			REQUIRE(
			    text_put_far(&p, 1, text_keep(&h, line[i])) == 0);
	}
	pile_close(&p);
	CHECK(p.list[0].n == 0 && p.list[1].n == N);
	for (at = list_walk(&p.list[1]); walk_bytes(&at) > 0; walk_next(&at)) {
		const unsigned char *s = at.chunk->data;

		while (s < at.chunk->data + at.chunk->used) {
			bool near = text_near(s);
			uint64_t place = text_next(&s);
			size_t skip = near ? 0 : test_below(100);

			REQUIRE(n < N);
			if (!near)
				place = text_skip(place, skip);
			line[n].at += skip;
			line[n].len -= skip;
			CHECK(same(place_span(place), line[n]));
			n++;
		}
	}
	CHECK(n == N);
	pile_fini(&p);
	arena_fini(&a);
}

int
main(void)
{
	if ((text = malloc(2 * LONGEST)) == NULL)
		return 1;
	for (size_t i = 0; i < 2 * LONGEST; i++)
		text[i] = (unsigned char)test_random();
	RUN(lines_return_as_they_came);
	free(text);
	return test_done();
}
