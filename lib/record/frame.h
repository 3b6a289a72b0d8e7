#ifndef HP_RECORD_FRAME_H
#define HP_RECORD_FRAME_H

/*
 * The framed stream of hp-stream(5): records on their way to the node that
 * they belong to.  Little-endian.
 *
 *   stream  = "hpstream" version:u32 0:u32 frame* end
 *   frame   = head payload
 *   head    = type:u32 sublist:u32 source:u32 length:u32 records:u32 flags:u16
 *             check:u16 number:u64 checksum:16 bytes              (48 bytes)
 *
 * type is 1 for data, 2 for the end; number counts the frames of the stream
 * from 0; check is the low 16 bits of the XXH3-64 of the first 32 bytes of the
 * head, taken with check 0, so that a damaged length is not believed; checksum
 * is the canonical XXH3-128 of those 32 bytes and the payload.  records are
 * those that end in the frame.  A frame holds whole records, but for a record
 * that fits no frame: it goes into several frames in a row, all but its last
 * flagged FRAME_MORE and with records 0.
 * The payload of the end is frames:u64 records:u64 bytes:u64 of all data
 * frames, so that a stream that was cut short, or lost a frame, is known.
 */

#include <stdint.h>

#include "base/err.h"

#define FRAME_STREAM_HEAD 16
#define FRAME_HEAD 48
#define FRAME_MAX (1u << 20) /* longest payload */
#define FRAME_END_PAYLOAD 24
#define FRAME_VERSION 2

enum frame_type {
	FRAME_DATA = 1,
	FRAME_END = 2
};
enum {
	FRAME_MORE = 1
};

struct frame {
	uint32_t type, sublist, source, length, records;
	uint16_t flags;
	uint64_t number;
};

struct frame_totals {
	uint64_t frames, records, bytes;
};

void frame_stream_head(unsigned char out[FRAME_STREAM_HEAD]);
/* HP_INPUT when it is not a stream of this version. */
int frame_stream_check(const unsigned char in[FRAME_STREAM_HEAD],
    const char *name, struct hp_err *);

/* Encodes the head of a payload, checksum included. */
void frame_encode(
    const struct frame *, const void *payload, unsigned char out[FRAME_HEAD]);
/*
 * Decodes a head and checks what can be without the payload: its own check,
 * type, length at most FRAME_MAX, known flags.  frame_verify then takes the
 * payload.
 */
int frame_decode(const unsigned char in[FRAME_HEAD], struct frame *,
    const char *name, struct hp_err *);
int frame_verify(const unsigned char in[FRAME_HEAD], const void *payload,
    const char *name, struct hp_err *);

/* Adds a data frame to the totals. */
void frame_count(struct frame_totals *, const struct frame *);
/* The end frame for the totals: head and payload. */
void frame_end(const struct frame_totals *,
    unsigned char out[FRAME_HEAD + FRAME_END_PAYLOAD]);
/* Checks the payload of an end frame against what was counted. */
int frame_end_check(const unsigned char payload[FRAME_END_PAYLOAD],
    const struct frame_totals *, const char *name, struct hp_err *);

#endif
