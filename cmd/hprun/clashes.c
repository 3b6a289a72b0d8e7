#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "clashes.h"

struct placed {
	char *path; /* path on the node, without `.` and empty components */
	dev_t device;
	ino_t inode;
};

/*
 * Removes empty components and the component `.`  from a relative path, in
 * place.
 */
static void
tidy(char *path)
{
	char *to = path;
	const char *from = path;

	while (*from != '\0') {
		size_t n = strcspn(from, "/");

		if (n > 0 && !(n == 1 && *from == '.')) {
			if (to > path)
				*to++ = '/';
			memmove(to, from, n);
			to += n;
		}
		from += n;
		from += *from == '/';
	}
	*to = '\0';
}

int
clashes_add(struct clashes *c, const char *name, const struct stat *st,
    struct hp_err *e)
{
	if (ARRAY_ROOM(c->file, c->n, c->cap) == -1)
		return hp_fail(e, HP_NOMEM, "files");
	c->file[c->n] = (struct placed){ strdup(name), st->st_dev, st->st_ino };
	if (c->file[c->n].path == NULL)
		return hp_fail(e, HP_NOMEM, "files");
	tidy(c->file[c->n++].path);
	return 0;
}

/*
 * Returns the rank of a character in the order of paths: `/` comes before all
 * others.  So the files in a directory follow directly after the directory
 * itself.
 */
static int
order(char c)
{
	return c == '\0' ? 0 : c == '/' ? 1 : (unsigned char)c + 1;
}

static int
by_path(const void *a, const void *b)
{
	const char *x = ((const struct placed *)a)->path;
	const char *y = ((const struct placed *)b)->path;

	for (; *x != '\0' && *x == *y; x++)
		y++;
	return order(*x) - order(*y);
}

/*
 * Returns true if two neighbours in the order of paths cannot both exist on a
 * node.  A file that is listed twice is no clash.
 */
static bool
clash(const struct placed *a, const struct placed *b)
{
	size_t n = strlen(a->path);

	if (strncmp(a->path, b->path, n) != 0)
		return false;
	return b->path[n] == '/' ||
	    (b->path[n] == '\0' &&
		(a->device != b->device || a->inode != b->inode));
}

void
clashes_each(
    struct clashes *c, void (*f)(void *, const char *name), void *context)
{
	if (c->n > 1)
		qsort(c->file, c->n, sizeof *c->file, by_path);
	for (size_t i = 1; i < c->n; i++)
		if (clash(&c->file[i - 1], &c->file[i]))
			f(context, c->file[i].path);
}

void
clashes_fini(struct clashes *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->file[i].path);
	free(c->file);
	*c = (struct clashes){ 0 };
}
