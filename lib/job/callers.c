#include <sys/random.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/callers.h"

/* seconds within which the other end must prove that it knows the key */
#define PROVE_S 10.0

enum {
	/*
	 * length of the listen queue; agents of many machines connect at the
	 * same time
	 */
	BACKLOG = 1024
};

struct caller {
	int fd;
	/* this end has sent its proof, and waits for the other end's proof */
	bool answered;
	double since_s;
	size_t n;
	unsigned char in[CALL_HELLO + CALL_NAME];
	struct proof_of of;
	char name[CALL_NAME + 1], address[64];
	struct caller *next;
};

/*
 * Listens on any free port, with IPv6 and IPv4, or with IPv4 alone if the
 * machine has no IPv6.
 */
static int
listen_anywhere(uint16_t *port)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6,
		.sin6_addr = IN6ADDR_ANY_INIT };
	struct sockaddr_in four = { .sin_family = AF_INET };
	socklen_t len = sizeof six;
	int fd, off = 0;

	fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1 ||
	    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == -1 ||
	    bind(fd, (struct sockaddr *)&six, sizeof six) == -1) {
		if (fd != -1)
			close(fd);
		fd = socket(
		    AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fd == -1 ||
		    bind(fd, (struct sockaddr *)&four, sizeof four) == -1)
			return fd;
	}
	if (listen(fd, BACKLOG) == -1 ||
	    getsockname(fd, (struct sockaddr *)&six, &len) == -1) {
		close(fd);
		return -1;
	}
	/* The port has the same offset in addresses of IPv6 and IPv4. */
	*port = ntohs(six.sin6_port);
	return fd;
}

int
callers_init(struct callers *c, size_t most, struct hp_err *e)
{
	*c = (struct callers){ .listener = -1, .most = most };
	if (getrandom(c->to.key, sizeof c->to.key, 0) != sizeof c->to.key)
		return hp_fail_errno(e, HP_IO, "random bytes");
	c->listener = listen_anywhere(&c->to.port);
	if (c->listener == -1 || c->to.port == 0)
		return hp_fail_errno(e, HP_IO, "no port to listen on");
	return 0;
}

static struct caller **
find(const struct callers *c, int fd)
{
	union {
		struct caller *const *lent;
		struct caller **p;
	} at = { .lent = &c->caller };

	while (*at.p != NULL && (*at.p)->fd != fd)
		at.p = &(*at.p)->next;
	return at.p;
}

/*
 * Removes the connection from the list and frees it. Its descriptor stays open.
 */
static void
forget(struct callers *c, struct caller **at)
{
	struct caller *gone = *at;

	*at = gone->next;
	free(gone);
	c->n--;
}

void
callers_fini(struct callers *c)
{
	while (c->caller != NULL) {
		close(c->caller->fd);
		forget(c, &c->caller);
	}
	if (c->listener > 0)
		close(c->listener);
	explicit_bzero(&c->to, sizeof c->to);
	c->listener = -1;
}

bool
callers_has(const struct callers *c, int fd)
{
	return fd > 0 && (fd == c->listener || *find(c, fd) != NULL);
}

static void
put_address(const struct sockaddr_storage *s, char address[64])
{
	const void *in = s->ss_family == AF_INET
	    ? (const void *)&((const struct sockaddr_in *)s)->sin_addr
	    : (const void *)&((const struct sockaddr_in6 *)s)->sin6_addr;

	if (inet_ntop(s->ss_family, in, address, 64) == NULL)
		address[0] = '\0';
}

/*
 * Closes the connection that has waited longest. A stranger who opens many
 * connections and sends nothing must not keep agents out.
 */
static void
drop_oldest(struct callers *c)
{
	struct caller **at = &c->caller;

	while (*at != NULL && (*at)->next != NULL)
		at = &(*at)->next;
	if (*at == NULL)
		return;
	close((*at)->fd);
	forget(c, at);
}

