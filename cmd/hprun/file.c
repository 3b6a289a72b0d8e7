#include <sys/stat.h>

#include <errno.h>
#include <unistd.h>

#include "file.h"

int
file_begin(struct file_out *f, const char *name, struct hp_err *e)
{
	int fd;

	if (outfile_open(&f->out, name, e) == -1)
		return -1;
	/*
	 * A document may contain keys of records, and with --keep it remains
	 * after the run.  So only its owner may read it.
	 */
	if (fchmod(f->out.fd, 0600) == -1) {
		hp_fail_errno(e, HP_IO, "%s", name);
		outfile_abort(&f->out);
		return -1;
	}
	if ((fd = dup(f->out.fd)) != -1 && (f->file = fdopen(fd, "w")) != NULL)
		return 0;
	hp_fail_errno(e, HP_IO, "%s", name);
	if (fd != -1)
		close(fd);
	outfile_abort(&f->out);
	return -1;
}

int
file_sync(struct file_out *f, struct hp_err *e)
{
	if (fflush(f->file) == EOF || fdatasync(fileno(f->file)) == -1)
		return hp_fail_errno(e, HP_IO, "%s", f->out.name);
	return 0;
}

int
file_end(struct file_out *f, int rc, struct hp_err *e)
{
	if (fclose(f->file) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", f->out.name);
	if (rc == 0)
		return outfile_commit(&f->out, e);
	outfile_abort(&f->out);
	return -1;
}

int
file_piece(size_t rank, uint64_t bytes, struct hp_err *e)
{
	struct extent x = { .sublist = rank, .rank = rank, .bytes = bytes };
	struct file_out f;
	char name[64];

	snprintf(name, sizeof name, "pieces.%zu", rank);
	if (file_begin(&f, name, e) == -1)
		return -1;
	return file_end(&f, doc_extent_write(f.file, &x, e), e);
}

int
file_parts(const struct parts *l, struct hp_err *e)
{
	struct file_out f;

	if (file_begin(&f, "parts.jsonl", e) == -1)
		return -1;
	return file_end(&f, doc_parts_write(f.file, l, e), e);
}
