#include <inttypes.h>
#include <string.h>

/* xxhash.h must define XXH3_state_t, so that it can be on the stack. */
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>
/*
 * xxhash itself is compiled for SSE2. This header chooses the widest vector
 * instructions of the processor at run time.
 */
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

#include "base/bytes.h"
#include "record/frame.h"

enum {
	/*
	 * The checksum of a frame covers this many bytes of the frame's head.
	 */
	CHECKED = 32,
	SUM = 16
};

static const char MAGIC[8] = "hpstream";

void
frame_stream_head(unsigned char out[FRAME_STREAM_HEAD])
{
	memcpy(out, MAGIC, sizeof MAGIC);
	put32(out + 8, FRAME_VERSION);
	put32(out + 12, 0);
}

int
frame_stream_check(const unsigned char in[FRAME_STREAM_HEAD], const char *name,
    struct hp_err *e)
{
	if (memcmp(in, MAGIC, sizeof MAGIC) != 0)
		return hp_fail(e, HP_INPUT, "%s: not a framed stream", name);
	if (get32(in + 8) != FRAME_VERSION || get32(in + 12) != 0)
		return hp_fail(e, HP_INPUT,
		    "%s: framed stream of version %" PRIu32 ", expected %d",
		    name, get32(in + 8), FRAME_VERSION);
	return 0;
}

static void
checksum(const unsigned char head[CHECKED], const void *payload, size_t len,
    unsigned char out[SUM])
{
	XXH128_canonical_t canonical;
	XXH3_state_t state;

	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, head, CHECKED);
	if (len > 0)
		XXH3_128bits_update(&state, payload, len);
	XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
	memcpy(out, canonical.digest, SUM);
}

/*
 * Returns the checksum of the head of a frame; it does not cover the payload.
 */
static uint16_t
head_check(const unsigned char head[CHECKED])
{
	unsigned char copy[CHECKED];

	memcpy(copy, head, sizeof copy);
	put16(copy + 22, 0);
	return (uint16_t)XXH3_64bits(copy, sizeof copy);
}

void
frame_encode(
    const struct frame *f, const void *payload, unsigned char out[FRAME_HEAD])
{
	put32(out, f->type);
	put32(out + 4, f->sublist);
	put32(out + 8, f->source);
	put32(out + 12, f->length);
	put32(out + 16, f->records);
	put16(out + 20, f->flags);
	put64(out + 24, f->number);
	put16(out + 22, head_check(out));
	checksum(out, payload, f->length, out + CHECKED);
}

int
frame_decode(const unsigned char in[FRAME_HEAD], struct frame *f,
    const char *name, struct hp_err *e)
{
	*f = (struct frame){ .type = get32(in),
		.sublist = get32(in + 4),
		.source = get32(in + 8),
		.length = get32(in + 12),
		.records = get32(in + 16),
		.flags = get16(in + 20),
		.number = get64(in + 24) };
	if (get16(in + 22) != head_check(in))
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 ": the head is damaged", name,
		    f->number);
	if (f->type != FRAME_DATA && f->type != FRAME_END)
		return hp_fail(e, HP_INPUT,
		    "%s: frame of unknown type %" PRIu32, name, f->type);
	if (f->length > FRAME_MAX ||
	    (f->type == FRAME_END && f->length != FRAME_END_PAYLOAD))
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 ": length %" PRIu32 " is out of range",
		    name, f->number, f->length);
	if ((f->flags & ~FRAME_MORE) != 0 ||
	    (f->flags != 0 && (f->type == FRAME_END || f->records != 0)))
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 ": invalid flags %x", name, f->number,
		    f->flags);
	return 0;
}

int
frame_verify(const unsigned char in[FRAME_HEAD], const void *payload,
    const char *name, struct hp_err *e)
{
	unsigned char sum[SUM];

	checksum(in, payload, get32(in + 12), sum);
	if (memcmp(sum, in + CHECKED, SUM) != 0)
		return hp_fail(e, HP_INPUT,
		    "%s: frame %" PRIu64 ": checksum differs", name,
		    get64(in + 24));
	return 0;
}

void
frame_count(struct frame_totals *t, const struct frame *f)
{
	t->frames++;
	t->records += f->records;
	t->bytes += f->length;
}

void
frame_end(const struct frame_totals *t,
    unsigned char out[FRAME_HEAD + FRAME_END_PAYLOAD])
{
	struct frame f = { .type = FRAME_END,
		.length = FRAME_END_PAYLOAD,
		.number = t->frames };
	unsigned char *payload = out + FRAME_HEAD;

	put64(payload, t->frames);
	put64(payload + 8, t->records);
	put64(payload + 16, t->bytes);
	frame_encode(&f, payload, out);
}

int
frame_end_check(const unsigned char payload[FRAME_END_PAYLOAD],
    const struct frame_totals *t, const char *name, struct hp_err *e)
{
	struct frame_totals told = { get64(payload), get64(payload + 8),
		get64(payload + 16) };

	if (told.frames == t->frames && told.records == t->records &&
	    told.bytes == t->bytes)
		return 0;
	return hp_fail(e, HP_INPUT,
	    "%s: %" PRIu64 " frames, %" PRIu64 " records, %" PRIu64
	    " bytes arrived, but %" PRIu64 ", %" PRIu64 ", %" PRIu64
	    " were sent",
	    name, t->frames, t->records, t->bytes, told.frames, told.records,
	    told.bytes);
}
