#include <err.h>

#include "base/array.h"
#include "list.h"

void
list_add(struct list *l, const char *word)
{
	if (l->n + 1 >= l->cap) {
		const char **v = array_grow(l->v, &l->cap, sizeof *v);

		if (v == NULL)
			err(EXIT_TROUBLE, "options");
		l->v = v;
	}
	l->v[l->n++] = word;
	l->v[l->n] = NULL;
}
