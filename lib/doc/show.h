#ifndef HP_DOC_SHOW_H
#define HP_DOC_SHOW_H

/*
 * Makes the keys of hp-sublists(5) readable.
 */

#include <stdio.h>

#include "base/err.h"
#include "record/order.h"

/*
 * Copies the lines of a document to the file. Each key gets a member `text`,
 * which is what the order makes of it (record/decode.h); an old `text` is
 * replaced. Control characters are escaped. Keys that are not of this order
 * get no text.
 */
int doc_show(FILE *, const char *path, const struct order *, struct hp_err *);

#endif
