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

/* Adds an area that begins with this bucket, after the last area. */
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

static int
make_rooms(struct areas *l, struct hp_err *e)
{
	size_t room = ROOMS / l->n;

	room = room > ROOM ? ROOM : room < ROOM_LEAST ? ROOM_LEAST : room;
	for (size_t i = 0; i < l->n; i++) {
		struct area *a = &l->v[i];

		a->room = a->divided || a->bytes < room ? (size_t)a->bytes
							: room;
		if ((a->buf = malloc(a->room + 1)) == NULL)
			return no_memory(l, e);
	}
	return 0;
}

int
areas_make(struct areas *l, const struct sublists *buckets,
    const struct bucket *bucket, struct hp_err *e)
{
	uint64_t before = 0;

	for (size_t i = 0; i < buckets->n; i++) {
		const struct bucket *b = &bucket[i];
		size_t node = node_of(
		    l, l->approximate ? before + b->records / 2 : before);
		bool divided = b->records > 0 && !l->approximate &&
		    node_of(l, before + b->records - 1) != node;
		struct area *a = l->n > 0 ? &l->v[l->n - 1] : NULL;

		if (a == NULL || divided || a->node != node) {
			if ((a != NULL &&
				end_area(l, &buckets->v[i - 1], e) == -1) ||
			    begin_area(l, node, divided, e) == -1)
				return -1;
			a = &l->v[l->n - 1];
		}
		a->records += b->records;
		a->bytes += b->bytes;
		before += b->records;
	}
	if (end_area(l, NULL, e) == -1)
		return -1;
	return make_rooms(l, e);
}

static int
put(struct areas *l, struct area *a, const void *bytes, size_t n,
    struct hp_err *e)
{
	if (io_pwrite(l->fd, bytes, n, (off_t)(a->offset + a->written)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", l->name);
	a->written += n;
	return 0;
}

static int
flush(struct areas *l, struct area *a, struct hp_err *e)
{
	size_t n = a->used;

	a->used = 0;
	return n == 0 ? 0 : put(l, a, a->buf, n, e);
}

int
areas_add(struct areas *l, size_t area, struct span record, struct hp_err *e)
{
	struct area *a = &l->v[area];
	size_t delim = scan_delim(l->format), n = record.len + delim;

	if (n > a->bytes - a->written - a->used)
		return has_changed(e);
	a->added++;
	if (!a->divided)
		scan_sum(l->format, record, &a->checksum);
	if (n > a->room - a->used && flush(l, a, e) == -1)
		return -1;
	if (n > a->room)
		return put(l, a, record.at, record.len, e) == -1 ||
			put(l, a, &l->format->delim, delim, e) == -1
		    ? -1
		    : 0;
	memcpy(a->buf + a->used, record.at, record.len);
	if (delim > 0)
		a->buf[a->used + record.len] = l->format->delim;
	a->used += n;
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
	const unsigned char *at = a->buf, *end = a->buf + a->used;
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
 * Writes the records of a divided area that belong to one node. They keep the
 * order of the input.
 */
static int
put_part(struct areas *l, struct area *a, const size_t *node, size_t of,
    unsigned char *buf, uint64_t *bytes, struct sum *sum, uint64_t *records,
    struct hp_err *e)
{
	const unsigned char *at = a->buf, *end = a->buf + a->used, *from;
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
	*bytes = n;
	return put(l, a, buf, n, e);
}

static int
divide(struct areas *l, struct area *a, const struct order *order,
    void (*tell)(void *, size_t, uint64_t, uint64_t, const struct sum *),
    void *context, struct hp_err *e)
{
	size_t *node = reallocarray(NULL, a->records, sizeof *node);
	size_t last = node_of(l, a->first + a->records - 1);
	unsigned char *buf = malloc(a->used);
	uint64_t bytes, records;
	struct sum sum;
	int rc = -1;

	if (node == NULL || buf == NULL)
		no_memory(l, e);
	else
		rc = assign(l, a, order, node, e);
	for (size_t i = a->node; rc == 0 && i <= last; i++) {
		rc = put_part(l, a, node, i, buf, &bytes, &sum, &records, e);
		if (rc == 0)
			tell(context, i, bytes, records, &sum);
	}
	free(node);
	free(buf);
	return rc;
}

int
areas_end(struct areas *l, const struct order *order,
    void (*tell)(void *, size_t, uint64_t, uint64_t, const struct sum *),
    void *context, struct hp_err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		struct area *a = &l->v[i];

		if (a->written + a->used != a->bytes || a->added != a->records)
			return has_changed(e);
		if (a->divided) {
			if (divide(l, a, order, tell, context, e) == -1)
				return -1;
			continue;
		}
		if (flush(l, a, e) == -1)
			return -1;
		tell(context, a->node, a->bytes, a->records, &a->checksum);
	}
	return 0;
}

void
areas_fini(struct areas *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].buf);
	free(l->v);
	sublists_fini(&l->bounds);
	*l = (struct areas){ 0 };
}
