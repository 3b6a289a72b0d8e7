#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "gen/dist.h"
#include "gen/random.h"

typedef unsigned __int128 wide;

static const uint64_t LCG46_MULTIPLIER = 1220703125; /* 5^13 */
static const uint64_t LCG46_MASK = ((uint64_t)1 << 46) - 1;

static const struct form {
	const char *name;
	enum dist_kind kind;
	unsigned params;
	bool fraction;
} forms[] = {
	{ "bucket", DIST_BUCKET, 1, true },
	{ "dd", DIST_DD, 0, false },
	{ "equal", DIST_FEW, 0, true },
	{ "few", DIST_FEW, 1, true },
	{ "g-group", DIST_GROUP, 2, true },
	{ "gaussian", DIST_GAUSSIAN, 0, true },
	{ "lcg46", DIST_LCG46, 0, true },
	{ "nearly", DIST_NEARLY, 1, false },
	{ "rd", DIST_RD, 2, false },
	{ "reverse", DIST_REVERSE, 0, false },
	{ "sorted", DIST_SORTED, 0, false },
	{ "staggered", DIST_STAGGERED, 1, true },
	{ "uniform", DIST_UNIFORM, 0, true },
	{ "zipf", DIST_ZIPF, 2, false },
};

/*
 * Copies the first parameter of a list separated by commas to `out`. Returns
 * the rest of the list, or NULL if there are no more parameters.
 */
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

/* Finds the distribution whose name is the first `len` bytes of arg. */
static const struct form *
find(const char *arg, size_t len)
{
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (strlen(forms[i].name) == len &&
		    strncmp(arg, forms[i].name, len) == 0)
			return &forms[i];
	return NULL;
}

static int
read_params(struct dist *d, const char *arg, const char *list, unsigned most,
    struct hp_err *e)
{
	char text[64];

	for (unsigned i = 0; list != NULL; i++) {
		if (i == most)
			return hp_fail(e, HP_USAGE,
			    "distribution '%s': too many parameters, %u at "
			    "most",
			    arg, i);
		list = cut(list, text, sizeof text);
		if (param(d, i, text, e) == -1)
			return -1;
	}
	if (d->kind == DIST_GROUP && d->nodes % d->group != 0)
		return hp_fail(e, HP_USAGE,
		    "distribution '%s': the size of a group must divide the "
		    "number of nodes",
		    arg);
	if (d->distinct == 0 || d->ranks == 0 || d->apart == 0)
		return hp_fail(e, HP_USAGE,
		    "distribution '%s': needs at least one value", arg);
	return 0;
}

int
dist_parse(const char *arg, struct dist *d, struct hp_err *e)
{
	size_t len = strcspn(arg, ":");
	const char *list = arg[len] == ':' ? arg + len + 1 : NULL;
	const struct form *form = find(arg, len);

	if (form == NULL)
		return hp_fail(e, HP_USAGE,
		    "distribution '%s': must be one of bucket, dd, equal, few, "
		    "g-group, gaussian, lcg46, nearly, rd, reverse, sorted, "
		    "staggered, uniform, zipf",
		    arg);
	*d = (struct dist){ .kind = form->kind,
		.fraction = form->fraction,
		.distinct = form->params == 0 ? 1 : 16,
		.nodes = 16,
		.group = 2,
		.range = 32,
		.apart = 16,
		.exponent = 1,
		.ranks = 1000000 };
	return read_params(d, arg, list, form->params, e);
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

/*
 * Returns x_(i+1) of the generator lcg46 for record i. The start value x_0 must
 * be odd, so that the period is 2^44.
 */
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

/*
 * Returns a random fraction in the b-th of n equal parts of the range from 0 to
 * 1.
 */
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

/*
 * Divides `total` records into n equal parts. Returns in which part the record
 * lies. Stores the number of the first record of that part in *begin.
 */
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
 * The part of each node consists of `range` groups of equal values. The length
 * and the value of each group are random numbers below `range`. The lengths are
 * scaled so that the groups fill the part.
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

/*
 * Returns the binary logarithm of n. If n is not a power of 2, it is rounded up
 * to one.
 */
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

static uint64_t
number(struct dist *d, uint64_t record)
{
	struct random r = random_of(d->seed, record);

	switch (d->kind) {
	case DIST_DD:
		return log2_up(d->total - record);
	case DIST_FEW:
		r = random_of(~d->seed, random_below(&r, d->distinct));
		break;
	case DIST_GAUSSIAN:
		return mean_of_four(&r);
	case DIST_LCG46:
		return lcg46(d, record);
	case DIST_NEARLY:
		return record + random_below(&r, d->apart);
	case DIST_RD:
		return random_duplicate(d, record);
	case DIST_REVERSE:
		return d->largest - (record < d->largest ? record : d->largest);
	case DIST_SORTED:
		return record;
	case DIST_ZIPF:
		return zipf_next(&d->zipf, &r);
	case DIST_BUCKET:
	case DIST_GROUP:
	case DIST_STAGGERED:
		return in_bucket(&r, node_bucket(d, record), d->nodes);
	case DIST_UNIFORM:
		break;
	}
	return random_next(&r);
}

struct value
dist_value(struct dist *d, uint64_t record)
{
	return (struct value){ number(d, record), d->fraction };
}
