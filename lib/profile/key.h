#ifndef HP_PROFILE_KEY_H
#define HP_PROFILE_KEY_H

/*
 * The profile key of a machine: its processor model and the number of
 * processors that this process may use. Machines with the same key are taken to
 * be of the same speed, so that one profile serves them all.
 */

#include "base/err.h"

enum {
	KEY_BYTES = 256 /* bytes of the key as text, with its NUL */
};

int key_make(char key[KEY_BYTES], struct hp_err *);
/*
 * Forms the key from a line of /proc/cpuinfo, or from the name of the
 * architecture if `line` is NULL. Several blanks become one blank, and bytes
 * other than printable ASCII become '?'.
 */
void key_form(char key[KEY_BYTES], const char *line, const char *architecture,
    unsigned processors);

#endif
