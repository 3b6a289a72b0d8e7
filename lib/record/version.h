#ifndef HP_RECORD_VERSION_H
#define HP_RECORD_VERSION_H

/* Version numbers in keys (-V). */

#include "record/text.h"

struct part;

/*
 * A text for -V, a sort of version numbers. It is read in two pieces: first the
 * name, then the suffix of a file name.
 */
struct version {
	struct text text;
	const unsigned char *end;
	/*
	 * how many digits of the current number must still be written to the
	 * key
	 */
	size_t digits;
	bool in_number, has_digits;
};

void version_begin(struct part *, struct text);
size_t version_fill(struct part *, unsigned char *to, size_t room);
/*
 * Returns the byte that stands for a character in the keys of -V. It is never
 * 0.
 */
unsigned char version_place(unsigned char);

#endif
