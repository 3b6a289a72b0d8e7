/* The parts of sorting numbers: the kernels of every processor, lists and
 * keys. */
#include "numbers/number.h"
#include "record/order.h"
#include "test.h"

enum {
	MOST = 40000,
	GUARD = 64, /* numbers on each side that must not change */
	SHAPES = 11
};

/* Returns number i of n numbers of this shape. */
static uint64_t
shaped(unsigned shape, size_t i, size_t n)
{
	switch (shape) {
	case 0:
		return test_random();
	case 1:
		return test_below(3);
	case 2:
		return test_below(100) * 0x0101010101010101;
	case 3:
		return 42;
	case 4:
		return i;
	case 5:
		return n - i;
	case 6: /* up, then down */
		return i < n / 2 ? i : n - i;
	case 7:
		return test_below(4) ? UINT64_MAX : test_random();
	case 8: /* one value in three of four places */
		return test_below(4) ? 77 : test_random() >> test_below(64);
	case 9: /* small wherever a sample of 8, 16 or 64 even steps looks */
		return i % (n / 8 + 1) == n / 16 || i % (n / 16 + 1) == n / 32
		    ? i
		    : UINT64_MAX - test_below(1000);
	}
	return i % 2 ? i : test_below(16); /* a sawtooth */
}

static int
compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int
compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static uint64_t a8[MOST + 2 * GUARD], tmp8[MOST + 2 * GUARD], want8[MOST];
static uint32_t a4[MOST + 2 * GUARD], tmp4[MOST + 2 * GUARD], want4[MOST];

/* Sorts n numbers and checks that the memory around them did not change. */
static void
sort_one(const struct kernel *k, unsigned shape, size_t n)
{
	bool guarded = true;

	for (size_t i = 0; i < MOST + 2 * GUARD; i++) {
		a8[i] = tmp8[i] = 0xfeedfacecafebeef;
		a4[i] = tmp4[i] = 0xcafebeef;
	}
	for (size_t i = 0; i < n; i++) {
		want8[i] = a8[GUARD + i] = shaped(shape, i, n);
		want4[i] = a4[GUARD + i] = (uint32_t)want8[i];
	}
	qsort(want8, n, sizeof *want8, compare_u64);
	qsort(want4, n, sizeof *want4, compare_u32);
	k->sort_8(a8 + GUARD, tmp8 + GUARD, n);
	k->sort_4(a4 + GUARD, tmp4 + GUARD, n);
	if (memcmp(a8 + GUARD, want8, n * sizeof *want8) != 0)
		test_bad(
		    __FILE__, __LINE__, "8 bytes, shape %u, %zu", shape, n);
	if (memcmp(a4 + GUARD, want4, n * sizeof *want4) != 0)
		test_bad(
		    __FILE__, __LINE__, "4 bytes, shape %u, %zu", shape, n);
	for (size_t i = 0; i < GUARD; i++) {
		size_t last = GUARD + n + i;

		guarded = guarded && a8[i] == tmp8[i] &&
		    a8[last] == tmp8[last] && a4[i] == tmp4[i] &&
		    a4[last] == tmp4[last] && a8[i] == a8[MOST + GUARD + i] &&
		    a4[i] == a4[MOST + GUARD + i];
	}
	CHECK(guarded);
}

static void
sort_all(const struct kernel *k)
{
	for (unsigned shape = 0; shape < SHAPES; shape++) {
		for (size_t n = 0; n < 600; n += shape == 0 ? 1 : 7)
			sort_one(k, shape, n);
		for (size_t n = 1000; n <= MOST; n = n * 3 + 1)
			sort_one(k, shape, n);
	}
}

static void
plain_as_qsort(void)
{
	sort_all(&kernel_plain);
}

static void
vectors_as_qsort(const struct kernel *k)
{
	printf("# %s\n",
	    k != NULL ? "with vectors" : "no such vectors in this processor");
	if (k != NULL)
		sort_all(k);
}

static void
avx512_as_qsort(void)
{
	vectors_as_qsort(kernel_avx512());
}

static void
avx2_as_qsort(void)
{
	vectors_as_qsort(kernel_avx2());
}

