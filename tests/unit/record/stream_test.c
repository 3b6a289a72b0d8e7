/* lib/record: formats, and reading and writing records. */

#include <sys/mman.h>
#include <sys/wait.h>

#include <errno.h>
#include <unistd.h>

#include "base/io.h"
#include "record/stream.h"
#include "test.h"

static int
file_of(const void *bytes, size_t len)
{
	int fd = memfd_create("records", MFD_CLOEXEC);

	CHECK(fd != -1 && io_write(fd, bytes, len) == 0);
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static struct format
format_of(const char *name)
{
	struct format f = { 0 };
	struct hp_err e = { 0 };

	CHECK(format_parse(name, &f, &e) == 0);
	return f;
}

static void
formats(void)
{
	static const char *bad[] = { "", "lines", "record",
		"record:", "record:0", "record:-1", "record:8,", "record:8,0",
		"record:8,0,", "record:8,0,0", "record:8,0,9", "record:8,8,1",
		"record:8,4,5", "record:8,1,2,3", "record:8 ",
		"record:99999999999999999999", "u9", "u8le", "u16BE", "f16",
		"f64bee", "gensort:", "i128" };
	struct format f = format_of("line");
	struct hp_err e;

	CHECK(f.kind == FORMAT_LINE && f.size == 0 && f.delim == '\n');
	f = format_of("gensort");
	CHECK(f.kind == FORMAT_RECORD && f.size == 100 && f.key_off == 0 &&
	    f.key_len == 10);
	f = format_of("record:16,4,12");
	CHECK(f.kind == FORMAT_RECORD && f.size == 16 && f.key_off == 4 &&
	    f.key_len == 12);
	f = format_of("record:7");
	CHECK(f.size == 7 && f.key_off == 0 && f.key_len == 7);
	f = format_of("i32be");
	CHECK(f.kind == FORMAT_NUMBER && f.number == NUMBER_SIGNED &&
	    f.size == 4 && f.key_len == 4 && f.big_endian);
	f = format_of("f64");
	CHECK(f.number == NUMBER_FLOAT && f.size == 8 && !f.big_endian);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		e = (struct hp_err){ 0 };
		CHECK(format_parse(bad[i], &f, &e) == -1);
		CHECK(e.kind == HP_USAGE && e.text[0] != '\0');
	}
}

/* Checks that the text has the given lines; NULL ends the list. */
static void
lines_are(const char *text, size_t len, const char *const *line)
{
	int fd = file_of(text, len);
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t n;

	REQUIRE(reader_init(&r, fd, "x", &format_line, &e) == 0);
	for (; *line != NULL; line++) {
		REQUIRE(reader_next(&r, &record, &n, &e) == 1);
		CHECK_BYTES(record, n, *line, strlen(*line));
	}
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	reader_close(&r);
	close(fd);
}

static void
lines(void)
{
	lines_are("", 0, (const char *const[]){ NULL });
	lines_are("\n", 1, (const char *const[]){ "", NULL });
	lines_are("a\nb\n", 4, (const char *const[]){ "a", "b", NULL });
	lines_are("a\nb", 3, (const char *const[]){ "a", "b", NULL });
	lines_are("\n\nb\r\n", 5, (const char *const[]){ "", "", "b\r", NULL });
}

static void
nul_bytes_are_bytes(void)
{
	int fd = file_of("a\0b\n\0\n", 6);
	struct format zero = format_line;
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t n;

	REQUIRE(reader_init(&r, fd, "x", &format_line, &e) == 0);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK_BYTES(record, n, "a\0b", 3);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK_BYTES(record, n, "", 1);
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	reader_close(&r);
	zero.delim = '\0';
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	REQUIRE(reader_init(&r, fd, "x", &zero, &e) == 0);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK_BYTES(record, n, "a", 1);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK_BYTES(record, n, "b\n", 2);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK_BYTES(record, n, "\n", 1);
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	reader_close(&r);
	close(fd);
}

static void
an_incomplete_record_is_an_error(void)
{
	struct format f = format_of("record:4");
	int fd = file_of("aaaabbbbcc", 10);
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t n;

	REQUIRE(reader_init(&r, fd, "part", &f, &e) == 0);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK_BYTES(record, n, "aaaa", 4);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK(reader_next(&r, &record, &n, &e) == -1);
	CHECK(e.kind == HP_INPUT);
	CHECK(strstr(e.text, "part: record 3: 2 bytes") != NULL);
	reader_close(&r);
	close(fd);
}

/* Reads and writes a line of 100 MB between two short lines. */
static void
a_line_may_be_very_long(void)
{
	const size_t len = 100000000;
	unsigned char *text = malloc(len + 4), *at = text;
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t n;
	int fd;

	REQUIRE(text != NULL);
	memset(text, 'x', len + 4);
	text[0] = 'a';
	text[1] = text[len + 2] = '\n';
	text[len + 3] = 'z';
	fd = file_of(text, len + 4);
	REQUIRE(reader_init(&r, fd, "x", &format_line, &e) == 0);
	for (size_t i = 0; i < 3; i++, at += n + 1) {
		REQUIRE(reader_next(&r, &record, &n, &e) == 1);
		CHECK_EQ_U64(n, i == 1 ? len : 1);
		CHECK(memcmp(record, at, n) == 0);
	}
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	reader_close(&r);
	close(fd);
	free(text);
}

