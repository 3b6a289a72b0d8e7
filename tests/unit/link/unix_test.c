/*
 * The sockets of several nodes on one machine: which process has the directory,
 * and what is left at the end.
 */

#include <sys/stat.h>

#include "link/unix.h"
#include "test.h"

static const struct transport_options options;
static char dir[] = "unix_test.XXXXXX";
static const struct address node = { .name = "a", .dir = dir };

static int
listens(struct endpoint *p, struct hp_err *e)
{
	*e = (struct hp_err){ 0 };
	return unix_open(p, &node, 1, 0, &options, e);
}

static void
a_directory_serves_one_process_and_is_left_empty(void)
{
	struct endpoint p = ENDPOINT_NONE, other = ENDPOINT_NONE;
	unsigned before = test_descriptors();
	struct hp_err e;

	REQUIRE(mkdtemp(dir) != NULL);
	for (int turn = 0; turn < 2; turn++) {
		REQUIRE(listens(&p, &e) == 0);
		CHECK_EQ_I64(listens(&other, &e), -1);
		CHECK(strstr(e.text, "another hpexchange") != NULL);
		unix_close(&other);
		CHECK(rmdir(dir) == -1);
		unix_close(&p);
		CHECK_EQ_U64(test_descriptors(), before);
	}
	CHECK_EQ_I64(rmdir(dir), 0);
}

int
main(void)
{
	test_scratch();
	RUN(a_directory_serves_one_process_and_is_left_empty);
	return test_done();
}
