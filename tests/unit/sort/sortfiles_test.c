/*
 * Sorting, merging and checking files: small and large, in order or not, from
 * files and pipes. qsort gives the expected order.
 */

#include <sys/mman.h>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "input/budget.h"
#include "record/order.h"
#include "sort/check.h"
#include "sort/sort.h"
#include "test.h"

enum {
	CASES = 250,
	FILES_MOST = 3,
	SMALL = 60,	  /* most records of a usual case */
	MANY = 4000,	  /* most records of some cases */
	MEMORY = 12 << 20 /* bytes of a few cases: more than the least memory */
};

enum keys {
	RANDOM,
	FEW, /* few different keys */
	RISING,
	FALLING,
	ALMOST, /* in order except one record */
	EQUAL,
	SHAPES
};

static const char *const formats[] = { "line", "line", "gensort",
	"record:7,2,3", "record:24,8,8", "u32", "i64be", "u8" };

/* The records of a case. The files contain them one after the other. */
struct text {
	unsigned char *bytes;
	size_t len, n;
	struct span *record;
};

/* order for the comparison function of qsort */
static const struct order *asked;

/*
 * Compares two records by the definition of the format; equal records keep the
 * input order.
 */
static int
compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	const struct format *f = &asked->format;
	size_t len = x->len < y->len ? x->len : y->len;
	int c = 0;

	if (f->kind == FORMAT_RECORD)
		c = memcmp(x->at + f->key_off, y->at + f->key_off, f->key_len);
	else if (f->kind == FORMAT_LINE)
		c = (c = memcmp(x->at, y->at, len)) != 0
		    ? c
		    : (x->len > y->len) - (x->len < y->len);
	else
		for (size_t i = 0; c == 0 && i < f->size; i++) {
			size_t k = f->big_endian ? i : f->size - 1 - i;
			unsigned sign = i == 0 && f->number == NUMBER_SIGNED
			    ? 0x80
			    : 0;

			c = (int)(x->at[k] ^ sign) - (int)(y->at[k] ^ sign);
		}
	return asked->global.reverse ? -c : c;
}

static int
compare_stable(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	int c = compare(a, b);

	return c != 0 ? c : (x->at > y->at) - (x->at < y->at);
}

/*
 * Returns the key of record i as a number, whose first byte is the key's first
 * byte.
 */
static uint64_t
key_of(enum keys shape, size_t i, size_t n)
{
	switch (shape) {
	case FEW:
		return test_below(4) << 56 | test_below(3) << 40;
	case ALMOST:
		if (i == n / 2)
			return 0;
		/* fallthrough */
	case RISING:
		return (uint64_t)i << 36 | (uint64_t)i;
	case FALLING:
		return (uint64_t)(n - i) << 36;
	case EQUAL:
		return 0x4142434445464748;
	default:
		return test_random();
	}
}

static size_t
write_line(unsigned char *s, uint64_t key, enum keys shape)
{
	static const char digits[] = "0123456789abcdef";
	size_t len = shape == RANDOM ? test_below(40) : 16;

	if (shape == RANDOM && test_below(50) == 0)
		len = 3000;
	for (size_t i = 0; i < len; i++)
		s[i] = (unsigned char)(i < 16 ? digits[key >> (60 - 4 * i) & 15]
					      : 'x');
	s[len] = '\n';
	return len + 1;
}

