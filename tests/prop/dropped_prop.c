/*
 * With -u, the output and the dropped records together are the input: the
 * number of records, the number of bytes and the order-free checksum agree.
 * This holds for all records, orders, memory sizes and numbers of threads, for
 * sorting and for merging.
 */
#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "record/order.h"
#include "sort/sort.h"
#include "test.h"

enum {
	CASES = 400,
	LARGE = 40,	    /* one case in LARGE does not fit into memory */
	SMALL_BYTES = 4000, /* most bytes of an input in the other cases */
	LARGE_BYTES = 12 << 20,
	FILES = 4,
	PATH = 32
};

static const char *const formats[] = { "line", "line", "line", "gensort",
	"record:7", "record:12,4,8", "u8", "i16", "u32", "i32be", "f32", "u64",
	"f64be" };

static const char *const keys[] = { "", "", "n", "r", "f", "k2,2", "k1,1n",
	"k2.1,2.2r", "g", "s", "V" };

static const char *
pick(const char *const *from, size_t n)
{
	return from[test_below(n)];
}

/*
 * Fills s with random bytes: of few values, so that many records are equal, or
 * also with rare values.
 */
static void
random_bytes(unsigned char *s, size_t n, unsigned kinds)
{
	static const char few[] = "ab 1\n0b\na ";

	for (size_t i = 0; i < n; i++)
		s[i] = kinds == 0 ? (unsigned char)test_below(256)
				  : (unsigned char)few[test_below(kinds)];
}

/* Returns the counts and the checksum of a file's bytes. */
static struct dropped
sum_of(const struct format *f, const unsigned char *s, size_t n)
{
	const struct span none = { NULL, 0 };
	struct dropped d = { 0 };
	const unsigned char *end = s + n, *p;
	size_t len;

	for (; s < end; s += len) {
		p = f->kind == FORMAT_LINE
		    ? memchr(s, f->delim, (size_t)(end - s))
		    : s + f->size;
		len = (size_t)((p == NULL ? end : p) - s);
		dropped_records(&d, f, none, (struct span){ s, len }, 1);
		len += f->kind == FORMAT_LINE;
	}
	return d;
}

