/*
 * Streams that a command reads while they arrive: flow control by credit,
 * commands that do not read, and streams that never end.
 */

#include "agent_frame.h"

enum {
	PIECE = 32 << 10
};

static char *
inside(const struct talk *t, const char *name)
{
	static char path[4][256];
	static int n;
	char *p = path[n++ % 4];

	snprintf(p, sizeof path[0], "%s/%s", t->dir, name);
	return p;
}

/* Returns an action whose command reads the stream on its standard input. */
static struct message_action
reader(const char *script, uint32_t stream)
{
	struct message_action x = act_sh(script);

	x.in_kind = TEXT("stream");
	x.in_stream = stream;
	return x;
}

static void
send_bytes(struct talk *t, uint32_t stream, size_t n)
{
	static const char zeros[PIECE];
	size_t part;

	for (; n > 0; n -= part) {
		part = n < PIECE ? n : PIECE;
		CHECK(wire_data(&t->wire, stream, zeros, part, &t->e) == 0);
		talk_flush(t);
	}
}

/* Reads the agent's messages until it has given this many bytes of credit. */
static void
hear_credit(struct talk *t, uint64_t bytes)
{
	double until_s = clock_now_s() + PATIENCE_S;
	struct pollfd p = { .fd = t->fd, .events = POLLIN };
	struct wire_event event;

	while (t->credit < bytes && clock_now_s() < until_s) {
		while (wire_next(&t->wire, &event, &t->e) == 1) {
			if (event.kind != WIRE_MESSAGE)
				continue;
			CHECK(event.message.type == MESSAGE_BEAT ||
			    event.message.type == MESSAGE_CREDIT);
			if (event.message.type == MESSAGE_CREDIT)
				t->credit += event.message.bytes;
			message_fini(&event.message);
		}
		poll(&p, 1, 100);
		if (wire_read(&t->wire, &t->e) == -1)
			return;
	}
	CHECK(t->credit >= bytes);
}

static void
a_command_reads_its_stream_while_it_arrives(void)
{
	struct message_action x = reader(
	    "read a; echo $a >first; read b; echo $b >second; wc -c >rest", 1);
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	talk_start(&t, &x, 1);
	CHECK(wire_data(&t.wire, 1, "abc\n", 4, &t.e) == 0);
	talk_flush(&t);
	CHECK(comes_to_be(inside(&t, "first"), true));
	CHECK(!exists(inside(&t, "second")));
	CHECK(wire_data(&t.wire, 1, "def\nxyz", 7, &t.e) == 0);
	CHECK(wire_data(&t.wire, 1, NULL, 0, &t.e) == 0);
	talk_flush(&t);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 0);
	CHECK_EQ_I64(talk_sh(&t,
			 "[ $(cat first second rest | tr '\\n' -) = abc-def-3- "
			 "]; ls -A | grep stream && exit 1; exit 0"),
	    0);
	talk_end(&t, false);
}

static void
credit_follows_what_the_command_has_taken(void)
{
	struct message_action x = reader(
	    "until [ -e go ]; do sleep 0.1; done; cksum >sum", 1);
	struct talk t;
	size_t all = 3 * WIRE_WINDOW;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	talk_start(&t, &x, 1);
	send_bytes(&t, 1, WIRE_WINDOW);
	/*
	 * The command reads nothing yet.  The pipe took some bytes, and the
	 * agent holds the rest.
	 */
	usleep(200000);
	CHECK(t.credit <= WIRE_WINDOW / 2);
	close(open(inside(&t, "go"), O_WRONLY | O_CREAT, 0600));
	for (size_t sent = WIRE_WINDOW; sent < all; sent += WIRE_WINDOW / 4) {
		hear_credit(&t, sent + WIRE_WINDOW / 4 - WIRE_WINDOW);
		send_bytes(&t, 1, WIRE_WINDOW / 4);
	}
	CHECK(wire_data(&t.wire, 1, NULL, 0, &t.e) == 0);
	talk_flush(&t);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 0);
	CHECK(t.credit <= all);
	CHECK_EQ_I64(talk_sh(&t,
			 "[ \"$(cat sum)\" = \"$(head -c 12582912 /dev/zero | "
			 "cksum)\" ]"),
	    0);
	talk_end(&t, false);
}

