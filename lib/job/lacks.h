#ifndef HP_JOB_LACKS_H
#define HP_JOB_LACKS_H

/* The programs that a machine needs for steps, and does not have. */

#include <stdbool.h>
#include <stddef.h>

enum {
	LACKS_PROGRAMS = 5,
	LACKS_TEXT = 200 /* bytes */
};

struct lacks {
	size_t missing;
	const char *program[LACKS_PROGRAMS]; /* [missing] names */
	/* Of hpexchange, if it differs from this program's; else "". */
	char version[LACKS_TEXT];
};

/*
 * Searches PATH, and runs `hpexchange --version` unless hpexchange lies in
 * `home` on the launcher's machine (`local`).  home may be NULL.
 */
void lacks_find(struct lacks *, bool local, const char *home);

#endif
