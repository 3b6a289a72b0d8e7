#ifndef HP_SORT_CHECK_H
#define HP_SORT_CHECK_H

#include "base/err.h"
#include "sort/job.h"

/*
 * Checks that the job's file is in order. With -u, no key may be repeated. If
 * the file is not in order, fails with HP_NO and says where, in the words of
 * sort(1).
 */
int sort_check(const struct sort_job *, struct hp_err *);

#endif
