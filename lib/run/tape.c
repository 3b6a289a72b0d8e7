#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "run/packer.h"
#include "run/tape.h"

int
tape_begin(struct tape *t, struct store *s, struct hp_err *e)
{
	*t = (struct tape){ .file = store_file(s, e) };
	return t->file == NULL ? -1 : 0;
}

static int
add_block(
    struct tape *t, struct store *s, const struct stored *b, struct hp_err *e)
{
	int rc;

	pthread_mutex_lock(&s->lock);
	rc = ARRAY_ROOM(t->block, t->n, t->cap);
	if (rc == 0) {
		t->block[t->n++] = *b;
		t->bytes += b->bytes;
	}
	pthread_mutex_unlock(&s->lock);
	s->spilled += b->bytes;
	s->stored += b->stored;
	return rc == 0 ? 0 : hp_fail_errno(e, HP_NOMEM, "temporary file");
}

/*
 * Copies a block to the packer's buffer and compresses it if that makes it
 * smaller. Returns NULL on an error.
 */
static const unsigned char *
pack(struct packer *p, const unsigned char *at, struct stored *b,
    struct hp_err *e)
{
	if (p->codec.kind != CODEC_NONE) {
		b->stored = (uint32_t)codec_pack(
		    &p->codec, p->stored, p->cap, at, b->bytes, e);
		if (b->stored == 0)
			return NULL;
	}
	if (b->stored >= b->bytes) {
		b->stored = b->bytes;
		memcpy(p->stored, at, b->bytes);
	}
	return p->stored;
}

int
tape_put(struct tape *t, struct store *s, const void *buf, size_t n,
    uint64_t from, struct hp_err *e)
{
	const unsigned char *at = buf, *stored;
	struct packer *p = NULL;
	struct stored b;
	size_t most = s->packers.block, len;
	int rc = 0;

	if (s->packers.codec == CODEC_NONE &&
	    (uintptr_t)buf % DIRECT_ALIGN == 0)
		most = 1 << 30;
	else if ((p = packer_take(&s->packers, e)) == NULL)
		return -1;
	for (; rc == 0 && n > 0; at += len, from += len, n -= len) {
		len = n < most ? n : most;
		b = (struct stored){ .from = from,
			.bytes = (uint32_t)len,
			.stored = (uint32_t)len };
		stored = p == NULL ? at : pack(p, at, &b, e);
		rc = stored == NULL ||
			store_write(s, t->file, stored, b.stored, &b.lane,
			    &b.at, e) == -1
		    ? -1
		    : add_block(t, s, &b, e);
	}
	if (p != NULL)
		packer_give_back(&s->packers, p);
	return rc;
}

static int
by_place(const void *a, const void *b)
{
	const struct stored *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

void
tape_end(struct tape *t)
{
	if (t->n > 0)
		qsort(t->block, t->n, sizeof *t->block, by_place);
}

void
tape_end_packed(struct tape *t, struct store *s, uint64_t bytes)
{
	tape_end(t);
	t->by_program = true;
	t->packed = t->bytes;
	t->bytes = bytes;
	s->spilled += bytes - t->packed;
}

/* Finds the block that contains byte `from` of the run. */
static const struct stored *
find_block(const struct tape *t, uint64_t from)
{
	size_t low = 0, high = t->n, mid;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (t->block[mid].from <= from)
			low = mid;
		else
			high = mid;
	}
	return &t->block[low];
}

/*
 * Reads n bytes of a block that is not compressed. O_DIRECT needs whole pages,
 * so reads the pages into the packer's buffer and copies the n bytes.
 */
static ssize_t
read_plain(struct packer *p, const struct stored *b, uint64_t skip, void *to,
    size_t n, struct hp_err *e)
{
	size_t lead = (size_t)(skip % DIRECT_ALIGN);
	off_t at = b->at + (off_t)skip;

	n = n < b->bytes - skip ? n : (size_t)(b->bytes - skip);
	if (!b->lane->disk.on)
		return tmpfile_read(b->lane, to, n, n, at, e) == -1
		    ? -1
		    : (ssize_t)n;
	n = n < p->cap - lead ? n : p->cap - lead;
	if (tmpfile_read(b->lane, p->stored, direct_align(lead + n), lead + n,
		at - (off_t)lead, e) == -1)
		return -1;
	memcpy(to, p->stored + lead, n);
	return (ssize_t)n;
}

static ssize_t
read_packed(struct packer *p, const struct stored *b, uint64_t skip, void *to,
    size_t n, struct hp_err *e)
{
	bool whole = skip == 0 && n >= b->bytes;

	if (tmpfile_read(b->lane, p->stored, direct_align(b->stored), b->stored,
		b->at, e) == -1 ||
	    codec_unpack(&p->codec, whole ? to : p->plain, b->bytes, p->stored,
		b->stored, e) == -1)
		return -1;
	if (whole)
		return b->bytes;
	n = n < b->bytes - skip ? n : (size_t)(b->bytes - skip);
	memcpy(to, p->plain + skip, n);
	return (ssize_t)n;
}

ssize_t
tape_read(const struct tape *t, struct store *s, uint64_t from, void *to,
    size_t n, struct hp_err *e)
{
	const struct stored *b = find_block(t, from);
	struct packer *p = packer_take(&s->packers, e);
	ssize_t got;

	if (p == NULL)
		return -1;
	got = (b->stored == b->bytes ? read_plain : read_packed)(
	    p, b, from - b->from, to, n, e);
	packer_give_back(&s->packers, p);
	return got;
}

static int
by_lane(const void *a, const void *b)
{
	const struct stored *x = a, *y = b;

	if (x->lane != y->lane)
		return (uintptr_t)x->lane < (uintptr_t)y->lane ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/*
 * Frees the disk space of all blocks of a tape. Adjacent blocks are freed in
 * one call. Blocks of other tapes may lie between the tape's blocks and are
 * kept.
 */
static void
give_back(struct tape *t)
{
	struct stored *b = t->block;
	off_t end;

	if (t->n > 0)
		qsort(b, t->n, sizeof *b, by_lane);
	for (size_t i = 0, first = 0; i < t->n; i++) {
		end = b[i].at + (off_t)direct_align(b[i].stored);
		if (i + 1 < t->n && b[i + 1].lane == b[i].lane &&
		    b[i + 1].at == end)
			continue;
		tmpfile_free(b[i].lane, b[first].at, end);
		first = i + 1;
	}
}

void
tape_rewind(struct tape *t)
{
	give_back(t);
	t->n = 0;
	t->bytes = 0;
}

void
tape_release(struct tape *t)
{
	give_back(t);
	tape_fini(t);
}

void
tape_fini(struct tape *t)
{
	free(t->block);
	*t = (struct tape){ 0 };
}
