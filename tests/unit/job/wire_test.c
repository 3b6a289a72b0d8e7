/* The two ends of a connection: frames, login output, hostile bytes. */

#include <sys/socket.h>

#include <fcntl.h>

#include "base/bytes.h"
#include "job/wire.h"
#include "record/frame.h"
#include "test.h"

struct ends {
	int fd[2];
	struct wire launcher, agent;
};

static void
ends_init(struct ends *s)
{
	struct hp_err e = { 0 };

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s->fd) == -1)
		abort();
	CHECK(wire_init(&s->launcher, WIRE_LAUNCHER, s->fd[0], s->fd[0], "a",
		  &e) == 0);
	CHECK(
	    wire_init(&s->agent, WIRE_AGENT, s->fd[1], s->fd[1], "l", &e) == 0);
}

static void
ends_fini(struct ends *s)
{
	wire_fini(&s->launcher);
	wire_fini(&s->agent);
	close(s->fd[0]);
	close(s->fd[1]);
}

/* Returns the next event; reads as long as there is data. */
static int
hear(struct wire *w, struct wire_event *event, struct hp_err *e)
{
	int rc;

	while ((rc = wire_next(w, event, e)) == 0)
		if (wire_read(w, e) != 1)
			return 0;
	return rc;
}

static void
messages_and_data_arrive(void)
{
	struct message beat = { .type = MESSAGE_BEAT },
		       said = { .type = MESSAGE_SAID, .id = 7 };
	struct wire_event event;
	struct hp_err e = { 0 };
	char line[] = "x\xff";
	struct ends s;

	said.text = line;
	ends_init(&s);
	CHECK(wire_send(&s.launcher, &beat, &e) == 0);
	CHECK(wire_data(&s.launcher, 5, "abc", 3, &e) == 0);
	CHECK(wire_data(&s.launcher, 5, NULL, 0, &e) == 0);
	CHECK(wire_flush(&s.launcher, &e) == 0);
	CHECK_EQ_U64(wire_queued(&s.launcher), 0);
	CHECK_EQ_I64(hear(&s.agent, &event, &e), 1);
	CHECK_EQ_U64(event.kind, WIRE_MESSAGE);
	CHECK_EQ_U64(event.message.type, MESSAGE_BEAT);
	message_fini(&event.message);
	CHECK_EQ_I64(hear(&s.agent, &event, &e), 1);
	CHECK_EQ_U64(event.kind, WIRE_BYTES);
	CHECK_EQ_U64(event.stream, 5);
	CHECK_BYTES(event.bytes, event.len, "abc", 3);
	CHECK_EQ_I64(hear(&s.agent, &event, &e), 1);
	CHECK_EQ_U64(event.len, 0);
	CHECK_EQ_I64(hear(&s.agent, &event, &e), 0);
	CHECK(s.agent.read.v == NULL);

	CHECK(wire_send(&s.agent, &said, &e) == 0);
	CHECK(wire_flush(&s.agent, &e) == 0);
	CHECK_EQ_I64(hear(&s.launcher, &event, &e), 1);
	CHECK_EQ_STR(event.message.text, line);
	message_fini(&event.message);
	close(s.fd[1]);
	s.fd[1] = dup(s.fd[0]);
	e = (struct hp_err){ 0 };
	CHECK_EQ_I64(wire_read(&s.launcher, &e), -1);
	CHECK_EQ_U64(e.kind, HP_LOST);
	CHECK_EQ_STR(e.text, "a: connection closed");
	ends_fini(&s);
}

/* Copies what one end has queued to a buffer. */
static size_t
taken(struct wire *w, unsigned char *out)
{
	size_t n = wire_queued(w);

	memcpy(out, w->queue.v + w->queue.pos, n);
	w->queue.pos = w->queue.len;
	return n;
}

/*
 * Sends a message three times; its bytes arrive one at a time, so each end must
 * collect them.
 */
