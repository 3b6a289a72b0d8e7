#ifndef HP_RECORD_DECODE_VERSION_H
#define HP_RECORD_DECODE_VERSION_H

/* Decodes the keys of -V. */

#include "record/decode_key.h"

/*
 * Decoders append the text of a key to a buffer. They return 1 if they wrote
 * the text, 0 if the bytes are no valid key, and -1 if memory is full.
 */
int decode_version(struct encoded *, struct keybuf *);

#endif
