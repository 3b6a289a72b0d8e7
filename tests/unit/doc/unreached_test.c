/*
 * The report of hpexchange: what both directions know of a peer becomes one
 * line. A document that differs from hp-trace(5) is rejected.
 */

#include <sys/mman.h>

#include "base/io.h"
#include "doc/unreached.h"
#include "net/unreached.h"
#include "test.h"

static struct unreached_log *
log_new(void)
{
	static struct unreached_log l;
	struct hp_err e;

	unreached_fini(&l);
	l = (struct unreached_log){ .lock = PTHREAD_MUTEX_INITIALIZER };
	if (unreached_init(&l, 3, &e) == -1)
		exit(1);
	return &l;
}

/* What both halves of an exchange saw of a peer, and what is reported. */
static const struct {
	enum unreached_why why[2];
	double seconds[2];
	bool back[2];
	struct unreached want;
} seen[] = {
	{ { UNREACHED_SILENT, 0 }, { 4, 0 }, { 0 },
	    { 1, UNREACHED_SILENT, 4, false } },
	{ { 0, UNREACHED_SILENT }, { 0, 4 }, { 0 },
	    { 1, UNREACHED_SILENT, 4, false } },
	/*
	 * If both directions miss the peer, the stronger reason and the
	 * longer time count.
	 */
	{ { UNREACHED_NO_ROUTE, UNREACHED_SILENT }, { 4, 6 }, { 0 },
	    { 1, UNREACHED_NO_ROUTE, 6, false } },
	/*
	 * One direction has heard the peer again, the other one has
	 * not.
	 */
	{ { UNREACHED_BROKEN, UNREACHED_SILENT }, { 9, 4 }, { true },
	    { 1, UNREACHED_SILENT, 4, false } },
	{ { UNREACHED_SILENT, UNREACHED_BROKEN }, { 4, 9 }, { 0, true },
	    { 1, UNREACHED_SILENT, 4, false } },
	{ { UNREACHED_SILENT, UNREACHED_BROKEN }, { 4, 9 }, { true, true },
	    { 1, UNREACHED_BROKEN, 9, true } },
	{ { 0 }, { 0 }, { 0 }, { 0 } },
	{ { 0 }, { 0 }, { true, true }, { 0 } },
};

static void
one_line_of_both_halves(void)
{
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
		struct unreached_log *l = log_new();
		const struct unreached *list;

		for (unsigned half = 0; half < 2; half++) {
			unreached_note(l, half, 1, seen[i].why[half],
			    seen[i].seconds[half]);
			if (seen[i].back[half])
				unreached_note(l, half, 1, UNREACHED_NOT, 0);
		}
		CHECK_EQ_U64(unreached_list(l, &list), seen[i].want.why != 0);
		if (seen[i].want.why == 0)
			continue;
		CHECK_EQ_U64(list->rank, 1);
		CHECK_EQ_U64(list->why, seen[i].want.why);
		CHECK_NEAR(list->seconds, seen[i].want.seconds, 0);
		CHECK_EQ_U64(list->back, seen[i].want.back);
	}
}

static void
words_are_those_of_the_document(void)
{
	enum miss_why why;

	for (int i = UNREACHED_SILENT; i <= UNREACHED_KEY; i++) {
		const char *word = unreached_word((enum unreached_why)i);

		REQUIRE(miss_parse(word, &why) == 0);
		CHECK_EQ_STR(miss_word(why), word);
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
	RUN(one_line_of_both_halves);
	RUN(words_are_those_of_the_document);
	RUN(reports_are_read_strictly);
	return test_done();
}