static void
pass_one_by_one(struct wire *from, struct wire *to, const struct message *m)
{
	unsigned char bytes[4096];
	struct wire_event event;
	struct hp_err e = { 0 };
	size_t n, heard = 0;

	for (int i = 0; i < 3; i++)
		CHECK(wire_send(from, m, &e) == 0);
	n = taken(from, bytes);
	for (size_t i = 0; i < n; i++) {
		CHECK(wire_feed(to, bytes + i, 1, &e) == 0);
		while (wire_next(to, &event, &e) == 1) {
			CHECK_EQ_U64(event.message.type, m->type);
			if (m->text != NULL)
				CHECK_EQ_STR(event.message.text, m->text);
			message_fini(&event.message);
			heard++;
		}
	}
	CHECK_EQ_STR(e.text, "");
	CHECK_EQ_U64(heard, 3);
}

/*
 * Data is written directly into the queue.  Its length is at most the reserved
 * room, and other data comes between.
 */
static void
data_that_is_written_into_the_queue_arrives(void)
{
	static const size_t len[] = { 5, WIRE_DATA, 0, 1 };
	struct wire_event event;
	struct hp_err e = { 0 };
	unsigned char *room;
	struct ends s;

	ends_init(&s);
	for (size_t i = 0; i < sizeof len / sizeof *len; i++) {
		REQUIRE((room = wire_room(&s.agent, WIRE_DATA, &e)) != NULL);
		memset(room, 'a' + (int)i, len[i]);
		wire_filled(&s.agent, 3, len[i]);
		CHECK(wire_data(&s.agent, 4, "xyz", 3, &e) == 0);
	}
	/* Reserved room that is not used changes nothing. */
	CHECK(wire_room(&s.agent, WIRE_DATA, &e) != NULL);
	for (size_t i = 0; i < sizeof len / sizeof *len; i++) {
		int rc;

		while ((rc = wire_next(&s.launcher, &event, &e)) == 0) {
			CHECK(wire_flush(&s.agent, &e) == 0);
			if (wire_read(&s.launcher, &e) == -1)
				break;
		}
		REQUIRE(rc == 1);
		CHECK(event.kind == WIRE_BYTES && event.stream == 3);
		CHECK_EQ_U64(event.len, len[i]);
		for (size_t k = 0; k < event.len; k++)
			if (event.bytes[k] != 'a' + i)
				CHECK(false);
		REQUIRE(hear(&s.launcher, &event, &e) == 1);
		CHECK(event.stream == 4 && event.len == 3);
	}
	CHECK_EQ_U64(wire_queued(&s.agent), 0);
	ends_fini(&s);
}

static void
bytes_come_one_by_one(void)
{
	struct message said = { .type = MESSAGE_SAID, .id = 7 },
		       beat = { .type = MESSAGE_BEAT };
	char line[] = "text";
	struct ends s;

	said.text = line;
	ends_init(&s);
	pass_one_by_one(&s.agent, &s.launcher, &said);
	pass_one_by_one(&s.launcher, &s.agent, &beat);
	ends_fini(&s);
}

static void
login_output_is_passed_on_line_by_line(void)
{
	static const char noise[] = "Welcome!\n\n\x1b[31mhpstream here\nlast";
	static const char *const lines[] = { "Welcome!",
		"\x1b[31mhpstream here", "last" };
	struct message beat = { .type = MESSAGE_BEAT };
	unsigned char bytes[4096];
	struct wire_event event;
	struct hp_err e = { 0 };
	struct ends s;
	size_t n, line = 0;

	ends_init(&s);
	CHECK(wire_send(&s.agent, &beat, &e) == 0);
	memcpy(bytes, noise, sizeof noise - 1);
	n = sizeof noise - 1;
	n += taken(&s.agent, bytes + n);
	for (size_t i = 0; i < n; i++) {
		CHECK(wire_feed(&s.launcher, bytes + i, 1, &e) == 0);
		while (wire_next(&s.launcher, &event, &e) == 1)
			if (event.kind == WIRE_PRINTED && line < 3) {
				CHECK_BYTES(event.bytes, event.len, lines[line],
				    strlen(lines[line]));
				line++;
			} else {
				CHECK_EQ_U64(event.kind, WIRE_MESSAGE);
				message_fini(&event.message);
				line += 10;
			}
	}
	CHECK_EQ_STR(e.text, "");
	CHECK_EQ_U64(line, 13);
	ends_fini(&s);
}

