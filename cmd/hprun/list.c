#include <err.h>

#include "base/array.h"
#include "list.h"

void
list_add(struct list *l, const char *word)
{
	if (ARRAY_ROOM(l->v, l->n + 1, l->cap) == -1)
		err(EXIT_TROUBLE, "options");
	l->v[l->n++] = word;
	l->v[l->n] = NULL;
}
