#ifndef HP_DOC_HINTS_H
#define HP_DOC_HINTS_H

/*
 * Hints for misspelt members. Readers ignore unknown members, so a misspelt one
 * would silently change a plan. Only documents that people write get hints:
 * clusters and plans.
 */

#include "doc/lines.h"

/*
 * Prints a note for each unknown member of the current line that resembles a
 * known member the line lacks. Each name is reported once per document.
 */
void doc_hint(struct doc_in *, const struct hp_err *);

#endif
