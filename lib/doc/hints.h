#ifndef HP_DOC_HINTS_H
#define HP_DOC_HINTS_H

/*
 * Hints at misspelt members.  Readers ignore members that they do not know, so
 * that a misspelt one would silently change a plan.  Only documents that people
 * write have hints: clusters and plans.
 */

#include "doc/lines.h"

/*
 * Tells of each unknown member of the line just read that resembles a member
 * which the line does not have; of the same name once in a document.
 */
void doc_hint(struct doc_in *, const struct hp_err *);

#endif
