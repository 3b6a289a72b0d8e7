/* Runs the user's command on the files that a node has received. */

#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/array.h"
#include "base/io.h"
#include "base/printable.h"
#include "each.h"
#include "spawned.h"

#define PLACE "{file}"

enum {
	/* most bytes of file names for one command, as in xargs */
	NAMES_MOST = 1 << 17
};

/* A growing array with the words of a command. */
struct line {
	char **word;
	size_t n, cap;
};

static int
line_add(struct line *l, char *word, struct hp_err *e)
{
	if (ARRAY_ROOM(l->word, l->n, l->cap) == -1)
		return hp_fail(e, HP_NOMEM, "command");
	l->word[l->n++] = word;
	return 0;
}

/*
 * Reads the file `names`, which lists the unpacked files.  The caller frees the
 * text.
 */
static int
read_names(char **text, size_t *bytes, struct hp_err *e)
{
	int fd = open("names", O_RDONLY | O_CLOEXEC), rc = -1;
	struct stat st;

	*text = NULL;
	*bytes = 0;
	if (fd != -1 && fstat(fd, &st) == 0 &&
	    (*text = malloc((size_t)st.st_size + 1)) != NULL &&
	    io_read(fd, *text, (size_t)st.st_size) == st.st_size) {
		*bytes = (size_t)st.st_size;
		rc = 0;
	} else
		hp_fail_errno(e, HP_IO, "names");
	if (fd != -1)
		close(fd);
	return rc;
}

/*
 * Prints the name of the file on which the command has failed, because the
 * command's own message may not.
 */
static void
tell(const char *name)
{
	size_t n = strlen(name);
	char *out = malloc(PRINTABLE(n));

	if (out != NULL)
		warnx("the command failed on %s",
		    printable(name, n, out, PRINTABLE(n)));
	free(out);
}

/*
 * Runs one command and waits for its end.
 *   name  the only file of the command; NULL: it has several
 */
static int
execute(struct line *l, const char *name, struct hp_err *e)
{
	int status;

	if (line_add(l, NULL, e) == -1)
		return -1;
	l->n--;
	if (spawned_run(l->word, &status, e) == -1)
		return -1;
	if (status != 0 && name != NULL)
		tell(name);
	spawned_end_like(status);
	return 0;
}

/*
 * Returns the word with each {file} replaced by the name.  The caller frees it.
 */
static char *
replaced(const char *word, const char *name)
{
	const char *place;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		return NULL;
	for (; (place = strstr(word, PLACE)) != NULL;
	     word = place + strlen(PLACE)) {
		fwrite(word, 1, (size_t)(place - word), f);
		fputs(name, f);
	}
	fputs(word, f);
	if (fclose(f) == EOF) {
		free(text);
		return NULL;
	}
	return text;
}

static int
run_one(char *words[], const char *name, struct hp_err *e)
{
	struct line l = { 0 };
	int rc = 0;

	for (; rc == 0 && *words != NULL; words++) {
		char *word = replaced(*words, name);

		if (word == NULL)
			rc = hp_fail(e, HP_NOMEM, "command");
		else if ((rc = line_add(&l, word, e)) == -1)
			free(word);
	}
	if (rc == 0)
		rc = execute(&l, name, e);
	for (size_t i = 0; i < l.n; i++)
		free(l.word[i]);
	free(l.word);
	return rc;
}

static int
run_each(char *words[], char *text, size_t bytes, struct hp_err *e)
{
	int rc = 0;

	for (char *name = text; rc == 0 && name < text + bytes;
	     name += strlen(name) + 1)
		rc = run_one(words, name, e);
	return rc;
}

/*
 * Runs the command with as many file names as fit, again and again until all
 * files were processed.
 */
static int
run_many(char *words[], char *text, size_t bytes, struct hp_err *e)
{
	struct line l = { 0 };
	char *name = text;
	size_t own;
	int rc = 0;

	for (; rc == 0 && *words != NULL; words++)
		rc = line_add(&l, *words, e);
	own = l.n;
	while (rc == 0 && name < text + bytes) {
		const char *first = name;

		for (l.n = own; rc == 0 && name < text + bytes;) {
			size_t n = strlen(name) + 1;

			if (l.n > own &&
			    (size_t)(name - first) + n > NAMES_MOST)
				break;
			rc = line_add(&l, name, e);
			name += n;
		}
		if (rc == 0)
			rc = execute(&l, l.n == own + 1 ? first : NULL, e);
	}
	free(l.word);
	return rc;
}

int
each_do(char *words[], struct hp_err *e)
{
	bool single = false;
	size_t bytes;
	char *text;
	int rc = -1;

	if (words[0] == NULL)
		return hp_fail(e, HP_USAGE, "each COMMAND...");
	for (char **w = words; *w != NULL; w++)
		single = single || strstr(*w, PLACE) != NULL;
	if (read_names(&text, &bytes, e) == 0) {
		if (chdir("tree") == -1)
			hp_fail_errno(e, HP_IO, "tree");
		else
			rc = single ? run_each(words, text, bytes, e)
				    : run_many(words, text, bytes, e);
	}
	free(text);
	return rc;
}
