/*
 * Records that arrive in portions of any size, from a pipe or from a part of a
 * file.  The texts of the reader are the records, and the check of these texts
 * finds what a comparison of neighbours finds.  Records are long or short, with
 * keys of more and less than eight bytes.
 */

#include <sys/mman.h>
#include <sys/wait.h>

#include "base/io.h"
#include "check/piececheck.h"
#include "record/stream.h"

#include "../unit/test.h"

enum {
	ROUNDS = 250,
	RECORDS = 60,
	BUFFER = 1 << 18, /* of a reader */
	LONG = 3 * BUFFER,
	AROUND = 1000 /* bytes of the file before and after its part */
};

/* The input, and what a comparison by hand finds in it. */
struct input {
	struct order order;
	size_t off, len; /* the key, in records of a fixed size */
	unsigned char *bytes;
	size_t n, begin[RECORDS + 1], size[RECORDS], records;
	size_t header; /* records to skip */
	uint64_t duplicates, unordered, first;
};

static void
order_random(struct input *in)
{
	static const char *const letters = "rsu";
	struct hp_err e = { 0 };
	size_t size;
	char format[80] = "line";

	order_init(&in->order);
	size = 1 + test_below(40);
	if (test_below(20) == 0)
		size = BUFFER - 20 + test_below(40);
	in->off = test_below(size < 40 ? size : 40);
	in->len = 1 + test_below(size - in->off);
	if (test_below(2) == 0)
		snprintf(format, sizeof format, "record:%zu,%zu,%zu", size,
		    in->off, in->len);
	else if (test_below(2) == 0)
		CHECK(order_option(&in->order, 'z', NULL, &e) == 0);
	CHECK(order_option(&in->order, 'F', format, &e) == 0);
	for (const char *l = letters; *l != '\0'; l++)
		if (test_below(3) == 0)
			CHECK(order_option(&in->order, *l, NULL, &e) == 0);
	CHECK(order_ready(&in->order, &e) == 0);
}

static size_t
line_length(size_t room)
{
	size_t n = test_below(30);

	if (test_below(100) == 0)
		n = test_below(3) == 0 ? test_below(LONG)
				       : BUFFER - 20 + test_below(40);
	return n < room ? n : room;
}

/*
 * Makes records of few letters.  Many repeat the record before, or differ from
 * it in one byte, so long stretches are in order by chance.
 */
static void
records_random(struct input *in)
{
	const struct format *f = &in->order.format;
	unsigned char *to = in->bytes;
	size_t most = test_below(RECORDS + 1), size;

	in->records = 0;
	for (size_t i = 0; i < most; i++) {
		size = f->size != 0
		    ? f->size
		    : line_length((size_t)(in->bytes + LONG - to) - 1);
		if (size + 1 >= (size_t)(in->bytes + LONG - to))
			break;
		for (size_t k = 0; k < size; k++)
			to[k] = (unsigned char)('a' +
			    (k < 40 && i % 8 < 2) * test_below(2));
		if (i > 0 && in->size[i - 1] == size && test_below(4) > 0) {
			memcpy(to, in->bytes + in->begin[i - 1], size);
			if (size > 0 && test_below(2) == 0)
				to[test_below(size)]++;
		}
		in->begin[i] = (size_t)(to - in->bytes);
		in->size[i] = size;
		in->records++;
		to += size;
		if (f->size == 0)
			*to++ = f->delim;
	}
	in->n = in->begin[in->records] = (size_t)(to - in->bytes);
	in->header = test_below(4) == 0 ? test_below(5) : 0;
	if (in->header > in->records)
		in->header = in->records;
}

/* Compares bytes; a text that begins another text comes before it. */
static int
compare(
    const unsigned char *a, size_t alen, const unsigned char *b, size_t blen)
{
	int c = memcmp(a, b, alen < blen ? alen : blen);

	return c != 0 ? c : (alen > blen) - (alen < blen);
}

static void
by_hand(struct input *in)
{
	const struct order *o = &in->order;
	int way = o->global.reverse ? -1 : 1;

	in->duplicates = in->unordered = in->first = 0;
	for (size_t i = in->header + 1; i < in->records; i++) {
		const unsigned char *a = in->bytes + in->begin[i - 1];
		const unsigned char *b = in->bytes + in->begin[i];
		int all = way * compare(a, in->size[i - 1], b, in->size[i]);
		int key = o->format.size == 0
		    ? all
		    : way * memcmp(a + in->off, b + in->off, in->len);

		in->duplicates += key == 0;
		if (key > 0 ||
		    (key == 0 && (o->unique || (!o->stable && all > 0))))
			if (in->unordered++ == 0)
				in->first = i - in->header;
	}
}