static void
the_launcher_learns_when_the_command_has_taken_all(void)
{
	struct message_action x = reader(
	    "until [ -e go ]; do sleep 0.1; done; wc -c >sum", 1);
	struct talk t;
	/* more than a pipe holds, and less than a portion of credit */
	size_t all = 200000;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	talk_start(&t, &x, 1);
	send_bytes(&t, 1, all);
	CHECK(wire_data(&t.wire, 1, NULL, 0, &t.e) == 0);
	talk_flush(&t);
	usleep(200000);
	CHECK_EQ_U64(t.credit, 0);
	close(open(inside(&t, "go"), O_WRONLY | O_CREAT, 0600));
	hear_credit(&t, all);
	CHECK_EQ_U64(t.credit, all);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 0);
	talk_end(&t, false);
}

static void
more_data_than_the_credit_allows_end_the_agent(void)
{
	struct message_action x = reader("sleep 99", 1);
	int status = -1;
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	talk_start(&t, &x, 1);
	send_bytes(&t, 1, WIRE_WINDOW + (1 << 21));
	CHECK_EQ_I64(talk_hear(&t), -1);
	CHECK_EQ_U64(t.e.kind, HP_LOST);
	CHECK(comes_to_be(t.dir, false));
	CHECK_EQ_I64(waitpid(t.pid, &status, 0), t.pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	message_fini(&t.last);
	wire_fini(&t.wire);
	close(t.fd);
	free(t.said);
	free(t.got);
}

static void
a_stalled_stream_stalls_nothing_else(void)
{
	struct message_action x = reader("sleep 99", 1),
			      other = act_sh("exit 7");
	struct message stop = { .type = MESSAGE_STOP };
	double begun_s;
	struct talk t;

	talk_begin(&t, true);
	/*
	 * The timeout is 2 s, so the agent sends a beat each quarter of a
	 * second.
	 */
	talk_open(&t, false, false, 2);
	talk_start(&t, &x, 1);
	send_bytes(&t, 1, WIRE_WINDOW);
	usleep(500000);
	CHECK_EQ_I64(talk_run(&t, &other, 1), 7);
	begun_s = clock_now_s();
	talk_send(&t, &stop);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_STOPPED);
	CHECK(clock_now_s() - begun_s < 5);
	/*
	 * Data for the stopped command that were still on their way to the
	 * agent.
	 */
	CHECK(wire_data(&t.wire, 1, "abc", 3, &t.e) == 0);
	CHECK_EQ_I64(talk_run(&t, &other, 1), 7);
	talk_end(&t, false);
}

static void
a_command_may_leave_its_stream_unread(void)
{
	struct message_action x[3] = { reader("exec <&-; >closed; sleep 1", 1),
		reader("true", 2), reader("wc -c >count", 3) };
	struct message_action fails = reader("head -c 5 >/dev/null; exit 4", 4);
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	talk_start(&t, x, 3);
	for (uint32_t i = 1; i < 3; i++)
		send_bytes(&t, i, WIRE_WINDOW);
	CHECK(comes_to_be(inside(&t, "closed"), true));
	send_bytes(&t, 3, 100000);
	for (uint32_t i = 1; i <= 3; i++)
		CHECK(wire_data(&t.wire, i, NULL, 0, &t.e) == 0);
	talk_flush(&t);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 0);
	CHECK_EQ_U64(t.last.failed, 3);
	CHECK_EQ_I64(talk_sh(&t, "[ $(cat count) -eq 100000 ]"), 0);
	/* The stream has no end, and its command fails. */
	talk_start(&t, &fails, 1);
	send_bytes(&t, 4, 1 << 20);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 4);
	send_bytes(&t, 4, 1 << 20);
	CHECK_EQ_I64(talk_sh(&t, "true"), 0);
	talk_end(&t, false);
}

