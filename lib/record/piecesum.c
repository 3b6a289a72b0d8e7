#include "record/piecesum.h"
#include "record/scan.h"

void
piecesum_begin(struct piecesum *p, const struct format *f)
{
	pieces_begin(&p->pieces, f);
	*p = (struct piecesum){ .pieces = p->pieces };
}

void
piecesum_fini(struct piecesum *p)
{
	pieces_fini(&p->pieces);
	*p = (struct piecesum){ 0 };
}

static int
count(void *context, const unsigned char *record, size_t len, struct hp_err *e)
{
	struct piecesum *p = context;
	const struct format *f = p->pieces.format;

	(void)e;
	scan_sum(f, (struct span){ record, len }, &p->sum);
	p->bytes += len + scan_delim(f);
	p->records++;
	return 0;
}

int
piecesum_add(
    struct piecesum *p, const unsigned char *bytes, size_t n, struct hp_err *e)
{
	return pieces_add(&p->pieces, bytes, n, count, p, e);
}

int
piecesum_end(struct piecesum *p, struct hp_err *e)
{
	return pieces_end(&p->pieces, count, p, e);
}
