#ifndef HP_CMD_HPPROFILE_WORDS_H
#define HP_CMD_HPPROFILE_WORDS_H

/*
 * The command lines that hpprofile runs: arrays of words with a NULL at the
 * end. These functions exit 2 with a message if memory is short.
 */

#include "record/order.h"

/*
 * Returns the command that sorts records in this order.  Free it with
 * words_free.
 */
char **words_sort(const struct order *);

/*
 * Returns the command that generates records for a sort command.  Free it with
 * words_free.
 */
char **words_generator(char *const sort[]);

/*
 * Returns the text of a command as a user would type it, with `name` in place
 * of the first word.  The profile contains this text as a description of the
 * work.  Free it with free.
 */
char *words_text(const char *name, char *const command[]);

void words_free(char **);

/*
 * Returns a string that was just allocated.  Exits 2 with a message if it is
 * NULL, because memory is short.
 */
char *words_checked(char *);

#endif
