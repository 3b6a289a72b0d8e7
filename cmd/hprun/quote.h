#ifndef HP_CMD_HPRUN_QUOTE_H
#define HP_CMD_HPRUN_QUOTE_H

/*
 * Words for shells: what --dry-run prints, and the one line that a login is
 * given (launch.h has that one).
 */

#include <stdio.h>

#include "job/stage.h"

/* As one word of a command line of a POSIX shell. */
void quote(FILE *, const char *);
/* Words between blanks, each quoted. */
void quote_split(FILE *, const char *);
/* Adds the words between blanks to a list. */
void quote_words(const char *, struct words *);

#endif
