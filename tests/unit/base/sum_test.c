/* lib/base/sum: checksums of every length, compared with zlib. */

#include <zlib.h>

#include "base/sum.h"

#include "test.h"

static void
every_length(void)
{
	static unsigned char bytes[5000 + 8];
	struct sum got, line;
	uint32_t want;

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)test_random();
	for (size_t len = 0; len < 5000; len += len < 300 ? 1 : 123) {
		const unsigned char *p = bytes + len % 8;

		got = line = (struct sum){ 0, 0 };
		sum_record(&got, p, len);
		CHECK_EQ_U64(got.low, crc32_z(0, p, len));
		sum_line(&line, p, len, '\n');
		want = (uint32_t)crc32_z(
		    crc32_z(0, p, len), (const unsigned char *)"\n", 1);
		CHECK_EQ_U64(line.low, want);
	}
}

/* Sums exceed 64 bits, and converting to text and back preserves them. */
static void
carries(void)
{
	struct sum s = { 0, UINT64_MAX }, back;
	char hex[SUM_HEX];

	sum_record(&s, "123456789", 9); /* the check value of CRC-32 */
	CHECK_EQ_U64(s.high, 1);
	CHECK_EQ_U64(s.low, 0xcbf43926 - 1);
	sum_format(&s, hex);
	CHECK_EQ_STR(hex, "100000000cbf43925");
	CHECK(sum_parse(hex, &back) == 0);
	CHECK(back.high == s.high && back.low == s.low);
	sum_add(&s, &back);
	sum_format(&s, hex);
	CHECK_EQ_STR(hex, "20000000197e8724a");
}

/* Adds one record many times, in pieces of which some are empty. */
static void
pieces_and_repeats(void)
{
	struct iovec piece[] = { { "123", 3 }, { NULL, 0 }, { "456789", 6 } };
	struct sum s = { 1, UINT64_MAX }, one = { 0, 0 }, none = { 0, 0 };

	sum_pieces(&one, piece, 3, 1);
	CHECK(one.high == 0 && one.low == 0xcbf43926);
	sum_pieces(&none, piece, 3, 0);
	CHECK(none.high == 0 && none.low == 0);
	/* Adding the record 2^40 times gives a sum of more than 64 bits. */
	sum_pieces(&s, piece, 3, (uint64_t)1 << 40);
	CHECK_EQ_U64(s.high, 1 + 0xcb + 1);
	CHECK_EQ_U64(s.low, 0xf439260000000000 - 1);
}

static void
not_sums(void)
{
	const char *bad[] = { "", "-1", "0x1", "A", "g", " 1", "1 ",
		"100000000000000000000000000000000" };
	struct sum s;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		CHECK(sum_parse(bad[i], &s) == -1);
	CHECK(sum_parse("ffffffffffffffffffffffffffffffff", &s) == 0);
	CHECK(s.high == UINT64_MAX && s.low == UINT64_MAX);
}

int
main(void)
{
	RUN(every_length);
	RUN(carries);
	RUN(pieces_and_repeats);
	RUN(not_sums);
	return test_done();
}
