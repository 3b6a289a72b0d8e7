#include <sys/mman.h>

#include "input/fill.h"
#include "input/mapped.h"
#include "input/window.h"

int
input_peek(struct input *in, struct block *b, struct hp_err *e)
{
	unsigned char *end;

	*b = (struct block){ 0 };
	if (input_find(in, in->block, &end, e) == -1)
		return -1;
	if (end != NULL) {
		b->start = in->pos;
		b->end = end;
	}
	return 0;
}

int
input_ahead(
    struct input *in, size_t most, struct text_piece *p, struct hp_err *e)
{
	*p = (struct text_piece){
		.start = in->pos, .name = in->name, .fd = -1
	};
	if (input_find(in, most, &p->end, e) == -1)
		return -1;
	p->start = in->pos;
	if (p->end == NULL)
		p->end = p->start;
	return 0;
}

void
input_skip(struct input *in, unsigned char *end)
{
	in->given += (uint64_t)(end - in->pos);
	if (in->progress != NULL)
		in->progress->read += (uint64_t)(end - in->pos);
	in->pos = end;
	input_forget(in);
}

void
input_trim(struct input *in)
{
	uintptr_t from = page_up((uintptr_t)in->end);

	madvise((void *)from, (uintptr_t)in->base + in->reserved - from,
	    MADV_DONTNEED);
}
