#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"

enum {
	DIGITS = 16 /* of 64 bits */
};

/* Places are never freed: a handler may be here at any time. */
struct place {
	_Atomic(char *) name; /* NULL: free */
	struct place *next;
};

static _Atomic(struct place *) places;

/* In a place that is free, or in a new one. */
static int
keep(char *name)
{
	struct place *p;
	char *none;

	for (p = places; p != NULL; p = p->next) {
		none = NULL;
		if (atomic_compare_exchange_strong(&p->name, &none, name))
			return 0;
	}
	if ((p = malloc(sizeof *p)) == NULL)
		return -1;
	atomic_init(&p->name, name);
	p->next = places;
	while (!atomic_compare_exchange_weak(&places, &p->next, p))
		;
	return 0;
}

char *
names_add(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t dirlen = slash == NULL ? 0 : (size_t)(slash - path + 1);
	char *name = malloc(dirlen + sizeof ".hp." + DIGITS), *s;
	uint64_t random;

	if (name == NULL || getentropy(&random, sizeof random) == -1) {
		free(name);
		return NULL;
	}
	memcpy(name, path, dirlen);
	s = stpcpy(name + dirlen, ".hp.");
	/* Without stdio, which would be loaded for this. */
	for (int i = 0; i < DIGITS; i++, random /= 16)
		*s++ = "0123456789abcdef"[random % 16];
	*s = '\0';
	if (keep(name) == 0)
		return name;
	free(name);
	return NULL;
}

void
names_drop(char *name)
{
	struct place *p;
	char *was;

	for (p = places; p != NULL; p = p->next) {
		was = name;
		if (atomic_compare_exchange_strong(&p->name, &was, NULL))
			break;
	}
	/* If not, the handler has it. */
	if (p != NULL)
		free(name);
}

void
names_remove(void)
{
	char *name;

	for (struct place *p = places; p != NULL; p = p->next)
		if ((name = atomic_exchange(&p->name, NULL)) != NULL)
			unlink(name);
}
