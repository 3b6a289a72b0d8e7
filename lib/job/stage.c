#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/stage.h"

#define BLOCK_BYTES ((size_t)16 << 10) /* enough for a small run */
#define ALIGN alignof(max_align_t)

/*
 * A block of an arena. The memory of a stage is cut from such blocks, which are
 * freed all together.
 */
struct stage_block {
	struct stage_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char data[];
};

/*
 * Returns zeroed bytes from the arena.  Returns NULL and sets s->nomem if
 * memory runs out.
 */
static void *
cut(struct stage *s, size_t bytes)
{
	struct stage_block *b = s->blocks;
	size_t size;
	void *p;

	if (s->nomem || bytes > SIZE_MAX / 4) {
		s->nomem = true;
		return NULL;
	}
	bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	if (b == NULL || b->size - b->used < bytes) {
		size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
		b = calloc(1, sizeof *b + size);
		if (b == NULL) {
			s->nomem = true;
			return NULL;
		}
		b->size = size;
		b->next = s->blocks;
		s->blocks = b;
	}
	p = b->data + b->used;
	b->used += bytes;
	return p;
}

/*
 * Returns an array with room for n + 1 elements: the same array or a larger
 * copy. The old array stays in the arena. Because each copy doubles the size,
 * all old arrays together are smaller than the newest array.
 */
static void *
room(struct stage *s, void *array, size_t n, size_t *cap, size_t size)
{
	size_t more = *cap < 4 ? 4 : 2 * *cap;
	void *larger;

	if (n < *cap)
		return array;
	if (more > SIZE_MAX / 4 / size)
		s->nomem = true;
	larger = cut(s, more * size);
	if (larger == NULL)
		return NULL;
	if (n > 0)
		memcpy(larger, array, n * size);
	*cap = more;
	return larger;
}

void
stage_init(struct stage *s)
{
	*s = (struct stage){ 0 };
}

void
stage_fini(struct stage *s)
{
	struct stage_block *b;

	while ((b = s->blocks) != NULL) {
		s->blocks = b->next;
		free(b);
	}
	*s = (struct stage){ 0 };
}

struct step *
stage_step(struct stage *s, int rank, const char *name)
{
	struct step *step = cut(s, sizeof *step);
	struct step **list;

	name = stage_text(s, "%s", name);
	list = room(s, s->step, s->n, &s->cap, sizeof(struct step *));
	if (step == NULL || list == NULL) {
		s->spare_step = (struct step){ .rank = rank, .name = name };
		return &s->spare_step;
	}
	step->rank = rank;
	step->name = name;
	s->step = list;
	s->step[s->n++] = step;
	return step;
}

void
stage_drop(struct stage *s, size_t index)
{
	size_t *list = room(
	    s, s->dropped, s->ndropped, &s->dropped_cap, sizeof *s->dropped);

	if (list == NULL)
		return;
	s->dropped = list;
	s->dropped[s->ndropped++] = index;
}

__attribute__((format(printf, 2, 0))) static const char *
vtext(struct stage *s, const char *fmt, va_list ap)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	text = cut(s, len < 0 ? SIZE_MAX : (size_t)len + 1);
	if (text == NULL)
		return "";
	vsnprintf(text, (size_t)len + 1, fmt, ap);
	return text;
}

const char *
stage_text(struct stage *s, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = vtext(s, fmt, ap);
	va_end(ap);
	return text;
}

struct words
words_of(struct stage *s)
{
	return (struct words){ .stage = s };
}

/*
 * Adds a word to the list without copying the text, which already belongs to
 * the stage.
 */
static void
add_own(struct words *w, const char *text)
{
	const char **list;

	/* Allocate one more element for the NULL at the end. */
	list = room(w->stage, w->v, w->n == 0 ? 0 : w->n + 1, &w->cap,
	    sizeof(const char *));
	if (list == NULL)
		return;
	w->v = list;
	w->v[w->n++] = text;
	w->v[w->n] = NULL;
}

void
words_add(struct words *w, const char *text)
{
	add_own(w, stage_text(w->stage, "%s", text));
}

void
words_addf(struct words *w, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = vtext(w->stage, fmt, ap);
	va_end(ap);
	add_own(w, text);
}

void
words_add_all(struct words *w, const char *const *list)
{
	for (; list != NULL && *list != NULL; list++)
		words_add(w, *list);
}

/*
 * Returns a copy of the port. The stage owns the copied file name, because the
 * caller may free its own.
 */
static struct port
own_port(struct stage *s, struct port p)
{
	if (p.file != NULL)
		p.file = stage_text(s, "%s", p.file);
	return p;
}

static struct action *
add(struct stage *s, struct step *step, enum action_kind kind)
{
	size_t cap = step->cap;
	struct action *list = room(
	    s, step->action, step->nactions, &cap, sizeof *step->action);

	if (list == NULL) {
		s->spare_action = (struct action){ .kind = kind };
		return &s->spare_action;
	}
	step->action = list;
	step->cap = cap;
	list += step->nactions++;
	*list = (struct action){ .kind = kind };
	return list;
}

struct action *
stage_run(struct stage *s, struct step *step, struct port in, struct port out,
    const struct words *words)
{
	struct action *a = add(s, step, ACT_RUN);

	a->words = words->v;
	a->in = own_port(s, in);
	a->out = own_port(s, out);
	return a;
}

struct action *
stage_put(struct stage *s, struct step *step, const char *source,
    uint64_t offset, uint64_t bytes, const char *node)
{
	struct action *a = add(s, step, ACT_PUT);

	a->launcher = own_port(s, port_file(source));
	a->offset = offset;
	a->bytes = bytes;
	a->node = stage_text(s, "%s", node);
	return a;
}

struct action *
stage_get(struct stage *s, struct step *step, const char *node, uint64_t offset,
    uint64_t bytes, struct port target, uint64_t at)
{
	struct action *a = add(s, step, ACT_GET);

	a->node = stage_text(s, "%s", node);
	a->offset = offset;
	a->bytes = bytes;
	a->launcher = own_port(s, target);
	a->at = at;
	return a;
}

struct action *
stage_size(struct stage *s, struct step *step, const char *node)
{
	struct action *a = add(s, step, ACT_SIZE);

	a->node = stage_text(s, "%s", node);
	return a;
}

/* Returns a list of two words. */
static const char **
pair(struct stage *s, const char *first, const char *second)
{
	struct words w = words_of(s);

	WORDS_ADD(&w, first, second);
	return w.v;
}

struct action *
stage_rename(
    struct stage *s, struct step *step, const char *from, const char *to)
{
	struct action *a = add(s, step, ACT_RENAME);

	a->words = pair(s, from, to);
	return a;
}

struct action *
stage_skip_if(
    struct stage *s, struct step *step, const char *exists, const char *absent)
{
	struct action *a = add(s, step, ACT_SKIP_IF);

	a->words = pair(s, exists, absent);
	return a;
}

struct action *
stage_files(struct stage *s, struct step *step, enum action_kind kind,
    const struct words *words)
{
	struct action *a = add(s, step, kind);

	a->words = words->v;
	return a;
}