static void
extents(void)
{
	int fd = file_of("one\ntwo\nthree\n", 14);
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t n;

	REQUIRE(reader_init(&r, fd, "x", &format_line, &e) == 0);
	REQUIRE(reader_extent(&r, 4, 4, &e) == 0);
	CHECK(reader_next(&r, &record, &n, &e) == 1);
	CHECK_BYTES(record, n, "two", 3);
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	reader_close(&r);
	REQUIRE(reader_init(&r, fd, "x", &format_line, &e) == 0);
	REQUIRE(reader_extent(&r, 8, 0, &e) == 0);
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	reader_close(&r);
	close(fd);
}

/*
 * A pipe delivers a few bytes at a time, so the buffer is refilled often. Every
 * line must come out unchanged.
 */
static void
small_reads_give_whole_records(void)
{
	enum {
		LEN = 1 << 19
	};
	static char text[LEN];
	const unsigned char *record;
	struct hp_err e = { 0 };
	size_t n, at;
	struct reader r;
	int p[2];
	pid_t pid;

	for (size_t i = 0; i < LEN; i++)
		text[i] = "ab\n"[test_below(i % 7 == 0 ? 3 : 2)];
	for (size_t i = 0; i < LEN; i += 1 + test_below(80000))
		text[i] = '\n';
	text[LEN - 1] = '\n';
	REQUIRE(pipe(p) == 0);
	fflush(stdout);
	REQUIRE((pid = fork()) != -1);
	if (pid == 0) {
		for (size_t i = 0; i < LEN; i += n) {
			n = 1 + test_below(5000);
			n = n < LEN - i ? n : LEN - i;
			if (io_write(p[1], text + i, n) == -1)
				_exit(1);
		}
		_exit(0);
	}
	close(p[1]);
	REQUIRE(reader_init(&r, p[0], "x", &format_line, &e) == 0);
	for (at = 0; at < LEN; at += n + 1) {
		REQUIRE(reader_next(&r, &record, &n, &e) == 1);
		REQUIRE(at + n < LEN && text[at + n] == '\n');
		CHECK_BYTES(record, n, text + at, n);
	}
	CHECK(reader_next(&r, &record, &n, &e) == 0);
	CHECK(waitpid(pid, NULL, 0) == pid);
	reader_close(&r);
	close(p[0]);
}

static void
errors_name_the_file(void)
{
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t n;

	CHECK(reader_open(&r, "/no/such", &format_line, &e) == -1);
	CHECK(e.kind == HP_IO && e.errnum == ENOENT);
	CHECK_EQ_STR(e.text, "/no/such");
	reader_close(&r);
	REQUIRE(reader_open(&r, "/", &format_line, &e) == 0);
	CHECK(reader_next(&r, &record, &n, &e) == -1);
	CHECK(e.kind == HP_IO && e.errnum == EISDIR);
	reader_close(&r);
}

/* Adds up the text that a reader returns, in pieces of whole records. */
static void
text_is(int fd, const struct format *f, const char *want, size_t want_len)
{
	const unsigned char *text;
	struct hp_err e = { 0 };
	size_t n, len = 0;
	struct reader r;
	char *got = malloc(want_len + 1);
	int rc;

	REQUIRE(got != NULL && reader_init(&r, fd, "x", f, &e) == 0);
	while ((rc = reader_text(&r, &text, &n, &e)) == 1) {
		REQUIRE(n > 0 && n <= want_len - len);
		/* Only the last text may lack its delimiter. */
		CHECK(len + n == want_len ||
		    (f->size == 0 ? text[n - 1] == '\n' : n % f->size == 0));
		memcpy(got + len, text, n);
		len += n;
	}
	CHECK(rc == 0);
	CHECK_BYTES(got, len, want, want_len);
	reader_close(&r);
	free(got);
}

