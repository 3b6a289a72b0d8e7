#ifndef HP_DOC_WITHOUT_H
#define HP_DOC_WITHOUT_H

/*
 * Reads and writes the file without.jsonl of a run. Each time hprun restarts
 * the run, it appends a line of type `without` that names the lost nodes. If no
 * node was lost and only connections broke, the line has no names.
 */

#include <stddef.h>

#include "base/err.h"

int doc_without_append(
    const char *path, const char *const *name, size_t n, struct hp_err *);
/*
 * Reads the file without.jsonl. Calls lost() with the name of each lost node;
 * the callback frees the name. Stores the number of lines without a name in
 * *broken: each stands for a failure in which only connections were lost. A
 * missing file counts as empty.
 */
int doc_without_read(const char *path, void (*lost)(void *, char *name),
    void *context, size_t *broken, struct hp_err *);

#endif
