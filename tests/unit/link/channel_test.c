/* Passing descriptors over channels: both ends are in one process. */

#include <sys/socket.h>

#include <string.h>

#include "link/channel.h"
#include "test.h"

enum {
	PASSED_MOST = 4
};

/* Sends one byte with several descriptors.  Our own programs never do that. */
static ssize_t
pass_many(int to, int fd, unsigned n)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(PASSED_MOST * sizeof fd)];
	} beside = { .head = { .cmsg_len = CMSG_LEN(n * sizeof fd),
			 .cmsg_level = SOL_SOCKET,
			 .cmsg_type = SCM_RIGHTS } };
	struct iovec bytes = { "x", 1 };
	struct msghdr m = { .msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = beside.room,
		.msg_controllen = CMSG_SPACE(n * sizeof fd) };

	for (unsigned i = 0; i < n; i++)
		memcpy(CMSG_DATA(&beside.head) + i * sizeof fd, &fd, sizeof fd);
	return sendmsg(to, &m, 0);
}

static void
only_one_passed_descriptor_is_accepted(void)
{
	unsigned before = test_descriptors();
	int pair[2];
	struct channel from, to;
	char byte;

	REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	from = channel_of_unix(pair[0]);
	to = channel_of_unix(pair[1]);
	CHECK(channel_pass(&from, "a", 1, STDIN_FILENO) == 1);
	CHECK(channel_read(&to, &byte, 1) == 1);
	CHECK(byte == 'a');
	CHECK(to.passed != -1);
	for (unsigned n = 2; n <= PASSED_MOST; n++) {
		CHECK(pass_many(from.fd, STDIN_FILENO, n) == 1);
		CHECK(channel_read(&to, &byte, 1) == 1);
		CHECK(byte == 'x');
	}
	channel_close(&from);
	channel_close(&to);
	CHECK_EQ_U64(test_descriptors(), before);
}

int
main(void)
{
	RUN(only_one_passed_descriptor_is_accepted);
	return test_done();
}
