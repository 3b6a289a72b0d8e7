/*
 * Records from a file: the first byte of the input chooses the format, the
 * rest is the file.  What is read, written again, is what was there.
 */

#include <sys/mman.h>

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "record/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
copy(int from, int to, const struct format *f, size_t len)
{
	struct hp_err e = { 0 };
	const unsigned char *record;
	struct reader r = { 0 };
	struct writer w = { 0 };
	size_t n;
	int rc;

	if (reader_init(&r, from, "x", f, &e) == -1 ||
	    writer_init(&w, to, "y", f, &e) == -1)
		goto out;
	while ((rc = reader_next(&r, &record, &n, &e)) == 1)
		assert(writer_put(&w, record, n, &e) == 0);
	assert(writer_flush(&w, &e) == 0);
	assert(r.nrec == w.nrec);
	if (f->size > 0) {
		assert(w.nrec == len / f->size);
		assert((rc == 0) == (len % f->size == 0));
		assert(rc == 0 || e.kind == HP_INPUT);
	} else
		assert(rc == 0 && (w.bytes == len || w.bytes == len + 1));
out:
	reader_close(&r);
	writer_fini(&w);
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	static const char *name[] = { "line", "record:1", "record:7,2,3", "u8",
		"u16be", "i64", "f64be", "gensort" };
	struct hp_err e = { 0 };
	struct format f;
	int from, to;
	char got;

	if (len == 0)
		return 0;
	if (format_parse(name[in[0] % 8], &f, &e) == -1)
		return 0;
	from = memfd_create("from", MFD_CLOEXEC);
	to = memfd_create("to", MFD_CLOEXEC);
	if (from != -1 && to != -1 && io_write(from, in + 1, len - 1) == 0 &&
	    lseek(from, 0, SEEK_SET) == 0) {
		copy(from, to, &f, len - 1);
		for (size_t i = 1;
		     i < len && pread(to, &got, 1, (off_t)i - 1) == 1; i++)
			assert((uint8_t)got == in[i]);
	}
	close(from);
	close(to);
	return 0;
}
