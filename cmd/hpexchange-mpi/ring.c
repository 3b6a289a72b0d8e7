#include <stdlib.h>

#include "ring.h"

int
ring_init(struct ring *r, uint32_t slots, struct hp_err *e)
{
	*r = (struct ring){ .slots = slots };
	if ((r->slot = calloc(slots, sizeof *r->slot)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "window");
	for (uint32_t i = 0; i < slots; i++)
		if (framebuf_init(&r->slot[i], e) == -1)
			return -1;
	return 0;
}

void
ring_fini(struct ring *r)
{
	for (uint32_t i = 0; r->slot != NULL && i < r->slots; i++)
		framebuf_fini(&r->slot[i]);
	free(r->slot);
	r->slot = NULL;
}
