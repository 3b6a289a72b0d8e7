/*
 * Records that are moved in rounds (rounds.c), compared with qsort(3): random
 * sizes, keys of several shapes, several files and threads, and so little
 * memory that many rounds are needed.
 */
#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "bucket/buckets.h"
#include "bucket/engine.h"
#include "record/order.h"
#include "test.h"

enum {
	CASES = 60,
	FILES = 3,
	PAGE = 4096
};

enum shape {
	UNIFORM,
	ONE_KEY,
	HALF_ONE_KEY, /* one bucket is larger than a round */
	FEW_KEYS,
	LAST_KEY, /* most records have the last key */
	SHAPES
};

static struct order order;

static int
compare(const void *a, const void *b)
{
	const unsigned char *x = a, *y = b;
	const struct format *f = &order.format;
	int c = memcmp(x + f->key_off, y + f->key_off, f->key_len);

	c = c != 0 ? c : memcmp(x, y, f->size);
	return order.flip ? -c : c;
}

static uint64_t
random_key(enum shape shape, size_t i)
{
	switch (shape) {
	case ONE_KEY:
		return 7;
	case HALF_ONE_KEY:
		return test_below(2) ? test_random() : 7;
	case FEW_KEYS:
		return test_below(5) * 1000;
	case LAST_KEY:
		return test_below(9) ? UINT64_MAX : i;
	default:
		return test_random();
	}
}

/* Fills s with bytes of 0 to 2.  One random number is enough for 16 bytes. */
static void
few_bytes(unsigned char *s, size_t n)
{
	uint64_t digits = 0;

	for (size_t k = 0; k < n; k++, digits /= 3) {
		if (k % 16 == 0)
			digits = test_random();
		s[k] = (unsigned char)(digits % 3);
	}
}

static unsigned char *
random_records(size_t n, enum shape shape)
{
	const struct format *f = &order.format;
	unsigned char *text = malloc(n * f->size), *s = text;
	uint64_t key;

	for (size_t i = 0; text != NULL && i < n; i++, s += f->size) {
		few_bytes(s, f->size);
		key = random_key(shape, i);
		memcpy(s + f->key_off, &key,
		    f->key_len < sizeof key ? f->key_len : sizeof key);
	}
	return text;
}

/* Writes the text to several files and stores their descriptors. */
static void
write_files(const unsigned char *text, size_t n, int *fd)
{
	size_t size = order.format.size, from = 0, end;

	for (size_t i = 0; i < FILES; i++, from = end) {
		end = i + 1 < FILES ? from + test_below(n - from + 1) : n;
		fd[i] = memfd_create("in", 0);
		if (io_write(fd[i], text + from * size, (end - from) * size) ==
		    -1)
			abort();
	}
}

static void
random_order(void)
{
	size_t size = 16 + test_below(129), len = 1 + test_below(size);
	struct hp_err e = { 0 };
	char format[64];

	len = len < 12 ? len : 12;
	snprintf(format, sizeof format, "record:%zu,%zu,%zu", size,
	    test_below(size - len + 1), len);
	order_init(&order);
	if (format_parse(format, &order.format, &e) == -1 ||
	    (test_below(2) && order_option(&order, 'r', NULL, &e) == -1) ||
	    order_ready(&order, &e) == -1)
		abort();
}

/* Returns the bytes of the arena's pages that were ever touched. */
static size_t
touched(const struct arena *a)
{
	size_t pages = a->reserved / PAGE, n = 0;
	unsigned char *in_core = calloc(pages, 1);

	if (in_core == NULL || mincore(a->base, pages * PAGE, in_core) == -1)
		abort();
	for (size_t i = 0; i < pages; i++)
		n += in_core[i] & 1;
	free(in_core);
	return n * PAGE;
}

/*
 * Returns the most bytes that a round can have.  A round ends with the bucket
 * that completes its share.  The last chunk of each list may be nearly empty.
 */
static size_t
of_a_round(const struct buckets *b)
{
	size_t most = 0, in_chunk = CHUNK_DATA / b->element, chunks;

	for (size_t i = 0; i < b->division.n; i++)
		most = b->rounds.n[i] > most ? b->rounds.n[i] : most;
	chunks = (b->rounds.share / b->element + most) / in_chunk;
	return (chunks + b->division.n * b->threads) * CHUNK;
}

/* Sorts the files and checks that rounds were used. */
static void
sort_in_rounds(const int *fd, size_t total, int out, enum shape shape)
{
	const struct budget g = { .memory = 2 * total,
		.threads = 1 + (unsigned)test_below(4) };
	struct input_range all = { 0, UINT64_MAX };
	char name[FILES][32];
	const char *file[FILES];
	struct hp_err e = { 0 };
	struct input in;
	struct batch *batch;
	const struct buckets *b;
	struct output o;
	uint64_t n = 0;

	for (size_t i = 0; i < FILES; i++) {
		sprintf(name[i], "/proc/self/fd/%d", fd[i]);
		file[i] = name[i];
	}
	REQUIRE(input_open(&in, &order.format, file, FILES, NULL, &all,
		    UINT64_MAX, -1, &e) == 0);
	batch = buckets_new(&order, &in, &g, &e);
	REQUIRE(batch != NULL);
	b = (const struct buckets *)batch;
	/*
	 * The memory of the threads themselves is not counted.  An arena of
	 * this size has no huge pages.
	 */
	in.cap = 2 * total;
	output_init(&o, out, "out");
	CHECK(batch->ops->read(batch, &e) == 0);
	CHECK(b->rounds.to != NULL);
	CHECK(batch->records == total / order.format.size &&
	    batch->bytes == total);
	CHECK(batch->ops->write(batch, &o, &n, &e) == 0);
	CHECK(n == total / order.format.size);
	if (shape == UNIFORM && order.format.key_len > 1)
		CHECK(touched(&b->arena) <= of_a_round(b));
	CHECK(output_close(&o, &e) == 0);
	batch_fini(batch);
	input_close(&in);
}

static void
one_case(size_t number)
{
	enum shape shape = number % SHAPES;
	size_t n, total;
	unsigned char *text, *sorted;
	int fd[FILES], out = memfd_create("out", 0);

	random_order();
	n = (4 << 20) / order.format.size + test_below(20000);
	total = n * order.format.size;
	text = random_records(n, shape);
	REQUIRE(text != NULL);
	write_files(text, n, fd);
	sort_in_rounds(fd, total, out, shape);
	qsort(text, n, order.format.size, compare);
	sorted = mmap(NULL, total, PROT_READ, MAP_SHARED, out, 0);
	if (lseek(out, 0, SEEK_END) != (off_t)total || sorted == MAP_FAILED ||
	    memcmp(text, sorted, total) != 0)
		test_bad(__FILE__, __LINE__,
		    "case %zu: %zu records of %zu bytes, key %zu,%zu%s", number,
		    n, order.format.size, order.format.key_off,
		    order.format.key_len, order.flip ? ", descending" : "");
	munmap(sorted, total);
	free(text);
	for (size_t i = 0; i < FILES; i++)
		close(fd[i]);
	close(out);
	order_fini(&order);
}

static void
as_qsort(void)
{
	for (size_t i = 0; i < CASES; i++)
		one_case(i);
}

int
main(void)
{
	RUN(as_qsort);
	return test_done();
}
