#include <sys/resource.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/team.h"
#include "run/tmpfile.h"

/*
 * Returns the text "temporary file in DIR, N bytes needed". Returns NULL if
 * memory is short.
 */
static char *
describe(int fd, uint64_t need)
{
	char *dir = tmp_directory(fd), *name = NULL;
	int rc = -1;

	if (dir != NULL && need > 0)
		rc = asprintf(&name,
		    "temporary file in %s, %" PRIu64 " bytes needed", dir,
		    need);
	else if (dir != NULL)
		rc = asprintf(&name, "temporary file in %s", dir);
	free(dir);
	return rc == -1 ? NULL : name;
}

static void
add_lane(struct tmpfile *f, int fd, bool direct)
{
	struct lane *l = &f->lane[f->lanes];

	l->file = f;
	direct_init(&l->disk, fd, direct);
	f->lanes++;
}

int
tmpfile_open(struct tmpfile *f, const struct tmpdirs *dirs, size_t turn,
    uint64_t room, uint64_t need, bool direct, size_t lanes, struct hp_err *e)
{
	int fd = tmp_open(dirs, turn, room, e);

	*f = (struct tmpfile){ .most = lanes };
	if (fd == -1)
		return -1;
	if ((f->name = describe(fd, need)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "temporary file");
		close(fd);
		return -1;
	}
	pthread_mutex_init(&f->lock, NULL);
	add_lane(f, fd, direct);
	return 0;
}

static int
close_lanes(void *ctx, unsigned w)
{
	struct tmpfile *f = ctx;
	size_t i;

	(void)w;
	while ((i = atomic_fetch_add(&f->closed, 1)) < f->lanes)
		close(f->lane[i].disk.fd);
	return 0;
}

/*
 * Closes the file. The kernel takes a while to free gigabytes, so each lane
 * (descriptor) is closed by its own thread. If threads cannot be started, one
 * thread closes all lanes.
 */
void
tmpfile_close(struct tmpfile *f)
{
	struct hp_err e = { 0 };

	team_run((unsigned)f->lanes, close_lanes, f, &e);
	pthread_mutex_destroy(&f->lock);
	free(f->name);
}

static bool
suits(const struct lane *l, size_t n)
{
	return l->disk.writers == 0 && (n >= DIRECT_WORTH || !l->disk.on);
}

/*
 * Chooses the lane (descriptor) for a write of n bytes: the first lane that is
 * idle and suits this size. If there is none, chooses a lane with the fewest
 * writers. Of several such lanes, prefers one through the page cache, where
 * writes finish sooner.
 */
static struct lane *
idle_lane(struct tmpfile *f, size_t n)
{
	struct lane *best = &f->lane[f->lanes - 1];

	for (size_t i = f->lanes; i-- > 0;)
		if (suits(&f->lane[i], n) ||
		    f->lane[i].disk.writers < best->disk.writers)
			best = &f->lane[i];
	return best;
}

/*
 * Opens another lane, that is, another descriptor for temporary data, and
 * returns it. Returns -1 if a quarter of all descriptors is in use, because
 * merges need the others.
 */
static int
open_lane(const struct tmpfile *f)
{
	int fd = tmp_open_beside(f->lane[0].disk.fd);
	struct rlimit l;

	if (fd == -1 || getrlimit(RLIMIT_NOFILE, &l) == -1 ||
	    (rlim_t)fd < l.rlim_cur / 4)
		return fd;
	close(fd);
	return -1;
}

static struct lane *
take_lane(struct tmpfile *f, size_t n)
{
	struct lane *l = idle_lane(f, n);
	int fd;

	if (suits(l, n) || f->lanes == f->most)
		return l;
	pthread_mutex_lock(&f->lock);
	if (f->lanes < f->most && (fd = open_lane(f)) != -1)
		add_lane(f, fd, false);
	else
		f->most = f->lanes;
	pthread_mutex_unlock(&f->lock);
	return idle_lane(f, n);
}

/*
 * Returns true for the errors of a full disk, an exceeded quota or a file at
 * its size limit.
 */
static bool
is_full(int errnum)
{
	return errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG;
}

int
tmpfile_write(struct tmpfile *f, const unsigned char *s, size_t n,
    struct lane **lane, off_t *at, struct hp_err *e)
{
	struct lane *l = *lane = take_lane(f, n);
	size_t whole = direct_align(n);

	if (f->full != 0)
		return 1;
	*at = atomic_fetch_add(&l->end, (off_t)whole);
	if (direct_write(&l->disk, s, l->disk.on ? whole : n, *at) == 0)
		return 0;
	if (!is_full(errno))
		return hp_fail_errno(e, HP_IO, "%s", f->name);
	f->full = errno;
	return 1;
}

int
tmpfile_read(struct lane *l, unsigned char *to, size_t n, size_t least,
    off_t at, struct hp_err *e)
{
	ssize_t got = direct_read(&l->disk, to, n, least, at);

	if (got == -1)
		return hp_fail_errno(e, HP_IO, "%s", l->file->name);
	if ((size_t)got < least)
		return hp_fail(e, HP_IO, "%s: cut short", l->file->name);
	return 0;
}

void
tmpfile_free(struct lane *l, off_t from, off_t to)
{
	if (from < to &&
	    fallocate(l->disk.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		from, to - from) == 0)
		l->file->full = 0;
}
