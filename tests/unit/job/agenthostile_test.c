/*
 * A hostile launcher: after an invalid message the agent ends, kills its steps
 * and removes its directories.
 */

#include <sys/prctl.h>

#include "agent_frame.h"
#include "base/bytes.h"
#include "record/frame.h"

/* Checks that the agent closes the connection and leaves nothing, although a
 * node is open. */
static void
it_ends(struct talk *t)
{
	int status = -1;

	talk_flush(t);
	CHECK_EQ_I64(talk_hear(t), -1);
	CHECK_EQ_U64(t->e.kind, HP_LOST);
	CHECK(comes_to_be(t->dir, false));
	CHECK_EQ_I64(waitpid(t->pid, &status, 0), t->pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	message_fini(&t->last);
	wire_fini(&t->wire);
	close(t->fd);
	free(t->said);
	free(t->got);
}

/* Sends text as a message, even if no struct message could represent it. */
static void
say_text(struct talk *t, const char *text)
{
	struct frame f = { .type = FRAME_DATA,
		.length = (uint32_t)strlen(text),
		.number = t->wire.next_out++ };
	unsigned char head[FRAME_HEAD], *bytes = malloc(FRAME_HEAD + f.length);

	talk_flush(t);
	frame_encode(&f, text, head);
	memcpy(bytes, head, FRAME_HEAD);
	memcpy(bytes + FRAME_HEAD, text, f.length);
	/*
	 * One call: the agent may end as soon as it has the head of an empty
	 * message.
	 */
	CHECK(write(t->fd, bytes, FRAME_HEAD + f.length) ==
	    (ssize_t)(FRAME_HEAD + f.length));
	free(bytes);
}

/* Actions without a meaning, or with members that contradict each other. */
static const char *const actions[] = { "{\"kind\":\"rum\"}",
	"{\"kind\":\"run\"}",
	"{\"kind\":\"run\",\"words\":[\"true\"],\"node\":\"x\"}",
	"{\"kind\":\"run\",\"words\":[\"true\"],\"in_kind\":\"pipe\"}",
	"{\"kind\":\"run\",\"words\":[\"true\"],\"in_kind\":\"node\"}",
	"{\"kind\":\"run\",\"words\":[\"true\"],\"in\":\"node\"}",
	"{\"kind\":\"run\",\"words\":[\"true\"],\"in_kind\":"
	"\"stream\"}",
	"{\"kind\":\"run\",\"words\":[\"true\"],\"out_stream\":1}",
	/*
	 * Only the agent of the launcher's own machine accepts the
	 * following actions.
	 */
	"{\"kind\":\"run\",\"words\":[\"true\"],\"in_kind\":\"path\","
	"\"in\":\"/etc/passwd\"}",
	"{\"kind\":\"run\",\"words\":[\"true\"],"
	"\"out_kind\":\"standard\"}",
	"{\"kind\":\"put\",\"node\":\"x\",\"in_kind\":\"path\","
	"\"in\":\"/etc/passwd\"}",
	"{\"kind\":\"put\",\"in_kind\":\"stream\",\"in_stream\":1}",
	"{\"kind\":\"put\",\"node\":\"x\"}",
	"{\"kind\":\"put\",\"node\":\"x\",\"in_kind\":\"stream\","
	"\"in_stream\":1,\"out_stream\":2}",
	"{\"kind\":\"get\",\"node\":\"x\",\"out_kind\":\"path\","
	"\"out\":\"/tmp/x\"}",
	"{\"kind\":\"get\",\"node\":\"x\",\"out_kind\":\"none\"}",
	"{\"kind\":\"size\"}",
	"{\"kind\":\"size\",\"node\":\"x\",\"words\":[\"x\"]}",
	"{\"kind\":\"rename\",\"words\":[\"x\"]}",
	"{\"kind\":\"rename\",\"words\":[\"x\",\"y\",\"z\"]}",
	"{\"kind\":\"remove\"}", "{\"kind\":\"fifo\",\"words\":[]}",
	"{\"kind\":\"skip\",\"words\":[\"x\"]}" };

static void
a_step_that_makes_no_sense_ends_the_agent(void)
{
	char text[1000];

	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
		struct talk t;

		talk_begin(&t, true);
		talk_open(&t, false, false, 30);
		snprintf(text, sizeof text,
		    "{\"type\":\"start\",\"id\":1,\"rank\":0,\"actions\":["
		    "{\"kind\":\"size\",\"node\":\"lock\"},%s]}",
		    actions[i]);
		say_text(&t, text);
		it_ends(&t);
	}
}

