#include <sys/mman.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/io.h"
#include "record/scan.h"
#include "record/stream.h"
#include "split/records.h"

enum {
	BLOCK_SHIFT = 12, /* blocks of 4 KiB */
	/* A file has at most 2^22 blocks; a larger file gets larger blocks. */
	BLOCKS_MOST = 22,
	/*
	 * Number of bytes that a disk reads in about the time that one seek
	 * takes.
	 */
	AHEAD = 256 << 10
};

static int
index_lines(struct records *r, struct hp_err *e)
{
	uint64_t block, blocks, n = 0;

	r->block_shift = BLOCK_SHIFT;
	while (r->bytes >> r->block_shift >> BLOCKS_MOST != 0)
		r->block_shift++;
	block = (uint64_t)1 << r->block_shift;
	blocks = (r->bytes + block - 1) >> r->block_shift;
	r->before = reallocarray(NULL, blocks + 1, sizeof *r->before);
	if (r->before == NULL)
		return hp_fail(e, HP_NOMEM, "%s", r->name);
	for (uint64_t i = 0; i < blocks; i++) {
		uint64_t at = i << r->block_shift, len = r->bytes - at;

		r->before[i] = n;
		len = len < block ? len : block;
		n += scan_count(r->format, r->base + at, r->base + at + len);
	}
	r->before[blocks] = n;
	r->n = n + scan_is_cut(r->format, r->base, r->base + r->bytes);
	return 0;
}

static int
map_range(struct records *r, int fd, uint64_t size, const struct range *range,
    struct hp_err *e)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), skip;

	if (range->offset > size)
		return hp_fail(e, HP_INPUT,
		    "%s: the extent begins at byte %" PRIu64
		    ", the file has %" PRIu64,
		    r->name, range->offset, size);
	r->offset = range->offset;
	r->bytes = size - range->offset;
	if (range->bytes != UINT64_MAX) {
		if (range->bytes > r->bytes)
			return hp_fail(e, HP_INPUT,
			    "%s: the extent ends at byte %" PRIu64
			    ", the file has %" PRIu64,
			    r->name, range->offset + range->bytes, size);
		r->bytes = range->bytes;
	}
	if (r->bytes == 0) {
		r->base = (const unsigned char *)"";
		return 0;
	}
	skip = r->offset % page;
	r->map_len = r->bytes + skip;
	r->map = mmap(NULL, r->map_len, PROT_READ, MAP_SHARED, fd,
	    (off_t)(r->offset - skip));
	if (r->map == MAP_FAILED) {
		r->map = NULL;
		return hp_fail_errno(e, HP_IO, "%s: map", r->name);
	}
	r->base = (const unsigned char *)r->map + skip;
	return 0;
}

/*
 * Removes the header from the range: its first `header` records, or all records
 * if the range has fewer.
 */
static void
leave_out(struct records *r, uint64_t header)
{
	const unsigned char *end = r->base + r->bytes;
	uint64_t bytes = (uint64_t)(scan_skip(r->format, r->base, end, header) -
	    r->base);

	r->header = header;
	r->base += bytes;
	r->offset += bytes;
	r->bytes -= bytes;
}

static int
number(struct records *r, uint64_t header, struct hp_err *e)
{
	size_t size = r->format->size;

	if (size != 0 && r->bytes % size != 0)
		return hp_fail(e, HP_INPUT,
		    "%s: record %" PRIu64 ": %" PRIu64
		    " bytes, but a record has %zu",
		    r->name, r->bytes / size + 1, r->bytes % size, size);
	leave_out(r, header);
	if (size == 0)
		return index_lines(r, e);
	r->n = r->bytes / size;
	return 0;
}

/* Without a given range, standard input begins at its current file offset. */
static struct range
from_here(int fd, const struct range *range)
{
	struct range r = *range;
	off_t at;

	if (fd == STDIN_FILENO && r.offset == 0 && r.bytes == UINT64_MAX &&
	    (at = lseek(fd, 0, SEEK_CUR)) > 0)
		r.offset = (uint64_t)at;
	return r;
}

int
records_open(struct records *r, const char *path, const struct range *range,
    const struct format *format, struct hp_err *e)
{
	int fd = io_open(path, e), rc = -1;
	struct range here;
	struct stat st;

	*r = (struct records){ .name = path, .format = format, .fd = -1 };
	if (fd == -1)
		return -1;
	if (fd == STDIN_FILENO)
		r->name = "standard input";
	if (fstat(fd, &st) == -1)
		hp_fail_errno(e, HP_IO, "%s", r->name);
	else if (!S_ISREG(st.st_mode))
		hp_fail(e, HP_USAGE,
		    "%s: not a regular file: this needs a file that can seek",
		    r->name);
	else {
		here = from_here(fd, range);
		if (map_range(r, fd, (uint64_t)st.st_size, &here, e) == 0)
			rc = number(r, range->header, e);
	}
	if (r->map != NULL && format->size != 0 &&
	    format->size <= RECORDS_BLOCK)
		r->fd = fd;
	else
		io_close(fd);
	if (rc == -1)
		records_close(r);
	return rc;
}

void
records_close(struct records *r)
{
	if (r->map != NULL)
		munmap(r->map, r->map_len);
	free(r->before);
	if (r->map != NULL && r->fd != -1)
		io_close(r->fd);
	*r = (struct records){ .fd = -1 };
}

