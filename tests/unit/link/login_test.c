/* Logins: what their commands get, and which failures are permanent. */

#include <sys/socket.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <signal.h>

#include "base/clock.h"
#include "link/login.h"
#include "link/ssh.h"
#include "test.h"

#define PATIENCE_S 20.0

/*
 * Runs a script as the login command, which gets the host as $1 and the command
 * as $2. Stores in `got` what it writes to its standard output. Its messages
 * are not printed.
 */
static struct login_failures
run(const char *script, char *got, size_t size)
{
	double until_s = clock_now_s() + PATIENCE_S;
	struct login_failures failures = { 0 };
	struct login l = { .quiet = true };
	char command[] = "echo 'a b' $HOME; x", rsh[500];
	ssize_t n;
	int pair[2];

	snprintf(rsh, sizeof rsh, "sh -c '%s' sh", script);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
	CHECK_EQ_I64(login_start(&l, rsh, "ho;st", command, pair[1]), 0);
	close(pair[1]);
	while (!login_ended(&l, &failures) && clock_now_s() < until_s) {
		login_read(&l, &failures);
		clock_sleep_s(0.005);
	}
	CHECK(clock_now_s() < until_s);
	n = read(pair[0], got, size - 1);
	got[n > 0 ? n : 0] = '\0';
	close(pair[0]);
	return failures;
}

static void
host_and_command_are_words(void)
{
	unsigned before = test_descriptors();
	char got[200];

	run("printf \"%s|\" $# \"$@\"", got, sizeof got);
	CHECK_EQ_STR(got, "2|ho;st|echo 'a b' $HOME; x|");
	CHECK_EQ_U64(test_descriptors(), before);
}

static void
some_statuses_are_permanent(void)
{
	static const struct {
		const char *script;
		uint32_t permanent;
	} ends[] = { { "exit 0", 0 }, { "exit 1", 1 }, { "exit 2", 1 },
		{ "exit 3", 0 }, { "exit 125", 0 }, { "exit 126", 1 },
		{ "exit 127", 1 }, { "exit 128", 0 }, { "exit 255", 0 },
		{ "kill -TERM $$", 0 }, { "kill -KILL $$", 0 } };
	char got[200];

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		CHECK_EQ_U64(run(ends[i].script, got, sizeof got).permanent,
		    ends[i].permanent);
}

/* $m is a message of ssh. */
static void
some_messages_are_permanent(void)
{
	static const struct {
		const char *said, *why;
		uint32_t permanent;
	} logins[] = { { ":", "", 0 }, { "echo x; echo y", "y", 0 },
		{ "echo x; echo; printf y", "y", 0 },
		{ "echo \"a@b: Permission denied (publickey).\"; echo later",
		    "a@b: Permission denied (publickey).", 1 },
		{ "echo Permission denied, please try again.",
		    "Permission denied, please try again.", 0 },
		{ "echo Host key verification failed.; exit 1",
		    "Host key verification failed.", 1 },
		{ "echo Too many authentication failures; echo Too many "
		  "authentication failures",
		    "Too many authentication failures", 1 },
		{ "printf \"Unable to negotiate with 1.2.3.4\"",
		    "Unable to negotiate with 1.2.3.4", 1 },
		{ "printf \"a\\033b\\tc\\r\\n\"", "a?b?c", 0 } };
	char got[200], script[300];

	for (size_t i = 0; i < sizeof logins / sizeof *logins; i++) {
		struct login_failures f;

		snprintf(script, sizeof script, "exec >&2; %s", logins[i].said);
		if (strstr(script, "exit") == NULL)
			strcat(script, "; exit 255");
		f = run(script, got, sizeof got);
		CHECK_EQ_STR(f.why, logins[i].why);
		CHECK_EQ_U64(f.permanent, logins[i].permanent);
	}
}

static void
a_long_message_is_cut(void)
{
	struct login_failures f;
	char got[20];

	f = run("printf %0500d 7 >&2; exit 255", got, sizeof got);
	CHECK_EQ_U64(strlen(f.why), LOGIN_LINE - 1);
	CHECK_EQ_U64(strspn(f.why, "0"), LOGIN_LINE - 1);
}

/* This process ignores SIGPIPE, and its commands must not. */
static void
commands_may_die_of_sigpipe(void)
{
	struct login_failures f;
	char got[20];

	f = run("kill -PIPE $$; echo alive >&2", got, sizeof got);
	CHECK_EQ_STR(f.why, "");
}

/*
 * The login process does not end, so it is killed. Its error is the line that
 * it printed before.
 */
static void
a_login_is_killed(void)
{
	unsigned before = test_descriptors();
	struct login_failures f = { 0 };
	struct login l = { .quiet = true };
	char command[] = "c";
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	CHECK_EQ_I64(login_start(&l, "sh -c 'echo waits >&2; exec sleep 99'",
			 "h", command, null),
	    0);
	while (f.why[0] == '\0')
		login_read(&l, &f);
	CHECK(!login_ended(&l, &f));
	login_kill(&l, &f);
	CHECK(kill(l.pid, 0) == -1);
	CHECK_EQ_STR(f.why, "waits");
	CHECK_EQ_U64(f.permanent, 0);
	close(null);
	CHECK_EQ_U64(test_descriptors(), before);
}

/* Logins that do not end by themselves get SIGTERM, each of them. */
static void
the_transport_ends_all_logins(void)
{
	static const char rsh[] =
	    "sh -c 'trap \"echo ended >>$0\" TERM; echo waits >>$0; "
	    "while :; do sleep 0.02; done' log";
	static const struct transport_options options = { .timeout_s = 10,
		.rsh = rsh };
	struct address node[] = { { .name = "a", .dir = "here" },
		{ .name = "b", .host = "b", .dir = "/b" },
		{ .name = "c", .host = "c", .dir = "/c" } };
	double until_s = clock_now_s() + PATIENCE_S;
	unsigned before = test_descriptors();
	struct endpoint p = ENDPOINT_NONE;
	struct hp_err e = { 0 };
	char got[100] = "";
	int fd;

	CHECK(mkdir("here", 0700) == 0);
	REQUIRE(transport_ssh.open(&p, node, 3, 0, &options, &e) == 0);
	for (int i = 1; i < 3; i++) {
		struct attempt a = { .quiet = true };
		struct channel c = CHANNEL_NONE;

		CHECK_EQ_I64(
		    transport_ssh.connect(&p, &node[i], &a, &c, &e), 1);
		channel_close(&c);
	}
	while (strcmp(got, "waits\nwaits\n") != 0 && clock_now_s() < until_s) {
		clock_sleep_s(0.01);
		fd = open("log", O_RDONLY | O_CLOEXEC);
		got[fd == -1 ? 0 : read(fd, got, sizeof got - 1)] = '\0';
		close(fd);
	}
	p.end_s = clock_now_s();
	transport_ssh.close(&p);
	fd = open("log", O_RDONLY | O_CLOEXEC);
	got[read(fd, got, sizeof got - 1)] = '\0';
	close(fd);
	CHECK_EQ_STR(got, "waits\nwaits\nended\nended\n");
	unlink("log");
	CHECK(rmdir("here") == 0);
	CHECK_EQ_U64(test_descriptors(), before);
}

int
main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_scratch();
	RUN(host_and_command_are_words);
	RUN(some_statuses_are_permanent);
	RUN(some_messages_are_permanent);
	RUN(a_long_message_is_cut);
	RUN(commands_may_die_of_sigpipe);
	RUN(a_login_is_killed);
	RUN(the_transport_ends_all_logins);
	return test_done();
}
