/* A tree reports an error if memory is short. */
#include "kernel/tree.h"
#include "nomem.h"

enum {
	N = 1000,
	LEN = 40,
	WANT = 100 /* buckets */
};

static char text[N][LEN];
static bool flip;

/*
 * Returns a sum of the buckets of a string, and of strings that differ from it
 * in one byte. Those are below or above all strings of a node.
 */
static size_t
find(const struct tree *t, struct span s)
{
	unsigned char other[LEN];
	size_t sum = tree_find(t, s);

	memcpy(other, s.at, s.len);
	for (size_t i = 0; i < s.len; i++) {
		other[i] = 1;
		sum += 3 * tree_find(t, (struct span){ other, s.len });
		other[i] = 0xff;
		sum += 5 * tree_find(t, (struct span){ other, s.len });
		other[i] = s.at[i];
	}
	return sum;
}

/* The result is the sum of the buckets of all strings. */
static int
build(struct hp_err *e)
{
	static struct span sample[N];
	struct tree t;
	int rc;

	for (size_t i = 0; i < N; i++)
		sample[i] = (struct span){ (unsigned char *)text[i],
			strlen(text[i]) };
	rc = tree_init(&t, sample, N, 0, WANT, flip, e);
	for (size_t i = 0; rc == 0 && i < N; i++)
		nomem.result += (i + 1) * find(&t, sample[i]);
	tree_fini(&t);
	return rc;
}

/* Long prefixes that many strings share take a node each. */
static void
a_tree_needs_memory(void)
{
	for (size_t i = 0; i < N; i++)
		snprintf(text[i], sizeof text[i], "/usr/share/%.*s%zu/%zu",
		    (int)(i % 3) * 10, "documentation/manuals", i % 5,
		    i * 7919 % N);
	for (int k = 0; k < 2; k++) {
		flip = k == 1;
		nomem_each(build);
	}
}

int
main(void)
{
	RUN(a_tree_needs_memory);
	return test_done();
}
