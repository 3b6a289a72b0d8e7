#include <stdlib.h>

#include "numbers/scatter.h"

int
scatter_init(struct scatter *s, struct sheets *sheets, size_t n,
    const bool *equal, struct hp_err *e)
{
	*s = (struct scatter){ .sheets = sheets, .n = n, .equal = equal };
	s->count = calloc(n, sizeof *s->count);
	s->line = aligned_alloc(LINE, n * LINE);
	s->at = calloc(n, sizeof *s->at);
	s->first = calloc(n, sizeof *s->first);
	if (s->count == NULL || s->line == NULL || s->at == NULL ||
	    s->first == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu lists", n);
	/*
	 * A buffer is written as a whole, even if its last part was never
	 * filled. So initialize all buffers.
	 */
	memset(s->line, 0, n * LINE);
	return 0;
}

void
scatter_fini(struct scatter *s)
{
	free(s->count);
	free(s->line);
	free(s->at);
	free(s->first);
	*s = (struct scatter){ 0 };
}

unsigned char *
scatter_grow(struct scatter *s, size_t b)
{
	struct sheets *sheets = s->sheets;
	struct sheet *x = sheets->spare, *last;

	if (x != NULL)
		sheets->spare = x->next;
	else if ((x = heap_bytes(&sheets->heap, sheets->size)) == NULL)
		return NULL;
	x->next = NULL;
	if (s->at[b] == NULL)
		s->first[b] = x;
	/* `at` points to the end of a full sheet (a block of the list). */
	else {
		last = (struct sheet *)(void *)(s->at[b] - sheets->size);
		last->next = x;
	}
	return x->data;
}

int
scatter_close(struct scatter *s, size_t size)
{
	for (size_t b = 0; b < s->n; b++)
		if (s->count[b] % (LINE / size) != 0 &&
		    scatter_line(s, b) == -1)
			return -1;
	scatter_fence();
	return 0;
}
