#ifndef HP_SORT_MEMORY_H
#define HP_SORT_MEMORY_H

#include <stdint.h>

struct sort_job;

/*
 * The bytes of memory that a job may take: what it asks for, by default half of
 * what there is; no more than there is, nor than is enough for the files.
 */
uint64_t sort_memory(const struct sort_job *);

#endif
