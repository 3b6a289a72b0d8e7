#ifndef HP_DOC_SHOW_H
#define HP_DOC_SHOW_H

/*
 * Adds readable texts to the keys in hp-sublists(5) and hp-summary(5), for
 * people.
 */

#include <stdio.h>

#include "base/err.h"
#include "record/order.h"

/*
 * Copies the lines of a document to the file and makes its keys readable.
 * Beside each key it sets the member `text`, which shows the key by this order
 * (record/decode.h). In a summary, the members are `first_text` and
 * `last_text`. An old text is replaced. Control characters are escaped. A key
 * that this order cannot produce gets no text.
 */
int doc_show(FILE *, const char *path, const struct order *, struct hp_err *);

#endif