static void
messages_out_of_turn_end_the_agent(void)
{
	static const char *const texts[] = { "", "{", "{\"type\":\"hello\"}",
		"{\"type\":\"open\",\"timeout_s\":1,\"nodes\":[]}",
		"{\"type\":\"stopped\"}", "{\"type\":\"beat\",\"beat\":true}",
		/* The launcher cancels a step that it has not started. */
		"{\"type\":\"cancel\",\"id\":1}", "{\"type\":\"cancel\"}",
		/*
		 * The launcher starts a step of a node that the machine does
		 * not have.
		 */
		"{\"type\":\"start\",\"id\":1,\"rank\":1,\"actions\":["
		"{\"kind\":\"size\",\"node\":\"x\"}]}",
		/*
		 * Only the launcher's own machine has a directory of the
		 * launcher.
		 */
		"{\"type\":\"start\",\"id\":1,\"launcher\":true,\"dir\":\"/"
		"tmp\","
		"\"actions\":[{\"kind\":\"size\",\"node\":\"x\"}]}" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct talk t;

		talk_begin(&t, true);
		talk_open(&t, false, false, 30);
		say_text(&t, texts[i]);
		it_ends(&t);
	}
}

static void
numbers_grow(void)
{
	struct message_action x[2] = { act_sh("sleep 99"), act_sh("cat") };
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	t.id = 7;
	talk_start(&t, x, 1);
	t.id = 7;
	talk_start(&t, x, 1);
	CHECK_EQ_U64(t.id, 8);
	it_ends(&t);

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	x[1].in_kind = TEXT("stream");
	x[1].in_stream = 5;
	talk_start(&t, x + 1, 1);
	talk_start(&t, x + 1, 1);
	it_ends(&t);
}

static void
data_that_nobody_wants_end_the_agent(void)
{
	struct message_action x = act_sh("cat >&2; sleep 99");
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	CHECK(wire_data(&t.wire, 1, "x", 1, &t.e) == 0);
	it_ends(&t);

	/* The launcher sends data of a stream after its end. */
	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	x = act_sh("sleep 99");
	struct message_action two[2] = { x, x };

	two[1].in_kind = TEXT("stream");
	two[1].in_stream = 3;
	talk_start(&t, two, 2);
	CHECK(wire_data(&t.wire, 3, NULL, 0, &t.e) == 0);
	CHECK(wire_data(&t.wire, 3, "x", 1, &t.e) == 0);
	it_ends(&t);
}

static void
bytes_that_are_no_frames_end_the_agent(void)
{
	for (int i = 0; i < 40; i++) {
		unsigned char bytes[300];
		struct talk t;

		talk_begin(&t, true);
		talk_open(&t, false, false, 30);
		for (size_t k = 0; k < sizeof bytes; k++)
			bytes[k] = (unsigned char)test_random();
		CHECK(write(t.fd, bytes, sizeof bytes) == sizeof bytes);
		it_ends(&t);
	}
}

static void
a_directory_that_is_not_absolute_is_refused(void)
{
	static const char *const nodes[] = {
		"{\"rank\":0,\"dir\":\"x\"}",
		"{\"rank\":0,\"dir\":\"/no/a\"},{\"rank\":0,\"dir\":\"/no/b\"}"
	};
	char text[200];

	for (int i = 0; i < 2; i++) {
		struct talk t;

		talk_begin(&t, true);
		CHECK_EQ_I64(talk_hear(&t), MESSAGE_HELLO);
		snprintf(text, sizeof text,
		    "{\"type\":\"open\",\"timeout_s\":1,\"nodes\":[%s]}",
		    nodes[i]);
		say_text(&t, text);
		it_ends(&t);
	}
}

/*
 * The launcher reads nothing for a while.  Meanwhile the agent must not buffer
 * without limit.
 */
static void
a_flood_waits_for_its_reader(void)
{
	/* Sanitized programs take seconds for 10 MB. */
	bool slow = getenv("HP_SANITIZER") != NULL;
	uint64_t flood = slow ? 10000000 : 100000000;
	struct message_action x[2] = { act_sh(slow
					       ? "head -c 10000000 /dev/zero"
					       : "head -c 100000000 /dev/zero"),
		act_sh("grep VmHWM /proc/$PPID/status >&2") };
	unsigned long kib = 0;
	const char *p;
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	x[0].out_kind = TEXT("stream");
	x[0].out_stream = 1;
	talk_start(&t, x, 2);
	usleep(300000);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.got_len, flood);
	CHECK_EQ_U64(t.streams_ended, 1);
	p = strstr(t.said, "VmHWM:");
	CHECK(p != NULL && sscanf(p, "VmHWM: %lu", &kib) == 1);
	if (!slow)
		CHECK(kib > 0 && kib < 24 * 1024);
	talk_end(&t, false);
}

int
main(void)
{
	talk_find_programs();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* The agents' error messages are expected here. */
	if (freopen("/dev/null", "w", stderr) == NULL)
		return 1;
	RUN(a_step_that_makes_no_sense_ends_the_agent);
	RUN(messages_out_of_turn_end_the_agent);
	RUN(numbers_grow);
	RUN(data_that_nobody_wants_end_the_agent);
	RUN(bytes_that_are_no_frames_end_the_agent);
	RUN(a_directory_that_is_not_absolute_is_refused);
	RUN(a_flood_waits_for_its_reader);
	return test_done();
}
