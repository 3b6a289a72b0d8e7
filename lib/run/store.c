#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/size.h"
#include "run/store.h"

enum {
	BLOCK_LEAST = 1 << 14,
	BLOCK_MOST = 1 << 18,
	CACHE_LEAST = 1 << 28
};

/*
 * Returns the maximum number of lanes, that is, of descriptors through which
 * threads write at the same time. Dirty pages in the page cache count as
 * memory, and the kernel may kill a process that exceeds its cgroup's limit. So
 * several lanes are used only if the limit leaves enough memory besides the
 * memory of the sort.
 */
static size_t
lanes_beside(uint64_t memory)
{
	uint64_t all = mem_limit(), cache = all > memory ? all - memory : 0;

	return cache < memory || cache < CACHE_LEAST ? 1 : LANES;
}

void
store_init(struct store *s, const struct tmpdirs *t, enum codec_kind codec,
    const char *program, uint64_t memory)
{
	uint64_t block = memory / 128 & ~(uint64_t)(DIRECT_ALIGN - 1);

	*s = (struct store){ .tmp = *t, .program = program, .memory = memory };
	packers_init(&s->packers, program != NULL ? CODEC_NONE : codec,
	    block < BLOCK_LEAST	     ? BLOCK_LEAST
		: block > BLOCK_MOST ? BLOCK_MOST
				     : (size_t)block);
	pthread_mutex_init(&s->lock, NULL);
}

void
store_fini(struct store *s)
{
	packers_fini(&s->packers);
	for (size_t i = 0; i < s->nfiles; i++) {
		tmpfile_close(s->file[i]);
		free(s->file[i]);
	}
	free(s->file);
	pthread_mutex_destroy(&s->lock);
	*s = (struct store){ 0 };
}

size_t
store_memory(const struct store *s)
{
	return packer_memory(&s->packers);
}

bool
store_is_direct(const struct store *s)
{
	return s->nfiles > 0 && s->file[0]->lane[0].disk.on;
}

bool
store_is_fast(const struct store *s)
{
	return store_is_direct(s) && direct_is_tried(&s->file[0]->lane[0].disk);
}

/* Creates a temporary file in the next directory of -T. */
static struct tmpfile *
new_file(struct store *s, uint64_t room, struct hp_err *e)
{
	struct tmpfile *f = calloc(1, sizeof *f);

	if (f == NULL || ARRAY_ROOM(s->file, s->nfiles, s->cap) == -1) {
		hp_fail_errno(e, HP_NOMEM, "temporary file");
		goto fail;
	}
	if (tmpfile_open(f, &s->tmp, s->nfiles, room, s->need,
		s->program == NULL, lanes_beside(s->memory), e) == -1)
		goto fail;
	s->file[s->nfiles] = f;
	s->nfiles++;
	return f;
fail:
	free(f);
	return NULL;
}

/*
 * Returns the first temporary file whose disk has space, or creates one in a
 * new directory. Returns NULL if there is no space anywhere.
 */
static struct tmpfile *
with_room(struct store *s, struct hp_err *e)
{
	for (size_t i = 0; i < s->nfiles; i++)
		if (s->file[i]->full == 0)
			return s->file[i];
	return s->nfiles < tmp_places(&s->tmp) ? new_file(s, 0, e) : NULL;
}

/* Finds a temporary file to use in place of f, whose disk is full. */
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

struct tmpfile *
store_file(struct store *s, struct hp_err *e)
{
	size_t dirs = s->tmp.n > 1 ? s->tmp.n : 1;

	if (s->nfiles < dirs)
		return new_file(s, s->need / dirs, e);
	return s->file[s->turn++ % s->nfiles];
}

int
store_write(struct store *s, struct tmpfile *f, const unsigned char *buf,
    size_t n, struct lane **lane, off_t *at, struct hp_err *e)
{
	int rc;

	while ((rc = tmpfile_write(f, buf, n, lane, at, e)) == 1)
		if ((f = elsewhere(s, f, e)) == NULL)
			return -1;
	return rc;
}