static void
cells_keep_order(void)
{
	struct hp_err e = { 0 };
	struct cells s;

	for (unsigned shape = 0; shape < SHAPES; shape++)
		for (size_t want = 1; want < 3000; want = want * 7 + 1) {
			for (size_t i = 0; i < MOST; i++)
				a8[i] = shaped(shape, i, MOST);
			REQUIRE(cells_init(&s, a8, MOST, want, &e) == 0);
			/*
			 * a8 is sorted now.  Also look up numbers that are not
			 * in the sample.
			 */
			for (size_t i = 0; i < MOST; i++) {
				uint64_t a = i == 0 ? UINT64_MAX
						    : shaped(shape, i, MOST);
				uint64_t b = a8[i];
				size_t x = cells_find(&s, a);
				size_t y = cells_find(&s, b);

				REQUIRE(x < s.buckets && y < s.buckets);
				CHECK(a <= b || x >= y);
				CHECK(a >= b || x <= y);
				CHECK(!s.equal[x] || s.value[x - 1] == a);
			}
			cells_fini(&s);
		}
}

static void
all_implementations_agree(void)
{
	const struct loops *best = loops_best();
	struct hp_err e = { 0 };
	uint32_t *x = (uint32_t *)tmp8, *y = (uint32_t *)want8;

	for (unsigned shape = 0; shape < SHAPES; shape++)
		for (size_t want = 1; want < 3000; want = want * 7 + 1) {
			struct cells s;

			for (size_t i = 0; i < MOST; i++)
				a8[i] = shaped(shape, i, MOST);
			REQUIRE(cells_init(&s, a8, MOST / 2, want, &e) == 0);
			a8[0] = 0;
			a8[1] = UINT64_MAX;
			loops_plain.place(&s, a8, x, MOST - 3);
			for (size_t i = 0; i < MOST - 3; i++)
				REQUIRE(x[i] == cells_find(&s, a8[i]));
			best->place(&s, a8, y, MOST - 3);
			CHECK(memcmp(x, y, (MOST - 3) * sizeof *x) == 0);
			cells_fini(&s);
		}
}

static void
dense_holds_most(void)
{
	for (unsigned shape = 0; shape < SHAPES; shape++) {
		for (size_t i = 0; i < MOST; i++)
			a8[i] = shaped(shape, i, MOST);
		qsort(a8, MOST, sizeof *a8, compare_u64);
		for (size_t most = 128; most <= 1 << 20; most *= 4) {
			struct dense d;
			size_t in = 0;

			d = dense_choose(a8, MOST, most);
			CHECK(d.values <= most);
			CHECK((d.values & (d.values - 1)) == 0);
			CHECK(d.low <= UINT64_MAX - (d.values - 1));
			for (size_t i = 0; i < MOST; i++)
				in += dense_has(&d, a8[i]) ? 1 : 0;
			CHECK(in == 0 || in >= MOST / 2);
			CHECK(in > 0 || most < 256 || shape == 0 ||
			    a8[MOST - 1] - a8[0] >= most);
		}
	}
	CHECK(dense_choose(a8, 0, 1 << 20).values == 0);
}

/* Scatters numbers of `size` bytes over lists. One list keeps only its
 * count. */
static void
scatter_numbers(size_t size)
{
	static const bool equal[4] = { false, false, true, false };
	struct hp_err e = { 0 };
	struct arena a;
	struct sheets sheets = { .heap.arena = &a, .size = 1 << 10 };
	struct scatter s;
	bool full = false;

	REQUIRE(arena_init(&a, 1 << 21, 1 << 21, 1 << 14, 0, &e) == 0);
	REQUIRE(scatter_init(&s, &sheets, 4, equal, &e) == 0);
	for (uint64_t i = 0; i < MOST; i++)
		if (scatter_put(s.count, s.line, i % 3, i, size))
			REQUIRE(scatter_line(&s, i % 3) == 0);
	REQUIRE(scatter_close(&s, size) == 0);
	CHECK(s.first[2] == NULL && s.first[3] == NULL);
	for (size_t b = 0; b < 3; b++) {
		struct sheet *at = s.first[b];
		size_t each = (sheets.size - sizeof *at) / size, k = 0;

		CHECK_EQ_U64(s.count[b], (MOST - b + 2) / 3);
		for (size_t i = 0; b < 2 && i < s.count[b]; i++) {
			uint64_t got = 0;

			memcpy(&got, at->data + k * size, size);
			CHECK_EQ_U64(got, 3 * i + b);
			if (++k == each) {
				at = at->next;
				k = 0;
			}
		}
	}
	/* When the arena is full, adding a line fails. */
	for (size_t i = 0; i < 1 << 20 && !full; i++)
		full = scatter_put(s.count, s.line, 0, i, size) &&
		    scatter_line(&s, 0) == -1;
	CHECK(full);
	scatter_fini(&s);
	arena_fini(&a);
}

