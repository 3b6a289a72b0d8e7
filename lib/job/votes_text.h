#ifndef HP_JOB_VOTES_TEXT_H
#define HP_JOB_VOTES_TEXT_H

/* Describes in words who lost the votes. */

#include "job/votes.h"

/*
 * Writes a text that says why a node is dropped, such as "no link to b (silent
 * for 7 s)".
 */
void votes_text(
    const struct votes_fate *, const char *peer, char *text, size_t size);

#endif
