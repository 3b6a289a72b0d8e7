#ifndef HP_RUN_MAPS_H
#define HP_RUN_MAPS_H

/*
 * Maps the input files of a merge by several threads, so that they are merged
 * from the page cache without a copy.
 */

#include <stdint.h>

#include "run/cuts.h"

/*
 * Maps the runs that are files. Returns an array with the address of each run,
 * or NULL for a run that is not mapped. Returns no array if the runs together
 * need more than half of the memory: mapped pages count as memory of the
 * process.
 */
unsigned char **maps_open(const struct cuts *, uint64_t memory);
/* Unmaps the runs and frees the array. Does nothing if `map` is NULL. */
void maps_close(unsigned char **map, const struct cuts *);
/*
 * Releases the mapped pages of one part: in run i, from offset from[i] to
 * offset to[i]. Each thread does this for its own parts: one munmap of all
 * pages at the end would keep the other processors idle.
 */
void maps_release(unsigned char *const *map, const struct cuts *,
    const uint64_t *from, const uint64_t *to);

#endif