static void
a_skipped_command_has_a_stream(void)
{
	struct message_action x[3] = { act_sh(">there"),
		{ .kind = TEXT("skip"),
		    .words = WORDS(TEXT("there"), TEXT("")) },
		reader("cat >made", 1) };
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	talk_start(&t, x, 3);
	send_bytes(&t, 1, WIRE_WINDOW);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 0);
	CHECK_EQ_I64(talk_sh(&t, "[ ! -e made ]"), 0);
	talk_end(&t, false);
}

/*
 * A command must not take the end of the launcher for the end of its stream: it
 * is killed and does not finish.
 */
static void
a_stream_that_breaks_does_not_end(void)
{
	for (int killed = 0; killed < 2; killed++) {
		char finished[300], script[700];
		struct message_action x;
		struct talk t;

		talk_begin(&t, true);
		talk_open(&t, false, false, 30);
		snprintf(finished, sizeof finished, "%s.finished", t.dir);
		snprintf(script, sizeof script,
		    ">runs; cat >/dev/null; sleep 0.3; >%s", finished);
		x = reader(script, 1);
		talk_start(&t, &x, 1);
		send_bytes(&t, 1, 100000);
		CHECK(comes_to_be(inside(&t, "runs"), true));
		if (killed)
			kill(t.pid, SIGKILL);
		else
			shutdown(t.fd, SHUT_RDWR);
		CHECK(comes_to_be(t.dir, false));
		usleep(500000);
		CHECK(!exists(finished));
		unlink(finished);
		CHECK_EQ_I64(waitpid(t.pid, NULL, 0), t.pid);
		message_fini(&t.last);
		wire_fini(&t.wire);
		close(t.fd);
		free(t.said);
		free(t.got);
	}
}

/*
 * The launcher reads nothing for a while, so the agent stops reading the output
 * of a command, which ends.  The rest of its output is still in the pipe or
 * socket.
 */
static void
a_command_ends_before_its_output_is_read(void)
{
	for (size_t bytes = 500000; bytes < 1600000; bytes += 50000) {
		struct message_action x;
		char script[64];
		struct talk t;

		snprintf(script, sizeof script,
		    "exec dd if=/dev/zero bs=%zu count=1", bytes);
		x = act_sh(script);
		x.out_kind = TEXT("stream");
		x.out_stream = 1;
		talk_begin(&t, true);
		talk_open(&t, false, false, 30);
		talk_start(&t, &x, 1);
		usleep(50000);
		CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
		CHECK_EQ_U64(t.last.code, 0);
		CHECK_EQ_U64(t.got_len, bytes);
		talk_end(&t, true);
	}
}

/* A pipe can be opened by its name, a socket cannot. */
static void
only_commands_of_the_user_can_open_their_input(void)
{
	for (int own = 0; own < 2; own++) {
		struct message_action x = reader("exec 5</dev/stdin", 1);
		struct talk t;

		talk_own = own;
		talk_begin(&t, true);
		talk_open(&t, false, false, 30);
		talk_start(&t, &x, 1);
		CHECK(wire_data(&t.wire, 1, NULL, 0, &t.e) == 0);
		talk_flush(&t);
		CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
		CHECK_EQ_I64(t.last.code != 0, own);
		talk_end(&t, true);
	}
}

int
main(void)
{
	talk_find_programs();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* The agents' error messages are expected here. */
	if (freopen("/dev/null", "w", stderr) == NULL)
		return 1;
	for (int own = 0; own < 2; own++) {
		talk_own = own;
		RUN(a_command_reads_its_stream_while_it_arrives);
		RUN(credit_follows_what_the_command_has_taken);
		RUN(the_launcher_learns_when_the_command_has_taken_all);
		RUN(more_data_than_the_credit_allows_end_the_agent);
		RUN(a_stalled_stream_stalls_nothing_else);
		RUN(a_command_may_leave_its_stream_unread);
		RUN(a_skipped_command_has_a_stream);
		RUN(a_stream_that_breaks_does_not_end);
		RUN(a_command_ends_before_its_output_is_read);
	}
	RUN(only_commands_of_the_user_can_open_their_input);
	return test_done();
}
