#include <stdio.h>

#include "checktap.h"
#include "doc/summary.h"
#include "file.h"

static void
begin(void *context)
{
	struct checktap *t = context;

	pieces_begin(&t->pieces, &t->order->format);
	check_fini(&t->check);
	check_init(&t->check, t->order);
	t->bytes = 0;
}

/*
 * A record out of order is no error here.  The order is checked when the
 * summaries of all nodes are combined.
 */
static int
record(void *context, const unsigned char *bytes, size_t len, struct hp_err *e)
{
	struct checktap *t = context;

	return check_record(&t->check, bytes, len, e) == -1 ? -1 : 0;
}

static int
pass(void *context, const unsigned char *bytes, size_t n, struct hp_err *e)
{
	struct checktap *t = context;

	t->bytes += n;
	return pieces_add(&t->pieces, bytes, n, record, t, e);
}

static int
end(void *context, struct hp_err *e)
{
	struct checktap *t = context;
	const struct pieces *p = &t->pieces;
	struct file_out f;

	/*
	 * The stream may end inside a record, because the command was killed.
	 * That is no error here, but the incomplete record is counted, so that
	 * the proof fails.
	 */
	if (p->len > 0 && p->format->size != 0)
		check_count(&t->check, p->part, p->len);
	else if (pieces_end(&t->pieces, record, t, e) == -1)
		return -1;
	if (file_begin(&f, t->file, e) == -1)
		return -1;
	return file_end(&f, doc_summary_write(f.file, &t->check.summary, e), e);
}

void
checktap_init(struct checktap *t, const struct order *order, const char *prefix,
    size_t rank)
{
	*t = (struct checktap){ .tap = { begin, pass, end, t },
		.order = order };
	snprintf(t->file, sizeof t->file, "%s.%zu", prefix, rank);
}

void
checktap_fini(struct checktap *t)
{
	pieces_fini(&t->pieces);
	check_fini(&t->check);
	*t = (struct checktap){ 0 };
}
