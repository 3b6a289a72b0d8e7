#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "base/team.h"
#include "run/output.h"

void
output_init(struct output *o, int fd, const char *name)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	*o = (struct output){ .fd = fd, .name = name };
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->turned, NULL);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flags != -1 &&
	    (flags & O_APPEND) == 0)
		o->start = lseek(fd, 0, SEEK_CUR);
	else
		o->start = -1;
	o->seekable = o->start != -1;
	o->start = o->seekable ? o->start : 0;
	o->at = o->start;
	direct_init(&o->uncached, -1, false);
}

void
output_past_cache(struct output *o)
{
	char self[64];
	int fd;

	/*
	 * Open the file again: O_DIRECT on the given descriptor would affect
	 * other processes that share it.
	 */
	snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
	if (o->seekable && o->tape == NULL &&
	    (fd = open(self, O_WRONLY | O_CLOEXEC)) != -1)
		direct_init(&o->uncached, fd, true);
}

int
output_to_tape(
    struct output *o, struct store *s, struct tape *t, struct hp_err *e)
{
	if (tape_begin(t, s, e) == -1)
		return -1;
	*o = (struct output){ .fd = -1,
		.name = t->file->name,
		.store = s,
		.tape = t,
		.uncached = { .fd = -1 },
		.seekable = s->program == NULL };
	if (s->program != NULL) {
		o->filter = filter_pack(s, t, e);
		if (o->filter == NULL)
			return -1;
	}
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->turned, NULL);
	return 0;
}

static int
close_tape(struct output *o, struct hp_err *e)
{
	if (o->failed) {
		filter_stop(o->filter);
		return 0; /* the error was reported already */
	}
	if (o->filter != NULL)
		return filter_end(o->filter, (uint64_t)o->at, e);
	tape_end(o->tape);
	return 0;
}

int
output_close(struct output *o, struct hp_err *e)
{
	pthread_mutex_destroy(&o->lock);
	pthread_cond_destroy(&o->turned);
	if (o->tape != NULL)
		return close_tape(o, e);
	if (o->uncached.fd != -1)
		close(o->uncached.fd);
	if (o->seekable && !o->failed && lseek(o->fd, o->at, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "%s", o->name);
	return 0;
}

off_t
output_wait(struct output *o, size_t n)
{
	bool wait;
	off_t at;

	pthread_mutex_lock(&o->lock);
	if ((wait = o->turn != n && !o->failed))
		team_wait();
	while (o->turn != n && !o->failed)
		pthread_cond_wait(&o->turned, &o->lock);
	at = o->failed ? -1 : o->at;
	pthread_mutex_unlock(&o->lock);
	if (wait)
		team_go_on();
	return at;
}

void
output_pass(struct output *o, off_t at)
{
	pthread_mutex_lock(&o->lock);
	o->at = at;
	o->turn++;
	pthread_cond_broadcast(&o->turned);
	pthread_mutex_unlock(&o->lock);
}

void
output_fail(struct output *o)
{
	pthread_mutex_lock(&o->lock);
	o->failed = true;
	pthread_cond_broadcast(&o->turned);
	pthread_mutex_unlock(&o->lock);
}

void
output_again(struct output *o, off_t at, bool same)
{
	o->discards = !same && o->sent > 0;
	o->skip = o->sent;
	o->failed = false;
	o->at = at;
	if (o->tape != NULL && o->filter == NULL)
		tape_rewind(o->tape);
}

static int
write_in_turn(struct output *o, const void *s, size_t n, struct hp_err *e)
{
	size_t skip = o->skip < n ? (size_t)o->skip : n;
	int rc;

	o->skip -= skip;
	s = (const char *)s + skip;
	n -= skip;
	if (n == 0)
		return 0;
	o->sent += n;
	team_wait();
	if (o->filter != NULL)
		rc = filter_write(o->filter, s, n, e);
	else if ((rc = io_write(o->fd, s, n)) == -1)
		hp_fail_errno(e, HP_IO, "%s", o->name);
	team_go_on();
	return rc;
}

bool
output_is_busy(const struct output *o)
{
	return o->writing > 0;
}

static int
write_at(struct output *o, const void *s, size_t n, off_t at)
{
	int rc;

	if (n == 0)
		return 0;
	o->writing++;
	rc = io_pwrite(o->fd, s, n, at);
	o->writing--;
	return rc;
}

/*
 * Writes whole pages past the page cache. Incomplete pages at both ends go
 * through the cache, because two parts of a merge may meet in one page.
 */
static int
write_uncached(struct output *o, const unsigned char *s, size_t n, off_t at)
{
	size_t head = direct_align((size_t)at) - (size_t)at, pages;

	if (!o->uncached.on || n < head + DIRECT_ALIGN ||
	    ((uintptr_t)s + head) % DIRECT_ALIGN != 0)
		return write_at(o, s, n, at);
	pages = (n - head) / DIRECT_ALIGN * DIRECT_ALIGN;
	if (direct_write(&o->uncached, s + head, pages, at + (off_t)head) ==
		-1 ||
	    write_at(o, s, head, at) == -1)
		return -1;
	head += pages;
	return write_at(o, s + head, n - head, at + (off_t)head);
}

int
output_write(
    struct output *o, const void *buf, size_t n, off_t at, struct hp_err *e)
{
	int rc;

	if (o->discards)
		return 0;
	if (!o->seekable)
		rc = write_in_turn(o, buf, n, e);
	else if (o->tape != NULL)
		rc = tape_put(o->tape, o->store, buf, n, (uint64_t)at, e);
	else if ((rc = write_uncached(o, buf, n, at)) == -1)
		hp_fail_errno(e, HP_IO, "%s", o->name);
	if (rc == 0 && o->progress != NULL)
		o->progress->written += n;
	return rc;
}
