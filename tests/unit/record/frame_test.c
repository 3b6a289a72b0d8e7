/*
 * Frames of hp-stream(5) byte by byte, damaged in each place, and the marks
 * under the parts of lines that an order compares.
 */

#include "record/explain.h"
#include "record/frame.h"
#include "test.h"

/* Encodes a frame and decodes it.  Returns 0, or -1 with e filled. */
static int
through(const struct frame *f, struct frame *again, struct hp_err *e)
{
	static const unsigned char payload[FRAME_MAX + 1];
	unsigned char head[FRAME_HEAD];

	frame_encode(f, payload, head);
	*e = (struct hp_err){ 0 };
	return frame_decode(head, again, "s", e);
}

static void
heads_are_as_the_format_says(void)
{
	const struct frame f = { FRAME_DATA, 0x01020304, 0x05060708, 3,
		0x090a0b0c, 0, 0x1112131415161718 };
	/* The frame's two checksums were computed with xxhash. */
	static const unsigned char want[] = { 1, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6,
		5, 3, 0, 0, 0, 0xc, 0xb, 0xa, 9, 0, 0 };
	static const unsigned char number[] = { 0x18, 0x17, 0x16, 0x15, 0x14,
		0x13, 0x12, 0x11 };
	unsigned char head[FRAME_HEAD], stream[FRAME_STREAM_HEAD];
	struct frame again;
	struct hp_err e = { 0 };

	frame_encode(&f, "abc", head);
	CHECK_BYTES(head, sizeof want, want, sizeof want);
	CHECK_BYTES(head + 24, 8, number, 8);
	REQUIRE(frame_decode(head, &again, "s", &e) == 0);
	CHECK(again.type == f.type && again.sublist == f.sublist &&
	    again.source == f.source && again.length == f.length &&
	    again.records == f.records && again.flags == f.flags &&
	    again.number == f.number);
	CHECK(frame_verify(head, "abc", "s", &e) == 0);
	CHECK(frame_verify(head, "abd", "s", &e) == -1);
	CHECK_EQ_STR(e.text, "s: frame 1230066625199609624: checksum differs");
	frame_stream_head(stream);
	CHECK_BYTES(stream, 16, "hpstream\2\0\0\0\0\0\0\0", 16);
	CHECK(frame_stream_check(stream, "s", &e) == 0);
	for (size_t i = 0; i < FRAME_STREAM_HEAD; i++) {
		stream[i] ^= 1;
		CHECK(frame_stream_check(stream, "s", &e) == -1 &&
		    e.kind == HP_INPUT);
		stream[i] ^= 1;
	}
}

/*
 * Damage in the head changes its check; other damage changes the checksum of
 * head and payload.
 */
static void
each_damaged_bit_is_found(void)
{
	const struct frame f = { FRAME_DATA, 1, 2, 3, 4, 0, 5 };
	unsigned char head[FRAME_HEAD];
	struct frame again;
	struct hp_err e = { 0 };

	frame_encode(&f, "abc", head);
	for (unsigned bit = 0; bit < 8 * FRAME_HEAD; bit++) {
		int rc;

		head[bit / 8] ^= 1 << bit % 8;
		rc = frame_decode(head, &again, "s", &e);
		CHECK(bit / 8 >= 32 || rc == -1);
		if (rc == 0)
			CHECK(frame_verify(head, "abc", "s", &e) == -1);
		head[bit / 8] ^= 1 << bit % 8;
	}
}