/* Makes at least n records and at least `bytes` bytes. */
static void
make_text(struct text *t, const struct format *f, enum keys shape, size_t n,
    size_t bytes)
{
	size_t most = bytes > n * 64 ? bytes : n * 64, cap = 0;
	unsigned char *s;

	*t = (struct text){ .bytes = malloc(most + (n + 1) * 3100) };
	for (s = t->bytes; t->n < n || (size_t)(s - t->bytes) < bytes;) {
		uint64_t key = key_of(shape, t->n, n);
		size_t off = f->kind == FORMAT_RECORD ? f->key_off : 0;

		if (t->n == cap) {
			cap = cap == 0 ? 64 : 2 * cap;
			t->record = reallocarray(
			    t->record, cap, sizeof *t->record);
		}
		if (f->kind == FORMAT_LINE) {
			size_t len = write_line(s, key, shape);

			t->record[t->n++] = (struct span){ s, len - 1 };
			s += len;
			continue;
		}
		for (size_t i = 0; i < f->size; i++)
			s[i] = (unsigned char)('a' + (t->n + i) % 26);
		for (size_t i = 0; i < 8 && off + i < f->size; i++)
			s[off + i] = (unsigned char)(key >> (56 - 8 * i));
		t->record[t->n++] = (struct span){ s, f->size };
		s += f->size;
	}
	t->len = (size_t)(s - t->bytes);
}

/* Writes the records in the given order to a buffer. */
static unsigned char *
write_records(
    const struct span *record, size_t n, const struct format *f, size_t *len)
{
	unsigned char *bytes, *s;

	*len = 0;
	for (size_t i = 0; i < n; i++)
		*len += record[i].len + (f->kind == FORMAT_LINE);
	s = bytes = malloc(*len + 1);
	for (size_t i = 0; i < n; i++) {
		memcpy(s, record[i].at, record[i].len);
		s += record[i].len;
		if (f->kind == FORMAT_LINE)
			*s++ = '\n';
	}
	return bytes;
}

/* Sorts the records in place. Removes repeated keys if the order is unique. */
static size_t
sort_records(struct span *record, size_t n, const struct order *o)
{
	size_t k = n > 0;

	asked = o;
	if (n > 0)
		qsort(record, n, sizeof *record, compare_stable);
	if (!o->unique)
		return n;
	for (size_t i = 1; i < n; i++)
		if (compare(&record[i], &record[k - 1]) != 0)
			record[k++] = record[i];
	return k;
}

/* The files that a job reads: memory files, or pipes that threads fill. */
struct files {
	size_t n;
	int fd[FILES_MOST], feed[FILES_MOST]; /* feed: -1 for a file */
	const unsigned char *bytes[FILES_MOST];
	size_t len[FILES_MOST];
	pthread_t thread[FILES_MOST];
	char path[FILES_MOST][32];
	const char *name[FILES_MOST];
};

struct feeding {
	int fd;
	const unsigned char *bytes;
	size_t len;
};

static void *
feed(void *arg)
{
	struct feeding *f = arg;

	io_write(f->fd, f->bytes, f->len);
	close(f->fd);
	free(f);
	return NULL;
}

static void
add_file(struct files *fs, const unsigned char *bytes, size_t len, bool pipes)
{
	size_t i = fs->n++;
	int fd[2];

	fs->feed[i] = -1;
	if (pipes) {
		struct feeding *f = malloc(sizeof *f);

		CHECK(pipe2(fd, O_CLOEXEC) == 0);
		*f = (struct feeding){ fd[1], bytes, len };
		fs->fd[i] = fd[0];
		fs->feed[i] = 0;
		pthread_create(&fs->thread[i], NULL, feed, f);
	} else {
		fs->fd[i] = memfd_create("in", MFD_CLOEXEC);
		CHECK(io_write(fs->fd[i], bytes, len) == 0);
	}
	snprintf(
	    fs->path[i], sizeof fs->path[i], "/proc/self/fd/%d", fs->fd[i]);
	fs->name[i] = fs->path[i];
}

static void
close_files(struct files *fs)
{
	for (size_t i = 0; i < fs->n; i++) {
		if (fs->feed[i] != -1)
			pthread_join(fs->thread[i], NULL);
		close(fs->fd[i]);
	}
}

static void
holds(int fd, const unsigned char *want, size_t len, const char *what)
{
	off_t got_len = lseek(fd, 0, SEEK_END);
	unsigned char *got = malloc(len + 1);

	if (got_len != (off_t)len || io_pread(fd, got, len, 0) != (ssize_t)len)
		test_bad(__FILE__, __LINE__, "%s: %jd bytes, expected %zu",
		    what, (intmax_t)got_len, len);
	else if (memcmp(got, want, len) != 0)
		test_bad(__FILE__, __LINE__, "%s: differs", what);
	free(got);
}

