#ifndef HP_DOC_SHOW_H
#define HP_DOC_SHOW_H

/*
 * Makes the keys of hp-sublists(5) and hp-summary(5) readable.
 */

#include <stdio.h>

#include "base/err.h"
#include "record/order.h"

/*
 * Copies the lines of a document to the file. Beside each key it sets the
 * member `text` (of a summary: `first_text` and `last_text`), the readable form
 * of the key by this order (record/decode.h).
 * An old `text` is replaced. Control characters are escaped. A key that this
 * order could not have built gets no text.
 */
int doc_show(FILE *, const char *path, const struct order *, struct hp_err *);

#endif
