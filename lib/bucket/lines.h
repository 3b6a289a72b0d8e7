#ifndef HP_BUCKET_LINES_H
#define HP_BUCKET_LINES_H

/*
 * Elements that are copies of lines, used if the whole line is the key. An
 * element omits the prefix that all lines of its bucket share. text.h describes
 * the format.
 */

#include "bucket/kind.h"

extern const struct kind kind_lines;

#endif
