#include <sys/mman.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "input/file.h"
#include "input/fill.h"

/*
 * Opens the next input file. Returns 1, or 0 if there are no more files, or -1
 * on failure.
 */
static int
next_file(struct input *in, struct hp_err *e)
{
	if (in->next == in->nfiles)
		return 0;
	in->name = input_name(in->file[in->next]);
	if ((in->fd = input_open_file(in, in->next, e)) == -1 ||
	    input_skip_header(in, in->next, in->fd, e) == -1)
		return -1;
	in->next++;
	in->size = io_size(in->fd);
	in->left = in->extent.bytes;
	in->taken = 0;
	if (in->left != UINT64_MAX &&
	    lseek(in->fd, (off_t)in->extent.off, SEEK_SET) == -1)
		return hp_fail_errno(e, HP_IO, "%s: seek to byte %" PRIu64,
		    in->name, in->extent.off);
	return 1;
}

/*
 * Closes a file that was read completely. Fails if its last binary record is
 * incomplete. Adds the delimiter that a last line may lack.
 */
static int
end_file(struct input *in, struct hp_err *e)
{
	size_t size = in->format->size;
	int rc = in->left == UINT64_MAX
	    ? io_check_end(in->fd, in->size, in->name, e)
	    : 0;

	io_close(in->fd);
	in->fd = -1;
	/*
	 * Other threads may take text before they see this error. Remove the
	 * incomplete record, so that they get whole records only.
	 */
	if (size != 0)
		in->end -= in->taken % size;
	if (rc == -1)
		return -1;
	if (in->left != UINT64_MAX && in->left > 0)
		return hp_fail(e, HP_INPUT,
		    "%s: the extent ends at byte %" PRIu64
		    ", behind the end of the file",
		    in->name, in->extent.off + in->extent.bytes);
	if (size != 0)
		return input_check_whole(in, in->name, in->taken, e);
	if (scan_is_cut(in->format, in->pos, in->end))
		*in->end++ = in->format->delim;
	return 0;
}

/*
 * Returns how many bytes of the reserved address space are free. One byte is
 * kept for a delimiter that the last line may lack.
 */
static size_t
free_room(const struct input *in)
{
	return in->reserved - (size_t)(in->end - in->base) - 1;
}

int
input_fill(struct input *in, size_t want, struct hp_err *e)
{
	size_t room, n;
	ssize_t got;
	int rc;

	while (!in->eof && (size_t)(in->end - in->pos) < want) {
		if (in->fd == -1) {
			if ((rc = next_file(in, e)) == -1)
				return -1;
			in->eof = rc == 0;
			continue;
		}
		n = want - (size_t)(in->end - in->pos);
		if ((room = free_room(in)) == 0)
			return 0;
		n = n < room ? n : room;
		n = n < in->left ? n : (size_t)in->left;
		got = io_read(in->fd, in->end, n);
		if (got == -1)
			return hp_fail_errno(e, HP_IO, "%s", in->name);
		in->end += got;
		in->taken += (uint64_t)got;
		if (in->left != UINT64_MAX)
			in->left -= (uint64_t)got;
		if ((size_t)got < n || in->left == 0)
			if (end_file(in, e) == -1)
				return -1;
	}
	return 0;
}

unsigned char *
input_whole(const struct input *in, size_t want)
{
	const struct format *f = in->format;
	size_t have = (size_t)(in->end - in->pos);
	bool last = in->mapped || in->eof;
	const unsigned char *end;
	size_t whole;

	if (have <= want && last)
		return in->end;
	want = want < have ? want : have;
	whole = (size_t)(scan_whole(f, in->pos, in->pos + want) - in->pos);
	if (whole > 0)
		return in->pos + whole;
	if (!in->mapped)
		return NULL;
	end = scan_find(f, in->pos, want, in->end);
	return end == NULL ? in->end
			   : in->pos + (end - in->pos) + scan_delim(f);
}

static int
no_room(const struct input *in, struct hp_err *e)
{
	return hp_fail(e, HP_NOMEM,
	    "%s: a record of more than %zu bytes does not fit into memory",
	    in->name, (size_t)(in->end - in->pos));
}

int
input_find(struct input *in, size_t want, unsigned char **end, struct hp_err *e)
{
	while (in->mapped && in->pos == in->end) {
		if (in->at + 1 >= in->npieces) {
			*end = NULL;
			return 0;
		}
		in->at++;
		in->pos = in->piece[in->at].start;
		in->end = in->piece[in->at].end;
	}
	for (;;) {
		if (!in->mapped && input_fill(in, want, e) == -1)
			return -1;
		*end = NULL;
		if (in->pos == in->end)
			return 0;
		if ((*end = input_whole(in, want)) != NULL)
			return 0;
		if (!in->mapped && free_room(in) == 0)
			return in->given > 0 ? INPUT_FULL : no_room(in, e);
		want *= 2; /* the next record is longer */
	}
}
