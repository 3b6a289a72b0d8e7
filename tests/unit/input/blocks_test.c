/*
 * Blocks of the input: the memory that they count, and parts of files that do
 * not begin with a page.
 */

#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "input/blocks.h"
#include "input/mapped.h"
#include "record/order.h"
#include "sort/sort.h"
#include "test.h"

static void
no_address_range_is_an_error(void)
{
	struct input in = { 0 };
	struct hp_err e = { 0 };

	CHECK_EQ_I64(input_reserve(&in, SIZE_MAX / 2, SIZE_MAX / 2, &e), -1);
	CHECK_EQ_U64(e.kind, HP_NOMEM);
	in.present = true;
	e = (struct hp_err){ 0 };
	CHECK_EQ_I64(input_reserve(&in, SIZE_MAX / 2, SIZE_MAX / 2, &e), -1);
	CHECK_EQ_U64(e.kind, HP_NOMEM);
	CHECK(in.base == NULL && in.reserved == 0);
}

static int
file_of(const char *text, size_t n, char *path, size_t size)
{
	int fd = memfd_create("in", MFD_CLOEXEC);

	CHECK_EQ_I64(io_write(fd, text, n), 0);
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

/*
 * Returns the memory that the first block of the text counts for elements and
 * their keys. The block is the whole text.
 */
static size_t
promised(const char *text, size_t n, const struct input *with)
{
	const struct input_range all = { 0, UINT64_MAX };
	char path[32];
	const char *name = path;
	struct arena arena = { 0 };
	struct block b = { 0 };
	struct format format;
	struct hp_err e = { 0 };
	struct input in;
	size_t got;
	int fd = file_of(text, n, path, sizeof path);

	CHECK_EQ_I64(format_parse("line", &format, &e), 0);
	CHECK_EQ_I64(
	    input_open(&in, &format, &name, 1, NULL, &all, 0, -1, &e), 0);
	in.block = with->block;
	in.cap = with->cap;
	in.per_record = with->per_record;
	in.per_byte = with->per_byte;
	in.key_most = with->key_most;
	in.share = 1;
	in.copied = with->copied;
	CHECK_EQ_I64(input_block(&in, &arena, &b, &e), INPUT_BLOCK);
	CHECK_EQ_STR(e.text, "");
	CHECK_EQ_U64(b.end - b.start, n);
	CHECK_EQ_U64(b.promised, in.promised);
	got = in.promised;
	block_fini(&in, &b);
	CHECK_EQ_U64(in.working, 0);
	input_close(&in);
	close(fd);
	return got;
}

/* A record that is longer than a block may have a long key. */
static void
keys_of_long_records_count(void)
{
	enum {
		N = 100000,
		BLOCK = 1 << 15
	};
	static char text[N];
	struct input with = {
		.block = BLOCK, .cap = 1 << 22, .per_record = 1, .key_most = 700
	};
	size_t without;

	memset(text, 'a', N);
	text[N - 1] = '\n';
	without = promised(text, N, &with);
	/* The key has at most key_most bytes, however long the record is. */
	with.per_byte = 1;
	CHECK_EQ_U64(promised(text, N, &with), without + 2 * with.key_most);
	/* And at most so many for each of its bytes. */
	with.key_most = 1 << 20;
	CHECK_EQ_U64(promised(text, N, &with), without + N);
	with.per_byte = 0;
	with.copied = true;
	CHECK_EQ_U64(promised(text, N, &with), without + N + N / 8);
}

enum {
	LINES = 60000,
	LEN = 8 /* of a line, with its newline */
};

/* Returns the number in line i of the file. */
static size_t
number_of(size_t i)
{
	return i * 7919 % LINES;
}

/* Checks that the output is the lines from `first` on, in order. */
static void
check_lines(int out, size_t first)
{
	char line[LEN + 1] = "", last[LEN + 1];
	size_t n = LINES - first, sum = 0;

	CHECK_EQ_I64(lseek(out, 0, SEEK_END), n * LEN);
	for (size_t i = 0; i < n; i++) {
		memcpy(last, line, LEN);
		CHECK(io_pread(out, line, LEN, (off_t)(i * LEN)) == LEN);
		CHECK(i == 0 || memcmp(last, line, LEN) < 0);
		sum += strtoul(line, NULL, 10);
	}
	for (size_t i = first; i < LINES; i++)
		sum -= number_of(i);
	CHECK_EQ_U64(sum, 0);
}

/* Parts of a mapped file, from any byte on. */
static void
parts_of_a_file_are_sorted(void)
{
	static char text[LINES * LEN + 1];
	static const size_t from[] = { 0, 1, 511, 512, 513, 4097, 30000 };
	char path[32];
	const char *name = path;
	struct hp_err e = { 0 };
	struct order o;
	int fd;

	for (size_t i = 0; i < LINES; i++)
		snprintf(text + i * LEN, LEN + 1, "%07zu\n", number_of(i));
	fd = file_of(text, (size_t)LINES * LEN, path, sizeof path);
	order_init(&o);
	CHECK_EQ_I64(order_ready(&o, &e), 0);
	for (size_t k = 0; k < 2 * (sizeof from / sizeof *from); k++) {
		size_t first = from[k / 2], n = LINES - first;
		int out = memfd_create("out", MFD_CLOEXEC);
		struct sort_stats stats;
		struct sort_job j = { .order = &o,
			.file = &name,
			.nfiles = 1,
			.extent_off = first * LEN,
			.extent_bytes = n * LEN,
			.memory = k % 2 ? 0 : 64 << 20,
			.threads = 2 };

		CHECK_EQ_I64(sort_files(&j, out, "out", &stats, &e), 0);
		CHECK_EQ_STR(e.text, "");
		CHECK_EQ_U64(stats.records, n);
		check_lines(out, first);
		close(out);
	}
	close(fd);
	order_fini(&o);
}

/*
 * Standard input that is a file is mapped. It is read once, even if it is named
 * twice, and its offset moves to its end, also for other processes.
 */
static void
standard_input_is_read_once(void)
{
	enum {
		N = 20000 /* enough to be mapped */
	};
	static char text[N * LEN + 1];
	static const char *const twice[] = { "-", "-" };
	int saved = dup(STDIN_FILENO);
	struct hp_err e = { 0 };
	struct order o;
	char path[32];
	int fd;

	for (size_t i = 0; i < N; i++)
		snprintf(text + i * LEN, LEN + 1, "%07zu\n", i * 7919 % N);
	fd = file_of(text, (size_t)N * LEN, path, sizeof path);
	CHECK_EQ_I64(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	order_init(&o);
	CHECK_EQ_I64(order_ready(&o, &e), 0);
	for (size_t named = 0; named <= 2; named++)
		for (size_t first = 0; first < 3; first++) {
			int out = memfd_create("out", MFD_CLOEXEC);
			struct sort_stats stats;
			struct sort_job j = { .order = &o,
				.file = twice,
				.nfiles = named,
				.extent_bytes = UINT64_MAX,
				.memory = 64 << 20,
				.threads = 1 };

			CHECK(lseek(fd, (off_t)first * LEN, SEEK_SET) != -1);
			CHECK_EQ_I64(sort_files(&j, out, "out", &stats, &e), 0);
			CHECK_EQ_STR(e.text, "");
			CHECK_EQ_U64(stats.records, N - first);
			CHECK_EQ_I64(
			    lseek(out, 0, SEEK_END), (N - first) * LEN);
			CHECK_EQ_I64(lseek(fd, 0, SEEK_CUR), N * LEN);
			close(out);
		}
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(fd);
	order_fini(&o);
}

/* Fills the text with lines; those of the second quarter have n / 16 bytes. */
static void
make_lines(char *text, size_t n)
{
	size_t at = 0, len;

	while (at < n) {
		len = at >= n / 4 && at < n / 2 ? n / 16 : 1 + at * 31 % 200;
		len = len < n - at ? len : n - at;
		memset(text + at, 'a' + (int)(at % 26), len);
		at += len;
		text[at - 1] = '\n';
	}
}

/*
 * Blocks of lines of a mapped file have the whole text, in order. Those of
 * usual size are in the thread's own buffer. Also if the last line lacks its
 * newline.
 */
static void
text_of_files_is_read_apart(void)
{
	enum {
		N = 1 << 20,
		BLOCK = 1 << 15
	};
	static char text[N];
	const struct input_range all = { 0, UINT64_MAX };
	struct hp_err e = { 0 };
	struct format format;
	char path[32];
	const char *name = path;

	make_lines(text, N);
	CHECK_EQ_I64(format_parse("line", &format, &e), 0);
	for (unsigned k = 0; k < 4; k++) {
		bool apart = k & 1, whole = k & 2;
		size_t at = 0, own = 0, other = 0, bytes = N - !whole;
		int fd = file_of(text, bytes, path, sizeof path), got;
		struct arena arena = { 0 };
		struct block b = { 0 };
		struct input in;

		CHECK_EQ_I64(input_open(&in, &format, &name, 1, NULL, &all,
				 UINT64_MAX, -1, &e),
		    0);
		in.block = BLOCK;
		in.passing = true;
		in.again = !apart;
		while (
		    (got = input_block(&in, &arena, &b, &e)) == INPUT_BLOCK) {
			size_t len = (size_t)(b.end - b.start);

			CHECK(len <= N - at);
			CHECK(memcmp(b.start, text + at, len) == 0);
			CHECK_EQ_U64(in.text, len);
			at += len;
			CHECK(at == bytes || text[at - 1] == '\n');
			*(b.start == b.own ? &own : &other) += 1;
		}
		CHECK_EQ_I64(got, INPUT_END);
		CHECK_EQ_U64(at, bytes);
		CHECK_EQ_U64(in.given, N);
		CHECK_EQ_U64(in.text, 0);
		CHECK(apart ? own > 16 && other >= 4 : own == 0);
		block_fini(&in, &b);
		input_close(&in);
		close(fd);
	}
}

/* A file that becomes shorter is an error, not a SIGBUS. */
static void
a_shorter_file_is_an_error(void)
{
	enum {
		N = 1 << 20
	};
	static char text[N];
	const struct input_range all = { 0, UINT64_MAX };
	struct hp_err e = { 0 };
	struct arena arena = { 0 };
	struct block b = { 0 };
	struct format format;
	struct input in;
	char path[32], message[80];
	const char *name = path;
	int fd = file_of(text, N, path, sizeof path), got;

	CHECK_EQ_I64(format_parse("record:64", &format, &e), 0);
	CHECK_EQ_I64(
	    input_open(&in, &format, &name, 1, NULL, &all, UINT64_MAX, -1, &e),
	    0);
	in.block = N / 16;
	in.passing = true;
	CHECK_EQ_I64(ftruncate(fd, N / 2 - 1), 0);
	while ((got = input_block(&in, &arena, &b, &e)) == INPUT_BLOCK)
		continue;
	CHECK_EQ_I64(got, -1);
	snprintf(
	    message, sizeof message, "%s: cut short while it was read", path);
	CHECK_EQ_STR(e.text, message);
	CHECK_EQ_U64(in.come, N / 2);
	block_fini(&in, &b);
	input_close(&in);
	close(fd);
}

int
main(void)
{
	RUN(no_address_range_is_an_error);
	RUN(keys_of_long_records_count);
	RUN(parts_of_a_file_are_sorted);
	RUN(standard_input_is_read_once);
	RUN(text_of_files_is_read_apart);
	RUN(a_shorter_file_is_an_error);
	return test_done();
}
