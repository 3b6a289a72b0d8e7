#include <stdlib.h>

#include "base/io.h"
#include "base/random.h"
#include "record/key.h"
#include "record/keybuf.h"
#include "record/scan.h"
#include "split/splitters.h"

enum {
	/*
	 * Number of random places of the file that are read: one for each 4
	 * MiB, but from 2048 to 32768. A file of less than 2 MiB has one for
	 * each KiB.
	 */
	PLACES_LEAST = 2048,
	PLACES_MOST = 32768,
	PLACE_BYTES = 4 << 20,
	PLACE_LEAST = 1 << 10,
	BLOCK = 4096,	      /* bytes that are read at a place */
	BLOCK_MOST = 1 << 20, /* more, if no record begins in a block */
	AT_PLACE = 8,	      /* records that are taken at a place, at most */
	OVERSAMPLE = 8,	      /* candidates per bucket */
	NODE_BUCKETS = 8,     /* least number of buckets for each node */
	KEYS_MOST = 64 << 20  /* bytes of all keys of the sample */
};

struct sample {
	const struct splitters_file *file;
	const struct order *order;
	unsigned char *block;
	size_t cap;
	size_t keys; /* bytes of the keys */
	struct keybuf buf;
	struct pivots found;
};

static int
no_memory(const struct sample *s, struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM, "%s: sample", s->file->name);
}

static int
take(struct sample *s, struct span record, uint64_t at, struct hp_err *e)
{
	const struct pivot place = { .index = at };
	struct key key;

	if (order_key(s->order, record.at, record.len, &s->buf, &key) == -1)
		return no_memory(s, e);
	s->keys += key.len;
	return pivots_add_key(&s->found, &key, &place, e);
}

/*
 * Takes the records that lie wholly in a block of the file. The first line of
 * the block may have begun before it, so it is not taken. Returns how many
 * records were taken, or -1.
 */
static int
take_whole(struct sample *s, uint64_t at, size_t n, struct hp_err *e)
{
	const struct format *f = &s->order->format;
	const unsigned char *start = s->block, *end = start + n, *p = start, *q;
	int taken = 0;

	if (f->size == 0 && at > 0) {
		if ((q = scan_find(f, p, 0, end)) == NULL)
			return 0;
		p = q + scan_delim(f);
	}
	for (; taken < AT_PLACE && s->keys < KEYS_MOST; taken++) {
		if ((q = scan_find(f, p, 0, end)) == NULL)
			break;
		if (take(s, (struct span){ p, (size_t)(q - p) },
			at + (uint64_t)(p - start), e) == -1)
			return -1;
		p = q + scan_delim(f);
	}
	return taken;
}

/* Takes records at a place of the file. Long lines need larger blocks. */
static int
sample_place(struct sample *s, uint64_t at, struct hp_err *e)
{
	uint64_t rest = s->file->end - s->file->offset - at;
	unsigned char *grown;
	int taken = 0;

	for (size_t want = BLOCK; taken == 0; want *= 4) {
		ssize_t n;

		if (want < s->order->format.size)
			continue;
		want = want < rest ? want : (size_t)rest;
		if (want > s->cap) {
			if ((grown = realloc(s->block, want)) == NULL)
				return no_memory(s, e);
			s->block = grown;
			s->cap = want;
		}
		n = io_pread(
		    s->file->fd, s->block, want, (off_t)(s->file->offset + at));
		if (n == -1)
			return hp_fail_errno(e, HP_IO, "%s", s->file->name);
		taken = take_whole(s, at, (size_t)n, e);
		if (want == rest || want >= BLOCK_MOST)
			break;
	}
	return taken == -1 ? -1 : 0;
}

static int
draw(struct sample *s, struct hp_err *e)
{
	uint64_t bytes = s->file->end - s->file->offset;
	uint64_t size = s->order->format.size, places = bytes / PLACE_BYTES;
	struct random r = { bytes };

	if (bytes == 0)
		return 0;
	if (places < PLACES_LEAST)
		places = bytes / PLACE_LEAST < PLACES_LEAST
		    ? bytes / PLACE_LEAST + 1
		    : PLACES_LEAST;
	places = places > PLACES_MOST ? PLACES_MOST : places;
	for (uint64_t i = 0; i < places && s->keys < KEYS_MOST; i++) {
		uint64_t at = (uint64_t)((unsigned __int128)random_next(&r) *
			bytes >>
		    64);

		if (size > 0)
			at -= at % size;
		if (sample_place(s, at, e) == -1)
			return -1;
	}
	return 0;
}

/* Makes one candidate of each `every` the end of a bucket. */
static int
make_buckets(
    struct sample *s, size_t every, struct sublists *buckets, struct hp_err *e)
{
	for (size_t i = every; i < s->found.n; i += every) {
		struct sublist *b = sublists_add(buckets, e);

		if (b == NULL)
			return -1;
		b->bounded = true;
		b->until = s->found.v[i];
		s->found.v[i] = (struct pivot){ 0 };
	}
	return sublists_add(buckets, e) == NULL ? -1 : 0;
}

int
splitters_choose(const struct splitters_file *file, const struct order *order,
    size_t nodes, struct sublists *buckets, struct hp_err *e)
{
	struct sample s = { .file = file, .order = order };
	size_t every = OVERSAMPLE;
	int rc = draw(&s, e);

	if (rc == 0) {
		pivots_sort(&s.found);
		pivots_unique(&s.found);
		if (s.found.n / every < nodes * NODE_BUCKETS)
			every = s.found.n / (nodes * NODE_BUCKETS);
		rc = make_buckets(&s, every > 0 ? every : 1, buckets, e);
	}
	pivots_fini(&s.found);
	keybuf_fini(&s.buf);
	free(s.block);
	return rc;
}