static void
frames_that_cannot_be_are_refused(void)
{
	static const struct {
		struct frame f;
		const char *error; /* NULL: it can be */
	} frames[] = {
		{ { .type = FRAME_DATA }, NULL },
		{ { .type = FRAME_DATA, .records = 3, .length = FRAME_MAX },
		    NULL },
		{ { .type = FRAME_DATA, .flags = FRAME_MORE, .length = 9 },
		    NULL },
		{ { .type = FRAME_END, .length = FRAME_END_PAYLOAD }, NULL },
		{ { .type = 0 }, "s: frame of unknown type 0" },
		{ { .type = 3 }, "s: frame of unknown type 3" },
		{ { .type = FRAME_DATA, .length = FRAME_MAX + 1 },
		    "s: frame 0: length 1048577 is out of range" },
		{ { .type = FRAME_END, .length = FRAME_END_PAYLOAD + 1 },
		    "s: frame 0: length 25 is out of range" },
		{ { .type = FRAME_END, .length = 0 },
		    "s: frame 0: length 0 is out of range" },
		{ { .type = FRAME_DATA, .flags = 2 },
		    "s: frame 0: invalid flags 2" },
		{ { .type = FRAME_DATA, .flags = FRAME_MORE, .records = 1 },
		    "s: frame 0: invalid flags 1" },
		{ { .type = FRAME_END,
		      .length = FRAME_END_PAYLOAD,
		      .flags = FRAME_MORE },
		    "s: frame 0: invalid flags 1" },
	};

	for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
		struct frame again;
		struct hp_err e;
		int rc = through(&frames[i].f, &again, &e);

		CHECK_EQ_I64(rc, frames[i].error == NULL ? 0 : -1);
		CHECK_EQ_STR(
		    e.text, frames[i].error == NULL ? "" : frames[i].error);
	}
}

static void
the_end_tells_the_totals(void)
{
	unsigned char end[FRAME_HEAD + FRAME_END_PAYLOAD];
	struct frame_totals t = { 0 }, other;
	struct frame f;
	struct hp_err e = { 0 };

	frame_count(&t, &(struct frame){ .records = 2, .length = 30 });
	frame_count(&t, &(struct frame){ .records = 5, .length = 400 });
	CHECK(t.frames == 2 && t.records == 7 && t.bytes == 430);
	frame_end(&t, end);
	REQUIRE(frame_decode(end, &f, "s", &e) == 0);
	CHECK(f.type == FRAME_END && f.number == 2 && f.flags == 0 &&
	    f.records == 0 && f.length == FRAME_END_PAYLOAD);
	CHECK(frame_verify(end, end + FRAME_HEAD, "s", &e) == 0);
	CHECK(frame_end_check(end + FRAME_HEAD, &t, "s", &e) == 0);
	for (int i = 0; i < 3; i++) {
		other = t;
		*(i == 0	 ? &other.frames
			: i == 1 ? &other.records
				 : &other.bytes) += 1;
		CHECK(frame_end_check(end + FRAME_HEAD, &other, "s", &e) == -1);
	}
	CHECK_EQ_STR(e.text,
	    "s: 2 frames, 7 records, 431 bytes arrived, but 2, 7, 430 were "
	    "sent");
}

/* Compares the marks under a line.  Only its first `len` bytes belong to it. */
static void
marks(
    int letter, const char *key, const char *line, size_t len, const char *want)
{
	char *text = NULL;
	size_t size = 0;
	struct order o;
	struct hp_err e = { 0 };
	FILE *f = open_memstream(&text, &size);

	order_init(&o);
	if (letter != 0)
		CHECK(order_option(&o, letter, NULL, &e) == 0);
	if (key != NULL)
		CHECK(order_option(&o, 'k', key, &e) == 0);
	CHECK(order_option(&o, 's', NULL, &e) == 0);
	CHECK(order_ready(&o, &e) == 0);
	explain_line(&o, (const unsigned char *)line, len, f);
	fclose(f);
	CHECK_EQ_STR(text, want);
	free(text);
	order_fini(&o);
}

static void
marks_end_with_the_line(void)
{
	marks('h', NULL, "12K", 3, "12K\n___\n");
	marks('h', NULL, "12K", 2, "12\n__\n");
	marks('h', NULL, "12x", 3, "12x\n__\n");
	marks('n', NULL, "12K", 3, "12K\n__\n");
	marks('n', NULL, "123", 2, "12\n__\n");
	marks('n', NULL, "x", 1, "x\n^ no match for key\n");
	marks('g', NULL, "1e35", 3, "1e3\n___\n");
	marks('M', NULL, "janx", 4, "janx\n___\n");
	marks(0, "2", "a b", 3, "a b\n __\n");
	marks(0, "1,1", "a b", 3, "a b\n_\n");
	marks(0, "1.2,1.2", "abc", 3, "abc\n _\n");
	marks(0, "3", "a b", 3, "a b\n   ^ no match for key\n");
}

int
main(void)
{
	RUN(heads_are_as_the_format_says);
	RUN(each_damaged_bit_is_found);
	RUN(frames_that_cannot_be_are_refused);
	RUN(the_end_tells_the_totals);
	RUN(marks_end_with_the_line);
	return test_done();
}
