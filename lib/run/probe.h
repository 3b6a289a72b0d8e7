#ifndef HP_RUN_PROBE_H
#define HP_RUN_PROBE_H

/* Reads single records of a sorted run, from any offset on. */

#include "run/cuts.h"

enum {
	PROBE_BYTES = 1 << 12 /* bytes read to find one record */
};

/* Opens a part of run i as a source: `bytes` bytes from offset `from` on. */
int probe_open(const struct cuts *, size_t i, uint64_t from, uint64_t bytes,
    size_t buffer, struct source *, struct hp_err *);

/*
 * Opens s at the first record of run i that starts at byte `from` or later.
 * Sets s->done if there is no such record. The caller closes s. Sets *start to
 * the offset of the record.
 */
int probe(const struct cuts *, size_t i, uint64_t from, struct source *s,
    uint64_t *start, struct hp_err *);
/*
 * Advances s to its next record, or sets s->done at the end. Fails with
 * HP_INPUT if the record is longer than cuts->most.
 */
int probe_next(const struct cuts *, const struct extent_run *, struct source *s,
    struct hp_err *);
/* Fails with HP_INPUT because a record of the run is too long. */
int probe_too_long(const struct extent_run *, struct hp_err *);

#endif
