/*
 * Records from a file: the first byte of the input chooses the format, the rest
 * is the file. Writing the records again gives the same bytes.
 */

#include <sys/mman.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "record/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Copies all records to the stream. */
static void
copy(int from, FILE *to, const struct format *f, size_t len)
{
	struct hp_err e = { 0 };
	const unsigned char *record;
	struct reader r = { 0 };
	size_t n;
	int rc;

	assert(reader_init(&r, from, "x", f, &e) == 0);
	while ((rc = reader_next(&r, &record, &n, &e)) == 1) {
		fwrite(record, 1, n, to);
		if (f->size == 0)
			putc(f->delim, to);
	}
	if (f->size > 0) {
		assert(r.nrec == len / f->size);
		assert((rc == 0) == (len % f->size == 0));
		assert(rc == 0 || e.kind == HP_INPUT);
	} else
		assert(rc == 0);
	reader_close(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	static const char *name[] = { "line", "record:1", "record:7,2,3", "u8",
		"u16be", "i64", "f64be", "gensort" };
	struct hp_err e = { 0 };
	struct format f;
	char *got = NULL;
	size_t size = 0, want;
	FILE *to;
	int from;

	if (len == 0)
		return 0;
	assert(format_parse(name[in[0] % 8], &f, &e) == 0);
	from = memfd_create("from", MFD_CLOEXEC);
	to = open_memstream(&got, &size);
	if (from == -1 || to == NULL || io_write(from, ++in, --len) == -1)
		return 0;
	lseek(from, 0, SEEK_SET);
	copy(from, to, &f, len);
	fclose(to);
	want = f.size > 0 ? len - len % f.size : len;
	assert(size == want || (f.size == 0 && size == want + 1));
	assert(memcmp(got, in, want) == 0);
	free(got);
	close(from);
	return 0;
}