static void
found_by_hand(const struct input *in, const struct summary *s)
{
	CHECK_EQ_U64(s->records, in->records - in->header);
	CHECK_EQ_U64(s->bytes, in->begin[in->records] - in->begin[in->header]);
	CHECK_EQ_U64(s->duplicates, in->duplicates);
	CHECK_EQ_U64(s->unordered, in->unordered);
	CHECK_EQ_U64(s->first_unordered, in->first);
}

/* Begins to write the input to a pipe.  Returns the end to read. */
static int
through_pipe(const struct input *in, pid_t *pid)
{
	static const size_t portions[] = { 1, 100, 5000, BUFFER };
	size_t most = portions[test_below(4)], n;
	int p[2];

	if (most == 1 && in->n > 5000)
		most = 5000;
	CHECK(pipe(p) == 0);
	fflush(stdout);
	*pid = fork();
	CHECK(*pid != -1);
	if (*pid == 0) {
		close(p[0]);
		for (size_t i = 0; i < in->n; i += n) {
			n = 1 + test_below(most);
			n = n < in->n - i ? n : in->n - i;
			if (io_write(p[1], in->bytes + i, n) == -1)
				_exit(1);
		}
		_exit(0);
	}
	close(p[1]);
	return p[0];
}

/* Returns a file whose middle is the input. */
static int
within_file(const struct input *in)
{
	static const char around[AROUND] = "b\na\n";
	int fd = memfd_create("records", MFD_CLOEXEC);

	CHECK(fd != -1 && io_write(fd, around, AROUND) == 0 &&
	    io_write(fd, in->bytes, in->n) == 0 &&
	    io_write(fd, around, AROUND) == 0);
	return fd;
}

/* Returns whether the rest of the input, from byte `at` on, begins with this.
 */
static bool
begins(const struct input *in, size_t at, const unsigned char *text, size_t n)
{
	return n > 0 && at <= in->n && n <= in->n - at &&
	    memcmp(in->bytes + at, text, n) == 0;
}

static void
by_reader(const struct input *in)
{
	const unsigned char *text;
	struct hp_err e = { 0 };
	struct reader r;
	struct check c;
	pid_t pid = 0;
	uint64_t before;
	size_t n, at;
	int status, rc, fd;

	fd = test_below(2) == 0 ? within_file(in) : through_pipe(in, &pid);
	check_init(&c, &in->order);
	REQUIRE(reader_init(&r, fd, "x", &in->order.format, &e) == 0);
	if (pid == 0)
		CHECK(reader_extent(&r, AROUND, in->n, &e) == 0);
	CHECK(reader_header(&r, in->header, &e) == 0);
	at = in->begin[in->header];
	while ((rc = reader_text(&r, &text, &n, &e)) == 1) {
		before = c.summary.unordered;
		REQUIRE(begins(in, at, text, n));
		rc = check_text(&c, text, n, &e);
		CHECK_EQ_I64(rc, c.summary.unordered > before);
		at += n;
	}
	CHECK_EQ_I64(rc, 0);
	CHECK(at >= in->n); /* A cut line of the header has no delimiter. */
	found_by_hand(in, &c.summary);
	check_fini(&c);
	reader_close(&r);
	close(fd);
	if (pid != 0)
		CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

static void
by_pieces(const struct input *in, struct piececheck *p)
{
	size_t most = 1 + test_below(test_below(2) == 0 ? 300 : in->n + 1), n;
	struct hp_err e = { 0 };
	unsigned char *piece;

	piececheck_begin(p, &in->order);
	for (size_t i = in->begin[in->header]; i < in->n; i += n) {
		n = test_below(most + 1);
		n = n < in->n - i ? n : in->n - i;
		/* A piece is not beside the next one in memory. */
		REQUIRE((piece = malloc(n + 1)) != NULL);
		memcpy(piece, in->bytes + i, n);
		CHECK(piececheck_add(p, piece, n, &e) == 0);
		free(piece);
	}
	CHECK(piececheck_end(p, &e) == 0);
	found_by_hand(in, &p->check.summary);
}

static void
texts_are_checked_like_neighbours(void)
{
	struct input in = { .bytes = malloc(LONG) };
	struct piececheck p = { 0 };

	REQUIRE(in.bytes != NULL);
	for (int round = 0; round < ROUNDS; round++) {
		order_random(&in);
		records_random(&in);
		by_hand(&in);
		/* The last line may lack its delimiter, unless it is empty. */
		if (in.order.format.size == 0 && in.records > 0 &&
		    in.size[in.records - 1] > 0 && test_below(2) == 0)
			in.n--;
		by_reader(&in);
		by_pieces(&in, &p);
		order_fini(&in.order);
	}
	piececheck_fini(&p);
	free(in.bytes);
}

int
main(void)
{
	RUN(texts_are_checked_like_neighbours);
	return test_done();
}
