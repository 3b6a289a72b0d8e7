#ifndef HP_JOB_LACKS_H
#define HP_JOB_LACKS_H

/* Finds programs that steps need and a machine does not have. */

#include <stdbool.h>
#include <stddef.h>

enum {
	LACKS_PROGRAMS = 5,
	LACKS_TEXT = 200 /* bytes */
};

struct lacks {
	size_t missing;
	const char *program[LACKS_PROGRAMS]; /* [missing] names */
	/*
	 * The name and the version of a program if its version differs from
	 * that of this program. "" if no difference was found.
	 */
	char version[LACKS_TEXT];
};

/*
 * Searches the programs in PATH, and compares the versions that they contain
 * with that of this program. Runs `hpexchange --version` only if hpexchange was
 * not found, or contains no version, for example because it is a script.
 * Programs in `home` on the launcher's machine (`local`) are not compared. home
 * may be NULL.
 */
void lacks_find(struct lacks *, bool local, const char *home);

#endif
