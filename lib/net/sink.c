#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/sink.h"

/*
 * Opens standard output. Other programs may share the file description of
 * standard output, so this process must not set O_NONBLOCK on it. A pipe is
 * opened again, which gives this process a file description of its own.
 */
static void
open_stdout(struct sink_output *d)
{
	struct stat st;

	d->fd = STDOUT_FILENO;
	d->kind = OUTPUT_BLOCKING;
	if (fstat(STDOUT_FILENO, &st) == -1)
		return;
	if (S_ISSOCK(st.st_mode))
		d->kind = OUTPUT_SOCKET;
	else if (isatty(STDOUT_FILENO))
		d->kind = OUTPUT_PIPE_BUF;
	else if (S_ISFIFO(st.st_mode)) {
		d->fd = open(
		    "/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		d->kind = d->fd == -1 ? OUTPUT_PIPE_BUF : OUTPUT_PIPE;
		if (d->fd == -1)
			d->fd = STDOUT_FILENO;
	}
}

static int
open_spooled(
    struct sink_output *d, const char *spooled, bool make, struct hp_err *e)
{
	if (spooled == NULL)
		return hp_fail_errno(e, HP_NOMEM, "outputs");
	if (outfile_take_up(&d->file, d->path, spooled, make, e) == -1)
		return -1;
	d->fd = d->file.fd;
	return 0;
}

static int
open_named(struct sink_output *d, struct hp_err *e)
{
	struct stat st;

	d->fifo = stat(d->path, &st) == 0 && S_ISFIFO(st.st_mode);
	if (d->fifo) {
		d->kind = OUTPUT_PIPE;
		return 0;
	}
	if (outfile_open(&d->file, d->path, e) == -1)
		return -1;
	d->fd = d->file.fd;
	return 0;
}

int
sink_open(struct sink *s, const char *prefix, const struct spool *k,
    bool finished, uint32_t nodes, struct hp_err *e)
{
	char *spooled;
	int rc;

	*s = (struct sink){ .holder = SINK_FREE };
	s->shared = prefix == NULL;
	s->noutputs = s->shared ? 1 : nodes;
	if ((s->output = calloc(s->noutputs, sizeof *s->output)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "outputs");
	for (uint32_t i = 0; i < s->noutputs; i++)
		s->output[i].fd = s->output[i].file.fd = -1;
	if (s->shared) {
		open_stdout(s->output);
		return 0;
	}
	for (uint32_t i = 0; i < nodes; i++) {
		if (asprintf(&s->output[i].path, "%s.%" PRIu32, prefix, i) ==
		    -1) {
			s->output[i].path = NULL;
			return hp_fail_errno(e, HP_NOMEM, "outputs");
		}
		if (k == NULL) {
			rc = open_named(&s->output[i], e);
		} else {
			spooled = spool_path(k, "part", i);
			rc = open_spooled(&s->output[i], spooled, !finished, e);
			free(spooled);
		}
		if (rc == -1)
			return -1;
	}
	return 0;
}

int
sink_file(
    const struct sink *s, uint32_t source, uint64_t *bytes, struct hp_err *e)
{
	const struct sink_output *d = &s->output[source];
	struct stat st;

	if (fstat(d->fd, &st) == -1)
		return hp_fail_errno(e, HP_IO, "%s", d->path);
	*bytes = (uint64_t)st.st_size;
	return d->fd;
}

int
sink_resume(struct sink *s, uint32_t source, uint64_t bytes, struct hp_err *e)
{
	const struct sink_output *d = &s->output[source];

	if (ftruncate(d->fd, (off_t)bytes) == -1 ||
	    lseek(d->fd, (off_t)bytes, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "%s", d->path);
	return 0;
}

static struct sink_output *
output_of(const struct sink *s, uint32_t source)
{
	return &s->output[s->shared ? 0 : source];
}

static bool
held(const struct sink *s, uint32_t source)
{
	return s->shared && s->holder != SINK_FREE && s->holder != source;
}

int
sink_poll_fd(const struct sink *s, uint32_t source)
{
	return held(s, source) ? -1 : output_of(s, source)->fd;
}

bool
sink_takes(const struct sink *s, uint32_t source)
{
	return output_of(s, source)->kind != OUTPUT_PIPE_BUF;
}

int
sink_retry(struct sink *s, struct hp_err *e)
{
	int waiting = 0;

	for (uint32_t i = 0; i < s->noutputs; i++) {
		struct sink_output *d = &s->output[i];

		if (!d->fifo || d->closed || d->fd != -1)
			continue;
		d->fd = open(d->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (d->fd == -1 && errno != ENXIO && errno != EINTR)
			return hp_fail_errno(e, HP_IO, "%s", d->path);
		waiting += d->fd == -1;
	}
	return waiting;
}

/*
 * Writes to an output. Returns the number of bytes, 0 when the write would
 * block, or -1.
 */
static ssize_t
output_write(const struct sink_output *d, const void *buf, size_t n)
{
	ssize_t r;

	if (d->kind == OUTPUT_SOCKET)
		r = send(d->fd, buf, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	else if (d->kind == OUTPUT_PIPE_BUF && n > PIPE_BUF)
		r = write(d->fd, buf, PIPE_BUF);
	else
		r = write(d->fd, buf, n);
	return r == -1 && (errno == EAGAIN || errno == EINTR) ? 0 : r;
}

int
sink_put(struct sink *s, uint32_t source, struct framebuf *p, struct hp_err *e)
{
	struct sink_output *d = output_of(s, source);
	ssize_t n;

	if (held(s, source) || d->fd == -1)
		return 0;
	if (s->shared)
		s->holder = source;
	if (p->pos < p->len) {
		n = output_write(
		    d, p->payload + (p->pos - FRAME_HEAD), p->len - p->pos);
		if (n == -1)
			return hp_fail_errno(e, HP_IO, "%s",
			    s->shared ? "standard output" : d->path);
		p->pos += (size_t)n;
		if (p->pos < p->len)
			return 0;
	}
	if (s->shared && (p->frame.flags & FRAME_MORE) == 0)
		s->holder = SINK_FREE;
	return 1;
}

int
sink_end(struct sink *s, uint32_t source)
{
	struct sink_output *d = output_of(s, source);

	if (!d->fifo || d->closed)
		return 1;
	if (d->fd == -1)
		return 0;
	close(d->fd);
	d->fd = -1;
	d->closed = true;
	return 1;
}

int
sink_commit(struct sink *s, struct hp_err *e)
{
	struct outfile **file = calloc(s->noutputs, sizeof *file);
	size_t n = 0;
	int rc;

	if (file == NULL)
		return hp_fail_errno(e, HP_NOMEM, "outputs");
	for (uint32_t i = 0; i < s->noutputs; i++) {
		struct sink_output *d = &s->output[i];

		if (d->file.fd == -1)
			continue;
		d->fd = -1;
		file[n++] = &d->file;
	}
	rc = outfile_commit_all(file, n, e);
	free(file);
	return rc;
}

void
sink_close(struct sink *s)
{
	for (uint32_t i = 0; s->output != NULL && i < s->noutputs; i++) {
		struct sink_output *d = &s->output[i];

		if (d->file.fd == -1 && d->fd > STDOUT_FILENO)
			close(d->fd);
		outfile_abort(&d->file);
		free(d->path);
	}
	free(s->output);
	*s = (struct sink){ 0 };
}
