#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "run/store.h"

enum {
	BLOCK_LEAST = 1 << 14,
	BLOCK_MOST = 1 << 18
};

struct packer {
	struct packer *next;
	struct codec codec;
	unsigned char *stored; /* as in the file, aligned */
	size_t cap;
	unsigned char *plain; /* one block, if compressed */
};

void
store_init(struct store *s, const struct tmpdirs *t, enum codec_kind codec,
    const char *program, uint64_t memory)
{
	uint64_t block = memory / 128 & ~(uint64_t)(DIRECT_ALIGN - 1);

	*s = (struct store){ .tmp = *t, .codec = codec, .program = program };
	s->block = block < BLOCK_LEAST ? BLOCK_LEAST
	    : block > BLOCK_MOST       ? BLOCK_MOST
				       : (size_t)block;
	pthread_mutex_init(&s->lock, NULL);
}

static void
packer_free(struct packer *p)
{
	if (p == NULL)
		return;
	codec_fini(&p->codec);
	free(p->stored);
	free(p->plain);
	free(p);
}

void
store_fini(struct store *s)
{
	struct packer *p;

	while ((p = s->idle) != NULL) {
		s->idle = p->next;
		packer_free(p);
	}
	for (size_t i = 0; i < s->nfiles; i++) {
		tmpfile_close(s->file[i]);
		free(s->file[i]);
	}
	free(s->file);
	pthread_mutex_destroy(&s->lock);
	*s = (struct store){ 0 };
}

static size_t
stored_most(const struct store *s)
{
	return direct_align(codec_bound(s->codec, s->block)) + DIRECT_ALIGN;
}

size_t
store_memory(const struct store *s)
{
	return stored_most(s) +
	    (s->codec == CODEC_NONE
		    ? 0
		    : s->block + codec_memory(s->codec, s->block));
}

bool
store_is_direct(const struct store *s)
{
	return s->nfiles > 0 && s->file[0]->disk.on;
}

bool
store_is_fast(const struct store *s)
{
	return store_is_direct(s) && direct_is_tried(&s->file[0]->disk);
}

static struct packer *
packer_new(const struct store *s, struct hp_err *e)
{
	struct packer *p = calloc(1, sizeof *p);

	if (p != NULL) {
		p->cap = stored_most(s);
		p->stored = aligned_alloc(DIRECT_ALIGN, p->cap);
		if (s->codec != CODEC_NONE)
			p->plain = malloc(s->block);
	}
	if (p == NULL || p->stored == NULL ||
	    (s->codec != CODEC_NONE && p->plain == NULL)) {
		packer_free(p);
		hp_fail_errno(e, HP_NOMEM, "temporary file");
		return NULL;
	}
	if (codec_init(&p->codec, s->codec, e) == -1) {
		packer_free(p);
		return NULL;
	}
	return p;
}

/* There are as many as threads that were here at the same time. */
static struct packer *
packer_take(struct store *s, struct hp_err *e)
{
	struct packer *p;

	pthread_mutex_lock(&s->lock);
	if ((p = s->idle) != NULL)
		s->idle = p->next;
	pthread_mutex_unlock(&s->lock);
	return p != NULL ? p : packer_new(s, e);
}

static void
packer_give_back(struct store *s, struct packer *p)
{
	pthread_mutex_lock(&s->lock);
	p->next = s->idle;
	s->idle = p;
	pthread_mutex_unlock(&s->lock);
}

/* In the next directory. */
static struct tmpfile *
new_file(struct store *s, uint64_t room, struct hp_err *e)
{
	struct tmpfile *f = calloc(1, sizeof *f);
	struct tmpfile **v = array_room(s->file, s->nfiles, &s->cap, sizeof *v);

	if (v != NULL)
		s->file = v;
	if (f == NULL || v == NULL) {
		hp_fail_errno(e, HP_NOMEM, "temporary file");
		goto fail;
	}
	if (tmpfile_open(f, &s->tmp, s->nfiles, room, s->need,
		s->program == NULL, e) == -1)
		goto fail;
	s->file[s->nfiles] = f;
	s->nfiles++;
	return f;
fail:
	free(f);
	return NULL;
}

/* The first one that is not full, or one where none was yet; or NULL. */
static struct tmpfile *
with_room(struct store *s, struct hp_err *e)
{
	for (size_t i = 0; i < s->nfiles; i++)
		if (s->file[i]->full == 0)
			return s->file[i];
	return s->nfiles < tmp_places(&s->tmp) ? new_file(s, 0, e) : NULL;
}

/* Instead of one that is full. */
static struct tmpfile *
elsewhere(struct store *s, const struct tmpfile *f, struct hp_err *e)
{
	struct tmpfile *other;

	pthread_mutex_lock(&s->lock);
	other = with_room(s, e);
	pthread_mutex_unlock(&s->lock);
	if (other == NULL) {
		errno = f->full;
		tmp_fail_full(&s->tmp, s->need, s->stored, e);
	}
	return other;
}

/* The next file that no program writes to, or NULL. */
static struct tmpfile *
next_file(struct store *s)
{
	struct tmpfile *f;

	for (size_t i = 0; i < s->nfiles; i++)
		if (!(f = s->file[s->turn++ % s->nfiles])->packing)
			return f;
	return NULL;
}

/* Every directory of -T gets a file before any gets a second run. */
int
tape_begin(struct tape *t, struct store *s, struct hp_err *e)
{
	size_t dirs = s->tmp.n > 1 ? s->tmp.n : 1;

	*t = (struct tape){ 0 };
	t->file = s->nfiles < dirs ? NULL : next_file(s);
	if (t->file == NULL)
		t->file = new_file(s, s->need / dirs, e);
	return t->file == NULL ? -1 : 0;
}

