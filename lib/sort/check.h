#ifndef HP_SORT_CHECK_H
#define HP_SORT_CHECK_H

#include "base/err.h"
#include "sort/job.h"

/*
 * Is the job's one file in order (with the order's -u: and without repeated
 * keys)?  If not, fails with HP_NO and says where, in the words of sort(1).
 */
int sort_check(const struct sort_job *, struct hp_err *);

#endif
