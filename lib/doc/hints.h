#ifndef HP_DOC_HINTS_H
#define HP_DOC_HINTS_H

/*
 * Hints for misspelt members. Programs ignore unknown members, so a misspelt
 * name could silently change a plan. Only documents that people write get
 * hints: clusters and plans.
 */

#include "doc/lines.h"

/*
 * Prints a note for each unknown member of the current line whose name
 * resembles a known member that the line lacks. Each name is reported once per
 * document.
 */
void doc_hint(struct doc_in *, const struct hp_err *);

#endif