static void
init(struct order *o, struct sort_job *j, const char *format)
{
	struct hp_err e;

	order_init(o);
	CHECK(format_parse(format, &o->format, &e) == 0);
	*j = (struct sort_job){ .order = o,
		.extent_bytes = UINT64_MAX,
		.memory = 64 << 20,
		.threads = 1 };
}

static void
check_stats(const struct sort_stats *s, double elapsed_s, size_t n, size_t len,
    size_t written, const char *what)
{
	if (s->records != n || s->bytes != len || s->written != written)
		test_bad(__FILE__, __LINE__,
		    "%s: read %ju records, %ju bytes, wrote %ju; expected %zu, "
		    "%zu, %zu",
		    what, (uintmax_t)s->records, (uintmax_t)s->bytes,
		    (uintmax_t)s->written, n, len, written);
	CHECK(s->read_s >= 0 && s->sort_s >= 0 && s->merge_s >= 0);
	CHECK(s->read_s + s->sort_s + s->merge_s <= elapsed_s);
}

typedef int sort_call(const struct sort_job *, int, const char *,
    struct sort_stats *, struct hp_err *);

/*
 * Sorts or merges the files of the job.  Checks that the output is the first n
 * records of the text, behind its header, and checks the statistics.
 *   bytes  expected size of the input; SIZE_MAX: any
 */
static void
check_output(sort_call *call, const struct sort_job *j, const struct text *t,
    size_t n, size_t bytes, const char *what)
{
	size_t header = (size_t)j->header, len;
	unsigned char *want = write_records(
	    t->record, header + n, &j->order->format, &len);
	int out = memfd_create("out", MFD_CLOEXEC);
	double begun_s = clock_now_s();
	struct sort_stats stats;
	struct hp_err e = { 0 };

	if (call(j, out, "out", &stats, &e) == -1)
		test_bad(__FILE__, __LINE__, "%s: %s", what, e.text);
	else {
		holds(out, want, len, what);
		check_stats(&stats, clock_now_s() - begun_s, t->n - header,
		    bytes == SIZE_MAX ? stats.bytes : bytes, n, what);
	}
	close(out);
	free(want);
}

static void
text_fini(struct text *t)
{
	free(t->bytes);
	free(t->record);
}

/*
 * Writes the text to n files, each of which ends after a record.
 *   cut  whether the last line lacks its newline
 */
static void
add_files(
    struct files *fs, const struct text *t, size_t n, bool pipes, bool cut)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		size_t end = t->n * (i + 1) / n;
		size_t to = end == t->n
		    ? t->len
		    : (size_t)(t->record[end].at - t->bytes);

		add_file(fs, t->bytes + at,
		    to - at -
			(cut && end == t->n && to > at &&
			    t->record[t->n - 1].len > 0),
		    pipes);
		at = to;
	}
}

static void
one_case(unsigned number)
{
	const char *format =
	    formats[test_below(sizeof formats / sizeof *formats)];
	enum keys shape = (enum keys)test_below(SHAPES);
	bool pipes = test_below(3) == 0, large = number % 50 == 49;
	size_t n = test_below(test_below(3) == 0 ? MANY : SMALL), header;
	size_t nfiles = 1 + test_below(FILES_MOST);
	struct files fs = { 0 };
	struct hp_err e = { 0 };
	struct sort_job j;
	struct order o;
	struct text t;
	char what[200];

	init(&o, &j, format);
	o.stable = true;
	o.global.reverse = test_below(2);
	o.unique = test_below(4) == 0;
	CHECK(order_ready(&o, &e) == 0);
	make_text(&t, &o.format, shape, n, large ? MEMORY : 0);
	/* The first file has the header. */
	header = nfiles == 1 && test_below(3) == 0 ? test_below(4) : 0;
	header = header < t.n ? header : t.n;
	j.header = header;
	j.memory = test_below(2) ? 0 : 64 << 20;
	j.threads = 1 + (unsigned)test_below(3);
	snprintf(what, sizeof what,
	    "case %u: %s%s%s, shape %d, %zu records, %zu of header, %zu %s, %u "
	    "threads, memory %ju",
	    number, format, o.global.reverse ? " -r" : "",
	    o.unique ? " -u" : "", shape, t.n, header, nfiles,
	    pipes ? "pipes" : "files", j.threads, (uintmax_t)j.memory);
	add_files(
	    &fs, &t, nfiles, pipes, o.format.kind == FORMAT_LINE && number % 2);
	j.file = fs.name;
	j.nfiles = nfiles;
	n = sort_records(t.record + header, t.n - header, &o);
	check_output(sort_files, &j, &t, n, SIZE_MAX, what);
	close_files(&fs);
	text_fini(&t);
	order_fini(&o);
}

