#ifndef HP_DOC_WITHOUT_H
#define HP_DOC_WITHOUT_H

/*
 * without.jsonl of a run: a line of type `without` for each time that it began
 * again, with the names of the nodes that were lost; none, if only the
 * connection to them broke.
 */

#include <stddef.h>

#include "base/err.h"

int doc_without_append(
    const char *path, const char *const *name, size_t n, struct hp_err *);
/*
 * Calls back with each name, which is the callback's to free, and counts the
 * lines without a name.  A file that is not there has no lines.
 */
int doc_without_read(const char *path, void (*lost)(void *, char *name),
    void *context, size_t *broken, struct hp_err *);

#endif
