/* Agents that call the launcher: the line with port and key, and the proofs. */

#include <sys/socket.h>
#include <sys/wait.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <poll.h>
#include <unistd.h>

#include "job/callers.h"
#include "test.h"

/* The expected values are those of RFC 4231, test cases 1, 2 and 3. */
static void
hmac_is_that_of_the_standard(void)
{
	static const struct {
		const char *key, *message, *want;
		size_t key_bytes, n;
	} of[] = {
		{ "\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b"
		  "\x0b\x0b\x0b\x0b\x0b",
		    "Hi There",
		    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e"
		    "32cff7",
		    20, 8 },
		{ "Jefe", "what do ya want for nothing?",
		    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964"
		    "ec3843",
		    4, 28 },
	};
	unsigned char out[PROOF_BYTES];
	char hex[2 * PROOF_BYTES + 1];

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		proof_hmac(
		    out, of[i].key, of[i].key_bytes, of[i].message, of[i].n);
		for (size_t k = 0; k < sizeof out; k++)
			snprintf(hex + 2 * k, 3, "%02x", (unsigned)out[k]);
		CHECK_EQ_STR(hex, of[i].want);
	}
}

static void
a_proof_fits_one_connection_and_one_end(void)
{
	unsigned char key[PROOF_KEY] = { 1 }, proof[PROOF_BYTES];
	struct proof_of of = { .node = "a", .agent = { 2 }, .launcher = { 3 } },
			other = of;

	proof_make(proof, key, PROOF_AGENT, &of);
	CHECK(proof_holds(proof, key, PROOF_AGENT, &of));
	CHECK(!proof_holds(proof, key, PROOF_LAUNCHER, &of));
	other.node = "b";
	CHECK(!proof_holds(proof, key, PROOF_AGENT, &other));
	other = of;
	other.agent[31] = 1;
	CHECK(!proof_holds(proof, key, PROOF_AGENT, &other));
	other = of;
	other.launcher[31] = 1;
	CHECK(!proof_holds(proof, key, PROOF_AGENT, &other));
	key[31] = 1;
	CHECK(!proof_holds(proof, key, PROOF_AGENT, &of));
}

static void
the_line_is_read_as_written(void)
{
	struct call_to to = { .port = 65535 }, got = { 0 };
	char line[CALL_LINE];
	struct hp_err e = { 0 };
	int fd[2];

	for (size_t i = 0; i < PROOF_KEY; i++)
		to.key[i] = (unsigned char)(7 * i + 250);
	call_line(&to, line);
	REQUIRE(pipe(fd) == 0);
	REQUIRE(write(fd[1], line, strlen(line)) == (ssize_t)strlen(line));
	REQUIRE(write(fd[1], "x", 1) == 1);
	CHECK_EQ_I64(call_read(fd[0], 10, &got, &e), 0);
	CHECK_EQ_U64(got.port, to.port);
	CHECK(memcmp(got.key, to.key, sizeof to.key) == 0);
	CHECK(read(fd[0], line, 1) == 1 && line[0] == 'x');
	CHECK_EQ_I64(call_read(fd[0], 0.01, &got, &e), -1);
	close(fd[1]);
	CHECK_EQ_I64(call_read(fd[0], 10, &got, &e), -1);
	close(fd[0]);
}

