/*
 * Arbitrary data on the connection between launcher and agent, for either end.
 * The first byte chooses the end, the size of the pieces, and whether the rest
 * is raw or a plan of frames with valid checksums.
 */

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/agent_check.h"
#include "job/agent_own.h"
#include "record/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum {
	LAUNCHER = 1,
	PLAN = 2,
	NOISE = 4
};

/*
 * Makes the frames of the plan.  Three bytes of the plan choose each frame's
 * damage, stream and length.
 */
static size_t
follow_plan(
    const uint8_t *in, size_t len, bool noise, unsigned char *out, size_t size)
{
	unsigned char *p = out;
	uint64_t number = 0;

	while (noise && len > 1 && *in != 0 && p < out + 4096) {
		*p++ = *in++;
		len--;
	}
	frame_stream_head(p);
	p += FRAME_STREAM_HEAD;
	while (len >= 3 && p + FRAME_HEAD + 256 < out + size) {
		size_t n = in[2] < len - 3 ? in[2] : len - 3;
		struct frame f = { .type = FRAME_DATA,
			.sublist = in[1],
			.length = (uint32_t)n,
			.number = number++ };

		f.number += in[0] == 1;
		f.source += in[0] == 2;
		f.records += in[0] == 3;
		f.flags = in[0] == 4;
		memcpy(p + FRAME_HEAD, in + 3, n);
		frame_encode(&f, p + FRAME_HEAD, p);
		p[3] ^= in[0] == 5;
		p[40] ^= in[0] == 6;
		p += FRAME_HEAD + n;
		in += 3 + n;
		len -= 3 + n;
	}
	return (size_t)(p - out);
}

static void
take(const struct wire *w, struct wire_event *event)
{
	const struct agent_config c = { .local = event->stream % 2 == 0 };
	struct agent a = { .c = &c };
	struct hp_err e = { 0 };

	switch (event->kind) {
	case WIRE_BYTES:
		assert(event->stream > 0 && event->len <= WIRE_DATA);
		break;
	case WIRE_PRINTED:
		assert(w->role == WIRE_LAUNCHER && w->next_in == 0);
		assert(event->len > 0 && event->len <= MESSAGE_LINE);
		assert(memchr(event->bytes, '\n', event->len) == NULL);
		break;
	case WIRE_MESSAGE:
		assert(w->role == WIRE_LAUNCHER
			? message_of_agent(event->message.type)
			: message_of_launcher(event->message.type));
		if (event->message.type == MESSAGE_START &&
		    agent_check(&a, &event->message, &e) == -1)
			assert(e.kind == HP_INPUT);
		message_fini(&event->message);
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	static unsigned char plan[1 << 18];
	static int null = -1;
	struct wire_event event;
	struct hp_err e = { 0 };
	struct wire w;
	size_t piece, n;
	uint8_t what;
	int rc = 0;

	if (len < 2)
		return 0;
	if (null == -1)
		null = open("/dev/null", O_RDWR);
	what = in[0];
	piece = in[1] == 0 ? 1 << 20 : in[1];
	in += 2;
	len -= 2;
	assert(wire_init(&w, what & LAUNCHER ? WIRE_LAUNCHER : WIRE_AGENT, null,
		   null, "it", &e) == 0);
	if (what & PLAN) {
		len = follow_plan(in, len, what & NOISE, plan, sizeof plan);
		in = plan;
	}
	for (; len > 0 && rc != -1; in += n, len -= n) {
		n = piece < len ? piece : len;
		assert(wire_feed(&w, in, n, &e) == 0);
		while ((rc = wire_next(&w, &event, &e)) == 1)
			take(&w, &event);
		/* Only an incomplete frame remains in the buffer. */
		assert(rc == -1 ||
		    w.read.len - w.read.pos < FRAME_HEAD + MESSAGE_MOST);
	}
	assert(rc != -1 || (e.kind == HP_INPUT && e.text[0] != '\0'));
	wire_fini(&w);
	return 0;
}
