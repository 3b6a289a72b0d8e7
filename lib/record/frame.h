#ifndef HP_RECORD_FRAME_H
#define HP_RECORD_FRAME_H

/*
 * The framed stream of hp-stream(5), which carries records to the node that
 * they belong to. All numbers are little-endian.
 *
 *   stream  = "hpstream" version:u32 0:u32 frame* end
 *   frame   = head payload
 *   head    = type:u32 sublist:u32 source:u32 length:u32 records:u32 flags:u16
 *             check:u16 number:u64 checksum:16 bytes          (48 bytes)
 *
 * type is 1 for data and 2 for the end. number counts the frames of the stream
 * from 0. check protects the length before the payload is read: it is the low
 * 16 bits of the XXH3-64 of the first 32 bytes of the head, computed with check
 * 0. checksum is the canonical XXH3-128 of those 32 bytes and the payload.
 *
 * records is the number of records that end in the frame. A frame holds whole
 * records. The only exception is a record longer than a frame: it takes several
 * frames in a row, and all but the last have the flag FRAME_MORE and records 0.
 *
 * The payload of the end frame is frames:u64 records:u64 bytes:u64, the totals
 * of all data frames. It reveals a stream that is cut short or lost a frame.
 */

#include <stdint.h>

#include "base/err.h"

#define FRAME_STREAM_HEAD 16
#define FRAME_HEAD 48
#define FRAME_MAX (1u << 20) /* longest payload in bytes */
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
/*
 * Checks the first bytes of a stream of frames. Fails with HP_INPUT if they are
 * not the head of such a stream, or if the stream has another version.
 */
int frame_stream_check(const unsigned char in[FRAME_STREAM_HEAD],
    const char *name, struct hp_err *);

/*
 * Encodes the head of a frame, which includes a checksum of the head and of the
 * payload.
 */
void frame_encode(
    const struct frame *, const void *payload, unsigned char out[FRAME_HEAD]);
/*
 * Decodes the head of a frame. Checks everything that does not need the
 * payload: the checksum of the head, the type, the flags, and that length is at
 * most FRAME_MAX. When the caller has read the payload, it must call
 * frame_verify.
 */
int frame_decode(const unsigned char in[FRAME_HEAD], struct frame *,
    const char *name, struct hp_err *);
int frame_verify(const unsigned char in[FRAME_HEAD], const void *payload,
    const char *name, struct hp_err *);

/* Adds a data frame to the totals. */
void frame_count(struct frame_totals *, const struct frame *);
/*
 * Encodes the last frame of a stream, head and payload. Its payload is the
 * totals of all frames.
 */
void frame_end(const struct frame_totals *,
    unsigned char out[FRAME_HEAD + FRAME_END_PAYLOAD]);
/*
 * Compares the payload of the last frame with the totals of the frames that
 * were read. Fails if they differ.
 */
int frame_end_check(const unsigned char payload[FRAME_END_PAYLOAD],
    const struct frame_totals *, const char *name, struct hp_err *);

#endif
