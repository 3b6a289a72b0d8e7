#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "doc/summary.h"
#include "file.h"
#include "sumtap.h"

static void
begin(void *context)
{
	struct sumtap *t = context;

	check_fini(&t->check);
	check_init(&t->check, &t->order);
	t->len = 0;
}

static int
keep(struct sumtap *t, const unsigned char *bytes, size_t n, struct hp_err *e)
{
	unsigned char *more;

	while (t->cap - t->len < n) {
		more = array_room(t->part, t->cap, &t->cap, 1);
		if (more == NULL)
			return hp_fail_errno(e, HP_NOMEM, "%s", t->file);
		t->part = more;
	}
	if (n > 0)
		memcpy(t->part + t->len, bytes, n);
	t->len += n;
	return 0;
}

/* Returns how many bytes end the record that began in an earlier piece. */
static size_t
rest(const struct sumtap *t, const unsigned char *bytes, size_t n)
{
	const struct format *f = &t->order.format;
	const unsigned char *end;

	if (f->kind != FORMAT_LINE)
		return f->size - t->len < n ? f->size - t->len : n;
	end = memchr(bytes, f->delim, n);
	return end == NULL ? n : (size_t)(end - bytes) + 1;
}

static bool
is_whole(const struct sumtap *t)
{
	const struct format *f = &t->order.format;

	if (f->kind != FORMAT_LINE)
		return t->len == f->size;
	return t->len > 0 && t->part[t->len - 1] == f->delim;
}

static int
pass(void *context, const unsigned char *bytes, size_t n, struct hp_err *e)
{
	struct sumtap *t = context;
	const struct format *f = &t->order.format;
	size_t first = t->len == 0 ? 0 : rest(t, bytes, n), len;
	bool line = f->kind == FORMAT_LINE;
	const unsigned char *end;

	if (keep(t, bytes, first, e) == -1)
		return -1;
	if (t->len > 0 && is_whole(t)) {
		check_count(&t->check, t->part, t->len - line);
		t->len = 0;
	}
	bytes += first;
	n -= first;
	while (n > 0) {
		end = line ? memchr(bytes, f->delim, n) : NULL;
		if (line ? end == NULL : n < f->size)
			break;
		len = line ? (size_t)(end - bytes) : f->size;
		check_count(&t->check, bytes, len);
		bytes += len + line;
		n -= len + line;
	}
	return keep(t, bytes, n, e);
}

static int
end(void *context, struct hp_err *e)
{
	struct sumtap *t = context;
	struct file_out f;

	/* A last line may lack its delimiter, which hpsort then adds. */
	if (t->len > 0)
		check_count(&t->check, t->part, t->len);
	if (file_begin(&f, t->file, e) == -1)
		return -1;
	return file_end(
	    &f, doc_sum_write(f.file, &t->check.summary, NULL, e), e);
}

void
sumtap_init(struct sumtap *t, const struct order *order, const char *prefix,
    size_t rank)
{
	*t = (struct sumtap){ .tap = { begin, pass, end, t } };
	order_init(&t->order);
	t->order.format = order->format;
	if (order->zero)
		t->order.format.delim = '\0';
	snprintf(t->file, sizeof t->file, "%s.%zu", prefix, rank);
}

void
sumtap_fini(struct sumtap *t)
{
	check_fini(&t->check);
	free(t->part);
	*t = (struct sumtap){ 0 };
}
