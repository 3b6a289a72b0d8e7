#ifndef HP_RECORD_GENERAL_H
#define HP_RECORD_GENERAL_H

/* Floating-point numbers in keys (-g). */

#include "record/part.h"

void general_begin(struct part *, const unsigned char *, size_t);
/* how many bytes follow the first byte in the -g key of a NaN */
extern const size_t general_nan_bytes;

#endif
