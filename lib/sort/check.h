#ifndef HP_SORT_CHECK_H
#define HP_SORT_CHECK_H

#include "base/err.h"
#include "sort/job.h"

/*
 * Checks that the file of the job is in order. With -u, keys must not be
 * repeated. If the file is not in order, fails with HP_NO and the message of
 * sort(1).
 */
int sort_check(const struct sort_job *, struct hp_err *);

#endif
