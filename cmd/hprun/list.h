#ifndef HP_CMD_HPRUN_LIST_H
#define HP_CMD_HPRUN_LIST_H

/* Lists of words that grow. */

#include "opts.h"

/* Adds a word.  Exits if memory runs out. */
void list_add(struct list *, const char *);

#endif
