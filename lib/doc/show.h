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
 * Copies the lines of a JSON document to the file, and adds readable keys. The
 * member `text` beside a key shows the key as text, decoded for the given order
 * (record/decode.h). In a summary, the members are `first_text` and
 * `last_text`. Existing texts are replaced, and control characters are escaped.
 * A key that the order cannot produce gets no text.
 */
int doc_show(FILE *, const char *path, const struct order *, struct hp_err *);

#endif
