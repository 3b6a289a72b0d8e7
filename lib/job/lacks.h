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
	 * The version of hpexchange if it differs from the version of this
	 * program. "" if both are equal or hpexchange was not asked.
	 */
	char version[LACKS_TEXT];
};

/*
 * Searches the programs in PATH. Also runs `hpexchange --version` to compare
 * versions, unless hpexchange lies in `home` on the launcher's machine
 * (`local`). home may be NULL.
 */
void lacks_find(struct lacks *, bool local, const char *home);

#endif
