#ifndef HP_CMD_HPRUN_QUOTE_H
#define HP_CMD_HPRUN_QUOTE_H

/*
 * Quotes words for the shell commands that --dry-run prints.  For login
 * commands, job/launch.h quotes words.
 */

#include <stdio.h>

#include "job/stage.h"

/* Writes the text so that a POSIX shell reads it as one word. */
void quote(FILE *, const char *);
/* Splits the text at blanks, and writes each word quoted for a POSIX shell. */
void quote_split(FILE *, const char *);
/* Splits the text at blanks, and adds the words to a command line. */
void quote_words(const char *, struct words *);

#endif
