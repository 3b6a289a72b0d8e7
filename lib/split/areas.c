#include <stdlib.h>

#include "base/array.h"
#include "base/io.h"
#include "record/key.h"
#include "record/keybuf.h"
#include "record/scan.h"
#include "split/areas.h"

enum {
	ROOM = 256 << 10, /* bytes of the buffer of an area */
	ROOM_LEAST = 4 << 10,
	ROOMS = 64 << 20 /* bytes of all buffers */
};

static int
no_memory(const struct areas *l, struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM, "%s: an area", l->name);
}

static int
has_changed(struct hp_err *e)
{
	return hp_fail(
	    e, HP_INPUT, "the input has changed while it was divided");
}

/* Returns the node that gets record number i of the result. */
static size_t
node_of(const struct areas *l, uint64_t i)
{
	size_t low = 0, high = l->nodes - 1, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (i < l->end[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Appends an empty area. Its records begin after those of the last area. */
static int
begin_area(struct areas *l, size_t node, bool divided, struct hp_err *e)
{
	struct area a = { .node = node, .divided = divided };

	if (l->n > 0) {
		const struct area *last = &l->v[l->n - 1];

		a.first = last->first + last->records;
		a.offset = last->offset + last->bytes;
	}
	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return no_memory(l, e);
	l->v[l->n++] = a;
	return 0;
}

/*
 * The last area ends where the bucket ends. Without a bucket, it has all
 * remaining records.
 */
static int
end_area(struct areas *l, const struct sublist *bucket, struct hp_err *e)
{
	struct sublist *s = sublists_add(&l->bounds, e);

	if (s == NULL)
		return -1;
	if (bucket == NULL || !bucket->bounded)
		return 0;
	s->bounded = true;
	return pivot_copy(&s->until, &bucket->until) == -1 ? no_memory(l, e)
							   : 0;
}

/*
 * Adds bucket i to the last area. If the bucket has records of another node,
 * begins a new area for it. *b counts the records of all chunks in the bucket.
 */
static int
add_bucket(struct areas *l, const struct sublists *buckets, size_t i,
    const struct bucket *b, struct hp_err *e)
{
	struct area *a = l->n > 0 ? &l->v[l->n - 1] : NULL;
	uint64_t before = a != NULL ? a->first + a->records : 0;
	size_t node = node_of(
	    l, l->approximate ? before + b->records / 2 : before);
	bool divided = b->records > 0 && !l->approximate &&
	    node_of(l, before + b->records - 1) != node;

	if (a == NULL || divided || a->node != node) {
		if ((a != NULL && end_area(l, &buckets->v[i - 1], e) == -1) ||
		    begin_area(l, node, divided, e) == -1)
			return -1;
		a = &l->v[l->n - 1];
	}
	a->records += b->records;
	a->bytes += b->bytes;
	a->end = i + 1;
	return 0;
}

/* Lays out the parts of an area: those of the chunks, one after the other. */
static int
make_parts(struct areas *l, size_t area, struct bucket *const *bucket,
    size_t room, struct hp_err *e)
{
	struct area *a = &l->v[area];
	uint64_t at = 0;

	if (a->divided && (a->buf = malloc((size_t)a->bytes + 1)) == NULL)
		return no_memory(l, e);
	for (size_t c = 0; c < l->chunks; c++) {
		struct area_part *p = &l->part[c * l->n + area];

		for (size_t i = area > 0 ? a[-1].end : 0; i < a->end; i++) {
			p->records += bucket[c][i].records;
			p->bytes += bucket[c][i].bytes;
		}
		p->at = a->offset + at;
		p->room = a->divided || p->bytes < room ? (size_t)p->bytes
							: room;
		if (a->divided)
			p->buf = a->buf + at;
		else if ((p->buf = malloc(p->room + 1)) == NULL)
			return no_memory(l, e);
		at += p->bytes;
	}
	return 0;
}

int
areas_make(struct areas *l, const struct sublists *buckets,
    struct bucket *const *bucket, size_t chunks, struct hp_err *e)
{
	size_t room;

	for (size_t i = 0; i < buckets->n; i++) {
		struct bucket sum = { 0 };

		for (size_t c = 0; c < chunks; c++) {
			sum.records += bucket[c][i].records;
			sum.bytes += bucket[c][i].bytes;
		}
		if (add_bucket(l, buckets, i, &sum, e) == -1)
			return -1;
	}
	if (end_area(l, NULL, e) == -1)
		return -1;
	l->part = calloc(chunks * l->n, sizeof *l->part);
	if (l->part == NULL)
		return no_memory(l, e);
	l->chunks = chunks;
	room = ROOMS / (chunks * l->n);
	room = room > ROOM ? ROOM : room < ROOM_LEAST ? ROOM_LEAST : room;
	for (size_t i = 0; i < l->n; i++)
		if (make_parts(l, i, bucket, room, e) == -1)
			return -1;
	return 0;
}

static int
put(struct areas *l, struct area_part *p, const void *bytes, size_t n,
    struct hp_err *e)
{
	if (io_pwrite(l->fd, bytes, n, (off_t)(p->at + p->written)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", l->name);
	p->written += n;
	return 0;
}

static int
flush(struct areas *l, struct area_part *p, struct hp_err *e)
{
	size_t n = p->used;

	p->used = 0;
	return n == 0 ? 0 : put(l, p, p->buf, n, e);
}

int
areas_add(struct areas *l, size_t chunk, size_t area, struct span record,
    struct hp_err *e)
{
	struct area_part *p = &l->part[chunk * l->n + area];
	size_t delim = scan_delim(l->format), n = record.len + delim;

	if (n > p->bytes - p->written - p->used)
		return has_changed(e);
	p->added++;
	if (!l->v[area].divided)
		scan_sum(l->format, record, &p->checksum);
	if (n > p->room - p->used && flush(l, p, e) == -1)
		return -1;
	if (n > p->room)
		return put(l, p, record.at, record.len, e) == -1 ||
			put(l, p, &l->format->delim, delim, e) == -1
		    ? -1
		    : 0;
	memcpy(p->buf + p->used, record.at, record.len);
	if (delim > 0)
		p->buf[p->used + record.len] = l->format->delim;
	p->used += n;
	return 0;
}

/*
 * Finds the node of each record of a divided area: node[i] for the i-th record
 * in the order of the input.
 */
static int
assign(const struct areas *l, const struct area *a, const struct order *order,
    size_t *node, struct hp_err *e)
{
	const unsigned char *at = a->buf, *end = a->buf + a->bytes;
	struct pivots found = { 0 };
	struct keybuf buf = { 0 };
	int rc = 0;

	for (uint64_t i = 0; rc == 0 && i < a->records; i++) {
		struct span record = scan_record(l->format, &at, end);
		const struct pivot place = { .index = i };
		struct key key;

		rc = order_key(order, record.at, record.len, &buf, &key) == -1
		    ? no_memory(l, e)
		    : pivots_add_key(&found, &key, &place, e);
	}
	if (rc == 0) {
		pivots_sort(&found);
		for (size_t i = 0; i < found.n; i++)
			node[found.v[i].index] = node_of(l, a->first + i);
	}
	pivots_fini(&found);
	keybuf_fini(&buf);
	return rc;
}

/*
 * Writes the records of a divided area that belong to one node, at the offset
 * *to, which then is the end of these records. They keep the order of the
 * input.
 */
static int
put_part(struct areas *l, const struct area *a, const size_t *node, size_t of,
    unsigned char *buf, uint64_t *to, struct sum *sum, uint64_t *records,
    struct hp_err *e)
{
	const unsigned char *at = a->buf, *end = a->buf + a->bytes, *from;
	size_t n = 0;

	*sum = (struct sum){ 0 };
	*records = 0;
	for (uint64_t i = 0; i < a->records; i++) {
		struct span record;

		from = at;
		record = scan_record(l->format, &at, end);
		if (node[i] != of)
			continue;
		memcpy(buf + n, from, (size_t)(at - from));
		n += (size_t)(at - from);
		scan_sum(l->format, record, sum);
		++*records;
	}
	if (io_pwrite(l->fd, buf, n, (off_t)*to) == -1)
		return hp_fail_errno(e, HP_IO, "%s", l->name);
	*to += n;
	return 0;
}

static int
divide(struct areas *l, const struct area *a, const struct order *order,
    void (*tell)(void *, size_t, uint64_t, uint64_t, const struct sum *),
    void *context, struct hp_err *e)
{
	size_t *node = reallocarray(NULL, a->records, sizeof *node);
	size_t last = node_of(l, a->first + a->records - 1);
	unsigned char *buf = malloc((size_t)a->bytes);
	uint64_t to = a->offset, from, records;
	struct sum sum;
	int rc = -1;

	if (node == NULL || buf == NULL)
		no_memory(l, e);
	else
		rc = assign(l, a, order, node, e);
	for (size_t i = a->node; rc == 0 && i <= last; i++) {
		from = to;
		rc = put_part(l, a, node, i, buf, &to, &sum, &records, e);
		if (rc == 0)
			tell(context, i, to - from, records, &sum);
	}
	free(node);
	free(buf);
	return rc;
}

/* Writes the rest of all parts that no node shares with another. */
static int
end_parts(struct areas *l,
    void (*tell)(void *, size_t, uint64_t, uint64_t, const struct sum *),
    void *context, struct hp_err *e)
{
	for (size_t i = 0; i < l->chunks * l->n; i++) {
		const struct area *a = &l->v[i % l->n];
		struct area_part *p = &l->part[i];

		if (p->written + p->used != p->bytes || p->added != p->records)
			return has_changed(e);
		if (a->divided)
			continue;
		if (flush(l, p, e) == -1)
			return -1;
		tell(context, a->node, p->bytes, p->records, &p->checksum);
	}
	return 0;
}

int
areas_end(struct areas *l, const struct order *order,
    void (*tell)(void *, size_t, uint64_t, uint64_t, const struct sum *),
    void *context, struct hp_err *e)
{
	if (end_parts(l, tell, context, e) == -1)
		return -1;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].divided &&
		    divide(l, &l->v[i], order, tell, context, e) == -1)
			return -1;
	return 0;
}

void
areas_fini(struct areas *l)
{
	for (size_t i = 0; l->part != NULL && i < l->chunks * l->n; i++)
		if (!l->v[i % l->n].divided)
			free(l->part[i].buf);
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].buf);
	free(l->part);
	free(l->v);
	sublists_fini(&l->bounds);
	*l = (struct areas){ 0 };
}
