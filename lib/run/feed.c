#include <sys/ioctl.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/io.h"
#include "run/feed.h"

enum {
	CHUNK = 1 << 16,
	CHUNKS_FEW = 16 /* first capacity of an array (base/array.h) */
};

void
feeds_init(struct feeds *fs, const struct tmpdirs *tmp)
{
	*fs = (struct feeds){ .tmp = tmp, .most = SIZE_MAX, .grace_s = 1 };
}

static void
end(struct feed *f)
{
	if (f->owned && f->fd != -1) {
		close(f->fd);
		f->all->open--;
	}
	f->fd = -1;
	f->ended = true;
}

void
feeds_fini(struct feeds *fs)
{
	for (size_t i = 0; i < fs->n; i++) {
		end(fs->feed[i]);
		free(fs->feed[i]->chunk);
		free(fs->feed[i]);
	}
	free(fs->feed);
	if (fs->buf != NULL)
		tmpfile_close(&fs->spool);
	free(fs->buf);
	*fs = (struct feeds){ 0 };
}

size_t
feeds_memory(const struct feeds *fs)
{
	size_t each = sizeof *fs->feed + sizeof **fs->feed +
	    CHUNKS_FEW * sizeof(uint32_t) + sizeof(struct pollfd);

	return fs->n == 0 ? 0 : CHUNK + fs->n * each;
}

bool
feed_is(const char *path, int fd)
{
	struct stat st;
	int rc;

	if (fd == -1 && strcmp(path, "-") == 0)
		fd = STDIN_FILENO;
	rc = fd != -1 ? fstat(fd, &st) : stat(path, &st);
	return rc == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ||
		S_ISCHR(st.st_mode));
}

struct feed *
feeds_add(struct feeds *fs, const char *path, int fd, struct hp_err *e)
{
	struct feed *f = calloc(1, sizeof *f);

	if (f == NULL || ARRAY_ROOM(fs->feed, fs->n, fs->cap) == -1) {
		hp_fail_errno(e, HP_NOMEM, "inputs");
		free(f);
		return NULL;
	}
	*f = (struct feed){ .all = fs, .path = path, .fd = fd };
	if (strcmp(path, "-") == 0) {
		f->path = "standard input";
		f->fd = fd == -1 ? STDIN_FILENO : fd;
	}
	return fs->feed[fs->n++] = f;
}

int
feed_open(struct feed *f, struct hp_err *e)
{
	int flags;

	if (f->fd != -1 || f->ended)
		return 0;
	do
		f->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	while (f->fd == -1 && errno == EINTR);
	if (f->fd == -1)
		return hp_fail_errno(e, HP_IO, "%s", f->path);
	flags = fcntl(f->fd, F_GETFL);
	if (flags != -1)
		fcntl(f->fd, F_SETFL, flags & ~O_NONBLOCK);
	f->owned = true;
	f->all->open++;
	return 0;
}

int
feeds_open_ahead(struct feeds *fs, struct hp_err *e)
{
	for (; fs->next < fs->n && fs->open < fs->most; fs->next++) {
		if (feed_open(fs->feed[fs->next], e) == 0)
			continue;
		if (e->errnum != EMFILE)
			return -1;
		/*
		 * The limit of open descriptors is reached. This is no error:
		 * continue with fewer open inputs.
		 */
		*e = (struct hp_err){ 0 };
		fs->most = fs->open;
		break;
	}
	return 0;
}

bool
feed_is_ready(const struct feed *f)
{
	struct pollfd p = { .fd = f->fd, .events = POLLIN };

	return f->ended || f->got < f->put || poll(&p, 1, 0) == 1;
}

static int
open_spool(struct feeds *fs)
{
	struct hp_err ignored = { 0 };

	if (fs->buf != NULL)
		return 0;
	if ((fs->buf = malloc(CHUNK)) == NULL)
		return -1;
	if (tmpfile_open(&fs->spool, fs->tmp, 0, 0, 0, false, 1, &ignored) == 0)
		return 0;
	free(fs->buf);
	fs->buf = NULL;
	return -1;
}

