#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/size.h"
#include "base/space.h"
#include "input/input.h"
#include "input/mapped.h"

enum {
	BLOCK = 1 << 20 /* default block size in bytes */
};

static const char *const standard_input[] = { "-" };

int
input_open(struct input *in, const struct format *format,
    const char *const *file, size_t n, struct header *header,
    const struct input_range *extent, uint64_t map_most, int not_fd,
    struct hp_err *e)
{
	int rc;

	*in = (struct input){ .format = format,
		.file = n > 0 ? file : standard_input,
		.nfiles = n > 0 ? n : 1,
		.header = header,
		.extent = *extent,
		.block = BLOCK,
		.cap = SIZE_MAX,
		.fd = -1 };
	pthread_mutex_init(&in->lock, NULL);
	pthread_cond_init(&in->due, NULL);
	if ((rc = input_map(in, map_most, not_fd, e)) != 0)
		return rc == 1 ? 0 : -1;
	return input_reserve(in, mem_most(), 1 << 24, e);
}

void
input_close(struct input *in)
{
	if (in->fd != -1)
		io_close(in->fd);
	space_give(in->base, in->reserved);
	for (size_t i = 0; i < in->npieces; i++)
		io_close(in->piece[i].fd);
	in->npieces = 0;
	free(in->piece);
	in->piece = NULL;
	in->base = NULL;
	in->fd = -1;
}

struct span
input_record(const struct input *in, const unsigned char *s)
{
	if (in->format->size != 0)
		return (struct span){ s, in->format->size };
	return scan_record(
	    in->format, &s, in->mapped ? input_piece(in, s)->end : in->end);
}

void
input_forget(struct input *in)
{
	uintptr_t page = page_up(1), from = (uintptr_t)in->from;
	size_t carry = (size_t)(in->end - in->pos);

	in->given = 0;
	in->text = 0;
	in->promised = 0;
	if (in->present)
		return;
	if (!in->mapped) {
		memmove(in->base, in->pos, carry);
		in->pos = in->base;
		in->end = in->base + carry;
		return;
	}
	from &= ~(page - 1);
	if (((uintptr_t)in->pos & ~(page - 1)) > from)
		madvise((void *)from, ((uintptr_t)in->pos & ~(page - 1)) - from,
		    MADV_DONTNEED);
	in->from = in->pos;
}
