/* Frames: arbitrary bytes as a stream, and encoded frames that are decoded
 * again. */

#include <assert.h>
#include <string.h>

#include "record/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Makes a frame of the input. It must be decoded unchanged, and any changed
 * byte of its head or payload must be detected. */
static void
round_trip(const uint8_t *in, size_t len)
{
	struct frame f = { .type = FRAME_DATA,
		.sublist = 7,
		.source = 3,
		.length = (uint32_t)len,
		.records = 1,
		.number = len };
	struct frame g = { 0 };
	unsigned char head[FRAME_HEAD];
	struct hp_err e = { 0 };

	frame_encode(&f, in, head);
	assert(frame_decode(head, &g, "x", &e) == 0);
	assert(g.type == f.type && g.sublist == f.sublist &&
	    g.source == f.source && g.length == f.length &&
	    g.records == f.records && g.number == f.number);
	assert(frame_verify(head, in, "x", &e) == 0);
	head[in[0] % FRAME_HEAD] ^= (unsigned char)(in[1] | 1);
	assert(frame_decode(head, &g, "x", &e) == -1 || g.length > len ||
	    frame_verify(head, in, "x", &e) == -1);
}

static void
stream(const uint8_t *in, size_t len)
{
	struct frame_totals t = { 0 };
	struct hp_err e = { 0 };
	struct frame f;

	if (len < FRAME_STREAM_HEAD || frame_stream_check(in, "x", &e) == -1)
		return;
	in += FRAME_STREAM_HEAD;
	len -= FRAME_STREAM_HEAD;
	while (len >= FRAME_HEAD && frame_decode(in, &f, "x", &e) == 0) {
		assert(f.length <= FRAME_MAX);
		if (f.length > len - FRAME_HEAD ||
		    frame_verify(in, in + FRAME_HEAD, "x", &e) == -1)
			return;
		if (f.type == FRAME_END) {
			assert(f.length == FRAME_END_PAYLOAD);
			frame_end_check(in + FRAME_HEAD, &t, "x", &e);
			return;
		}
		frame_count(&t, &f);
		in += FRAME_HEAD + f.length;
		len -= FRAME_HEAD + f.length;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	stream(in, len);
	if (len >= 2 && len <= FRAME_MAX)
		round_trip(in, len);
	return 0;
}
