#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/io.h"
#include "job/journal.h"
#include "job/journal_line.h"

struct journal {
	int fd;
	char *path;
	struct journal_entry *entry; /* steps of counted stages, sorted */
	size_t n, cap;
};

static int
read_all(int fd, const char *path, char **text, size_t *len, struct hp_err *e)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	*text = malloc((size_t)st.st_size + 1);
	if (*text == NULL)
		return hp_fail(e, HP_NOMEM, "%s: out of memory", path);
	n = io_pread(fd, *text, (size_t)st.st_size, 0);
	if (n == -1) {
		free(*text);
		return hp_fail_errno(e, HP_IO, "%s", path);
	}
	*len = (size_t)n;
	return 0;
}

/*
 * Calls f for each complete line of the journal; a line is an entry. f must
 * free the array of sizes in the entry. Sets *whole to the total length of the
 * complete lines.
 */
static int
each(const char *text, size_t len, const char *path, size_t *whole,
    int (*f)(void *, struct journal_entry *, struct hp_err *), void *context,
    struct hp_err *e)
{
	struct journal_entry entry;
	const char *end;
	size_t line = 0;
	int rc;

	*whole = 0;
	while ((end = memchr(text + *whole, '\n', len - *whole)) != NULL) {
		line++;
		rc = journal_line_read(
		    text + *whole, (size_t)(end - text) - *whole, &entry);
		if (rc == ENOMEM)
			return hp_fail(e, HP_NOMEM, "%s: out of memory", path);
		if (rc != 0)
			return hp_fail(e, HP_INPUT,
			    "%s:%zu: is not a valid line of a journal", path,
			    line);
		rc = f(context, &entry, e);
		if (rc != 0)
			return rc;
		*whole = (size_t)(end - text) + 1;
	}
	return 0;
}