static void
any_files_are_sorted(void)
{
	for (unsigned i = 0; i < CASES && test.bad < 5; i++)
		one_case(i);
}

/* Divides the text into parts of whole records, and sorts each part. */
static void
add_sorted_parts(struct files *fs, unsigned char *part[FILES_MOST],
    const struct text *t, struct order *o, bool pipes)
{
	bool unique = o->unique;
	size_t len;

	o->unique = false;
	for (size_t p = 0; p < FILES_MOST; p++) {
		size_t from = t->n * p / FILES_MOST,
		       to = t->n * (p + 1) / FILES_MOST;

		sort_records(t->record + from, to - from, o);
		part[p] = write_records(
		    t->record + from, to - from, &o->format, &len);
		add_file(fs, part[p], len, pipes);
	}
	o->unique = unique;
}

static void
sorted_files_are_merged(void)
{
	for (unsigned i = 0; i < 60 && test.bad < 5; i++) {
		size_t n = 3 + test_below(300);
		bool pipes = i % 3 == 0, large = i == 9 || i == 40;
		struct hp_err e = { 0 };
		struct files fs = { 0 };
		unsigned char *part[FILES_MOST];
		struct sort_job j;
		struct order o;
		struct text t;
		char what[32];

		init(&o, &j, formats[i % (sizeof formats / sizeof *formats)]);
		o.stable = true;
		o.global.reverse = test_below(2);
		o.unique = test_below(3) == 0 || (large && !pipes);
		CHECK(order_ready(&o, &e) == 0);
		/*
		 * Pipes get more than they buffer; files get enough to be
		 * divided among threads.
		 */
		if (large)
			n = pipes ? 100000 : 520000;
		make_text(&t, &o.format, i % 2 ? RANDOM : FEW, n, 0);
		add_sorted_parts(&fs, part, &t, &o, pipes);
		j.file = fs.name;
		j.nfiles = FILES_MOST;
		j.threads = 1 + i % 3;
		snprintf(what, sizeof what, "merge %u", i);
		check_output(sort_merge, &j, &t, sort_records(t.record, n, &o),
		    t.len, what);
		close_files(&fs);
		for (size_t p = 0; p < FILES_MOST; p++)
			free(part[p]);
		text_fini(&t);
		order_fini(&o);
	}
}

static void *
feed_in_turn(void *arg)
{
	struct feeding *f = arg;

	for (int i = FILES_MOST - 1; i >= 0; i--) {
		CHECK_EQ_I64(io_write(f[i].fd, f[i].bytes, f[i].len), 0);
		close(f[i].fd);
	}
	return NULL;
}

enum {
	PIPE_LINES = 30000, /* in a pipe: more than it buffers */
	LEN = 9
};

/*
 * Makes the pipes, and their contents: line i of the text is in pipe
 * i % FILES_MOST.
 */
static void
make_pipes(
    struct files *fs, struct feeding *f, unsigned char **part, const char *text)
{
	int fd[2];

