#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "gen/dist.h"
#include "gen/random.h"

typedef unsigned __int128 wide;

static const uint64_t LCG46_MULTIPLIER = 1220703125; /* 5^13 */
static const uint64_t LCG46_MASK = ((uint64_t)1 << 46) - 1;

static const struct {
	const char *name;
	enum dist_kind kind;
	unsigned params;
} dists[] = {
	{ "bucket", DIST_BUCKET, 1 },
	{ "dd", DIST_DD, 0 },
	{ "equal", DIST_FEW, 0 },
	{ "few", DIST_FEW, 1 },
	{ "g-group", DIST_GROUP, 2 },
	{ "gaussian", DIST_GAUSSIAN, 0 },
	{ "lcg46", DIST_LCG46, 0 },
	{ "nearly", DIST_NEARLY, 1 },
	{ "rd", DIST_RD, 2 },
	{ "reverse", DIST_REVERSE, 0 },
	{ "sorted", DIST_SORTED, 0 },
	{ "staggered", DIST_STAGGERED, 1 },
	{ "uniform", DIST_UNIFORM, 0 },
	{ "zipf", DIST_ZIPF, 2 },
};

/* The parameter's text, copied out of the list, and where the next begins. */
static const char *
cut(const char *list, char *out, size_t size)
{
	size_t len = strcspn(list, ",");

	snprintf(out, size, "%.*s", (int)(len < size ? len : size), list);
	return list[len] == ',' ? list + len + 1 : NULL;
}

static int
param(struct dist *d, unsigned which, const char *text, struct hp_err *e)
{
	uint64_t most = (uint64_t)1 << 20;

	switch (d->kind) {
	case DIST_FEW:
		return count_parse(text, &d->distinct, e);
	case DIST_ZIPF:
		if (which == 0)
			return positive_parse(
			    text, &d->exponent, "exponent of zipf", e);
		return count_parse(text, &d->ranks, e);
	case DIST_GROUP:
		if (which == 1)
			return int_parse(text, 1, d->nodes, &d->group,
			    "nodes in a group", e);
		break;
	case DIST_NEARLY:
		return count_parse(text, &d->apart, e);
	case DIST_RD:
		if (which == 1)
			return int_parse(
			    text, 2, 4096, &d->range, "range of values", e);
		break;
	default:
		break;
	}
	return int_parse(text, 1, most, &d->nodes, "number of nodes", e);
}

int
dist_parse(const char *arg, struct dist *d, struct hp_err *e)
{
	const size_t n = sizeof dists / sizeof dists[0];
	size_t len = strcspn(arg, ":"), i;
	const char *rest = arg[len] == ':' ? arg + len + 1 : NULL;
	char text[64];

	for (i = 0; i < n; i++)
		if (strlen(dists[i].name) == len &&
		    strncmp(arg, dists[i].name, len) == 0)
			break;
	if (i == n)
		return hp_fail(e, HP_USAGE,
		    "distribution '%s': none of bucket, dd, equal, few, "
		    "g-group, "
		    "gaussian, lcg46, nearly, rd, reverse, sorted, staggered, "
		    "uniform, zipf",
		    arg);
	*d = (struct dist){ .kind = dists[i].kind,
		.distinct = dists[i].params == 0 ? 1 : 16,
		.nodes = 16,
		.group = 2,
		.range = 32,
		.apart = 16,
		.exponent = 1,
		.ranks = 1000000 };
	for (unsigned p = 0; rest != NULL; p++) {
		if (p == dists[i].params)
			return hp_fail(e, HP_USAGE,
			    "distribution '%s': takes %u parameters", arg, p);
		rest = cut(rest, text, sizeof text);
		if (param(d, p, text, e) == -1)
			return -1;
	}
	if (d->kind == DIST_GROUP && d->nodes % d->group != 0)
		return hp_fail(e, HP_USAGE,
		    "distribution '%s': the size of a group must divide the "
		    "number of nodes",
		    arg);
	if (d->distinct == 0 || d->ranks == 0 || d->apart == 0)
		return hp_fail(
		    e, HP_USAGE, "distribution '%s': of no values", arg);
	return 0;
}

static uint64_t
lcg46_jump(uint64_t x, uint64_t steps)
{
	for (uint64_t a = LCG46_MULTIPLIER; steps != 0; steps >>= 1, a *= a)
		if (steps & 1)
			x *= a;
	return x & LCG46_MASK;
}

void
dist_start(struct dist *d, uint64_t seed, uint64_t total, uint64_t largest)
{
	d->seed = seed;
	d->total = total;
	d->largest = largest;
	if (d->kind == DIST_ZIPF)
		zipf_init(&d->zipf, d->exponent,
		    d->ranks < largest ? d->ranks : largest);
	d->state = lcg46_jump(seed | 1, 1);
	d->state_of = 0;
}

