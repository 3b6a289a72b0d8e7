#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/io.h"
#include "input/file.h"

const char *
input_name(const char *file)
{
	return strcmp(file, "-") == 0 ? "standard input" : file;
}

int
input_open_file(const struct input *in, size_t i, struct hp_err *e)
{
	int fd;

	if (i > 0 || in->header == NULL)
		return io_open(in->file[i], e);
	if ((fd = fcntl(in->header->fd, F_DUPFD_CLOEXEC, 0)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", input_name(in->file[i]));
	return fd;
}

int
input_skip_header(const struct input *in, size_t i, int fd, struct hp_err *e)
{
	if (i == 0 || in->header == NULL)
		return 0;
	return header_skip(in->header, fd, in->file[i], e);
}

int
input_check_whole(
    const struct input *in, const char *name, uint64_t bytes, struct hp_err *e)
{
	uint64_t above = in->header == NULL ? 0 : in->header->n;
	size_t size = in->format->size;

	if (size == 0 || bytes % size == 0)
		return 0;
	return hp_fail(e, HP_INPUT,
	    "%s: record %" PRIu64 ": %" PRIu64 " bytes, but a record has %zu",
	    name, above + bytes / size + 1, bytes % size, size);
}