	for (size_t p = 0; p < FILES_MOST; p++) {
		part[p] = malloc((size_t)PIPE_LINES * LEN);
		for (size_t i = 0; i < PIPE_LINES; i++)
			memcpy(part[p] + i * LEN,
			    text + (i * FILES_MOST + p) * LEN, LEN);
		CHECK(pipe2(fd, O_CLOEXEC) == 0);
		f[p] = (struct feeding){ fd[1], part[p], PIPE_LINES * LEN };
		fs->fd[p] = fd[0];
		fs->feed[p] = -1;
		snprintf(
		    fs->path[p], sizeof fs->path[p], "/proc/self/fd/%d", fd[0]);
		fs->name[p] = fs->path[p];
	}
	fs->n = FILES_MOST;
}

/*
 * One process writes the pipes, the last first, and each has more than fits
 * into it.  A merge that read them in its own order would never end.
 */
static void
pipes_that_one_writer_fills_are_merged(void)
{
	char *text = malloc((size_t)PIPE_LINES * FILES_MOST * LEN + 1),
	     *s = text;
	unsigned char *part[FILES_MOST];
	struct feeding f[FILES_MOST];
	struct files fs = { 0 };
	struct sort_stats stats;
	struct hp_err e = { 0 };
	struct sort_job j;
	struct order o;
	pthread_t writer;
	int out = memfd_create("out", MFD_CLOEXEC);

	init(&o, &j, "line");
	CHECK(order_ready(&o, &e) == 0);
	for (int i = 0; i < PIPE_LINES * FILES_MOST; i++)
		s += sprintf(s, "%08d\n", i);
	make_pipes(&fs, f, part, text);
	j.file = fs.name;
	j.nfiles = FILES_MOST;
	alarm(100);
	pthread_create(&writer, NULL, feed_in_turn, f);
	CHECK_EQ_I64(sort_merge(&j, out, "out", &stats, &e), 0);
	CHECK_EQ_STR(e.text, "");
	pthread_join(writer, NULL);
	alarm(0);
	holds(out, (const unsigned char *)text, (size_t)(s - text), "merge");
	close_files(&fs);
	close(out);
	for (size_t p = 0; p < FILES_MOST; p++)
		free(part[p]);
	free(text);
	order_fini(&o);
}

/*
 * While the merge reads a line of 9 MB from one input, the other inputs wait.
 */
static void
lines_longer_than_the_memory(void)
{
	enum {
		UNIT = 3000000
	};
	unsigned char *text[FILES_MOST], *want = malloc(18 * UNIT + 9),
					 *s = want;
	size_t len = 6 * UNIT + 3;
	struct files fs = { 0 };
	struct sort_stats stats;
	struct hp_err e = { 0 };
	struct sort_job j;
	struct order o;

	init(&o, &j, "line");
	CHECK(order_ready(&o, &e) == 0);
	/* Each file has three lines of one letter, the shortest first. */
	for (int i = 0; i < FILES_MOST; i++) {
		text[i] = s;
		for (size_t k = 1; k <= 3; k++) {
			memset(s, 'a' + i, k * UNIT);
			s += k * UNIT;
			*s++ = '\n';
		}
		add_file(&fs, text[i], len, i == 1);
	}
	j.file = fs.name;
	j.nfiles = FILES_MOST;
	for (int merges = 0; merges < 2; merges++) {
		int out = memfd_create("out", MFD_CLOEXEC);

		j.memory = merges ? 0 : 8 << 20;
		j.nfiles = merges ? FILES_MOST : 1;
		CHECK_EQ_I64((merges ? sort_merge : sort_files)(
				 &j, out, "out", &stats, &e),
		    0);
		CHECK_EQ_STR(e.text, "");
		holds(out, want, merges ? FILES_MOST * len : len, "long lines");
		close(out);
	}
	close_files(&fs);
	free(want);
	order_fini(&o);
}

