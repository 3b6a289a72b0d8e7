#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "bundle.h"

enum {
	EXECUTABLE = 1 /* bit of the flags in the head of a file */
};

void
bundle_head_put(const struct bundle_head *h, unsigned char *p)
{
	put64(p, h->bytes);
	put64(p + 8, (uint64_t)h->mtime_s);
	put32(p + 16, h->mtime_ns);
	put32(p + 20, h->name_bytes);
	put32(p + 24, h->executable ? EXECUTABLE : 0);
	put32(p + 28, 0);
}

int
bundle_head_get(struct bundle_head *h, const unsigned char *p, struct hp_err *e)
{
	*h = (struct bundle_head){ .bytes = get64(p),
		.mtime_s = (int64_t)get64(p + 8),
		.mtime_ns = get32(p + 16),
		.name_bytes = get32(p + 20),
		.executable = get32(p + 24) == EXECUTABLE };
	if (h->name_bytes > 0 && h->name_bytes <= BUNDLE_NAME_MOST &&
	    h->mtime_ns < 1000000000 && h->bytes <= INT64_MAX)
		return 0;
	return hp_fail(e, HP_INPUT, "the received files are damaged");
}

/* Returns the length of the first component of a path. */
static size_t
component(const char *path)
{
	return strcspn(path, "/");
}

static bool
is_up(const char *path)
{
	return component(path) == 2 && path[0] == '.' && path[1] == '.';
}

bool
bundle_is_safe(const char *name)
{
	if (*name == '\0' || *name == '/')
		return false;
	for (; *name != '\0'; name += *name == '/') {
		if (is_up(name))
			return false;
		name += component(name);
	}
	return true;
}

char *
bundle_name(const char *name)
{
	char *own;

	while (*name == '/' || is_up(name))
		name += is_up(name) ? 2 : 1;
	if (!bundle_is_safe(name)) {
		errno = EINVAL;
		return NULL;
	}
	if ((own = malloc(strlen(name) + 3)) == NULL)
		return NULL;
	strcpy(own, *name == '-' ? "./" : "");
	return strcat(own, name);
}
