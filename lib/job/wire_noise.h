#ifndef HP_JOB_WIRE_NOISE_H
#define HP_JOB_WIRE_NOISE_H

#include "job/wire.h"

/*
 * Handles output of the login that precedes the stream head of the other end.
 * Returns 1 if the event is a printed line of at most MESSAGE_LINE bytes.
 * Returns 0 if the head was read (wire.begun is set) or more bytes are needed.
 * Returns -1 like wire_next.
 */
int wire_noise(struct wire *, struct wire_event *, struct hp_err *);

#endif
