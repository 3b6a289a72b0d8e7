#include <stdlib.h>
#include <string.h>

#include "base/shellword.h"

/*
 * All shells understand words in single quotes. Inside of them, csh replaces !
 * by earlier commands, and fish removes a backslash before some characters. So
 * these two stand outside of the quotes, behind a backslash, like the single
 * quote itself.
 */
static const char outside[] = "'\\!";

char *
shellword(const char *s)
{
	char *word = malloc(4 * strlen(s) + 3), *p = word;

	if (word == NULL)
		return NULL;
	*p++ = '\'';
	for (; *s != '\0'; s++) {
		if (strchr(outside, *s) != NULL) {
			p = stpcpy(p, "'\\");
			*p++ = *s;
			*p++ = '\'';
		} else
			*p++ = *s;
	}
	strcpy(p, "'");
	return word;
}
