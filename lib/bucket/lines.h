#ifndef HP_BUCKET_LINES_H
#define HP_BUCKET_LINES_H

/*
 * Line elements, for lines whose key is the whole line: the line itself without
 * the prefix of its bucket (text.h).
 */

#include "bucket/kind.h"

extern const struct kind kind_lines;

#endif