static void
endless_login_output_is_refused(void)
{
	struct wire_event event;
	struct hp_err e = { 0 };
	char block[1000];
	struct ends s;
	size_t told = 0;
	int rc = 0;

	ends_init(&s);
	memset(block, 'h', sizeof block);
	for (int i = 0; i < 100 && rc != -1; i++) {
		CHECK(wire_feed(&s.launcher, block, sizeof block, &e) == 0);
		while ((rc = wire_next(&s.launcher, &event, &e)) == 1) {
			CHECK_EQ_U64(event.len, MESSAGE_LINE);
			told += event.len;
		}
	}
	CHECK_EQ_I64(rc, -1);
	CHECK(told <= WIRE_NOISE);
	CHECK_EQ_STR(e.text, "a: prints too much before the agent's head");
	/* A launcher may print nothing before its stream head. */
	CHECK(wire_feed(&s.agent, "x", 1, &e) == 0);
	CHECK_EQ_I64(wire_next(&s.agent, &event, &e), -1);
	CHECK_EQ_STR(e.text, "l: not a framed stream");
	ends_fini(&s);
}

/* Sends the other end's stream head and one frame, and checks how they are
 * received. */
static void
frame_is(enum wire_role role, struct frame f, const char *payload,
    const char *damage, const char *why)
{
	unsigned char bytes[FRAME_STREAM_HEAD + FRAME_HEAD] = { 0 };
	struct wire_event event = { 0 };
	struct hp_err e = { 0 };
	struct wire w;
	int null = open("/dev/null", O_RDWR);
	int rc;

	CHECK(wire_init(&w, role, null, null, "it", &e) == 0);
	frame_stream_head(bytes);
	if (f.length == 0)
		f.length = (uint32_t)strlen(payload);
	if (f.length > strlen(payload))
		put32(bytes + FRAME_STREAM_HEAD + 12, 1);
	frame_encode(&f, payload, bytes + FRAME_STREAM_HEAD);
	if (damage != NULL)
		bytes[atoi(damage)] ^= 1;
	wire_feed(&w, bytes, sizeof bytes, &e);
	wire_feed(&w, payload, strlen(payload), &e);
	rc = wire_next(&w, &event, &e);
	CHECK_EQ_I64(rc, why == NULL ? 1 : -1);
	CHECK_EQ_STR(e.text, why == NULL ? "" : why);
	if (rc == 1)
		message_fini(&event.message);
	wire_fini(&w);
	close(null);
}

static void
meaningless_frames_are_refused(void)
{
	static const char beat[] = "{\"type\":\"beat\"}";
	static const char no[] = "it: a frame is not of this protocol";
	struct frame good = { .type = FRAME_DATA }, f = good;

	frame_is(WIRE_AGENT, good, beat, NULL, NULL);
	frame_is(WIRE_LAUNCHER, good, beat, NULL, NULL);
	f.source = 1;
	frame_is(WIRE_AGENT, f, beat, NULL, no);
	f = good;
	f.records = 1;
	frame_is(WIRE_AGENT, f, beat, NULL, no);
	f = good;
	f.flags = FRAME_MORE;
	frame_is(WIRE_AGENT, f, beat, NULL, no);
	f = good;
	f.number = 1;
	frame_is(WIRE_AGENT, f, beat, NULL, "it: a frame is missing");
	f = good;
	f.type = 3;
	frame_is(WIRE_AGENT, f, beat, NULL, "it: frame of unknown type 3");
	frame_is(WIRE_AGENT, good, "{}", NULL,
	    "it: expected a message, an object with a type");
	frame_is(WIRE_AGENT, good, "{\"type\":\"stopped\"}", NULL,
	    "it: a message goes the wrong way");
	frame_is(WIRE_LAUNCHER, good, "{\"type\":\"stop\"}", NULL,
	    "it: a message goes the wrong way");
	frame_is(
	    WIRE_AGENT, good, beat, "20", "it: frame 0: the head is damaged");
	frame_is(WIRE_AGENT, good, beat, "50", "it: frame 0: checksum differs");
	/* The version of the stream. */
	frame_is(WIRE_LAUNCHER, good, beat, "8",
	    "it: framed stream of version 3, expected 2");
	frame_is(WIRE_AGENT, good, beat, "8",
	    "it: framed stream of version 3, expected 2");
}