static int
by_place(const void *a, const void *b)
{
	const struct journal_entry *x = a, *y = b;

	if (x->stage != y->stage)
		return x->stage < y->stage ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int
remember(void *context, struct journal_entry *entry, struct hp_err *e)
{
	struct journal *j = context;

	if (entry->passing) {
		journal_line_fini(entry);
		return 0;
	}
	if (ARRAY_ROOM(j->entry, j->n, j->cap) == -1) {
		journal_line_fini(entry);
		return hp_fail(e, HP_NOMEM, "%s: out of memory", j->path);
	}
	j->entry[j->n++] = *entry;
	return 0;
}

/* Sorts the entries. The last of several entries of one step remains. */
static int
arrange(struct journal *j, struct hp_err *e)
{
	size_t n = 0;

	if (j->n == 0)
		return 0;
	/* The sort is stable. */
	if (mergesort(j->entry, j->n, sizeof *j->entry, by_place) == -1)
		return hp_fail(e, HP_NOMEM, "%s: out of memory", j->path);
	for (size_t i = 0; i < j->n; i++) {
		if (n > 0 && by_place(&j->entry[n - 1], &j->entry[i]) == 0)
			journal_line_fini(&j->entry[--n]);
		j->entry[n++] = j->entry[i];
	}
	j->n = n;
	return 0;
}

static int
load(struct journal *j, struct hp_err *e)
{
	size_t len, whole;
	char *text;
	int rc;

	if (read_all(j->fd, j->path, &text, &len, e) == -1)
		return -1;
	rc = each(text, len, j->path, &whole, remember, j, e);
	free(text);
	if (rc == -1 || arrange(j, e) == -1)
		return -1;
	/*
	 * A process may have been killed while it wrote the last line. Remove
	 * an incomplete line, so that the next append starts a new line.
	 */
	if (whole < len && ftruncate(j->fd, (off_t)whole) == -1)
		return hp_fail_errno(e, HP_IO, "%s", j->path);
	return 0;
}

struct journal *
journal_open(const char *path, struct hp_err *e)
{
	struct journal *j = calloc(1, sizeof *j);

	if (j == NULL || (j->path = strdup(path)) == NULL) {
		free(j);
		hp_fail(e, HP_NOMEM, "%s: out of memory", path);
		return NULL;
	}
	j->fd = open(
	    path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (j->fd == -1)
		hp_fail_errno(e, HP_IO, "%s", path);
	else if (load(j, e) == 0)
		return j;
	journal_close(j);
	return NULL;
}

static void
forget_all(struct journal *j)
{
	for (size_t i = 0; i < j->n; i++)
		journal_line_fini(&j->entry[i]);
	j->n = 0;
}

void
journal_close(struct journal *j)
{
	if (j == NULL)
		return;
	if (j->fd != -1)
		close(j->fd);
	forget_all(j);
	free(j->entry);
	free(j->path);
	free(j);
}

const struct journal_entry *
journal_find(const struct journal *j, uint64_t stage, uint64_t index)
{
	struct journal_entry place = { .stage = stage, .index = index };

	if (j->n == 0)
		return NULL;
	return bsearch(&place, j->entry, j->n, sizeof *j->entry, by_place);
}

/*
 * Writes the line with a single call, so that lines of several processes do not
 * mix.
 */
static int
put(int fd, const char *path, const struct journal_entry *entry,
    struct hp_err *e)
{
	char *text = NULL;
	struct stat st;
	off_t before;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int rc;

	if (f == NULL)
		return hp_fail(e, HP_NOMEM, "%s: out of memory", path);
	journal_line_write(f, entry);
	if (fclose(f) != 0) {
		free(text);
		return hp_fail(e, HP_NOMEM, "%s: out of memory", path);
	}
	before = fstat(fd, &st) == 0 ? st.st_size : -1;
	rc = io_write(fd, text, len);
	if (rc == -1) {
		hp_fail_errno(e, HP_IO, "%s", path);
		/* Another line must not continue an incomplete one. */
		if (before != -1)
			(void)!ftruncate(fd, before);
	}
	free(text);
	return rc;
}

int
journal_append(
    struct journal *j, const struct journal_entry *entry, struct hp_err *e)
{
	if (!journal_line_name(entry->name))
		return hp_fail(e, HP_USAGE, "%s: '%s' is no name of a step",
		    j->path, entry->name);
	return put(j->fd, j->path, entry, e);
}

int
journal_sync(struct journal *j, struct hp_err *e)
{
	if (fdatasync(j->fd) == -1)
		return hp_fail_errno(e, HP_IO, "%s", j->path);
	return 0;
}

int
journal_clear(struct journal *j, struct hp_err *e)
{
	forget_all(j);
	if (ftruncate(j->fd, 0) == -1)
		return hp_fail_errno(e, HP_IO, "%s", j->path);
	return 0;
}

/*
 * The function that the caller passed to journal_each. It must not free the
 * entries.
 */
struct visit {
	int (*f)(void *, const struct journal_entry *, struct hp_err *);
	void *context;
};

static int
visit(void *context, struct journal_entry *entry, struct hp_err *e)
{
	struct visit *v = context;
	int rc = v->f(v->context, entry, e);

	journal_line_fini(entry);
	return rc;
}

int
journal_each(const char *path,
    int (*f)(void *, const struct journal_entry *, struct hp_err *),
    void *context, struct hp_err *e)
{
	struct visit v = { f, context };
	size_t len, whole;
	char *text;
	int fd, rc;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd == -1 && errno == ENOENT)
		return 0;
	if (fd == -1)
		return hp_fail_errno(e, HP_IO, "%s", path);
	rc = read_all(fd, path, &text, &len, e);
	close(fd);
	if (rc == -1)
		return -1;
	rc = each(text, len, path, &whole, visit, &v, e);
	free(text);
	return rc;
}

struct keeping {
	int fd;
	const char *path, *name;
};

static int
keep_one(void *context, const struct journal_entry *entry, struct hp_err *e)
{
	struct keeping *k = context;

	if (k->name == NULL || strcmp(entry->name, k->name) != 0)
		return 0;
	return put(k->fd, k->path, entry, e);
}

int
journal_keep(const char *path, const char *name, struct hp_err *e)
{
	struct keeping k = { .path = path, .name = name };
	char *other;
	int rc;

	if (asprintf(&other, "%s.new", path) == -1)
		return hp_fail(e, HP_NOMEM, "%s: out of memory", path);
	k.fd = open(
	    other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (k.fd == -1) {
		rc = hp_fail_errno(e, HP_IO, "%s", other);
		free(other);
		return rc;
	}
	rc = journal_each(path, keep_one, &k, e);
	if (rc == 0 && fdatasync(k.fd) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", other);
	close(k.fd);
	if (rc == 0 && rename(other, path) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	if (rc != 0)
		unlink(other);
	free(other);
	return rc;
}
