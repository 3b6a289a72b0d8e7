/* The functions that find records in a text agree with a list of all records.
 */
#include "record/scan.h"
#include "test.h"

enum {
	ROUNDS = 300,
	BYTES = 3000,
	SIZE = 7 /* of the records of fixed size */
};

static const struct format fixed = {
	.kind = FORMAT_RECORD, .size = SIZE, .key_len = SIZE
};

/*
 * A text and its records: record i begins at begin[i] and ends at end[i],
 * before its delimiter. begin[n] is the end of the text.
 */
static struct {
	const struct format *f;
	unsigned char *at;
	size_t len, n;
	bool cut; /* the last line lacks its delimiter */
	size_t begin[BYTES + 1], end[BYTES];
} text;

static void
add_record(size_t len, bool last)
{
	bool line = text.f == &format_line;

	for (size_t k = 0; k < len; k++)
		text.at[text.len + k] = (unsigned char)('a' + test_below(26));
	text.begin[text.n] = text.len;
	text.len += len;
	text.end[text.n++] = text.len;
	text.cut = line && last && len > 0 && test_below(2);
	if (line && !text.cut)
		text.at[text.len++] = '\n';
	text.begin[text.n] = text.len;
}

/* The text gets exactly its size, so that a sanitizer sees each byte outside.
 */
static void
make(const struct format *f)
{
	size_t n = test_below(40), most = test_below(3) > 0 ? 20 : 1500, len;

	text.f = f;
	text.len = text.n = 0;
	text.cut = false;
	text.begin[0] = 0;
	text.at = malloc(BYTES + 1);
	for (size_t i = 0; text.at != NULL && i < n; i++) {
		len = f == &fixed ? SIZE : test_below(most);
		if (text.len + len + 1 < BYTES)
			add_record(len, i + 1 == n);
	}
	text.at = realloc(text.at, text.len + 1);
}

static size_t
off(const unsigned char *p)
{
	return (size_t)(p - text.at);
}

static void
records_are_found(void)
{
	const unsigned char *at = text.at, *end = at + text.len, *p;

	for (size_t i = 0; i < text.n; i++) {
		bool cut = text.cut && i + 1 == text.n;

		CHECK_EQ_U64(off(at), text.begin[i]);
		CHECK_EQ_U64(off(scan_end(text.f, at, end)), text.end[i]);
		p = scan_find(text.f, at, 0, end);
		CHECK(cut ? p == NULL : off(p) == text.end[i]);
		CHECK_EQ_U64(scan_record(text.f, &at, end).len,
		    text.end[i] - text.begin[i]);
	}
	CHECK(at == end);
	CHECK(scan_is_cut(text.f, text.at, end) == text.cut);
	CHECK_EQ_U64(scan_count(text.f, text.at, end), text.n - text.cut);
	for (size_t i = 0; i <= text.n + 1; i++) {
		p = scan_skip(text.f, text.at, end, i);
		CHECK_EQ_U64(off(p), text.begin[i < text.n ? i : text.n]);
	}
}

/* Checks the searches that begin at any byte. */
static void
bytes_lead_to_records(void)
{
	const unsigned char *end = text.at + text.len;
	size_t i = 0, whole;

	for (size_t byte = 0; byte < text.len; byte++) {
		i += byte == text.begin[i + 1];
		whole = byte == text.begin[i] ? i : i + 1;
		CHECK_EQ_U64(off(scan_start(text.f, text.at, text.at + byte)),
		    text.begin[i]);
		CHECK_EQ_U64(
		    off(scan_from(text.f, text.at, text.at + byte, end)),
		    text.begin[whole]);
		CHECK_EQ_U64(off(scan_whole(text.f, text.at, text.at + byte)),
		    text.begin[i]);
		CHECK_EQ_U64(scan_count(text.f, text.at, text.at + byte), i);
	}
	CHECK(scan_from(text.f, text.at, end, end) == end);
	CHECK_EQ_U64(off(scan_whole(text.f, text.at, end)),
	    text.begin[text.n - text.cut]);
}

static void
scans_agree(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		make(i % 2 ? &fixed : &format_line);
		REQUIRE(text.at != NULL);
		records_are_found();
		bytes_lead_to_records();
		free(text.at);
	}
}

static void
checksums_include_the_delimiter(void)
{
	struct span record = { (const unsigned char *)"abcdefg", SIZE };
	struct sum sum = { 0 }, want = { 0 };

	scan_sum(&fixed, record, &sum);
	sum_record(&want, "abcdefg", SIZE);
	scan_sum(&format_line, record, &sum);
	sum_record(&want, "abcdefg\n", SIZE + 1);
	CHECK(sum.high == want.high && sum.low == want.low);
}

int
main(void)
{
	RUN(scans_agree);
	RUN(checksums_include_the_delimiter);
	return test_done();
}
