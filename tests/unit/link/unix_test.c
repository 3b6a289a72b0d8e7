/*
 * The sockets of several nodes on one machine: which process has the directory,
 * and what is left at the end.
 */

#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>

#include "link/unix.h"
#include "test.h"

static const struct transport_options options;
static char dir[] = "unix_test.XXXXXX";
static const struct address node = { .name = "a", .dir = dir };

static int accept_error; /* what accept4 fails with */

int
accept4(int fd, __SOCKADDR_ARG to, socklen_t *restrict len, int flags)
{
	(void)fd;
	(void)to;
	(void)len;
	(void)flags;
	errno = accept_error;
	return -1;
}

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

/* Only an error that would occur at each call is one of the process. */
static void
few_errors_of_accept_are_final(void)
{
	static const int final[] = { EMFILE, ENFILE, ENOBUFS, ENOMEM };
	static const int passing[] = { EAGAIN, EINTR, ECONNABORTED, EPERM };
	struct endpoint p = ENDPOINT_NONE;
	struct channel c = CHANNEL_NONE;

	for (size_t i = 0; i < 4; i++) {
		struct hp_err e = { 0 };

		accept_error = passing[i];
		CHECK_EQ_I64(unix_accept(&p, &c, &e), 0);
		accept_error = final[i];
		CHECK_EQ_I64(unix_accept(&p, &c, &e), -1);
		CHECK_EQ_U64(e.kind, HP_IO);
		CHECK_EQ_I64(e.errnum, final[i]);
	}
}

int
main(void)
{
	test_scratch();
	RUN(a_directory_serves_one_process_and_is_left_empty);
	RUN(few_errors_of_accept_are_final);
	return test_done();
}
