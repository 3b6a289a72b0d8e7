#ifndef HP_JOB_WIRE_NOISE_H
#define HP_JOB_WIRE_NOISE_H

#include "job/wire.h"

/*
 * A login (ssh) may print lines before the agent's data, which begin with a
 * fixed head. Returns 1 and stores one printed line of at most MESSAGE_LINE
 * bytes in the event. Returns 0 if the head was read (wire.begun is set) or
 * more bytes are needed. Returns -1 like wire_next.
 */
int wire_noise(struct wire *, struct wire_event *, struct hp_err *);

#endif
