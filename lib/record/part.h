#ifndef HP_RECORD_PART_H
#define HP_RECORD_PART_H

/*
 * The parts that normalized keys are built from. Only files in lib/record
 * include this header.
 *
 * Each kind of part has one producer, which makes its bytes block by block. The
 * bytes are either collected in a key or compared with those of another part.
 * No encoding of a number, month or version is a prefix of another one, so that
 * other parts can follow.
 */

#include "record/number.h"
#include "record/order.h"
#include "record/text.h"
#include "record/version.h"

enum {
	PART_HEAD = 32 /* maximum size of the head in bytes */
};

struct part {
	unsigned char head[PART_HEAD]; /* bytes that precede the body */
	size_t at, nhead;
	/* 0xff: all bytes are complemented (reverse order). */
	unsigned char mask;
	enum {
		BODY_NONE,
		BODY_TEXT,    /* text without escapes */
		BODY_ESCAPED, /* text with escapes and an end mark */
		BODY_DIGITS,
		BODY_VERSION
	} body;
	union {
		struct text text;
		struct decimal digits;
		struct version version;
	};
};

/*
 * Starts to encode part number i of a line's key. Each -k gives one part. The
 * last part is the whole line.
 */
void part_begin(struct part *, const struct order *, size_t i,
    const unsigned char *line, size_t len);
/*
 * Appends the bytes of the part to the key, up to the maximum length of a key.
 * Returns -1 if memory is full.
 */
int part_put(struct part *, struct keybuf *);
/*
 * Compares the encoded bytes of two parts. Both parts are used up afterwards.
 * Returns a number below, equal to or above 0.
 */
int part_compare(struct part *, struct part *);

/*
 * Encoders of the parts of a key. A _begin function starts a part. A _fill
 * function writes the next bytes, at least one if `room` is at least PART_HEAD.
 * At the end of the part, the _fill function sets `body` to BODY_NONE.
 */
static inline void
text_begin(struct part *p, struct text t, bool ends)
{
	p->text = t;
	p->body = ends ? BODY_ESCAPED : BODY_TEXT;
}

#endif