/* Sorts the lines of up to three files. Each file has a header of one line. */
static void
sorts_below_header(const char *const *text, bool pipes, const char *want)
{
	struct files fs = { 0 };
	struct sort_stats stats;
	struct hp_err e = { 0 };
	struct sort_job j;
	struct order o;
	int out = memfd_create("out", MFD_CLOEXEC);

	init(&o, &j, "line");
	CHECK(order_ready(&o, &e) == 0);
	for (size_t i = 0; i < FILES_MOST && text[i] != NULL; i++)
		add_file(&fs, (const unsigned char *)text[i], strlen(text[i]),
		    pipes);
	j.file = fs.name;
	j.nfiles = fs.n;
	j.header = 1;
	CHECK_EQ_I64(sort_files(&j, out, "out", &stats, &e), 0);
	CHECK_EQ_STR(e.text, "");
	holds(out, (const unsigned char *)want, strlen(want), text[0]);
	close_files(&fs);
	close(out);
	order_fini(&o);
}

/* The first file with a header provides the header of the output. */
static void
a_header_comes_first(void)
{
	for (int pipes = 0; pipes < 2; pipes++) {
		sorts_below_header((const char *const[]){ "h\nb\na\n", NULL },
		    pipes, "h\na\nb\n");
		sorts_below_header(
		    (const char *const[]){ "", "h\nb\na\n", NULL }, pipes,
		    "h\na\nb\n");
		sorts_below_header((const char *const[]){ "", "", "h\nb\na\n" },
		    pipes, "h\na\nb\n");
		sorts_below_header(
		    (const char *const[]){ "", "h\nb\n", "h\na\n" }, pipes,
		    "h\na\nb\n");
		sorts_below_header(
		    (const char *const[]){ "h\nd\nb\n", "h\na\n", "h\nc\n" },
		    pipes, "h\na\nb\nc\nd\n");
		sorts_below_header(
		    (const char *const[]){ "", "", NULL }, pipes, "");
		/* All files have only a header. */
		sorts_below_header(
		    (const char *const[]){ "h\n", NULL }, pipes, "h\n");
		sorts_below_header(
		    (const char *const[]){ "h\n", "h\nb\na\n", "h\n" }, pipes,
		    "h\na\nb\n");
	}
}

/* fstat(2) says that a file in /proc has no bytes. */
static void
a_file_of_proc_is_read(void)
{
	static unsigned char text[1 << 16];
	const char *name = "/proc/filesystems";
	int in = open(name, O_RDONLY | O_CLOEXEC);
	int out = memfd_create("out", MFD_CLOEXEC);
	ssize_t n = in == -1 ? 0 : io_read(in, text, sizeof text);
	struct sort_stats stats;
	struct hp_err e = { 0 };
	struct sort_job j;
	struct order o;

	REQUIRE(n > 0 && (size_t)n < sizeof text);
	init(&o, &j, "line");
	CHECK(order_ready(&o, &e) == 0);
	j.file = &name;
	j.nfiles = 1;
	CHECK_EQ_I64(sort_files(&j, out, "out", &stats, &e), 0);
	CHECK_EQ_STR(e.text, "");
	CHECK_EQ_U64(stats.bytes, n);
	CHECK_EQ_I64(lseek(out, 0, SEEK_END), n);
	close(in);
	close(out);
	order_fini(&o);
}

/* Another process may have moved the offset of standard input past its end. */
static void
standard_input_past_its_end_is_empty(void)
{
	enum {
		LINES = 20000, /* more than are read without a mapping */
		PAST = 100
	};
	static char text[LINES * 6 + 1];
	int saved = dup(STDIN_FILENO), in = memfd_create("stdin", MFD_CLOEXEC);
	int out = memfd_create("out", MFD_CLOEXEC);
	struct sort_stats stats;
	struct files fs = { 0 };
	struct hp_err e = { 0 };
	struct sort_job j;
	struct order o;
	const char *name[2] = { "-" };

	for (int i = 0; i < LINES; i++)
		snprintf(text + (size_t)i * 6, 7, "%05d\n", i);
	add_file(&fs, (const unsigned char *)text, strlen(text), false);
	name[1] = fs.name[0];
	CHECK(write(in, "a\n", 2) == 2 && lseek(in, PAST, SEEK_SET) == PAST);
	dup2(in, STDIN_FILENO);
	init(&o, &j, "line");
	CHECK(order_ready(&o, &e) == 0);
	j.file = name;
	j.nfiles = 2;
	CHECK_EQ_I64(sort_files(&j, out, "out", &stats, &e), 0);
	CHECK_EQ_STR(e.text, "");
	CHECK_EQ_U64(stats.bytes, strlen(text));
	CHECK_EQ_I64(lseek(STDIN_FILENO, 0, SEEK_CUR), PAST);
	holds(out, (const unsigned char *)text, strlen(text), "sorted");
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(in);
	close(out);
	close_files(&fs);
	order_fini(&o);
}

