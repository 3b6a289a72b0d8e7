#ifndef HP_JOB_WIRE_NOISE_H
#define HP_JOB_WIRE_NOISE_H

#include "job/wire.h"

/*
 * What a login printed before the other end's head: 1 the event is a line of
 * it, of at most MESSAGE_LINE bytes; 0 the head was taken (wire.begun), or is
 * still to come; -1 as wire_next.
 */
int wire_noise(struct wire *, struct wire_event *, struct hp_err *);

#endif
