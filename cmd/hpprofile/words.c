#include "words.h"

#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "record/words.h"

char *
words_checked(char *s)
{
	struct hp_err e = { 0 };

	if (s == NULL) {
		hp_fail(&e, HP_NOMEM, "options");
		cmd_bad(&e);
	}
	return s;
}

/*
 * Returns the path of another program of hptools.  It is in the directory of
 * hpprofile, or else in PATH.
 */
static char *
own_program(const char *name)
{
	char self[PATH_MAX], *slash, *path;
	ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);

	self[len > 0 ? len : 0] = '\0';
	if ((slash = strrchr(self, '/')) == NULL)
		return words_checked(strdup(name));
	if (asprintf(&path, "%.*s/%s", (int)(slash - self), self, name) == -1)
		path = NULL;
	if (access(words_checked(path), X_OK) == 0)
		return path;
	free(path);
	return words_checked(strdup(name));
}

char **
words_sort(const struct order *o)
{
	struct hp_err e = { 0 };
	size_t n;
	char **option = order_words(o, &n, &e), **word;

	if (option == NULL)
		cmd_bad(&e);
	word = reallocarray(NULL, n + 3, sizeof *word);
	if (word == NULL)
		err(EXIT_TROUBLE, "options");
	word[0] = own_program("hpsort");
	for (size_t i = 0; i < n; i++)
		word[i + 1] = words_checked(strdup(option[i]));
	word[n + 1] = words_checked(strdup("{in}"));
	word[n + 2] = NULL;
	free(option);
	return word;
}

char **
words_generator(char *const sort[])
{
	const char *format = "line";
	char **word = calloc(5, sizeof *word);

	if (word == NULL)
		err(EXIT_TROUBLE, "options");
	for (; *sort != NULL; sort++)
		if (strncmp(*sort, "-F", 2) == 0)
			format = *sort + 2;
	word[0] = own_program("hpgen");
	word[1] = words_checked(strdup("-F"));
	word[2] = words_checked(strdup(format));
	word[3] = words_checked(strdup("{n}"));
	return word;
}

char *
words_text(const char *name, char *const argv[])
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (f != NULL)
		fputs(name, f);
	for (size_t i = 1; f != NULL && argv[i] != NULL; i++)
		fprintf(f, " %s", argv[i]);
	if (f == NULL || fclose(f) == EOF)
		return words_checked(NULL);
	return text;
}

void
words_free(char **word)
{
	for (char **w = word; *w != NULL; w++)
		free(*w);
	free(word);
}
