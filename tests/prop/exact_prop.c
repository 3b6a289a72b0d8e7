/*
 * The rounds of the method exact on simulated nodes. Each node's sorted keys
 * are a formula, key(x) = (start + x * step) >> drop. So a thousand nodes with
 * a thousand million records are counted without data. For every shape and any
 * number of duplicates, a few rounds reach every target exactly.
 *
 * For few nodes, the number of rounds has a proven limit (proven_rounds).  For
 * many nodes, it is what such inputs need.
 */

#include "share/rounds.h"
#include "split/exact.h"
#include "test.h"

struct sim_node {
	uint64_t n, start, step;
};

struct sim {
	struct sim_node *node;
	size_t p;
	uint64_t total;
	unsigned drop; /* low bits that keys lack, which makes duplicates */
	struct sublists l;
	struct pivots probe;
	uint64_t most; /* candidates per round */
};

static struct hp_err e;

static uint64_t
key_of(const struct sim *s, const struct sim_node *node, uint64_t x)
{
	return (node->start + x * node->step) >> s->drop;
}

static void
key_bytes(uint64_t key, unsigned char *out)
{
	for (int i = 7; i >= 0; i--, key >>= 8)
		out[i] = (unsigned char)key;
}

static uint64_t
key_number(const unsigned char *in)
{
	uint64_t key = 0;

	for (int i = 0; i < 8; i++)
		key = key << 8 | in[i];
	return key;
}

/* Returns how many records of the node have a key below the given one. */
static uint64_t
below_key(const struct sim *s, const struct sim_node *node, uint64_t key)
{
	uint64_t n;

	if (key > UINT64_MAX >> s->drop)
		return node->n;
	key <<= s->drop;
	if (key <= node->start)
		return 0;
	if (node->step == 0)
		return node->n;
	n = (key - node->start + node->step - 1) / node->step;
	return n < node->n ? n : node->n;
}

/* Returns how many records of the node precede the position. */
static uint64_t
below_place(const struct sim *s, size_t rank, const struct pivot *at)
{
	const struct sim_node *node = &s->node[rank];
	uint64_t key, low, high;

	if (at->len == 0)
		return 0;
	key = key_number(at->key);
	low = below_key(s, node, key);
	if (at->rank < rank)
		return low;
	high = below_key(s, node, key + 1);
	if (at->rank > rank || at->index > high)
		return high;
	return at->index > low ? at->index : low;
}

static void
add_probe(struct sim *s, size_t rank, uint64_t x)
{
	struct pivot p = {
		.key = malloc(8), .len = 8, .rank = rank, .index = x
	};

	key_bytes(key_of(s, &s->node[rank], x), p.key);
	CHECK(pivots_add(&s->probe, p, &e) == 0);
}

/* Chooses candidates on each node, as `hpsplit sample` does. */
static void
first_candidates(struct sim *s)
{
	struct bracket all = { .every = 1 };

	if (s->total > rounds_candidates(s->p, s->total))
		all.every = s->total / rounds_candidates(s->p, s->total);
	for (size_t r = 0; r < s->p; r++)
		for (uint64_t x = exact_phase(&all, r); x < s->node[r].n;
		     x += all.every)
			add_probe(s, r, x);
}

static void
more_candidates(struct sim *s)
{
	uint64_t low, high;

	for (size_t i = 0; i < s->l.n; i++) {
		const struct bracket *b = s->l.v[i].open;

		if (b == NULL ||
		    (i > 0 && s->l.v[i - 1].open != NULL &&
			s->l.v[i - 1].open->low.below == b->low.below))
			continue;
		for (size_t r = 0; r < s->p; r++) {
			low = b->low.bounded ? below_place(s, r, &b->low.at)
					     : 0;
			high = b->high.bounded ? below_place(s, r, &b->high.at)
					       : s->node[r].n;
			for (uint64_t x = low + exact_phase(b, r); x < high;
			     x += b->every)
				add_probe(s, r, x);
		}
	}
}

/*
 * Counts and refines once, as `hpsplit pivots --refine` does.  Returns the
 * number of open sublists.
 */
static int64_t
round_of(struct sim *s)
{
	uint64_t *below;
	int64_t open;

	pivots_sort(&s->probe);
	pivots_unique(&s->probe);
	if (s->probe.n > s->most)
		s->most = s->probe.n;
	below = calloc(s->probe.n + 1, sizeof *below);
	for (size_t j = 0; j < s->probe.n; j++)
		for (size_t r = 0; r < s->p; r++)
			below[j] += below_place(s, r, &s->probe.v[j]);
	open = exact_refine(&s->l, &s->probe, below, &e);
	free(below);
	pivots_fini(&s->probe);
	return open;
}

