#include <stdlib.h>

#include "run/direct.h"
#include "run/packer.h"

void
packers_init(struct packers *s, enum codec_kind codec, size_t block)
{
	*s = (struct packers){ .codec = codec, .block = block };
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
packers_fini(struct packers *s)
{
	struct packer *p;

	while ((p = s->idle) != NULL) {
		s->idle = p->next;
		packer_free(p);
	}
	pthread_mutex_destroy(&s->lock);
}

static size_t
stored_most(const struct packers *s)
{
	return direct_align(codec_bound(s->codec, s->block)) + DIRECT_ALIGN;
}

size_t
packer_memory(const struct packers *s)
{
	return stored_most(s) +
	    (s->codec == CODEC_NONE
		    ? 0
		    : s->block + codec_memory(s->codec, s->block));
}

static struct packer *
packer_new(const struct packers *s, struct hp_err *e)
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

struct packer *
packer_take(struct packers *s, struct hp_err *e)
{
	struct packer *p;

	pthread_mutex_lock(&s->lock);
	if ((p = s->idle) != NULL)
		s->idle = p->next;
	pthread_mutex_unlock(&s->lock);
	return p != NULL ? p : packer_new(s, e);
}

void
packer_give_back(struct packers *s, struct packer *p)
{
	pthread_mutex_lock(&s->lock);
	p->next = s->idle;
	s->idle = p;
	pthread_mutex_unlock(&s->lock);
}
