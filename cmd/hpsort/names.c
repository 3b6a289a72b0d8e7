#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <err.h>

#include "names.h"

void
opts_read_names(struct opts *o)
{
	const char *from = o->files0;
	FILE *f = strcmp(from, "-") == 0 ? stdin : fopen(from, "re");
	size_t cap = 0, line = 0;
	char *name = NULL;

	if (f == NULL)
		err(EXIT_TROUBLE, "%s", from);
	while (getdelim(&name, &cap, '\0', f) != -1) {
		line++;
		if (*name == '\0')
			errx(EXIT_TROUBLE,
			    "%s:%zu: invalid zero-length file name", from,
			    line);
		if (f == stdin && strcmp(name, "-") == 0)
			errx(EXIT_TROUBLE,
			    "when reading file names from standard input, no "
			    "file name of '-' allowed");
		o->names = reallocarray(
		    o->names, o->nnames + 1, sizeof *o->names);
		if (o->names == NULL)
			err(EXIT_TROUBLE, "%s", from);
		o->names[o->nnames++] = name;
		name = NULL;
		cap = 0;
	}
	if (ferror(f))
		err(EXIT_TROUBLE, "%s", from);
	if (o->nnames == 0)
		errx(EXIT_TROUBLE, "no input from '%s'", from);
	if (f != stdin)
		fclose(f);
	free(name);
	o->job.file = (const char *const *)o->names;
	o->job.nfiles = o->nnames;
}
