/*
 * Sums of records that come in pieces: wherever the pieces are cut, the sum is
 * that of the records.
 */

#include <stdlib.h>
#include <string.h>

#include "record/piecesum.h"
#include "test.h"

enum {
	BYTES = 30000
};

static void
sum_of(const char *name, unsigned char delim, const unsigned char *bytes,
    size_t n, size_t most, struct piecesum *p)
{
	static struct format f;
	struct hp_err e = { 0 };

	CHECK_EQ_I64(format_parse(name, &f, &e), 0);
	f.delim = delim;
	piecesum_begin(p, &f);
	for (size_t at = 0, part; at < n; at += part) {
		part = most == 0 ? n : 1 + test_random() % most;
		if (part > n - at)
			part = n - at;
		CHECK_EQ_I64(piecesum_add(p, bytes + at, part, &e), 0);
	}
	CHECK_EQ_I64(piecesum_end(p, &e), 0);
	/* A second call of piecesum_end changes nothing. */
	CHECK_EQ_I64(piecesum_end(p, &e), 0);
}

static void
cuts_change_nothing(void)
{
	static const char *const formats[] = { "line", "gensort", "u8", "u64",
		"record:7500" };
	unsigned char *bytes = malloc(BYTES);
	struct piecesum whole = { 0 }, cut = { 0 };

	for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
		for (size_t most = 1; most < BYTES; most *= 5) {
			for (size_t i = 0; i < BYTES; i++)
				bytes[i] = test_random() % 90 == 0
				    ? '\n'
				    : (unsigned char)test_random();
			sum_of(formats[k], '\n', bytes, BYTES, 0, &whole);
			sum_of(formats[k], '\n', bytes, BYTES, most, &cut);
			CHECK_EQ_U64(cut.records, whole.records);
			CHECK_EQ_U64(cut.bytes, whole.bytes);
			CHECK_EQ_U64(cut.sum.low, whole.sum.low);
			CHECK_EQ_U64(cut.sum.high, whole.sum.high);
		}
	CHECK_EQ_U64(whole.records, BYTES / 7500);
	piecesum_fini(&whole);
	piecesum_fini(&cut);
	free(bytes);
}

static void
lines_have_delimiters(void)
{
	static const char text[] = "a\n\nbc\nlast";
	struct piecesum p = { 0 };
	struct sum want = { 0, 0 };

	for (size_t most = 0; most < 8; most++) {
		sum_of("line", '\n', (const unsigned char *)text,
		    sizeof text - 1, most, &p);
		CHECK_EQ_U64(p.records, 4);
		CHECK_EQ_U64(p.bytes, sizeof text);
		want = (struct sum){ 0, 0 };
		sum_line(&want, "a", 1, '\n');
		sum_line(&want, "", 0, '\n');
		sum_line(&want, "bc", 2, '\n');
		sum_line(&want, "last", 4, '\n');
		CHECK_EQ_U64(p.sum.low, want.low);
	}
	sum_of("line", '\0', (const unsigned char *)"a\0b\0", 4, 1, &p);
	CHECK_EQ_U64(p.records, 2);
	CHECK_EQ_U64(p.bytes, 4);
	sum_of("line", '\n', NULL, 0, 1, &p);
	CHECK_EQ_U64(p.records, 0);
	piecesum_fini(&p);
}

static void
an_incomplete_record_is_refused(void)
{
	struct format f = { 0 };
	struct piecesum p = { 0 };
	struct hp_err e = { 0 };

	CHECK_EQ_I64(format_parse("u32", &f, &e), 0);
	piecesum_begin(&p, &f);
	CHECK_EQ_I64(
	    piecesum_add(&p, (const unsigned char *)"123456", 6, &e), 0);
	CHECK_EQ_I64(piecesum_end(&p, &e), -1);
	CHECK_EQ_U64(e.kind, HP_INPUT);
	piecesum_fini(&p);
}

int
main(void)
{
	RUN(cuts_change_nothing);
	RUN(lines_have_delimiters);
	RUN(an_incomplete_record_is_refused);
	return test_done();
}
