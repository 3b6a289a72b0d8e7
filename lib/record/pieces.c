#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "record/pieces.h"
#include "record/scan.h"

void
pieces_begin(struct pieces *p, const struct format *f)
{
	*p = (struct pieces){ .format = f, .part = p->part, .cap = p->cap };
}

void
pieces_fini(struct pieces *p)
{
	free(p->part);
	*p = (struct pieces){ 0 };
}

static int
keep(struct pieces *p, const unsigned char *bytes, size_t n, struct hp_err *e)
{
	if (n == 0)
		return 0;
	while (p->cap - p->len < n)
		if (array_grow(&p->part, &p->cap, 1) == -1)
			return hp_fail(
			    e, HP_NOMEM, "a record of %zu bytes", p->len + n);
	memcpy(p->part + p->len, bytes, n);
	p->len += n;
	return 0;
}

/*
 * Finds the end of a record in the n bytes; `have` bytes of the record came
 * before. Returns how many of the n bytes belong to the record, without its
 * delimiter. Returns SIZE_MAX if the record does not end in them.
 */
static size_t
first_len(
    const struct format *f, const unsigned char *bytes, size_t n, size_t have)
{
	const unsigned char *end;

	if (f->size != 0)
		return f->size - have <= n ? f->size - have : SIZE_MAX;
	end = n == 0 ? NULL : scan_find(f, bytes, 0, bytes + n);
	return end == NULL ? SIZE_MAX : (size_t)(end - bytes);
}

int
pieces_add(struct pieces *p, const unsigned char *bytes, size_t n,
    pieces_call *call, void *context, struct hp_err *e)
{
	size_t delim = scan_delim(p->format), len;

	if (p->len > 0) {
		len = first_len(p->format, bytes, n, p->len);
		if (len == SIZE_MAX)
			return keep(p, bytes, n, e);
		if (keep(p, bytes, len, e) == -1 ||
		    call(context, p->part, p->len, e) == -1)
			return -1;
		p->len = 0;
		bytes += len + delim;
		n -= len + delim;
	}
	while (n > 0 && (len = first_len(p->format, bytes, n, 0)) != SIZE_MAX) {
		if (call(context, bytes, len, e) == -1)
			return -1;
		bytes += len + delim;
		n -= len + delim;
	}
	return keep(p, bytes, n, e);
}

int
pieces_end(struct pieces *p, pieces_call *call, void *context, struct hp_err *e)
{
	size_t len = p->len;

	if (len > 0 && p->format->size != 0)
		return hp_fail(e, HP_INPUT, "the last record is incomplete");
	p->len = 0;
	return len > 0 ? call(context, p->part, len, e) : 0;
}