static int
add_block(struct tape *t, struct store *s, const struct stored *b)
{
	struct stored *v;

	pthread_mutex_lock(&s->lock);
	if ((v = array_room(t->block, t->n, &t->cap, sizeof *v)) != NULL) {
		t->block = v;
		v[t->n++] = *b;
		t->bytes += b->bytes;
	}
	pthread_mutex_unlock(&s->lock);
	s->spilled += b->bytes;
	s->stored += b->stored;
	return v == NULL ? -1 : 0;
}

/* Is there no room here, of the disk, of a quota or in a file? */
static bool
is_full(int errnum)
{
	return errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG;
}

/* One block, from an aligned address, to a file; 1 if that takes no more. */
static int
write_block(struct tmpfile *f, const unsigned char *stored, struct stored *b,
    struct hp_err *e)
{
	size_t n = direct_align(b->stored);

	if (f->full != 0)
		return 1;
	b->file = f;
	b->at = atomic_fetch_add(&f->end, (off_t)n);
	if (!f->disk.on)
		n = b->stored;
	if (direct_write(&f->disk, stored, n, b->at) == 0)
		return 0;
	if (!is_full(errno))
		return hp_fail_errno(e, HP_IO, "%s", f->name);
	f->full = errno;
	return 1;
}

static int
put_block(struct tape *t, struct store *s, const unsigned char *stored,
    struct stored *b, struct hp_err *e)
{
	struct tmpfile *f = t->file;
	int rc;

	while ((rc = write_block(f, stored, b, e)) == 1)
		if ((f = elsewhere(s, f, e)) == NULL)
			return -1;
	if (rc == 0 && add_block(t, s, b) == -1)
		rc = hp_fail_errno(e, HP_NOMEM, "temporary file");
	return rc;
}

/* A block as it goes to the file: a copy, packed where that makes it smaller;
 * or NULL. */
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
	size_t most = s->block, len;
	int rc = 0;

	if (s->codec == CODEC_NONE && (uintptr_t)buf % DIRECT_ALIGN == 0)
		most = 1 << 30;
	else if ((p = packer_take(s, e)) == NULL)
		return -1;
	for (; rc == 0 && n > 0; at += len, from += len, n -= len) {
		len = n < most ? n : most;
		b = (struct stored){ .from = from,
			.bytes = (uint32_t)len,
			.stored = (uint32_t)len };
		stored = p == NULL ? at : pack(p, at, &b, e);
		rc = stored == NULL ? -1 : put_block(t, s, stored, &b, e);
	}
	if (p != NULL)
		packer_give_back(s, p);
	return rc;
}

void
tape_pack(struct tape *t, int *fd, off_t *at)
{
	*fd = t->file->disk.fd;
	*at = t->at = t->file->end;
	t->file->packing = true;
}

void
tape_packed(struct tape *t, struct store *s, off_t end, uint64_t bytes)
{
	t->bytes = bytes;
	t->packed = (uint64_t)(end - t->at);
	t->file->end = end;
	t->file->packing = false;
	s->spilled += bytes;
	s->stored += t->packed;
}

void
tape_rewind(struct tape *t)
{
	t->n = 0;
	t->bytes = 0;
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

/* The block where byte `from` of the run is. */
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

/* Of a block that is not compressed: what n bytes of it lie in, in pages. */
static ssize_t
read_plain(struct packer *p, const struct stored *b, uint64_t skip, void *to,
    size_t n, struct hp_err *e)
{
	size_t lead = (size_t)(skip % DIRECT_ALIGN);
	off_t at = b->at + (off_t)skip;

	n = n < b->bytes - skip ? n : (size_t)(b->bytes - skip);
	if (!b->file->disk.on)
		return tmpfile_read(b->file, to, n, n, at, e) == -1
		    ? -1
		    : (ssize_t)n;
	n = n < p->cap - lead ? n : p->cap - lead;
	if (tmpfile_read(b->file, p->stored, direct_align(lead + n), lead + n,
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

	if (tmpfile_read(b->file, p->stored, direct_align(b->stored), b->stored,
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
	struct packer *p = packer_take(s, e);
	ssize_t got;

	if (p == NULL)
		return -1;
	got = (b->stored == b->bytes ? read_plain : read_packed)(
	    p, b, from - b->from, to, n, e);
	packer_give_back(s, p);
	return got;
}

/* Where holes cannot be made, the disk is free at the end. */
static void
free_disk(struct tmpfile *f, off_t from, off_t to)
{
	if (from < to &&
	    fallocate(f->disk.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		from, to - from) == 0)
		f->full = 0;
}

/* What lies in one of the files. */
static void
release_from(const struct tape *t, struct tmpfile *f)
{
	off_t from = INT64_MAX, to = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct stored *b = &t->block[i];
		off_t end = b->at + (off_t)direct_align(b->stored);

		if (b->file != f)
			continue;
		from = b->at < from ? b->at : from;
		to = end > to ? end : to;
	}
	free_disk(f, from, to);
}

void
tape_release(struct tape *t, struct store *s)
{
	if (t->packed > 0)
		free_disk(t->file, t->at, t->at + (off_t)t->packed);
	for (size_t i = 0; t->n > 0 && i < s->nfiles; i++)
		release_from(t, s->file[i]);
	tape_fini(t);
}

void
tape_fini(struct tape *t)
{
	free(t->block);
	*t = (struct tape){ 0 };
}
