#include <stdio.h>

#include "doc/summary.h"
#include "file.h"
#include "sumtap.h"

static void
begin(void *context)
{
	struct sumtap *t = context;

	piecesum_begin(&t->sum, &t->format);
}

static int
pass(void *context, const unsigned char *bytes, size_t n, struct hp_err *e)
{
	struct sumtap *t = context;

	return piecesum_add(&t->sum, bytes, n, e);
}

static int
end(void *context, struct hp_err *e)
{
	struct sumtap *t = context;
	struct summary s = { 0 };
	struct file_out f;

	if (piecesum_end(&t->sum, e) == -1 || file_begin(&f, t->file, e) == -1)
		return -1;
	s.records = t->sum.records;
	s.bytes = t->sum.bytes;
	s.checksum = t->sum.sum;
	return file_end(&f, doc_sum_write(f.file, &s, NULL, e), e);
}

void
sumtap_init(struct sumtap *t, const struct order *order, const char *prefix,
    size_t rank)
{
	*t = (struct sumtap){ .tap = { begin, pass, end, t },
		.format = order->format };
	if (order->zero)
		t->format.delim = '\0';
	snprintf(t->file, sizeof t->file, "%s.%zu", prefix, rank);
}

void
sumtap_fini(struct sumtap *t)
{
	piecesum_fini(&t->sum);
	*t = (struct sumtap){ 0 };
}