static unsigned
solve(struct sim *s, const uint64_t *target)
{
	unsigned rounds = 1;
	uint64_t n;

	for (size_t i = 0; i < s->p; i++)
		sublists_add(&s->l, &e);
	CHECK(exact_init(&s->l, target, s->total, &e) == 0);
	first_candidates(s);
	for (; round_of(s) > 0 && rounds < 9; rounds++)
		more_candidates(s);
	for (size_t i = 0; i < s->p; i++) {
		n = 0;
		for (size_t r = 0; r < s->p; r++)
			n += s->l.v[i].bounded
			    ? below_place(s, r, &s->l.v[i].until)
			    : s->node[r].n;
		CHECK_EQ_U64(n, target[i]);
		CHECK(s->l.v[i].open == NULL);
	}
	sublists_fini(&s->l);
	return rounds;
}

enum shape {
	ALIKE,	     /* every node has the whole range */
	APART,	     /* each node has its own range: sorted input */
	UNLIKE,	     /* ranges and densities differ by up to 2^20 */
	ONE_KEY,     /* all records are equal */
	FEW,	     /* 16 keys */
	ONE_HAS_ALL, /* all records are on the last node */
	SHAPES
};

/* Returns a node with n records of the given shape. */
static struct sim_node
shaped(enum shape shape, size_t rank, uint64_t n, uint64_t *next)
{
	struct sim_node node = { .n = n, .start = test_below(1000) };

	switch (shape) {
	case ALIKE:
	case FEW:
		node.step = ((uint64_t)1 << 50) / (n + 1) + rank % 7;
		break;
	case APART:
		node.start = *next;
		node.step = 1;
		*next += n;
		break;
	case UNLIKE:
		node.step = (uint64_t)1 << test_below(21);
		node.start = test_below((uint64_t)1 << 40);
		break;
	case ONE_KEY:
		node.start = 5;
		break;
	default:
		node.step = 3;
	}
	return node;
}

/*
 * Returns the largest number of rounds for p nodes.  Between two neighbouring
 * candidates, each node has fewer records than from one of its own candidates
 * to the next.  So c candidates for p - 1 brackets leave at most p(p - 1)/c of
 * all their records.
 */
static unsigned
proven_rounds(size_t p, uint64_t total)
{
	uint64_t left = total;
	unsigned rounds = 1;

	for (; left > ROUNDS_ALL; rounds++)
		left = left * p * (p - 1) / rounds_candidates(p, left) + p * p;
	return rounds;
}

enum {
	PROVEN = 0 /* as many rounds as proven_rounds allows */
};

static void
simulate(enum shape shape, size_t p, uint64_t total, unsigned most_rounds)
{
	struct sim s = { .p = p };
	uint64_t *target = calloc(p, sizeof *target), next = 0, sum = 0, n;
	unsigned rounds;

	s.node = calloc(p, sizeof *s.node);
	s.drop = shape == FEW ? 46 : 0;
	for (size_t r = 0; r < p; r++) {
		/* Unequal numbers of records, in ratios from about 1 to 9. */
		n = total / p * (1 + test_below(9)) / 5;
		if (shape == ONE_HAS_ALL)
			n = r + 1 < p ? 0 : total;
		s.node[r] = shaped(shape, r, n, &next);
		s.total += n;
	}
	/* The shares do not depend on where the records are; some are empty. */
	for (size_t r = 0; r + 1 < p; r++) {
		n = s.total / p * test_below(10) / 9;
		sum += n;
		target[r] = sum;
	}
	target[p - 1] = s.total;
	rounds = solve(&s, target);
	printf("# shape %d, %zu nodes, %" PRIu64
	       " records: %u rounds of at most %" PRIu64 " candidates\n",
	    shape, p, s.total, rounds, s.most);
	if (most_rounds == PROVEN)
		most_rounds = proven_rounds(p, s.total);
	CHECK(rounds <= most_rounds);
	free(s.node);
	free(target);
}

static void
thousand_nodes(void)
{
	simulate(ALIKE, 1000, 1000000000, 5);
	simulate(UNLIKE, 1000, 1000000000, 5);
	simulate(FEW, 300, 1000000000, 5);
}

static void
few_nodes(void)
{
	for (enum shape shape = 0; shape < SHAPES; shape++) {
		simulate(shape, 2, 1000000000, PROVEN);
		simulate(shape, 4, (uint64_t)1 << 40, PROVEN);
		simulate(shape, 96, 541623000, 5);
	}
}

/* The size of a round depends on how many records are left. */
static void
any_number_of_records(void)
{
	for (int bits = 20; bits <= 40; bits++)
		for (int i = 0; i < 4; i++)
			simulate(ALIKE, 4, (uint64_t)1 << bits, PROVEN);
}

static void
few_records(void)
{
	for (int i = 0; i < 50; i++)
		for (enum shape shape = 0; shape < SHAPES; shape++)
			simulate(
			    shape, 1 + test_below(9), 1 + test_below(300), 2);
}

int
main(void)
{
	RUN(thousand_nodes);
	RUN(few_nodes);
	RUN(any_number_of_records);
	RUN(few_records);
	return test_done();
}