static struct dropped
sum_of_fd(const struct format *f, int fd)
{
	off_t n = lseek(fd, 0, SEEK_END);
	struct dropped d = { 0 };
	void *p;

	if (n <= 0)
		return d;
	p = mmap(NULL, (size_t)n, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		abort();
	d = sum_of(f, p, (size_t)n);
	munmap(p, (size_t)n);
	return d;
}

static void
check_sums(const char *what, const struct dropped *in,
    const struct dropped *out, const struct dropped *left)
{
	struct dropped all = *out;

	dropped_add(&all, left);
	if (all.records != in->records || all.bytes != in->bytes ||
	    all.checksum.low != in->checksum.low ||
	    all.checksum.high != in->checksum.high)
		test_bad(__FILE__, __LINE__,
		    "%s: of %" PRIu64 " records %" PRIu64
		    " are written and %" PRIu64 " left out: the sums differ",
		    what, in->records, out->records, left->records);
}

static int
random_order(struct order *o, const char *format, char *what, struct hp_err *e)
{
	const char *key = pick(keys, sizeof keys / sizeof *keys);

	order_init(o);
	sprintf(what, "-F %s -u -%s", format, key);
	if (order_option(o, 'F', format, e) == -1 ||
	    order_option(o, 'u', NULL, e) == -1)
		return -1;
	if (strcmp(format, "line") != 0)
		key = *key == 'r' ? "r" : "";
	if (*key != '\0' &&
	    order_option(o, *key, key[1] != '\0' ? key + 1 : NULL, e) == -1)
		return -1;
	o->sum_dropped = true;
	return order_ready(o, e);
}

/* The inputs of a case, as memory files. */
struct inputs {
	int fd[FILES];
	char path[FILES][PATH];
	const char *file[FILES];
};

static struct sort_job
random_job(const struct order *o, struct inputs *in)
{
	struct sort_job j = { .order = o,
		.file = in->file,
		.nfiles = 1 + test_below(FILES),
		.extent_bytes = UINT64_MAX,
		.memory = test_below(2) ? 0 : 1 << 30,
		.batch = test_below(2) ? 0 : 2,
		.way = test_below(4) ? MERGE_KWAY : MERGE_POLYPHASE,
		.threads = 1 + (unsigned)test_below(3) };

	if (j.way == MERGE_POLYPHASE)
		j.batch = 3;
	return j;
}

static void
set_input(struct inputs *in, size_t i, int fd)
{
	in->fd[i] = fd;
	snprintf(in->path[i], PATH, "/proc/self/fd/%d", fd);
	in->file[i] = in->path[i];
}

/* Fills the inputs with at most this many random bytes.  Returns their sum. */
static struct dropped
write_inputs(struct inputs *in, const struct sort_job *j, unsigned char *bytes,
    size_t most)
{
	unsigned kinds = test_below(4) == 0 ? 0 : 2 + (unsigned)test_below(9);
	const struct format *f = &j->order->format;
	struct dropped sum = { 0 }, some;

	for (size_t i = 0; i < j->nfiles; i++) {
		size_t n = test_below(most + 1) / j->nfiles;

		if (f->size > 0)
			n -= n % f->size;
		random_bytes(bytes, n, kinds);
		set_input(in, i, memfd_create("in", 0));
		if (io_write(in->fd[i], bytes, n) == -1)
			abort();
		some = sum_of(f, bytes, n);
		dropped_add(&sum, &some);
	}
	return sum;
}

/* Replaces each input by its sorted records.  Adds what is left out to *left.
 */
static int
sort_inputs(struct inputs *in, const struct sort_job *j, struct dropped *left,
    struct hp_err *e)
{
	for (size_t i = 0; i < j->nfiles; i++) {
		struct sort_job one = *j;
		struct sort_stats stats;
		int sorted = memfd_create("sorted", 0);

		one.file = &in->file[i];
		one.nfiles = 1;
		if (sort_files(&one, sorted, "sorted", &stats, e) == -1)
			return -1;
		dropped_add(left, &stats.dropped);
		close(in->fd[i]);
		set_input(in, i, sorted);
	}
	return 0;
}

static void
one_case(unsigned char *bytes, size_t number)
{
	const char *format = pick(formats, sizeof formats / sizeof *formats);
	size_t most = number % LARGE == 1 ? LARGE_BYTES : SMALL_BYTES;
	bool merge = test_below(2);
	struct dropped read, left = { 0 }, written;
	struct sort_stats stats;
	struct order order;
	struct inputs in;
	struct sort_job j = random_job(&order, &in);
	int out = memfd_create("out", 0);
	struct hp_err e = { 0 };
	char what[64];

	if (random_order(&order, format, what, &e) == -1) {
		test_bad(__FILE__, __LINE__, "%s: %s", what, e.text);
		return;
	}
	read = write_inputs(&in, &j, bytes, most);
	if ((merge && sort_inputs(&in, &j, &left, &e) == -1) ||
	    (merge ? sort_merge : sort_files)(&j, out, "out", &stats, &e) ==
		-1) {
		test_bad(__FILE__, __LINE__, "%s: %s", what, e.text);
	} else {
		dropped_add(&left, &stats.dropped);
		written = sum_of_fd(&order.format, out);
		check_sums(what, &read, &written, &left);
		if (stats.records - stats.written != stats.dropped.records)
			test_bad(__FILE__, __LINE__,
			    "%s: %" PRIu64 " left out, but %" PRIu64
			    " are told",
			    what, stats.records - stats.written,
			    stats.dropped.records);
	}
	for (size_t i = 0; i < j.nfiles; i++)
		close(in.fd[i]);
	close(out);
	order_fini(&order);
}

static void
nothing_is_unaccounted_for(void)
{
	const char *asked = getenv("HP_CASES");
	size_t cases = asked != NULL ? strtoull(asked, NULL, 10) : CASES;
	unsigned char *bytes = malloc(LARGE_BYTES);

	for (size_t i = 0; bytes != NULL && i < cases; i++)
		one_case(bytes, i);
	printf("# %zu cases\n", cases);
	free(bytes);
}

int
main(void)
{
	RUN(nothing_is_unaccounted_for);
	return test_done();
}
