/*
 * Arbitrary data on the tcp port before a peer has proved that it has the key:
 * for the name of the pair, and for the handshake.
 */

#include <sys/socket.h>

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "link/channel.h"
#include "link/tls.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static struct jobkey key = { .len = JOBKEY_MIN };

static void
fuzz_name(const uint8_t *in, size_t len)
{
	unsigned char name[PAIR_NAME_MAX];
	char from[PAIR_NAME_MAX];

	if (!pair_name_is_to(in, len, "node"))
		return;
	/* Every accepted name is one that our programs would write. */
	strlcpy(from, (const char *)in + 4, sizeof from);
	assert(pair_name(from, "node", name) == len);
	assert(memcmp(name, in, len) == 0);
}

static void
fuzz_handshake(const uint8_t *in, size_t len)
{
	static struct tls_party party;
	struct hp_err e;
	struct channel c;
	struct pollfd p;
	int fd[2];
	char byte;

	if (party.ctx == NULL)
		assert(tls_party_init(&party, "node", &key, &e) == 0);
	assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) == 0);
	assert(tls_accept(&party, fd[0], "peer", &c, &e) == 0);
	if (send(fd[1], in, len, MSG_NOSIGNAL) == (ssize_t)len)
		shutdown(fd[1], SHUT_WR);
	for (int i = 0; i < 100; i++) {
		bool now = channel_watch(&c, &p, true, false);

		assert(!now);
		assert(channel_read(&c, &byte, 1) == -1);
		if (errno != EAGAIN)
			break;
	}
	/* The end of the data is detected and gives a reason. */
	assert(errno == EACCES || errno == ECONNRESET);
	assert(strlen(channel_why(&c)) > 0);
	channel_close(&c);
	close(fd[1]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	signal(SIGPIPE, SIG_IGN);
	if (len-- == 0)
		return 0;
	if (*in++ % 2 == 0)
		fuzz_name(in, len);
	else
		fuzz_handshake(in, len);
	return 0;
}