/* Record 0 has x_1 for an x_0 that must be odd: so the period is 2^44. */
static uint64_t
lcg46(struct dist *d, uint64_t record)
{
	uint64_t x;

	if (record != d->state_of)
		d->state = lcg46_jump(d->seed | 1, record + 1);
	x = d->state;
	d->state = x * LCG46_MULTIPLIER & LCG46_MASK;
	d->state_of = record + 1;
	return x << 18;
}

/* A random fraction within bucket b of n. */
static uint64_t
in_bucket(struct random *r, uint64_t b, uint64_t n)
{
	return (uint64_t)((((wide)b << 64) | random_next(r)) / n);
}

static uint64_t
part_begin(uint64_t part, uint64_t total, uint64_t n)
{
	return (uint64_t)(((wide)part * total + n - 1) / n);
}

/* Which of n equal parts of total the record lies in, and where it begins. */
static uint64_t
part_of(uint64_t record, uint64_t total, uint64_t n, uint64_t *begin)
{
	uint64_t part = (uint64_t)((wide)record * n / total);

	*begin = part_begin(part, total, n);
	return part;
}

static uint64_t
node_bucket(const struct dist *d, uint64_t record)
{
	uint64_t p = d->nodes, begin, end, node, turn;

	node = part_of(record, d->total, p, &begin);
	end = part_begin(node + 1, d->total, p);
	switch (d->kind) {
	case DIST_BUCKET:
		return part_of(record - begin, end - begin, p, &begin);
	case DIST_GROUP:
		turn = part_of(record - begin, end - begin, d->group, &begin);
		return (node / d->group * d->group + p / 2 + turn) % p;
	default:
		return node < p / 2 ? 2 * node + 1 : (node - p / 2) * 2;
	}
}

/*
 * The part of each node is `range` runs; their lengths are in proportion to
 * random numbers below range, and so is the value of each.
 */
static uint64_t
random_duplicate(const struct dist *d, uint64_t record)
{
	uint64_t begin, end, node, sum = 0, upto = 0, run;
	struct random r, again;

	node = part_of(record, d->total, d->nodes, &begin);
	end = part_begin(node + 1, d->total, d->nodes);
	r = again = random_of(d->seed, node);
	for (run = 0; run < d->range; run++)
		sum += random_below(&r, d->range);
	for (run = 0; run < d->range; run++) {
		upto += random_below(&again, d->range);
		if ((wide)(record - begin) * sum < (wide)upto * (end - begin))
			break;
	}
	r = random_of(~d->seed, node * d->range + run);
	return random_below(&r, d->range);
}

/* The logarithm, to base 2, of n rounded up to a power of 2. */
static uint64_t
log2_up(uint64_t n)
{
	return n < 2 ? 0 : 64 - (uint64_t)__builtin_clzll(n - 1);
}

static uint64_t
mean_of_four(struct random *r)
{
	wide sum = 0;

	for (int i = 0; i < 4; i++)
		sum += random_next(r);
	return (uint64_t)(sum / 4);
}

struct value
dist_value(struct dist *d, uint64_t record)
{
	struct random r = random_of(d->seed, record);
	struct value v = { 0, true };

	switch (d->kind) {
	case DIST_DD:
		v.number = log2_up(d->total - record);
		v.fraction = false;
		break;
	case DIST_FEW:
		r = random_of(~d->seed, random_below(&r, d->distinct));
		v.number = random_next(&r);
		break;
	case DIST_GAUSSIAN:
		v.number = mean_of_four(&r);
		break;
	case DIST_LCG46:
		v.number = lcg46(d, record);
		break;
	case DIST_NEARLY:
		v.number = record + random_below(&r, d->apart);
		v.fraction = false;
		break;
	case DIST_RD:
		v.number = random_duplicate(d, record);
		v.fraction = false;
		break;
	case DIST_REVERSE:
		v.number = d->largest -
		    (record < d->largest ? record : d->largest);
		v.fraction = false;
		break;
	case DIST_SORTED:
		v.number = record;
		v.fraction = false;
		break;
	case DIST_UNIFORM:
		v.number = random_next(&r);
		break;
	case DIST_ZIPF:
		v.number = zipf_next(&d->zipf, &r);
		v.fraction = false;
		break;
	case DIST_BUCKET:
	case DIST_GROUP:
	case DIST_STAGGERED:
		v.number = in_bucket(&r, node_bucket(d, record), d->nodes);
		break;
	}
	return v;
}
