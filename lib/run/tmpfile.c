#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/team.h"
#include "run/tmpfile.h"

enum {
	TRIAL = 1 << 26,   /* bytes to measure a disk by */
	DIRECT_LEAST = 300 /* MB/s: below, the page cache is the better way */
};

/* "temporary file in DIR (N bytes needed in all)" */
static char *
describe(int fd, uint64_t need)
{
	char link[64], path[4096], *slash, *name;
	ssize_t n;
	int rc;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if ((slash = strrchr(path, '/')) != NULL)
		*slash = '\0';
	if (need > 0)
		rc = asprintf(&name,
		    "temporary file in %s, %" PRIu64 " bytes needed", path,
		    need);
	else
		rc = asprintf(&name, "temporary file in %s", path);
	return rc == -1 ? NULL : name;
}

static bool
set_direct(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	flags = on ? flags | O_DIRECT : flags & ~O_DIRECT;
	return flags != -1 && fcntl(fd, F_SETFL, flags) == 0;
}

int
tmpfile_open(struct tmpfile *f, const struct tmpdirs *dirs, size_t turn,
    uint64_t room, uint64_t need, bool direct, struct hp_err *e)
{
	*f = (struct tmpfile){ .fd = tmp_open(dirs, turn, room, e) };
	if (f->fd == -1)
		return -1;
	if ((f->name = describe(f->fd, need)) == NULL) {
		hp_fail_errno(e, HP_NOMEM, "temporary file");
		close(f->fd);
		return -1;
	}
	f->direct = direct && set_direct(f->fd, true);
	return 0;
}

void
tmpfile_close(struct tmpfile *f)
{
	close(f->fd);
	free(f->name);
}

bool
tmpfile_is_tried(const struct tmpfile *f)
{
	return f->tried >= TRIAL;
}

static void
go_through_cache(struct tmpfile *f)
{
	if (set_direct(f->fd, false))
		f->direct = false;
}

/* The file system is not content with TMPFILE_ALIGN, or a call that did less
 * than asked has left an odd rest: another try, once.  Another thread may have
 * found out at the same time. */
static bool
is_misaligned(struct tmpfile *f, bool *cached)
{
	if (errno != EINVAL || *cached)
		return false;
	*cached = true;
	go_through_cache(f);
	return true;
}

/* How fast was that?  Threads that write at once share the disk. */
static void
judge(struct tmpfile *f, size_t n, double seconds, unsigned writers)
{
	uint64_t took_ns = (uint64_t)(seconds * 1e9 / writers);
	uint64_t tried = atomic_fetch_add(&f->tried, n) + n;
	uint64_t ns = atomic_fetch_add(&f->tried_ns, took_ns) + took_ns;

	if (tried >= TRIAL && tried - n < TRIAL &&
	    tried * 1000 / DIRECT_LEAST < ns)
		go_through_cache(f);
}

int
tmpfile_write(struct tmpfile *f, const unsigned char *s, size_t n, off_t at)
{
	double start = clock_now_s();
	unsigned writers = ++f->writers;
	size_t done = 0;
	ssize_t r = 0;
	bool cached = false;

	team_wait();
	while (done < n) {
		r = pwrite(f->fd, s + done, n - done, at + (off_t)done);
		if (r >= 0)
			done += (size_t)r;
		else if (is_misaligned(f, &cached))
			continue;
		else if (errno != EINTR)
			break;
	}
	team_go_on();
	f->writers--;
	if (f->direct)
		judge(f, n, clock_now_s() - start, writers);
	return done == n ? 0 : -1;
}

int
tmpfile_read(struct tmpfile *f, unsigned char *to, size_t n, size_t least,
    off_t at, struct hp_err *e)
{
	size_t done = 0;
	ssize_t r = 1;
	bool cached = false;

	team_wait();
	while (done < least) {
		r = pread(f->fd, to + done, n - done, at + (off_t)done);
		if (r > 0)
			done += (size_t)r;
		else if (r == -1 && is_misaligned(f, &cached))
			continue;
		else if (r == 0 || errno != EINTR)
			break;
	}
	team_go_on();
	if (done >= least)
		return 0;
	if (r == -1)
		return hp_fail_errno(e, HP_IO, "%s", f->name);
	return hp_fail(e, HP_IO, "%s: cut short", f->name);
}
