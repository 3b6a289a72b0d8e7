#include <string.h>

#include "check/piececheck.h"
#include "record/keybuf.h"
#include "record/scan.h"

void
piececheck_begin(struct piececheck *p, const struct order *order)
{
	pieces_begin(&p->pieces, &order->format);
	check_fini(&p->check);
	check_init(&p->check, order);
}

void
piececheck_fini(struct piececheck *p)
{
	pieces_fini(&p->pieces);
	check_fini(&p->check);
}

void
piececheck_rest(struct piececheck *p)
{
	pieces_fini(&p->pieces);
	keybuf_fini(&p->check.buf[0]);
	keybuf_fini(&p->check.buf[1]);
}

static int
record(void *context, const unsigned char *bytes, size_t len, struct hp_err *e)
{
	struct piececheck *p = context;

	return check_record(&p->check, bytes, len, e) == -1 ? -1 : 0;
}

/*
 * Returns how many of the n bytes belong to the record that began in an earlier
 * piece, with its delimiter.
 */
static size_t
rest_of_record(const struct pieces *p, const unsigned char *bytes, size_t n)
{
	const struct format *f = p->format;
	const unsigned char *end;

	if (p->len == 0)
		return 0;
	if (f->size != 0)
		return f->size - p->len < n ? f->size - p->len : n;
	end = memchr(bytes, f->delim, n);
	return end == NULL ? n : (size_t)(end - bytes) + 1;
}

int
piececheck_add(struct piececheck *p, const unsigned char *bytes, size_t n,
    struct hp_err *e)
{
	size_t head = n == 0 ? 0 : rest_of_record(&p->pieces, bytes, n);
	const unsigned char *text = bytes + head, *end = bytes + n, *whole;

	if (n == 0)
		return 0;
	if (head > 0 && pieces_add(&p->pieces, bytes, head, record, p, e) == -1)
		return -1;
	whole = scan_whole(p->pieces.format, text, end);
	if (check_text(&p->check, text, (size_t)(whole - text), e) == -1)
		return -1;
	return pieces_add(
	    &p->pieces, whole, (size_t)(end - whole), record, p, e);
}

int
piececheck_end(struct piececheck *p, struct hp_err *e)
{
	return pieces_end(&p->pieces, record, p, e);
}
