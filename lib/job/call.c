#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "job/call.h"

void
call_line(const struct call_to *to, char line[CALL_LINE])
{
	int n = snprintf(line, CALL_LINE, CALL_WORD " %u ", (unsigned)to->port);

	for (size_t i = 0; i < sizeof to->key; i++)
		n += snprintf(line + n, CALL_LINE - (size_t)n, "%02x",
		    (unsigned)to->key[i]);
	snprintf(line + n, CALL_LINE - (size_t)n, "\n");
}

int
call_parse(const char *line, struct call_to *to, struct hp_err *e)
{
	char word[8], port[8], key[2 * PROOF_KEY + 2];
	uint64_t number;
	int end = -1;

	if (sscanf(line, "%7[a-z] %7[0-9] %65[0-9a-f]%n", word, port, key,
		&end) != 3 ||
	    end == -1 || line[end] != '\0' || strcmp(word, CALL_WORD) != 0 ||
	    strlen(key) != (size_t)2 * PROOF_KEY ||
	    int_parse(port, 1, UINT16_MAX, &number, "port", e) == -1)
		return hp_fail(e, HP_INPUT,
		    "standard input has no port and key of a launcher");
	to->port = (uint16_t)number;
	for (size_t i = 0; i < PROOF_KEY; i++) {
		char two[] = { key[2 * i], key[2 * i + 1], '\0' };

		to->key[i] = (unsigned char)strtoul(two, NULL, 16);
	}
	return 0;
}

int
call_read(int fd, double timeout_s, struct call_to *to, struct hp_err *e)
{
	double until_s = clock_now_s() + timeout_s, left_s;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char line[CALL_LINE];
	size_t n = 0;
	int rc;

	for (;;) {
		left_s = until_s - clock_now_s();
		if (left_s <= 0 || n == sizeof line)
			break;
		rc = poll(&p, 1, (int)(left_s * 1000) + 1);
		if (rc == -1 && errno != EINTR)
			break;
		if (rc <= 0)
			continue;
		if (read(fd, &line[n], 1) != 1)
			break;
		if (line[n] == '\n') {
			line[n] = '\0';
			rc = call_parse(line, to, e);
			explicit_bzero(line, sizeof line);
			return rc;
		}
		n++;
	}
	return hp_fail(
	    e, HP_INPUT, "standard input has no port and key of a launcher");
}

/* Sends or receives all bytes. */
static int
move_all(int fd, void *buf, size_t n, bool send_it, struct hp_err *e)
{
	char *at = buf;
	ssize_t got;

	while (n > 0) {
		got = send_it ? send(fd, at, n, MSG_NOSIGNAL)
			      : recv(fd, at, n, 0);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == 0)
			return hp_fail(
			    e, HP_LOST, "the launcher ended the connection");
		if (got == -1)
			return hp_fail_errno(e, HP_LOST, "launcher");
		at += got;
		n -= (size_t)got;
	}
	return 0;
}

/*
 * Checks that the launcher knows the key of the run. Then proves to the
 * launcher that this agent knows the key, too.
 */
static int
prove(int fd, const struct call_to *to, const char *node, struct hp_err *e)
{
	unsigned char hello[CALL_HELLO + CALL_NAME], answer[CALL_ANSWER],
	    proof[PROOF_BYTES];
	struct proof_of of = { .node = node };
	size_t len = strlen(node);

	if (getrandom(of.agent, sizeof of.agent, 0) != sizeof of.agent)
		return hp_fail_errno(e, HP_IO, "random bytes");
	memcpy(hello, CALL_MAGIC, 8);
	memcpy(hello + 8, of.agent, PROOF_NONCE);
	hello[8 + PROOF_NONCE] = (unsigned char)len;
	memcpy(hello + CALL_HELLO, node, len);
	if (move_all(fd, hello, CALL_HELLO + len, true, e) == -1 ||
	    move_all(fd, answer, sizeof answer, false, e) == -1)
		return -1;
	memcpy(of.launcher, answer, PROOF_NONCE);
	if (!proof_holds(answer + PROOF_NONCE, to->key, PROOF_LAUNCHER, &of))
		return hp_fail(e, HP_LOST, "is not the launcher of this agent");
	proof_make(proof, to->key, PROOF_AGENT, &of);
	return move_all(fd, proof, sizeof proof, true, e);
}

/* Sets how long one call may block. */
static void
set_timeout(int fd, unsigned seconds)
{
	struct timeval t = { .tv_sec = (time_t)seconds };

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
}

static int
connect_to(
    const char *address, uint16_t port, unsigned timeout_s, struct hp_err *e)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM },
			*list = NULL;
	char number[8];
	int fd = -1, one = 1;

	snprintf(number, sizeof number, "%u", (unsigned)port);
	if (getaddrinfo(address, number, &hints, &list) != 0) {
		hp_fail(e, HP_INPUT, "'%.64s' is not an address", address);
		return -1;
	}
	fd = socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd != -1) {
		set_timeout(fd, timeout_s);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	}
	if (fd == -1 || connect(fd, list->ai_addr, list->ai_addrlen) == -1) {
		hp_fail_errno(e, HP_LOST, "cannot be reached");
		if (fd != -1)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(list);
	return fd;
}

int
call_launcher(const struct call_to *to, const char *address, const char *node,
    unsigned timeout_s, struct hp_err *e)
{
	struct hp_err why = { 0 };
	int fd;

	if (*node == '\0' || strlen(node) > CALL_NAME) {
		hp_fail(e, HP_INPUT, "'%.64s' is not the name of a node", node);
		return -1;
	}
	fd = connect_to(address, to->port, timeout_s, &why);
	if (fd != -1 && prove(fd, to, node, &why) == -1) {
		close(fd);
		fd = -1;
	}
	if (fd == -1) {
		hp_fail(e, why.kind, "%s port %u: %s%s%s", address,
		    (unsigned)to->port, why.text, why.errnum != 0 ? ": " : "",
		    why.errnum != 0 ? strerror(why.errnum) : "");
		return -1;
	}
	set_timeout(fd, 0);
	return fd;
}
