#ifndef HP_SORT_MEMORY_H
#define HP_SORT_MEMORY_H

#include <stdint.h>

struct sort_job;

/*
 * Returns how many bytes of memory a job may use: the amount that the user has
 * set, or half of the available memory. The result is never more than is
 * available, nor more than the files need.
 */
uint64_t sort_memory(const struct sort_job *);

#endif
