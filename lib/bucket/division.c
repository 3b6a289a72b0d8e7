#include <stdlib.h>

#include "bucket/division.h"

int
division_init(struct division *d, bool briefs, bool flip, struct hp_err *e)
{
	d->n = d->tree.buckets;
	if (!briefs)
		return 0;
	d->brief = briefs_new(&d->tree, flip, e);
	return d->brief == NULL ? -1 : 0;
}

void
division_fini(struct division *d)
{
	tree_fini(&d->tree);
	free(d->brief);
	d->brief = NULL;
}
