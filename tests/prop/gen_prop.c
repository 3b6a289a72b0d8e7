/*
 * For every format and distribution: parts that are generated separately equal
 * the whole, and keys are ordered like values.
 */

#include "base/bytes.h"
#include "gen/gen.h"
#include "record/key.h"
#include "record/keybuf.h"
#include "record/order.h"

#include "../unit/test.h"

static const char *const formats[] = { "line", "gensort", "record:1",
	"record:9,3,5", "record:40,30,10", "record:16,0,16", "u8", "u16", "u32",
	"u64", "i8", "i16", "i32", "i64", "f32", "f64", "u8be", "u16be",
	"u32be", "u64be", "i8be", "i16be", "i32be", "i64be", "f32be", "f64be" };
static const char *const dists[] = { "uniform", "lcg46", "gaussian", "zipf",
	"zipf:0.3,1000", "sorted", "reverse", "few:5", "equal", "bucket:3",
	"staggered:6", "g-group:6,3", "dd", "rd:5,4", "nearly:9" };

enum {
	NFORMATS = sizeof formats / sizeof formats[0],
	NDISTS = sizeof dists / sizeof dists[0],
	N = 400,
	LONGEST = 512
};

struct records {
	unsigned char bytes[N][LONGEST];
	size_t len[N], n;
};

static struct gen_options
options(size_t format, size_t dist, uint64_t seed)
{
	struct gen_options o = {
		.dist = dists[dist], .seed = seed, .total = 1 << 20
	};
	struct hp_err e = { 0 };

	CHECK(format_parse(formats[format], &o.format, &e) == 0);
	return o;
}

static void
make(struct records *r, const struct gen_options *o, size_t n)
{
	struct hp_err e = { 0 };
	struct gen g;

	REQUIRE(gen_init(&g, o, &e) == 0);
	REQUIRE(g.max <= LONGEST);
	for (; n > 0; n--, r->n++) {
		r->len[r->n] = gen_next(&g, r->bytes[r->n]);
		/* Only lines differ in length. */
		CHECK(r->len[r->n] <= g.max &&
		    (o->format.kind == FORMAT_LINE || r->len[r->n] == g.max));
	}
}

static void
parts_are_the_whole(void)
{
	static struct records whole, parts;
	struct gen_options o;
	uint64_t from, seed;
	size_t n;

	for (size_t f = 0; f < NFORMATS; f++)
		for (size_t d = 0; d < NDISTS; d++) {
			seed = test_random();
			from = test_below(1 << 20) - N;
			whole.n = parts.n = 0;
			o = options(f, d, seed);
			o.start = from;
			make(&whole, &o, N);
			while (parts.n < N) {
				n = 1 + test_below(N - parts.n);
				o.start = from + parts.n;
				make(&parts, &o, n);
			}
			for (size_t i = 0; i < N; i++)
				CHECK_BYTES(parts.bytes[i], parts.len[i],
				    whole.bytes[i], whole.len[i]);
		}
}

/* Returns how many different values the key of a format can hold, at most 2^64
 * - 1. */
static uint64_t
room(const struct format *f)
{
	size_t bits = 8 * (f->kind == FORMAT_RECORD ? f->key_len : f->size);

	if (f->kind == FORMAT_NUMBER && f->number == NUMBER_FLOAT)
		return (uint64_t)1 << (f->size == 4 ? 24 : 53);
	return f->kind == FORMAT_LINE || bits >= 64 ? UINT64_MAX
						    : (uint64_t)1 << bits;
}

static void
compare(const struct order *o, const struct records *r, size_t i, size_t j,
    const struct value *v)
{
	struct keybuf bi = { 0 }, bj = { 0 };
	size_t delim = o->format.kind == FORMAT_LINE;
	struct key a, b;
	int by_key,
	    by_value = (v[i].number > v[j].number) -
	    (v[i].number < v[j].number);

	CHECK(order_key(o, r->bytes[i], r->len[i] - delim, &bi, &a) == 0);
	CHECK(order_key(o, r->bytes[j], r->len[j] - delim, &bj, &b) == 0);
	by_key = key_cmp(a.bytes, a.primary, b.bytes, b.primary);
	/* A narrow format may map different values to one key, but never
	 * reverses them. */
	if (by_value == 0 || room(&o->format) == UINT64_MAX)
		CHECK_EQ_I64((by_key > 0) - (by_key < 0), by_value);
	else
		CHECK(by_key == 0 || (by_key > 0) == (by_value > 0));
	keybuf_fini(&bi);
	keybuf_fini(&bj);
}