#define KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void
another_line_is_refused(void)
{
	static const char *const bad[] = { "", "hprun", "hprun 1",
		"hprun 0 " KEY, "hprun 65536 " KEY, "hprun -1 " KEY,
		"hprum 1 " KEY, "hprun 1 " KEY "0", "hprun 1 " KEY " ",
		"hprun 1 0123", "hprun 1 x" KEY };
	struct call_to to;
	struct hp_err e = { 0 };

	CHECK_EQ_I64(call_parse("hprun 1 " KEY, &to, &e), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (call_parse(bad[i], &to, &e) == 0)
			test_bad(__FILE__, __LINE__, "'%s' is read", bad[i]);
}

/* Serves until a connection is proven or false, or 5 seconds are over. */
static struct callers_news
serve(struct callers *c)
{
	struct pollfd p[8] = { { .fd = c->listener, .events = POLLIN } };
	struct callers_news news = { 0 };
	nfds_t n = 1;

	for (int turn = 0; turn < 50; turn++) {
		poll(p, n, 100);
		for (nfds_t i = 0; i < n; i++) {
			if (p[i].revents == 0)
				continue;
			news = callers_read(c, p[i].fd, 0);
			if (news.event > CALLERS_NEW)
				return news;
			if (news.event == CALLERS_NEW && n < 8)
				p[n++] = (struct pollfd){ .fd = news.fd,
					.events = POLLIN };
		}
	}
	return news;
}

/* Calls in a child process, which exits with 0 if the launcher is proven. */
static pid_t
call_apart(const struct call_to *to, const char *name)
{
	pid_t pid = fork();
	struct hp_err e = { 0 };
	char c = 'x';
	int fd;

	if (pid != 0)
		return pid;
	fd = call_launcher(to, "127.0.0.1", name, 5, &e);
	_exit(fd != -1 && write(fd, &c, 1) == 1 && read(fd, &c, 1) == 1 &&
		    c == 'y'
		? 0
		: 1);
}

static int
status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
an_agent_connects_and_gets_the_connection(void)
{
	struct callers c;
	struct callers_news news;
	struct hp_err e = { 0 };
	char got;
	pid_t pid;

	REQUIRE(callers_init(&c, 4, &e) == 0);
	pid = call_apart(&c.to, "node-1.x");
	news = serve(&c);
	CHECK_EQ_U64(news.event, CALLERS_PROVEN);
	CHECK_EQ_STR(news.name, "node-1.x");
	CHECK(!callers_has(&c, news.fd));
	CHECK(poll(&(struct pollfd){ .fd = news.fd, .events = POLLIN }, 1,
		  5000) == 1);
	CHECK(read(news.fd, &got, 1) == 1 && got == 'x');
	CHECK(write(news.fd, "y", 1) == 1);
	CHECK_EQ_I64(status_of(pid), 0);
	close(news.fd);
	callers_fini(&c);
}

static void
a_wrong_key_is_refused_by_both_ends(void)
{
	struct callers c;
	struct call_to wrong;
	struct hp_err e = { 0 };
	pid_t pid;

	REQUIRE(callers_init(&c, 4, &e) == 0);
	wrong = c.to;
	wrong.key[0] ^= 1;
	/* The agent detects the wrong key first, and closes the connection. */
	pid = call_apart(&wrong, "a");
	CHECK_EQ_U64(serve(&c).event, CALLERS_FALSE);
	CHECK_EQ_I64(status_of(pid), 1);
	CHECK_EQ_U64(c.n, 0);
	callers_fini(&c);
}

/* Connects as anybody can. */
static int
connect_to(const struct callers *c)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons(c->to.port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	CHECK(connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
	return fd;
}

static void
strangers_are_dropped(void)
{
	static const char *const said[] = {
		"GET / HTTP/1.0\r\n\r\n1234567890123"
		"4567890123456789012345678901234",
		CALL_MAGIC "0123456789abcdef0123456789abcdef\0",
		CALL_MAGIC "0123456789abcdef0123456789abcdef\2a\0"
	};
	static const size_t len[] = { 41, 41, 43 };
	struct callers c;
	struct hp_err e = { 0 };
	int fd;

	REQUIRE(callers_init(&c, 4, &e) == 0);
	for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
		fd = connect_to(&c);
		REQUIRE(write(fd, said[i], len[i]) == (ssize_t)len[i]);
		CHECK_EQ_U64(serve(&c).event, CALLERS_FALSE);
		close(fd);
	}
	CHECK_EQ_U64(c.n, 0);
	callers_fini(&c);
}

/* An agent without the key is refused if it returns the launcher's proof. */
static void
an_echo_is_no_proof(void)
{
	struct callers c;
	struct callers_news news;
	struct hp_err e = { 0 };
	unsigned char answer[CALL_ANSWER];
	int fd;

	REQUIRE(callers_init(&c, 4, &e) == 0);
	fd = connect_to(&c);
	REQUIRE(write(fd, CALL_MAGIC "0123456789abcdef0123456789abcdef\1a",
		    42) == 42);
	news = callers_read(&c, c.listener, 0);
	CHECK_EQ_U64(news.event, CALLERS_NEW);
	CHECK_EQ_U64(callers_read(&c, news.fd, 0).event, CALLERS_NONE);
	REQUIRE(recv(fd, answer, sizeof answer, MSG_WAITALL) == sizeof answer);
	REQUIRE(write(fd, answer + PROOF_NONCE, PROOF_BYTES) == PROOF_BYTES);
	CHECK_EQ_U64(callers_read(&c, news.fd, 0).event, CALLERS_FALSE);
	close(fd);
	callers_fini(&c);
}

static void
silent_connections_expire_and_are_limited(void)
{
	struct callers c;
	struct hp_err e = { 0 };
	char got;
	int fd[3];

	REQUIRE(callers_init(&c, 2, &e) == 0);
	for (int i = 0; i < 3; i++) {
		fd[i] = connect_to(&c);
		CHECK_EQ_U64(
		    callers_read(&c, c.listener, i).event, CALLERS_NEW);
	}
	/* The third connection has replaced the first one. */
	CHECK_EQ_U64(c.n, 2);
	CHECK(read(fd[0], &got, 1) == 0);
	callers_expire(&c, 11);
	CHECK_EQ_U64(c.n, 2);
	callers_expire(&c, 11.5);
	CHECK_EQ_U64(c.n, 1);
	CHECK(recv(fd[1], &got, 1, MSG_DONTWAIT) == 0);
	CHECK(recv(fd[2], &got, 1, MSG_DONTWAIT) == -1);
	callers_expire(&c, 12.5);
	CHECK_EQ_U64(c.n, 0);
	for (int i = 0; i < 3; i++)
		close(fd[i]);
	callers_fini(&c);
}

static void
silent_strangers_keep_no_agent_out(void)
{
	struct callers c;
	struct callers_news news;
	struct hp_err e = { 0 };
	int fd[6];
	pid_t pid;

	REQUIRE(callers_init(&c, 4, &e) == 0);
	for (int i = 0; i < 6; i++) {
		fd[i] = connect_to(&c);
		callers_read(&c, c.listener, i);
	}
	pid = call_apart(&c.to, "late");
	news = serve(&c);
	CHECK_EQ_U64(news.event, CALLERS_PROVEN);
	CHECK_EQ_STR(news.name, "late");
	CHECK(write(news.fd, "y", 1) == 1);
	CHECK_EQ_I64(status_of(pid), 0);
	close(news.fd);
	for (int i = 0; i < 6; i++)
		close(fd[i]);
	callers_fini(&c);
}

int
main(void)
{
	RUN(hmac_is_that_of_the_standard);
	RUN(a_proof_fits_one_connection_and_one_end);
	RUN(the_line_is_read_as_written);
	RUN(another_line_is_refused);
	RUN(an_agent_connects_and_gets_the_connection);
	RUN(a_wrong_key_is_refused_by_both_ends);
	RUN(strangers_are_dropped);
	RUN(an_echo_is_no_proof);
	RUN(silent_connections_expire_and_are_limited);
	RUN(silent_strangers_keep_no_agent_out);
	return test_done();
}