static void
lists_return_what_they_got(void)
{
	scatter_numbers(8);
	scatter_numbers(4);
}

/* Numbers as bytes in big-endian order; each list is ascending. */
static const struct ordered {
	const char *format;
	const char *hex[8];
} ordered[] = {
	{ "u8be", { "00", "01", "7f", "80", "ff" } },
	{ "i8be", { "80", "ff", "00", "01", "7f" } },
	{ "u16be", { "0000", "00ff", "0100", "7fff", "8000", "ffff" } },
	{ "i16be", { "8000", "ff00", "ffff", "0000", "00ff", "7fff" } },
	{ "u32be", { "00000000", "000000ff", "7fffffff", "80000000" } },
	{ "i32be", { "80000000", "ffffffff", "00000000", "00000100" } },
	{ "f32be",
	    { "ffc00000", "ff800000", "bf800000", "80000000", "00000000",
		"3f800000", "7f800000", "7fc00000" } },
	{ "u64be",
	    { "0000000000000000", "00000000ffffffff", "8000000000000000",
		"ffffffffffffffff" } },
	{ "i64be",
	    { "8000000000000000", "ffffffffffffffff", "0000000000000000",
		"7fffffffffffffff" } },
	{ "f64be",
	    { "fff8000000000000", "fff0000000000000", "bff0000000000000",
		"8000000000000000", "0000000000000000", "3ff0000000000000",
		"7ff0000000000000", "7ff8000000000000" } },
};

/* Converts hex digits to the number's bytes, last byte first unless `big`. */
static size_t
from_hex(const char *hex, bool big, unsigned char *out)
{
	size_t n = strlen(hex) / 2;
	unsigned byte;

	for (size_t i = 0; i < n; i++) {
		sscanf(hex + 2 * i, "%2x", &byte);
		out[big ? i : n - 1 - i] = (unsigned char)byte;
	}
	return n;
}

static void
keys_in_order(const struct ordered *w, bool big, bool reverse)
{
	unsigned char number[8] = { 0 }, back[8];
	struct hp_err e = { 0 };
	char name[8] = "";
	uint64_t last = 0, key;
	uint32_t key4;
	struct number t;
	struct order o;
	size_t n;

	memcpy(name, w->format, strlen(w->format) - (big ? 0 : 2));
	order_init(&o);
	REQUIRE(format_parse(name, &o.format, &e) == 0);
	o.global.reverse = reverse;
	REQUIRE(order_ready(&o, &e) == 0);
	number_init(&t, &o);
	for (size_t i = 0; i < 8 && w->hex[i] != NULL; i++) {
		n = from_hex(w->hex[i], big, number);
		key = number_key(&t, number);
		CHECK(i == 0 || (reverse ? key < last : key > last));
		last = key;
		/* The key has no bits above those of the number. */
		CHECK(key <= UINT64_MAX >> (64 - 8 * n));
		key4 = (uint32_t)key;
		if (t.element == sizeof key4)
			memcpy(back, &key4, sizeof key4);
		else
			memcpy(back, &key, sizeof key);
		CHECK(number_restore(&t, back, 1) == n);
		CHECK(memcmp(back, number, n) == 0);
	}
	order_fini(&o);
}

static void
keys_keep_order(void)
{
	for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++)
		for (unsigned how = 0; how < 4; how++)
			keys_in_order(&ordered[i], how & 1, how & 2);
}

int
main(void)
{
	RUN(plain_as_qsort);
	RUN(avx512_as_qsort);
	RUN(avx2_as_qsort);
	RUN(cells_keep_order);
	RUN(all_implementations_agree);
	RUN(dense_holds_most);
	RUN(lists_return_what_they_got);
	RUN(keys_keep_order);
	return test_done();
}