void
records_expect(const struct records *r, uint64_t looks)
{
	bool few = looks < r->bytes / AHEAD;

	if (r->fd != -1)
		posix_fadvise(
		    r->fd, 0, 0, few ? POSIX_FADV_RANDOM : POSIX_FADV_NORMAL);
	else if (r->map != NULL)
		madvise(r->map, r->map_len, few ? MADV_RANDOM : MADV_NORMAL);
}

uint64_t
records_offset(const struct records *r, uint64_t i)
{
	const unsigned char *block;
	uint64_t low = 0, high, middle;

	if (r->format->size != 0)
		return i * r->format->size;
	if (i >= r->n)
		return r->bytes;
	if (i == 0)
		return 0;
	/*
	 * Find the block that contains the i-th delimiter. Record i begins
	 * after this delimiter.
	 */
	high = ((r->bytes - 1) >> r->block_shift) + 1;
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (r->before[middle] < i)
			low = middle;
		else
			high = middle;
	}
	block = r->base + (low << r->block_shift);
	return (uint64_t)(scan_skip(r->format, block, r->base + r->bytes,
			      i - r->before[low]) -
	    r->base);
}

uint64_t
records_index(const struct records *r, uint64_t byte)
{
	const unsigned char *at = r->base + byte;
	uint64_t block;

	if (r->format->size != 0)
		return (byte + r->format->size - 1) / r->format->size;
	if (byte >= r->bytes)
		return r->n;
	block = byte >> r->block_shift;
	/* A line begins at offset 0 and after each delimiter. */
	return r->before[block] +
	    scan_count(r->format, r->base + (block << r->block_shift), at) +
	    scan_is_cut(r->format, r->base, at);
}

uint64_t
records_begin(const struct records *r, uint64_t byte)
{
	return (
	    uint64_t)(scan_start(r->format, r->base, r->base + byte) - r->base);
}

/* Returns the place in a block of the record at `byte`; NULL: it is not there.
 */
static const unsigned char *
in_block(const struct records_view *v, unsigned i, uint64_t byte)
{
	return byte - v->block[i].at < v->block[i].len
	    ? v->block[i].bytes + (byte - v->block[i].at)
	    : NULL;
}

/* Reads the whole records around `byte` in place of the older block. */
static int
read_block(const struct records *r, struct records_view *v, uint64_t byte,
    struct hp_err *e)
{
	uint64_t most = RECORDS_BLOCK - RECORDS_BLOCK % r->format->size;
	uint64_t at = byte - byte % most;
	size_t len = (size_t)(r->bytes - at < most ? r->bytes - at : most);
	ssize_t n;

	v->last ^= 1;
	v->block[v->last].at = at;
	v->block[v->last].len = 0;
	n = io_pread(
	    r->fd, v->block[v->last].bytes, len, (off_t)(r->offset + at));
	if (n == -1)
		return hp_fail_errno(e, HP_IO, "%s", r->name);
	if ((size_t)n < len)
		return hp_fail(e, HP_IO, "%s: has become shorter", r->name);
	v->block[v->last].len = len;
	return 0;
}

int
records_get(const struct records *r, struct records_view *v, uint64_t byte,
    struct span *record, uint64_t *next, struct hp_err *e)
{
	const unsigned char *at = r->base + byte;

	if (r->fd == -1) {
		*record = scan_record(r->format, &at, r->base + r->bytes);
		*next = (uint64_t)(at - r->base);
		return 0;
	}
	if (in_block(v, v->last, byte) == NULL) {
		if (in_block(v, v->last ^ 1, byte) != NULL)
			v->last ^= 1;
		else if (read_block(r, v, byte, e) == -1)
			return -1;
	}
	record->at = in_block(v, v->last, byte);
	record->len = r->format->size;
	*next = byte + record->len;
	return 0;
}

int
range_reader(struct reader *r, const char *path, const struct range *range,
    const struct format *format, struct hp_err *e)
{
	if (reader_open(r, path, format, e) == -1)
		return -1;
	if (((range->offset == 0 && range->bytes == UINT64_MAX) ||
		reader_extent(r, range->offset, range->bytes, e) == 0) &&
	    reader_header(r, range->header, e) == 0)
		return 0;
	reader_close(r);
	return -1;
}

/* Counts the records by reading all of them, if the file cannot be mapped. */
static int
count_stream(const char *path, const struct range *range,
    const struct format *format, uint64_t *n, struct hp_err *e)
{
	const unsigned char *record;
	struct reader r;
	size_t len;
	int got;

	if (range_reader(&r, path, range, format, e) == -1)
		return -1;
	while ((got = reader_next(&r, &record, &len, e)) == 1)
		continue;
	*n = r.nrec;
	reader_close(&r);
	return got;
}

int
records_count(const char *path, const struct range *range,
    const struct format *format, uint64_t *n, struct hp_err *e)
{
	struct records r;

	if (records_open(&r, path, range, format, e) == 0) {
		*n = r.n;
		records_close(&r);
		return 0;
	}
	if (e->kind != HP_USAGE)
		return -1;
	*e = (struct hp_err){ 0 };
	return count_stream(path, range, format, n, e);
}