static struct callers_news
take(struct callers *c, double now_s)
{
	struct callers_news news = { 0 };
	struct sockaddr_storage from;
	socklen_t len = sizeof from;
	struct caller *one;
	int fd = accept4(c->listener, (struct sockaddr *)&from, &len,
		SOCK_CLOEXEC | SOCK_NONBLOCK),
	    on = 1;

	if (fd == -1)
		return news;
	if (c->n >= c->most)
		drop_oldest(c);
	one = c->n < c->most ? calloc(1, sizeof *one) : NULL;
	if (one == NULL) {
		close(fd);
		return news;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	one->fd = fd;
	one->since_s = now_s;
	put_address(&from, one->address);
	one->next = c->caller;
	c->caller = one;
	c->n++;
	news.event = CALLERS_NEW;
	news.fd = fd;
	return news;
}

/*
 * Returns how many bytes the other end must send next. Before our answer, it
 * sends its hello; after our answer, it sends its proof.
 */
static size_t
wanted(const struct caller *one)
{
	if (one->answered)
		return PROOF_BYTES;
	if (one->n < CALL_HELLO)
		return CALL_HELLO;
	return CALL_HELLO + (size_t)one->in[CALL_HELLO - 1];
}

/*
 * Takes the node's name and the nonce (random bytes) from the hello. Sends a
 * nonce and the proof of this end. Returns false if the hello is invalid or the
 * answer cannot be sent.
 */
static bool
answer(const struct callers *c, struct caller *one)
{
	unsigned char out[CALL_ANSWER];
	size_t len = one->in[CALL_HELLO - 1];

	if (len == 0 || memchr(one->in + CALL_HELLO, '\0', len) != NULL)
		return false;
	memcpy(one->name, one->in + CALL_HELLO, len);
	memcpy(one->of.agent, one->in + 8, PROOF_NONCE);
	one->of.node = one->name;
	if (getrandom(one->of.launcher, PROOF_NONCE, 0) != PROOF_NONCE)
		return false;
	memcpy(out, one->of.launcher, PROOF_NONCE);
	proof_make(out + PROOF_NONCE, c->to.key, PROOF_LAUNCHER, &one->of);
	one->answered = true;
	one->n = 0;
	/*
	 * The send buffer of a new connection has room for the whole answer, so
	 * one call sends all of it.
	 */
	return send(one->fd, out, sizeof out, MSG_NOSIGNAL) == sizeof out;
}

/*
 * Reads from a connection. Reads no byte beyond the other end's proof, because
 * the rest belongs to the agent's stream. Sets *proven when the proof has
 * arrived. Returns false if the proof is wrong or the connection must be
 * closed.
 */
static bool
go_on(const struct callers *c, struct caller *one, bool *proven)
{
	size_t want;
	ssize_t n;

	for (;;) {
		want = wanted(one);
		if (one->n == want && one->answered) {
			*proven = true;
			return proof_holds(
			    one->in, c->to.key, PROOF_AGENT, &one->of);
		}
		if (one->n == want && !answer(c, one))
			return false;
		want = wanted(one);
		n = recv(one->fd, one->in + one->n, want - one->n, 0);
		if (n == -1)
			return errno == EAGAIN || errno == EINTR;
		if (n == 0)
			return false;
		one->n += (size_t)n;
		if (!one->answered &&
		    memcmp(one->in, CALL_MAGIC, one->n < 8 ? one->n : 8) != 0)
			return false;
	}
}

struct callers_news
callers_read(struct callers *c, int fd, double now_s)
{
	struct callers_news news = { .fd = fd };
	struct caller **at;
	bool proven = false, good;

	if (fd == c->listener)
		return take(c, now_s);
	at = find(c, fd);
	if (*at == NULL)
		return news;
	good = go_on(c, *at, &proven);
	if (good && !proven)
		return news;
	memcpy(news.name, (*at)->name, sizeof news.name);
	memcpy(news.address, (*at)->address, sizeof news.address);
	news.event = good ? CALLERS_PROVEN : CALLERS_FALSE;
	forget(c, at);
	if (!good)
		close(fd);
	return news;
}

void
callers_expire(struct callers *c, double now_s)
{
	for (struct caller **at = &c->caller; *at != NULL;) {
		if (now_s - (*at)->since_s > PROVE_S) {
			close((*at)->fd);
			forget(c, at);
		} else
			at = &(*at)->next;
	}
}