/* A length out of range is rejected before its bytes arrive. */
static void
long_frames_are_refused_at_once(void)
{
	static const struct {
		enum wire_role role;
		uint32_t stream, length;
		int rc;
	} cases[] = { { WIRE_AGENT, 0, MESSAGE_MOST, 0 },
		{ WIRE_AGENT, 0, MESSAGE_MOST + 1, -1 },
		{ WIRE_AGENT, 1, WIRE_DATA, 0 },
		{ WIRE_AGENT, 1, WIRE_DATA + 1, -1 },
		{ WIRE_LAUNCHER, 0, WIRE_ANSWER, 0 },
		{ WIRE_LAUNCHER, 0, WIRE_ANSWER + 1, -1 },
		{ WIRE_LAUNCHER, UINT32_MAX, WIRE_DATA, 0 },
		{ WIRE_LAUNCHER, UINT32_MAX, WIRE_DATA + 1, -1 },
		{ WIRE_LAUNCHER, 1, UINT32_MAX, -1 } };
	static char payload[2 << 20];
	unsigned char bytes[FRAME_STREAM_HEAD + FRAME_HEAD];
	int null = open("/dev/null", O_RDWR);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct frame f = { .type = FRAME_DATA,
			.sublist = cases[i].stream,
			.length = cases[i].length };
		struct wire_event event;
		struct hp_err e = { 0 };
		struct wire w;

		CHECK(wire_init(&w, cases[i].role, null, null, "it", &e) == 0);
		frame_stream_head(bytes);
		/* The checksum of a longer payload does not matter here. */
		if (f.length > sizeof payload)
			f.length = 0;
		frame_encode(&f, payload, bytes + FRAME_STREAM_HEAD);
		if (cases[i].length > sizeof payload)
			put32(bytes + FRAME_STREAM_HEAD + 12, cases[i].length);
		wire_feed(&w, bytes, sizeof bytes, &e);
		CHECK_EQ_I64(wire_next(&w, &event, &e), cases[i].rc);
		CHECK(w.read.cap <= 8192);
		wire_fini(&w);
	}
	close(null);
}

static void
a_full_connection_queues(void)
{
	static unsigned char block[WIRE_DATA];
	struct wire_event event;
	struct hp_err e = { 0 };
	uint64_t sent = 0, got = 0;
	struct ends s;

	ends_init(&s);
	for (int i = 0; i < 100; i++) {
		size_t n = test_below(WIRE_DATA) + 1;

		CHECK(wire_data(&s.agent, 9, block, n, &e) == 0);
		CHECK(wire_flush(&s.agent, &e) == 0);
		sent += n;
	}
	CHECK(wire_queued(&s.agent) > 0);
	while (
	    hear(&s.launcher, &event, &e) == 1 || wire_queued(&s.agent) > 0) {
		got += event.len;
		CHECK(wire_flush(&s.agent, &e) == 0);
		/* The buffer holds at most one frame and one read. */
		CHECK(s.launcher.read.cap <= 2 * WIRE_DATA + 8192);
	}
	CHECK_EQ_STR(e.text, "");
	CHECK_EQ_U64(got, sent);
	CHECK(s.launcher.read.v == NULL && s.agent.queue.v == NULL);
	CHECK(wire_data(&s.agent, 0, block, 1, &e) == -1);
	CHECK(wire_data(&s.agent, 1, block, WIRE_DATA + 1, &e) == -1);
	ends_fini(&s);
}

int
main(void)
{
	RUN(messages_and_data_arrive);
	RUN(data_that_is_written_into_the_queue_arrives);
	RUN(bytes_come_one_by_one);
	RUN(login_output_is_passed_on_line_by_line);
	RUN(endless_login_output_is_refused);
	RUN(meaningless_frames_are_refused);
	RUN(long_frames_are_refused_at_once);
	RUN(a_full_connection_queues);
	return test_done();
}