/* Checks a text in a file. Returns "" if it is in order, else the message. */
static const char *
checked(const char *format, const char *text, size_t len, bool unique,
    uint64_t header)
{
	static struct hp_err e;
	struct files fs = { 0 };
	struct sort_job j;
	struct order o;
	unsigned before;
	int rc;

	e = (struct hp_err){ 0 };
	init(&o, &j, format);
	o.unique = unique;
	CHECK(order_ready(&o, &e) == 0);
	add_file(&fs, (const unsigned char *)text, len, false);
	j.file = fs.name;
	j.nfiles = 1;
	j.header = header;
	before = test_descriptors();
	rc = sort_check(&j, &e);
	CHECK_EQ_U64(test_descriptors(), before);
	if (rc == -1)
		CHECK_EQ_I64(e.kind, HP_NO);
	close_files(&fs);
	order_fini(&o);
	if (rc == -1 && strncmp(e.text, fs.path[0], strlen(fs.path[0])) == 0)
		return e.text + strlen(fs.path[0]);
	return rc == 0 ? "" : e.text;
}

static void
the_first_record_out_of_order_is_told(void)
{
	enum {
		LONG = 1000
	};
	char text[2 * LONG + 2], want[LONG + 100], format[50];

	CHECK_EQ_STR(checked("line", "", 0, false, 0), "");
	CHECK_EQ_STR(checked("line", "a\nb\nb\n", 6, false, 0), "");
	CHECK_EQ_STR(
	    checked("line", "a\nb\nb\n", 6, true, 0), ":3: disorder: b");
	CHECK_EQ_STR(
	    checked("line", "a\nc\nb\na\n", 8, false, 0), ":3: disorder: b");
	CHECK_EQ_STR(checked("line", "z\na\nb\n", 6, true, 1), "");
	CHECK_EQ_STR(
	    checked("line", "z\nb\na\n", 6, false, 1), ":3: disorder: a");
	CHECK_EQ_STR(checked("record:4,1,2", "xabyxaay", 8, false, 0),
	    ":2: disorder: 6161");
	CHECK_EQ_STR(checked("u8", "\2\1", 2, false, 0), ":2: disorder: 01");
	/* A message contains at most 900 bytes of a line, or 900 digits of a
	 * key. */
	memset(text, 'b', LONG);
	text[LONG] = '\n';
	memset(text + LONG + 1, 'a', LONG);
	text[2 * LONG + 1] = '\n';
	snprintf(want, sizeof want, ":2: disorder: %.900s", text + LONG + 1);
	CHECK_EQ_STR(checked("line", text, sizeof text, false, 0), want);
	memset(text, 'b', 500);
	memset(text + 500, '\xa1', 500);
	text[500] = 'a';
	snprintf(format, sizeof format, "record:500,0,500");
	snprintf(want, sizeof want, ":2: disorder: 61");
	for (int i = 1; i < 450; i++)
		strcat(want, "a1");
	CHECK_EQ_STR(checked(format, text, 1000, false, 0), want);
}

int
main(void)
{
	RUN(any_files_are_sorted);
	RUN(sorted_files_are_merged);
	RUN(pipes_that_one_writer_fills_are_merged);
	RUN(lines_longer_than_the_memory);
	RUN(a_header_comes_first);
	RUN(a_file_of_proc_is_read);
	RUN(standard_input_past_its_end_is_empty);
	RUN(the_first_record_out_of_order_is_told);
	return test_done();
}
