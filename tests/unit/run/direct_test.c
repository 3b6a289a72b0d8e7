/*
 * Files that bypass the page cache, and the return to the cache if that fails.
 * The disk is simulated: pread, pwrite and fcntl of this program replace those
 * of libc.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "run/direct.h"
#include "test.h"

enum {
	DISK = 3 * DIRECT_ALIGN,
	LARGE = 4 << 20,
	/* writes of LARGE bytes: twice as many as are needed to judge a disk */
	ROUNDS = 32
};

static struct {
	unsigned char bytes[DISK];
	int flags;
	size_t align; /* alignment that direct calls require */
	bool refuses; /* all calls fail with EINVAL */
	bool stays;   /* O_DIRECT cannot be switched off */
	/* most bytes that the first call transfers; 0: no limit */
	size_t most;
	useconds_t slow_us;
	unsigned calls;
} disk;

static unsigned char *buf; /* LARGE bytes, aligned to a page */

int
fcntl(int fd, int how, ...)
{
	va_list ap;
	int flags;

	(void)fd;
	if (how == F_GETFL)
		return disk.flags;
	va_start(ap, how);
	flags = va_arg(ap, int);
	va_end(ap);
	if (disk.stays && (flags & O_DIRECT) == 0) {
		errno = EPERM;
		return -1;
	}
	disk.flags = flags;
	return 0;
}

/* Returns how many bytes a call transfers, or -1. */
static ssize_t
call(size_t n, off_t at)
{
	disk.calls++;
	if (disk.refuses ||
	    ((disk.flags & O_DIRECT) != 0 &&
		((size_t)at % disk.align != 0 || n % disk.align != 0))) {
		errno = EINVAL;
		return -1;
	}
	if (disk.slow_us > 0)
		usleep(disk.slow_us);
	return disk.calls == 1 && disk.most > 0 ? (ssize_t)disk.most
						: (ssize_t)n;
}

ssize_t
pwrite(int fd, const void *from, size_t n, off_t at)
{
	ssize_t did = call(n, at);

	(void)fd;
	if (did > 0 && (size_t)(at + did) <= DISK)
		memcpy(disk.bytes + at, from, (size_t)did);
	return did;
}

ssize_t
pread(int fd, void *to, size_t n, off_t at)
{
	ssize_t did;

	(void)fd;
	if ((size_t)at >= DISK)
		return 0;
	n = n < DISK - (size_t)at ? n : DISK - (size_t)at;
	did = call(n, at);
	if (did > 0)
		memcpy(to, disk.bytes + at, (size_t)did);
	return did;
}

static void
new_disk(struct direct *d)
{
	memset(&disk, 0, sizeof disk);
	disk.align = DIRECT_ALIGN;
	direct_init(d, 0, true);
	CHECK(d->on);
	CHECK((disk.flags & O_DIRECT) != 0);
	for (size_t i = 0; i < DISK; i++)
		buf[i] = (unsigned char)test_random();
}

static void
a_larger_sector_goes_through_the_cache(void)
{
	struct direct d;

	new_disk(&d);
	disk.align = 2 * DIRECT_ALIGN;
	CHECK(direct_write(&d, buf, DIRECT_ALIGN, 0) == 0);
	CHECK(!d.on);
	CHECK((disk.flags & O_DIRECT) == 0);
	CHECK(memcmp(disk.bytes, buf, DIRECT_ALIGN) == 0);
	CHECK_EQ_U64(disk.calls, 2);

	new_disk(&d);
	memcpy(disk.bytes, buf, DISK);
	memset(buf, 0, DISK);
	disk.align = 2 * DIRECT_ALIGN;
	CHECK_EQ_I64(
	    direct_read(&d, buf, DIRECT_ALIGN, 1, DIRECT_ALIGN), DIRECT_ALIGN);
	CHECK(!d.on);
	CHECK(memcmp(disk.bytes + DIRECT_ALIGN, buf, DIRECT_ALIGN) == 0);
}

/*
 * After a short write the rest is not aligned, so it goes through the page
 * cache.
 */
static void
an_odd_rest_goes_through_the_cache(void)
{
	struct direct d;

	new_disk(&d);
	disk.most = 100;
	CHECK(direct_write(&d, buf, DISK, 0) == 0);
	CHECK(!d.on);
	CHECK(memcmp(disk.bytes, buf, DISK) == 0);

	new_disk(&d);
	memcpy(disk.bytes, buf, DISK);
	memset(buf, 0, DISK);
	disk.most = 100;
	CHECK_EQ_I64(direct_read(&d, buf, DISK, DISK, 0), DISK);
	CHECK(memcmp(disk.bytes, buf, DISK) == 0);
}

/*
 * If the disk refuses the call through the cache as well, it is an error.  The
 * call must not be repeated forever.
 */
static void
a_second_refusal_is_an_error(void)
{
	struct direct d;

	for (int stays = 0; stays < 2; stays++) {
		new_disk(&d);
		disk.refuses = true;
		disk.stays = stays;
		CHECK(direct_write(&d, buf, DIRECT_ALIGN, 0) == -1);
		CHECK_EQ_I64(errno, EINVAL);
		CHECK_EQ_U64(disk.calls, 2);
		CHECK(d.on == (stays == 1));
		disk.calls = 0;
		CHECK(direct_read(&d, buf, DIRECT_ALIGN, 1, 0) == -1);
		CHECK_EQ_I64(errno, EINVAL);
		CHECK_EQ_U64(disk.calls, 2);
	}
}

static void
write_much(struct direct *d)
{
	for (off_t i = 0; i < ROUNDS; i++)
		CHECK(direct_write(d, buf, LARGE, DISK + i * LARGE) == 0);
	CHECK(direct_is_tried(d));
}

static void
only_a_slow_disk_gets_the_cache(void)
{
	struct direct d;

	new_disk(&d);
	write_much(&d);
	CHECK(d.on);
	new_disk(&d);
	disk.slow_us = 30000; /* time for 4 MiB: 140 MB/s */
	CHECK(!direct_is_tried(&d));
	write_much(&d);
	CHECK(!d.on);
	CHECK((disk.flags & O_DIRECT) == 0);
}

static void
without_direct_io_the_cache_is_used(void)
{
	struct direct d;

	memset(&disk, 0, sizeof disk);
	direct_init(&d, 0, false);
	CHECK(!d.on);
	CHECK(direct_write(&d, buf, 10, 5) == 0);
	CHECK(memcmp(disk.bytes + 5, buf, 10) == 0);
	/* A read at the end of the file is short. */
	CHECK_EQ_I64(direct_read(&d, buf, 100, 100, DISK - 7), 7);
}

int
main(void)
{
	buf = aligned_alloc(DIRECT_ALIGN, LARGE);
	if (buf == NULL)
		return 1;
	memset(buf, 0, LARGE);
	RUN(a_larger_sector_goes_through_the_cache);
	RUN(an_odd_rest_goes_through_the_cache);
	RUN(a_second_refusal_is_an_error);
	RUN(only_a_slow_disk_gets_the_cache);
	RUN(without_direct_io_the_cache_is_used);
	free(buf);
	return test_done();
}
