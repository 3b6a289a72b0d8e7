#include "run/dropped.h"

static struct iovec
piece(struct span s)
{
	/* iovec lacks const; sum_pieces only reads. */
	return (struct iovec){ (void *)(uintptr_t)s.at, s.len };
}

void
dropped_records(struct dropped *d, const struct format *f, struct span prefix,
    struct span record, uint64_t n)
{
	unsigned char delim = f->delim;
	struct span end = { &delim, scan_delim(f) };
	struct iovec pieces[] = { piece(prefix), piece(record), piece(end) };

	d->records += n;
	d->bytes += n * (prefix.len + record.len + end.len);
	sum_pieces(&d->checksum, pieces, 3, n);
}

void
dropped_add(struct dropped *d, const struct dropped *other)
{
	d->records += other->records;
	d->bytes += other->bytes;
	sum_add(&d->checksum, &other->checksum);
}