static void
texts_are_whole_records(void)
{
	enum {
		BUFFER = 1 << 18, /* of a reader */
		LONG = 1500000
	};
	char *line = malloc(LONG);
	const unsigned char *text;
	struct format f = format_of("record:3");
	struct hp_err e = { 0 };
	struct reader r;
	size_t n;
	int fd;

	REQUIRE(line != NULL);
	fd = file_of("", 0);
	text_is(fd, &format_line, "", 0);
	close(fd);
	fd = file_of("a\n\nb", 4);
	text_is(fd, &format_line, "a\n\nb", 4);
	close(fd);
	/* The rest moves within the buffer, to a place that overlaps its own.
	 */
	fd = file_of("a\nbcdefg", 8);
	text_is(fd, &format_line, "a\nbcdefg", 8);
	close(fd);
	/* The rest fills the buffer, which moves when it grows. */
	for (size_t i = 0; i < BUFFER; i++)
		line[i] = (char)('a' + i % 25);
	fd = file_of(line, BUFFER);
	text_is(fd, &format_line, line, BUFFER);
	close(fd);
	/* Lines of 999 bytes, then one that is longer than the buffer. */
	for (size_t i = 0; i < LONG; i++)
		line[i] = i < LONG / 2 && i % 1000 == 999 ? '\n' : 'x';
	fd = file_of(line, LONG);
	text_is(fd, &format_line, line, LONG);
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	text_is(fd, &f, line, LONG);
	close(fd);
	free(line);

	/* The caller counts the records; the message has the number. */
	fd = file_of("abcdefgh", 8);
	REQUIRE(reader_init(&r, fd, "x", &f, &e) == 0);
	REQUIRE(reader_header(&r, 1, &e) == 0);
	REQUIRE(reader_text(&r, &text, &n, &e) == 1);
	CHECK_BYTES(text, n, "def", 3);
	CHECK_EQ_U64(r.nrec, 0);
	r.nrec = 1;
	CHECK(reader_text(&r, &text, &n, &e) == -1);
	CHECK(e.kind == HP_INPUT);
	CHECK_EQ_STR(e.text, "x: record 3: 2 bytes, but a record has 3");
	reader_close(&r);
	close(fd);
}

/*
 * Random lines, half of whose texts end within one. A length is near a multiple
 * of the buffer, or short.
 */
static void
random_texts_are_complete(void)
{
	enum {
		BUFFER = 1 << 18, /* of a reader */
		LONG = 3 * BUFFER + 100
	};
	char *text = malloc(LONG);
	size_t n, line;
	int fd;

	REQUIRE(text != NULL);
	for (int round = 0; round < 300; round++) {
		n = (size_t)test_below(round % 10 == 0 ? 4 : 1) * BUFFER +
		    (size_t)test_below(100);
		line = 1 + (size_t)test_below(round % 3 == 0 ? 400000 : 30);
		for (size_t i = 0; i < n; i++)
			text[i] = test_below(line) == 0
			    ? '\n'
			    : (char)('a' + test_below(26));
		if (n > 0 && test_below(2) == 0)
			text[n - 1] = '\n';
		fd = file_of(text, n);
		text_is(fd, &format_line, text, n);
		close(fd);
	}
	free(text);
}

static void
a_file_that_is_truncated_is_an_error(void)
{
	enum {
		SIZE = 3 << 18 /* three buffers of a reader */
	};
	static const struct {
		off_t size; /* to which the file is set while it is read */
		int rc;
	} cases[] = { { 1, -1 }, { SIZE / 2, -1 }, { SIZE - 1, -1 },
		{ SIZE, 1 }, { SIZE + 100, 1 } };
	char *text = malloc(SIZE);
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t len;
	int fd;

	REQUIRE(text != NULL);
	memset(text, 'x', SIZE);
	text[0] = '\n';
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fd = file_of(text, SIZE);
		e = (struct hp_err){ 0 };
		REQUIRE(reader_init(&r, fd, "file", &format_line, &e) == 0);
		CHECK(reader_next(&r, &record, &len, &e) == 1);
		REQUIRE(ftruncate(fd, cases[i].size) == 0);
		CHECK_EQ_I64(reader_next(&r, &record, &len, &e), cases[i].rc);
		if (cases[i].rc == -1)
			CHECK_EQ_STR(
			    e.text, "file: cut short while it was read");
		else
			CHECK_EQ_U64(len, (uint64_t)cases[i].size - 1);
		reader_close(&r);
		close(fd);
	}
	free(text);
}

static void
a_file_that_was_read_whole_may_shrink(void)
{
	const unsigned char *record;
	struct hp_err e = { 0 };
	struct reader r;
	size_t len;
	int fd = file_of("a\nb\n", 4);

	REQUIRE(reader_init(&r, fd, "file", &format_line, &e) == 0);
	CHECK_EQ_I64(reader_next(&r, &record, &len, &e), 1);
	REQUIRE(ftruncate(fd, 0) == 0);
	CHECK_EQ_I64(reader_next(&r, &record, &len, &e), 1);
	CHECK_EQ_I64(reader_next(&r, &record, &len, &e), 0);
	reader_close(&r);
	close(fd);
}

int
main(void)
{
	RUN(formats);
	RUN(lines);
	RUN(nul_bytes_are_bytes);
	RUN(an_incomplete_record_is_an_error);
	RUN(a_line_may_be_very_long);
	RUN(extents);
	RUN(small_reads_give_whole_records);
	RUN(errors_name_the_file);
	RUN(texts_are_whole_records);
	RUN(random_texts_are_complete);
	RUN(a_file_that_is_truncated_is_an_error);
	RUN(a_file_that_was_read_whole_may_shrink);
	return test_done();
}
