#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/team.h"
#include "run/direct.h"

enum {
	TRIAL = 1 << 26, /* bytes written before the disk is judged */
	/*
	 * Minimum speed of direct writes in megabytes per second. If a disk is
	 * slower, the writes go through the page cache.
	 */
	DIRECT_LEAST = 300
};

static bool
set_direct(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	flags = on ? flags | O_DIRECT : flags & ~O_DIRECT;
	return flags != -1 && fcntl(fd, F_SETFL, flags) == 0;
}

void
direct_init(struct direct *d, int fd, bool on)
{
	*d = (struct direct){ .fd = fd };
	d->on = on && set_direct(fd, true);
}

bool
direct_is_tried(const struct direct *d)
{
	return d->tried >= TRIAL;
}

static void
go_through_cache(struct direct *d)
{
	if (set_direct(d->fd, false))
		d->on = false;
}

/*
 * Returns true if a call failed because its address, size or offset is not
 * aligned as O_DIRECT requires. O_DIRECT is then off, and the caller must
 * repeat the call through the page cache. `cached` is set, so that a call is
 * repeated only once.
 */
static bool
is_misaligned(struct direct *d, bool *cached)
{
	if (errno != EINVAL || *cached)
		return false;
	*cached = true;
	go_through_cache(d);
	return true;
}

/*
 * Records how fast a write was. Threads that write at the same time share the
 * disk, so the speed is multiplied by their number. Single writes may be slow
 * on a fast disk, as they wait for a processor or for other writes. So the disk
 * counts as slow only if fewer than a quarter of the bytes were written fast.
 */
static void
judge(struct direct *d, size_t n, double seconds, unsigned writers)
{
	bool fast = (double)n * writers >= seconds * DIRECT_LEAST * 1e6;
	uint64_t tried = atomic_fetch_add(&d->tried, n) + n;

	if (fast)
		d->fast += n;
	if (tried >= TRIAL && tried - n < TRIAL && d->fast < TRIAL / 4)
		go_through_cache(d);
}

int
direct_write(struct direct *d, const unsigned char *s, size_t n, off_t at)
{
	double start = clock_now_s();
	unsigned writers = ++d->writers;
	size_t done = 0;
	ssize_t r = 0;
	bool cached = false;

	team_wait();
	while (done < n) {
		r = pwrite(d->fd, s + done, n - done, at + (off_t)done);
		if (r >= 0)
			done += (size_t)r;
		else if (is_misaligned(d, &cached))
			continue;
		else if (errno != EINTR)
			break;
	}
	team_go_on();
	d->writers--;
	if (d->on)
		judge(d, n, clock_now_s() - start, writers);
	return done == n ? 0 : -1;
}

ssize_t
direct_read(
    struct direct *d, unsigned char *to, size_t n, size_t least, off_t at)
{
	size_t done = 0;
	ssize_t r = 1;
	bool cached = false;

	team_wait();
	while (done < least) {
		r = pread(d->fd, to + done, n - done, at + (off_t)done);
		if (r > 0)
			done += (size_t)r;
		else if (r == -1 && is_misaligned(d, &cached))
			continue;
		else if (r == 0 || errno != EINTR)
			break;
	}
	team_go_on();
	return r == -1 ? -1 : (ssize_t)done;
}