static void
keys_follow_values(void)
{
	static struct records r;
	struct hp_err e = { 0 };
	struct gen_options o;
	struct value v[N];
	struct order order;
	struct gen g;

	for (size_t f = 0; f < NFORMATS; f++)
		for (size_t d = 0; d < NDISTS; d++) {
			o = options(f, d, test_random());
			o.total = N;
			r.n = 0;
			make(&r, &o, N);
			REQUIRE(gen_init(&g, &o, &e) == 0);
			for (size_t i = 0; i < N; i++)
				v[i] = dist_value(&g.dist, i);
			order_init(&order);
			REQUIRE(order_option(&order, 'F', formats[f], &e) == 0);
			REQUIRE(order_ready(&order, &e) == 0);
			for (size_t i = 1; i < N; i++) {
				compare(&order, &r, i - 1, i, v);
				compare(&order, &r, test_below(N), i, v);
			}
			order_fini(&order);
		}
}

/* The bytes before and after the key identify the record. */
static void
payload_names_the_record(void)
{
	static struct records r;
	struct gen_options o = { .dist = "equal", .seed = 1, .total = N };
	struct hp_err e = { 0 };
	uint64_t number;

	REQUIRE(format_parse("record:20,3,9", &o.format, &e) == 0);
	o.start = 77;
	o.total = 1000;
	make(&r, &o, N);
	for (size_t i = 0; i < N; i++) {
		number = 0;
		for (size_t at = 0; at < 17; at += at == 2 ? 10 : 1)
			number = number << 8 | r.bytes[i][at];
		CHECK_EQ_U64(number, 77 + i);
		CHECK_BYTES(r.bytes[i] + 3, 9, r.bytes[0] + 3, 9);
	}
}

/* Generated floats are uniform in [-1, 1). */
static void
floats_have_both_signs(void)
{
	struct gen_options o = { .dist = "uniform", .total = N };
	struct hp_err e = { 0 };
	unsigned quarter[4] = { 0 };
	unsigned char out[8];
	struct gen g;
	uint64_t bits;
	uint32_t bits4;
	double x;
	float y;

	for (int wide = 0; wide < 2; wide++) {
		REQUIRE(format_parse(wide ? "f64" : "f32", &o.format, &e) == 0);
		REQUIRE(gen_init(&g, &o, &e) == 0);
		for (int i = 0; i < 4000; i++) {
			REQUIRE(gen_next(&g, out) == (wide ? 8 : 4));
			bits = wide ? get64(out) : 0;
			bits4 = get32(out);
			memcpy(&x, &bits, sizeof x);
			memcpy(&y, &bits4, sizeof y);
			if (!wide)
				x = (double)y;
			REQUIRE(x >= -1 && x < 1);
			quarter[(int)((x + 1) * 2)]++;
		}
	}
	for (int i = 0; i < 4; i++)
		CHECK_NEAR(quarter[i], 2000, 0.1);
}

/*
 * A key may be longer than the eight bytes of its value.  The other bytes are
 * random, too.
 */
static void
long_keys_are_random(void)
{
	static struct records r;
	struct gen_options o = { .dist = "uniform", .total = N };
	struct hp_err e = { 0 };
	unsigned seen[256] = { 0 }, distinct = 0;

	REQUIRE(format_parse("gensort", &o.format, &e) == 0);
	r.n = 0;
	make(&r, &o, N);
	for (size_t i = 0; i < N; i++)
		distinct += seen[r.bytes[i][9]]++ == 0;
	CHECK(distinct > 128);
}

static void
seeds_differ(void)
{
	static struct records a, b;
	struct gen_options o = options(1, 0, 1);

	make(&a, &o, N);
	o.seed = 2;
	make(&b, &o, N);
	for (size_t i = 0; i < N; i++)
		CHECK(memcmp(a.bytes[i], b.bytes[i], 10) != 0);
}

int
main(void)
{
	RUN(parts_are_the_whole);
	RUN(keys_follow_values);
	RUN(payload_names_the_record);
	RUN(floats_have_both_signs);
	RUN(long_keys_are_random);
	RUN(seeds_differ);
	return test_done();
}
