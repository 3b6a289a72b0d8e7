/*
 * The report of hpexchange. A document that differs from hp-trace(5) is
 * rejected.
 */

#include <sys/mman.h>

#include "base/io.h"
#include "doc/unreached.h"
#include "net/unreached.h"
#include "test.h"

static void
words_are_those_of_the_document(void)
{
	enum miss_why why;
	unsigned known = 0;

	for (int i = UNREACHED_SILENT; i <= UNREACHED_KEY; i++) {
		REQUIRE(miss_parse(
			    unreached_word((enum unreached_why)i), &why) == 0);
		CHECK((known & 1u << why) == 0);
		known |= 1u << why;
	}
	CHECK(miss_parse("", &why) == -1);
	CHECK(miss_parse("lost", &why) == -1);
}

static int
read_text(const char *text, struct misses *l)
{
	int fd = memfd_create("report", MFD_CLOEXEC);
	struct hp_err e = { 0 };
	char path[32];
	int rc;

	if (fd == -1 || io_write(fd, text, strlen(text)) == -1)
		exit(1);
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	rc = doc_misses_read(path, 1, 4, l, &e);
	CHECK((rc == -1) == (e.kind == HP_INPUT));
	close(fd);
	return rc;
}

#define LINE(rank, peer, why, seconds, back, more)                  \
	"{\"type\":\"unreached\",\"rank\":" rank ",\"node\":\"b\"," \
	"\"peer\":" peer ",\"peer_node\":\"d\",\"why\":" why        \
	",\"seconds\":" seconds ",\"back\":" back more "}\n"

static void
reports_are_read_strictly(void)
{
	static const char *const wrong[] = {
		LINE("0", "3", "\"silent\"", "1", "false", ""),
		LINE("1", "1", "\"silent\"", "1", "false", ""),
		LINE("1", "4", "\"silent\"", "1", "false", ""),
		LINE("1", "-1", "\"silent\"", "1", "false", ""),
		LINE("1", "3", "\"lost\"", "1", "false", ""),
		LINE("1", "3", "7", "1", "false", ""),
		LINE("1", "3", "\"silent\"", "-1", "false", ""),
		LINE("1", "3", "\"silent\"", "\"1\"", "false", ""),
		LINE("1", "3", "\"silent\"", "1", "0", ""),
		LINE("1", "3", "\"silent\"", "1", "false", ",\"more\":1"),
		LINE("1", "3", "\"silent\"", "1", "false", "")
		    LINE("1", "3", "\"silent\"", "1", "false", ""),
		LINE("1", "3", "\"silent\"", "1", "false", "")
		    LINE("1", "0", "\"silent\"", "1", "false", ""),
		"{\"type\":\"step\"}\n",
		"{\"type\":\"unreached\"}\n",
		"{\n",
	};
	struct misses l = { 0 };

	REQUIRE(read_text(LINE("1", "0", "\"key\"", "0", "true", "") LINE(
			      "1", "3", "\"no route\"", "7.5", "false", ""),
		    &l) == 0);
	REQUIRE(l.n == 2);
	CHECK_EQ_U64(l.v[0].peer, 0);
	CHECK_EQ_U64(l.v[0].why, MISS_KEY);
	CHECK(l.v[0].back);
	CHECK_EQ_U64(l.v[1].why, MISS_NO_ROUTE);
	CHECK_NEAR(l.v[1].seconds, 7.5, 0);
	CHECK(!l.v[1].back);
	misses_fini(&l);
	CHECK(read_text("", &l) == 0 && l.n == 0);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		CHECK(read_text(wrong[i], &l) == -1);
		misses_fini(&l);
	}
}

int
main(void)
{
	RUN(words_are_those_of_the_document);
	RUN(reports_are_read_strictly);
	return test_done();
}
