#include <sys/mman.h>

#include <stdlib.h>
#include <unistd.h>

#include "run/maps.h"

static uint64_t
page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

unsigned char **
maps_open(const struct cuts *c, uint64_t memory)
{
	unsigned char **map, *p;

	if (c->total > memory / 2 || (map = calloc(c->n, sizeof *map)) == NULL)
		return NULL;
	for (size_t i = 0; i < c->n; i++) {
		const struct extent_run *r = &c->run[i];
		uint64_t before = r->off % page_bytes();

		if (r->tape != NULL || r->bytes == 0)
			continue;
		p = mmap(NULL, before + r->bytes, PROT_READ, MAP_SHARED, r->fd,
		    (off_t)(r->off - before));
		if (p == MAP_FAILED)
			continue;
		madvise(p, before + r->bytes, MADV_SEQUENTIAL);
		map[i] = p + before;
	}
	return map;
}

void
maps_close(unsigned char **map, const struct cuts *c)
{
	for (size_t i = 0; map != NULL && i < c->n; i++) {
		const struct extent_run *r = &c->run[i];
		uint64_t before = r->off % page_bytes();

		if (map[i] != NULL)
			munmap(map[i] - before, before + r->bytes);
	}
	free(map);
}

void
maps_release(unsigned char *const *map, const struct cuts *c,
    const uint64_t *from, const uint64_t *to)
{
	uint64_t page = page_bytes(), before;

	for (size_t i = 0; map != NULL && i < c->n; i++) {
		before = (c->run[i].off + from[i]) % page;
		if (map[i] != NULL && from[i] < to[i])
			madvise(map[i] + from[i] - before,
			    before + to[i] - from[i], MADV_DONTNEED);
	}
}
