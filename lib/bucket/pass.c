#include <stdlib.h>

#include "bucket/bucket.h"
#include "bucket/emit.h"
#include "bucket/pass.h"
#include "bucket/reading.h"
#include "bucket/refine.h"
#include "bucket/rounds.h"

int
buckets_fill(struct buckets *b, struct hp_err *e)
{
	struct pile *pile;
	struct bucket *end;
	int rc = -1, more;

	buckets_forget(b);
	b->bucket = end = calloc(b->division.n, sizeof *b->bucket);
	pile = calloc(b->threads, sizeof *pile);
	if (b->bucket == NULL || pile == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	for (unsigned i = 0; i < b->threads; i++)
		if (pile_init(&pile[i], &b->heap[i], b->division.n, e) == -1)
			goto out;
	if ((more = buckets_distribute(b, pile, e)) == -1)
		goto out;
	if (rounds_noting(&b->rounds))
		rounds_count(b, pile);
	else if (buckets_collect(b, &b->division, pile, &end, e) == -1)
		goto out;
	b->nbuckets = (size_t)(end - b->bucket);
	rc = more;
out:
	for (unsigned i = 0; pile != NULL && i < b->threads; i++)
		pile_fini(&pile[i]);
	free(pile);
	return rc;
}

int
buckets_sort(
    struct buckets *b, struct output *out, uint64_t *records, struct hp_err *e)
{
	if (buckets_refine(b, e) == -1 ||
	    buckets_emit(b, out, records, e) == -1)
		return -1;
	buckets_forget(b);
	arena_reset(&b->arena);
	for (unsigned i = 0; i < b->threads; i++)
		b->heap[i] = (struct heap){ .arena = &b->arena };
	return 0;
}
