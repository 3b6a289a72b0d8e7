#ifndef HP_RECORD_RANDOM_H
#define HP_RECORD_RANDOM_H

/* Random order of equal keys (-R): the key is a hash of the text. */

#include "record/part.h"

void
random_begin(struct part *, const unsigned char salt[ORDER_SALT], struct text);

#endif
