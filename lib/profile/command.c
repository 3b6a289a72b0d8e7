#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/tmp.h"
#include "profile/child.h"
#include "profile/command.h"
#include "profile/profile.h"

bool
command_uses(char *const argv[], const char *placeholder)
{
	for (; *argv != NULL; argv++)
		if (strstr(*argv, placeholder) != NULL)
			return true;
	return false;
}

/*
 * Creates a temporary file in $TMPDIR if that is set. No other directory is
 * tried then, because the times would be those of another disk.
 */
static int
open_temporary(struct hp_err *e)
{
	const char *dir = getenv("TMPDIR");
	struct tmpdirs dirs = { 0 };

	if (dir != NULL && *dir != '\0')
		dirs = (struct tmpdirs){ .dir = &dir, .n = 1 };
	return tmp_open(&dirs, 0, 0, e);
}

int
command_open(struct command *c, bool to_file, struct hp_err *e)
{
	c->in = c->out = -1;
	c->made = UINT64_MAX;
	if (c->generator != NULL) {
		if ((c->in = open_temporary(e)) == -1)
			return -1;
		/*
		 * The command opens its input by a path that names the
		 * descriptor, so it must inherit the descriptor.
		 */
		if (fcntl(c->in, F_SETFD, 0) == -1)
			return hp_fail_errno(e, HP_IO, "temporary file");
		snprintf(c->in_path, sizeof c->in_path, "/dev/fd/%d", c->in);
	}
	if (to_file)
		return (c->out = open_temporary(e)) == -1 ? -1 : 0;
	if ((c->out = open("/dev/null", O_WRONLY | O_CLOEXEC)) == -1)
		return hp_fail_errno(e, HP_IO, "/dev/null");
	return 0;
}

void
command_close(struct command *c)
{
	if (c->in > 0)
		close(c->in);
	if (c->out > 0)
		close(c->out);
	c->in = c->out = -1;
}

/*
 * Returns the value of a placeholder. The placeholder has len bytes at s, with
 * its braces. Returns NULL if the placeholder is unknown.
 */
static const char *
value_of(const struct command *c, const char *s, size_t len, uint64_t n,
    char *number, size_t size)
{
	if (len == 3 && memcmp(s, "{n}", len) == 0) {
		snprintf(number, size, "%ju", (uintmax_t)n);
		return number;
	}
	if (len == 4 && memcmp(s, "{in}", len) == 0)
		return c->in_path;
	for (size_t i = 0; i < c->nparams; i++) {
		const struct param *p = &c->param[i];

		if (strlen(p->name) == len - 2 &&
		    memcmp(s + 1, p->name, len - 2) == 0) {
			snprintf(number, size, "%.15g", p->value);
			return number;
		}
	}
	return NULL;
}

/*
 * Replaces the placeholders in a word of the command. Other braces stay as they
 * are.
 */
static char *
replace(const struct command *c, const char *word, uint64_t n)
{
	char number[40], *out = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&out, &size);

	if (f == NULL)
		return NULL;
	while (*word != '\0') {
		const char *end = *word == '{' ? strchr(word, '}') : NULL;
		const char *value = end == NULL
		    ? NULL
		    : value_of(c, word, (size_t)(end - word) + 1, n, number,
			  sizeof number);

		if (value != NULL) {
			fputs(value, f);
			word = end + 1;
		} else
			putc(*word++, f);
	}
	if (fclose(f) == EOF) {
		free(out);
		return NULL;
	}
	return out;
}

static void
free_words(char **words)
{
	for (char **w = words; w != NULL && *w != NULL; w++)
		free(*w);
	free(words);
}

static char **
replace_all(const struct command *c, char *const argv[], uint64_t n)
{
	size_t argc = 0;
	char **words;

	while (argv[argc] != NULL)
		argc++;
	if ((words = calloc(argc + 1, sizeof *words)) == NULL)
		return NULL;
	for (size_t i = 0; i < argc; i++)
		if ((words[i] = replace(c, argv[i], n)) == NULL) {
			free_words(words);
			return NULL;
		}
	return words;
}

/*
 * Runs a command for n items, with the file `out` as its output. Empties the
 * file before the run.
 */
static int
run_to(struct command *c, char *const argv[], int out, uint64_t n,
    double *seconds, struct hp_err *e)
{
	char **words = replace_all(c, argv, n);
	int rc;

	if (words == NULL)
		return hp_fail(e, HP_NOMEM, "%s", argv[0]);
	/*
	 * Ignore an error of ftruncate: if the output is /dev/null, it cannot
	 * be truncated and need not be.
	 */
	if (ftruncate(out, 0) == 0 && lseek(out, 0, SEEK_SET) == -1)
		rc = hp_fail_errno(e, HP_IO, "temporary file");
	else
		rc = child_run(words, out, seconds, e);
	free_words(words);
	return rc;
}

int
command_run(void *context, uint64_t n, double *seconds, struct hp_err *e)
{
	struct command *c = context;
	int rc = 1;

	if (c->generator != NULL && c->made != n) {
		c->made = UINT64_MAX;
		rc = run_to(c, c->generator, c->in, n, seconds, e);
		if (rc == -1)
			return -1;
		if (rc == 0) {
			hp_fail(e, HP_IO, "%s cannot make %ju records",
			    c->generator[0], (uintmax_t)n);
			return PROFILE_UNTRIED;
		}
		c->made = n;
	}
	return run_to(c, c->argv, c->out, n, seconds, e);
}
