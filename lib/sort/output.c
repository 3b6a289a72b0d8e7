#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "sort/output.h"

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
}

int
output_close(struct output *o, struct hp_err *e)
{
	pthread_mutex_destroy(&o->lock);
	pthread_cond_destroy(&o->turned);
	if (o->seekable && !o->failed && lseek(o->fd, o->at, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "%s", o->name);
	return 0;
}

off_t
output_wait(struct output *o, size_t n)
{
	off_t at;

	pthread_mutex_lock(&o->lock);
	while (o->turn != n && !o->failed)
		pthread_cond_wait(&o->turned, &o->lock);
	at = o->failed ? -1 : o->at;
	pthread_mutex_unlock(&o->lock);
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

int
output_write(
    struct output *o, const void *buf, size_t n, off_t at, struct hp_err *e)
{
	if ((o->seekable ? io_pwrite(o->fd, buf, n, at)
			 : io_write(o->fd, buf, n)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", o->name);
	if (o->progress != NULL)
		o->progress->written += n;
	return 0;
}
