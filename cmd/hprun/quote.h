#ifndef HP_CMD_HPRUN_QUOTE_H
#define HP_CMD_HPRUN_QUOTE_H

/*
 * Quotes words for the shell commands that --dry-run prints.  The command line
 * of a login is quoted in job/launch.h.
 */

#include <stdio.h>

#include "job/stage.h"

/* Writes the text as one word of a POSIX shell's command line. */
void quote(FILE *, const char *);
/* Splits the text at blanks and writes each word quoted. */
void quote_split(FILE *, const char *);
/* Splits the text at blanks and adds the words to a list. */
void quote_words(const char *, struct words *);

#endif