/*
 * Assigns a chunk of the spool file to the feed if the next byte of the feed,
 * number `put`, begins a new chunk.
 */
static int
take_chunk(struct feed *f)
{
	size_t i = (size_t)(f->put / CHUNK);

	if (f->put % CHUNK != 0)
		return 0;
	if (ARRAY_ROOM(f->chunk, i, f->cap) == -1)
		return -1;
	f->chunk[i] = f->all->chunks++;
	return 0;
}

static off_t
place(const struct feed *f, uint64_t byte)
{
	return (off_t)f->chunk[byte / CHUNK] * CHUNK + (off_t)(byte % CHUNK);
}

/*
 * Reserves disk space for n bytes before they are read from the input.
 * Otherwise the program might read bytes that it cannot store.
 */
static bool
reserve(struct feed *f, size_t n)
{
	struct feeds *fs = f->all;

	return open_spool(fs) == 0 && take_chunk(f) == 0 &&
	    (n == 0 ||
		fallocate(fs->spool.lane[0].disk.fd, FALLOC_FL_KEEP_SIZE,
		    place(f, f->put), (off_t)n) == 0 ||
		errno == EOPNOTSUPP);
}

int
feed_spool(struct feed *f, struct hp_err *e)
{
	struct feeds *fs = f->all;
	size_t n = CHUNK - (size_t)(f->put % CHUNK);
	int has;
	ssize_t got;

	/*
	 * Read only the bytes that are ready. If there are none, the input is
	 * at its end, because poll(2) has reported that it is readable.
	 */
	if (ioctl(f->fd, FIONREAD, &has) == 0)
		n = (size_t)has < n ? (size_t)has : n;
	if (!reserve(f, n))
		return FEED_SPOOL_FULL;
	do
		got = read(f->fd, fs->buf, n > 0 ? n : 1);
	while (got == -1 && errno == EINTR);
	if (got == -1)
		return hp_fail_errno(e, HP_IO, "%s", f->path);
	if (got == 0)
		end(f);
	else if (io_pwrite(fs->spool.lane[0].disk.fd, fs->buf, (size_t)got,
		     place(f, f->put)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", fs->spool.name);
	f->put += (uint64_t)got;
	fs->spooled += (uint64_t)got;
	return 0;
}

/*
 * Reads from the feed's chunks in the spool, a temporary file. Frees the disk
 * space of each chunk that was read completely. So the output and the remaining
 * chunks together never take more space than the inputs.
 */
static ssize_t
read_spool(struct feed *f, void *to, size_t n, struct hp_err *e)
{
	struct feeds *fs = f->all;
	size_t begin = (size_t)(f->got % CHUNK);
	off_t at = place(f, f->got);

	n = n < CHUNK - begin ? n : CHUNK - begin;
	n = n < f->put - f->got ? n : (size_t)(f->put - f->got);
	if (tmpfile_read(&fs->spool.lane[0], to, n, n, at, e) == -1)
		return -1;
	f->got += n;
	if (begin + n == CHUNK || f->got == f->put)
		fallocate(fs->spool.lane[0].disk.fd,
		    FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		    at - (off_t)begin, CHUNK);
	if (f->got == f->put)
		f->got = f->put = 0;
	return (ssize_t)n;
}

ssize_t
feed_read(struct feed *f, void *to, size_t n, struct hp_err *e)
{
	ssize_t got;

	if (f->got < f->put)
		return read_spool(f, to, n, e);
	if (f->ended)
		return 0;
	do
		got = read(f->fd, to, n);
	while (got == -1 && errno == EINTR);
	if (got == -1)
		return hp_fail_errno(e, HP_IO, "%s", f->path);
	if (got == 0)
		end(f);
	return got;
}
