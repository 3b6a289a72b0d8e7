#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"

enum {
	DIGITS = 16 /* hexadecimal digits of 64 bits */
};

/*
 * One temporary file name in the list. An entry is reused but never freed,
 * because a signal handler may read the list at any time.
 */
struct entry {
	_Atomic(char *) name; /* NULL: the entry is free */
	struct entry *next;
};

static _Atomic(struct entry *) entries;

/* Stores the name in a free entry of the list, or in a new entry. */
static int
store(char *name)
{
	struct entry *p;
	char *none;

	for (p = entries; p != NULL; p = p->next) {
		none = NULL;
		if (atomic_compare_exchange_strong(&p->name, &none, name))
			return 0;
	}
	if ((p = malloc(sizeof *p)) == NULL)
		return -1;
	atomic_init(&p->name, name);
	p->next = entries;
	while (!atomic_compare_exchange_weak(&entries, &p->next, p))
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
	/*
	 * Convert the random number to hexadecimal digits without snprintf,
	 * which would load more of the C library.
	 */
	for (int i = 0; i < DIGITS; i++, random /= 16)
		*s++ = "0123456789abcdef"[random % 16];
	*s = '\0';
	if (store(name) == 0)
		return name;
	free(name);
	return NULL;
}

void
names_drop(char *name)
{
	struct entry *p;
	char *was;

	for (p = entries; p != NULL; p = p->next) {
		was = name;
		if (atomic_compare_exchange_strong(&p->name, &was, NULL))
			break;
	}
	/*
	 * A name that is missing from the list was taken by the signal handler,
	 * which still uses it. Do not free such a name.
	 */
	if (p != NULL)
		free(name);
}

void
names_remove(void)
{
	char *name;

	for (struct entry *p = entries; p != NULL; p = p->next)
		if ((name = atomic_exchange(&p->name, NULL)) != NULL)
			unlink(name);
}
