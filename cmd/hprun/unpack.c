#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "bundle.h"
#include "job/sweep.h"
#include "unpack.h"

enum {
	CHUNK = 1 << 18
};

struct unpack {
	FILE *in;
	uint64_t left; /* bytes of the bundle that were not read yet */
	FILE *names;
	int tree; /* descriptor of the directory `tree` */
	unsigned char *buf;
};

/* Reads exactly n bytes of the bundle.  Fails if the bundle ends earlier. */
static int
take(struct unpack *u, void *buf, size_t n, struct hp_err *e)
{
	if (n > u->left || fread(buf, 1, n, u->in) < n)
		return ferror(u->in)
		    ? hp_fail_errno(e, HP_IO, "files")
		    : hp_fail(e, HP_INPUT, "the received files are cut short");
	u->left -= n;
	return 0;
}

static int
cannot(const char *name, struct hp_err *e)
{
	return hp_fail_errno(e, HP_IO, "%.900s", name);
}

/*
 * Makes the directories in the path `name`.  Returns a descriptor of the
 * innermost directory.  Sets *last to the last component of the path.
 */
static int
make_directories(int tree, char *name, char **last, struct hp_err *e)
{
	int at = dup(tree), next;
	char *end;

	for (; at != -1 && (end = strchr(name, '/')) != NULL; name = end + 1) {
		*end = '\0';
		next = at;
		if (*name != '\0' && strcmp(name, ".") != 0) {
			next = -1;
			if (mkdirat(at, name, 0700) == 0 || errno == EEXIST)
				next = openat(at, name,
				    O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
					O_CLOEXEC);
			if (next == -1)
				cannot(name, e);
			close(at);
		}
		*end = '/';
		at = next;
	}
	*last = name;
	return at;
}

/* Copies the contents of one file from the bundle, and sets its time. */
static int
fill_file(struct unpack *u, int fd, const char *name,
    const struct bundle_head *h, struct hp_err *e)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW },
		{ .tv_sec = h->mtime_s, .tv_nsec = h->mtime_ns } };

	for (uint64_t left = h->bytes; left > 0;) {
		size_t n = left < CHUNK ? (size_t)left : CHUNK;

		if (take(u, u->buf, n, e) == -1)
			return -1;
		if (io_write(fd, u->buf, n) == -1)
			return cannot(name, e);
		left -= n;
	}
	return futimens(fd, times) == -1 ? cannot(name, e) : 0;
}

/*
 * Creates a file.  If it is listed twice, the second copy overwrites the first.
 */
static int
make_file(struct unpack *u, const char *name, const struct bundle_head *h,
    struct hp_err *e)
{
	char *own = strdup(name), *last;
	int at, fd = -1, rc = -1;

	if (own == NULL)
		return hp_fail(e, HP_NOMEM, "files");
	if ((at = make_directories(u->tree, own, &last, e)) != -1) {
		fd = openat(at, last,
		    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
		    h->executable ? 0700 : 0600);
		if (fd == -1)
			cannot(name, e);
		close(at);
	}
	if (fd != -1 && (rc = fill_file(u, fd, name, h, e)) == 0 &&
	    close(fd) == -1)
		rc = cannot(name, e);
	free(own);
	return rc;
}

/* Unpacks the next file.  Returns 1, or 0 at the end of the bundle. */
static int
next_file(struct unpack *u, char *name, struct hp_err *e)
{
	unsigned char head[BUNDLE_HEAD];
	struct bundle_head h;
	int c = u->left == 0 ? EOF : getc(u->in);

	if (c == EOF)
		return ferror(u->in) ? hp_fail_errno(e, HP_IO, "files") : 0;
	ungetc(c, u->in);
	if (take(u, head, sizeof head, e) == -1 ||
	    bundle_head_get(&h, head, e) == -1 ||
	    take(u, name, h.name_bytes, e) == -1)
		return -1;
	name[h.name_bytes] = '\0';
	if (strlen(name) != h.name_bytes || !bundle_is_safe(name))
		return hp_fail(e, HP_INPUT, "the received files are damaged");
	fwrite(name, 1, h.name_bytes + 1, u->names);
	return make_file(u, name, &h, e) == -1 ? -1 : 1;
}

static int
unpack(struct unpack *u, struct hp_err *e)
{
	char *name = malloc(BUNDLE_NAME_MOST + 1);
	int rc = 1;

	u->buf = malloc(CHUNK);
	if (name == NULL || u->buf == NULL)
		rc = hp_fail(e, HP_NOMEM, "files");
	while (rc == 1)
		rc = next_file(u, name, e);
	free(name);
	free(u->buf);
	return rc;
}

/*
 * Opens the bundle: standard input, or the part of a file that the words name.
 */
static int
open_bundle(struct unpack *u, char *words[], struct hp_err *e)
{
	uint64_t offset;

	u->in = stdin;
	u->left = UINT64_MAX;
	if (words[0] == NULL)
		return 0;
	if (words[1] == NULL || words[2] == NULL)
		return hp_fail(e, HP_USAGE, "unpack [OFFSET BYTES FILE]");
	if (int_parse(words[0], 0, INT64_MAX, &offset, "offset", e) == -1 ||
	    int_parse(words[1], 0, INT64_MAX, &u->left, "bytes", e) == -1)
		return -1;
	if ((u->in = fopen(words[2], "re")) == NULL ||
	    fseeko(u->in, (off_t)offset, SEEK_SET) == -1)
		return cannot(words[2], e);
	return 0;
}

int
unpack_do(char *words[], struct hp_err *e)
{
	struct unpack u = { .tree = -1 };
	int rc;

	if (open_bundle(&u, words, e) == -1 || sweep_remove("tree", e) == -1)
		return -1;
	if (mkdir("tree", 0700) == -1 ||
	    (u.tree = open("tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) == -1)
		return cannot("tree", e);
	if ((u.names = fopen("names", "we")) == NULL)
		return cannot("names", e);
	rc = unpack(&u, e);
	if (fclose(u.names) == EOF && rc == 0)
		rc = cannot("names", e);
	close(u.tree);
	if (u.in != stdin)
		fclose(u.in);
	return rc;
}
