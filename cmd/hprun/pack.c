/* Copies the files of a list into the bundle. */

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/io.h"
#include "base/printable.h"
#include "clashes.h"
#include "file.h"
#include "pack.h"

enum {
	CHUNK = 1 << 20
};

struct pack {
	/* descriptor of the directory to which the names are relative */
	int dirfd;
	/*
	 * Output files.  If only the sizes are wanted, `ends` is NULL and `out`
	 * is -1.
	 */
	FILE *sizes, *ends;
	int out;
	uint64_t at; /* bytes of the bundle that were written so far */
	unsigned char *buf;
	struct clashes places;
	uint64_t line;
	bool bad; /* a file was refused and a message was printed */
};

/* Prints why a file cannot be sent.  The remaining files are still checked. */
static void
refuse(struct pack *p, const char *name, const char *why)
{
	size_t n = strlen(name);
	char *out = malloc(PRINTABLE(n));

	p->bad = true;
	if (n == 0)
		warnx("line %" PRIu64 ": the name is empty", p->line);
	else
		warnx("%s: %s",
		    out == NULL ? "a file"
				: printable(name, n, out, PRINTABLE(n)),
		    why);
	free(out);
}

/*
 * Opens a file if it is regular.  Other files are refused without opening them,
 * because a FIFO could block.
 */
static int
open_regular(struct pack *p, const char *name, struct stat *st)
{
	int fd = -1;

	if (fstatat(p->dirfd, name, st, 0) == -1 ||
	    (S_ISDIR(st->st_mode) && (errno = EISDIR) != 0))
		refuse(p, name, strerror(errno));
	else if (!S_ISREG(st->st_mode))
		refuse(p, name, "Not a regular file");
	else if ((fd = openat(p->dirfd, name,
		      O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) == -1)
		refuse(p, name, strerror(errno));
	return fd;
}

static int
cannot_write(struct hp_err *e)
{
	return hp_fail_errno(e, HP_IO, "%s", BUNDLE);
}

/*
 * Copies the contents of a file, and stores their length.  The length is known
 * only at the end: the file may grow meanwhile, and files in /proc have the
 * size 0.
 */
static int
copy(
    struct pack *p, int fd, const char *name, uint64_t *bytes, struct hp_err *e)
{
	ssize_t n;

	*bytes = 0;
	while ((n = io_read(fd, p->buf, CHUNK)) > 0) {
		if (io_write(p->out, p->buf, (size_t)n) == -1)
			return cannot_write(e);
		*bytes += (uint64_t)n;
	}
	if (n == -1)
		refuse(p, name, strerror(errno));
	return 0;
}

/*
 * Appends a file to the bundle.  Its head is written last, because it contains
 * the length of the contents.
 */
static int
append(struct pack *p, int fd, const char *name, const char *as,
    const struct stat *st, struct hp_err *e)
{
	struct bundle_head h = { .mtime_s = st->st_mtim.tv_sec,
		.mtime_ns = (uint32_t)st->st_mtim.tv_nsec,
		.name_bytes = (uint32_t)strlen(as),
		.executable = (st->st_mode & S_IXUSR) != 0 };
	unsigned char head[BUNDLE_HEAD] = { 0 };

	if (io_write(p->out, head, sizeof head) == -1 ||
	    io_write(p->out, as, h.name_bytes) == -1)
		return cannot_write(e);
	if (copy(p, fd, name, &h.bytes, e) == -1)
		return -1;
	bundle_head_put(&h, head);
	if (io_pwrite(p->out, head, sizeof head, (off_t)p->at) == -1)
		return cannot_write(e);
	p->at += sizeof head + h.name_bytes + h.bytes;
	fprintf(p->sizes, "%" PRIu64 "\n", h.bytes);
	fprintf(p->ends, "%" PRIu64 "\n", p->at);
	return 0;
}

static int
add(struct pack *p, const char *name, struct hp_err *e)
{
	struct stat st;
	char *as = NULL;
	int fd = open_regular(p, name, &st), rc = 0;

	if (fd == -1)
		return 0;
	if ((as = bundle_name(name)) == NULL && errno != EINVAL)
		rc = hp_fail(e, HP_NOMEM, "files");
	else if (as == NULL)
		refuse(p, name, "must not have .. after a directory");
	else if (strlen(as) > BUNDLE_NAME_MOST)
		refuse(p, name, strerror(ENAMETOOLONG));
	else
		rc = clashes_add(&p->places, as, &st, e);
	if (rc == 0 && !p->bad) {
		if (p->out != -1)
			rc = append(p, fd, name, as, &st, e);
		else
			fprintf(p->sizes, "%jd\n", (intmax_t)st.st_size);
	}
	free(as);
	close(fd);
	return rc;
}

static void
refuse_clash(void *context, const char *path)
{
	refuse(context, path,
	    "another file of the list has the same name on a node");
}

static int
add_all(struct pack *p, const char *list, int delim, struct hp_err *e)
{
	FILE *f = fopen(list, "re");
	char *name = NULL;
	size_t size = 0;
	ssize_t n;
	int rc = 0;

	if (f == NULL)
		return hp_fail_errno(e, HP_IO, "%s", list);
	while (rc == 0 && (n = getdelim(&name, &size, delim, f)) != -1) {
		p->line++;
		if (name[n - 1] == delim)
			name[--n] = '\0';
		if (strlen(name) != (size_t)n)
			refuse(p, name, "the name contains a NUL byte");
		else if (n == 0)
			refuse(p, name, "");
		else
			rc = add(p, name, e);
	}
	if (rc == 0 && ferror(f))
		rc = hp_fail_errno(e, HP_IO, "%s", list);
	free(name);
	fclose(f);
	if (rc == 0)
		clashes_each(&p->places, refuse_clash, p);
	return rc == 0 && p->bad ? hp_fail(e, HP_IO, "no file was sent") : rc;
}

static int
run(struct pack *p, const char *list, int delim, const char *dir,
    struct hp_err *e)
{
	int rc;

	p->dirfd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (p->dirfd == -1)
		return hp_fail_errno(e, HP_IO, "%s", dir);
	rc = add_all(p, list, delim, e);
	close(p->dirfd);
	clashes_fini(&p->places);
	return rc;
}

int
bundle_sizes(
    const char *list, int delim, const char *dir, FILE *to, struct hp_err *e)
{
	struct pack p = { .out = -1, .sizes = to };

	return run(&p, list, delim, dir, e);
}

int
pack_do(char *words[], struct hp_err *e)
{
	struct pack p = { .out = -1 };
	struct file_out bundle, sizes, ends;
	int rc = -1;

	if (words[0] == NULL || words[1] == NULL || words[2] == NULL)
		return hp_fail(e, HP_USAGE, "pack FORMAT LIST DIR");
	if (file_begin(&bundle, BUNDLE, e) == -1)
		return -1;
	if (file_begin(&sizes, BUNDLE_SIZES, e) == -1)
		return file_end(&bundle, -1, e);
	if (file_begin(&ends, BUNDLE_ENDS, e) == -1) {
		file_end(&sizes, -1, e);
		return file_end(&bundle, -1, e);
	}
	p.out = fileno(bundle.file);
	p.sizes = sizes.file;
	p.ends = ends.file;
	if ((p.buf = malloc(CHUNK)) == NULL)
		hp_fail(e, HP_NOMEM, "files");
	else
		rc = run(&p, words[1],
		    strcmp(words[0], "zline") == 0 ? '\0' : '\n', words[2], e);
	free(p.buf);
	rc = file_end(&bundle, rc, e);
	rc = file_end(&sizes, rc, e);
	return file_end(&ends, rc, e);
}
