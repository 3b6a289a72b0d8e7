#include <fcntl.h>
#include <unistd.h>

#include "input/ahead.h"

enum {
	/*
	 * number of bytes per readahead(2) call; the kernel truncates larger
	 * requests
	 */
	STEP = 1 << 19,
	/*
	 * maximum number of bytes to read ahead; with more, pages could leave
	 * the page cache before they are used
	 */
	MOST = 1 << 30
};

/* readahead(2) blocks while the disk is busy, so a separate thread calls it. */
static void *
read_ahead(void *arg)
{
	const struct ahead *a = arg;

	for (off_t at = a->at; at < a->end; at += STEP)
		posix_fadvise(a->fd, at, STEP, POSIX_FADV_WILLNEED);
	return NULL;
}

void
ahead_start(struct ahead *a, const struct input *in)
{
	uint64_t n = in->given < MOST ? in->given : MOST;

	*a = (struct ahead){ .fd = in->fd };
	if (a->fd == -1 || (a->at = lseek(a->fd, 0, SEEK_CUR)) == -1)
		return;
	a->end = a->at + (off_t)n;
	a->runs = pthread_create(&a->thread, NULL, read_ahead, a) == 0;
}

void
ahead_end(struct ahead *a)
{
	if (a->runs)
		pthread_join(a->thread, NULL);
}
