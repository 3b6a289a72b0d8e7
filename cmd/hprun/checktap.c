#include <stdio.h>

#include "checktap.h"
#include "doc/summary.h"
#include "file.h"

static void
begin(void *context)
{
	struct checktap *t = context;

	piececheck_begin(&t->check, t->order);
	t->bytes = 0;
}

/*
 * A record out of order is no error here.  The order is checked when the
 * summaries of all nodes are combined.
 */
static int
pass(void *context, const unsigned char *bytes, size_t n, struct hp_err *e)
{
	struct checktap *t = context;

	t->bytes += n;
	return piececheck_add(&t->check, bytes, n, e);
}

static int
end(void *context, struct hp_err *e)
{
	struct checktap *t = context;
	const struct pieces *p = &t->check.pieces;
	struct check *c = &t->check.check;
	struct file_out f;
	int rc = 0;

	/*
	 * The stream may end inside a record, because the command was killed.
	 * That is no error here, but the incomplete record is counted, so that
	 * the proof fails.
	 */
	if (p->len > 0 && p->format->size != 0)
		check_count(c, p->part, p->len);
	else
		rc = piececheck_end(&t->check, e);
	piececheck_rest(&t->check);
	if (rc == -1 || t->file[0] == '\0')
		return rc;
	if (file_begin(&f, t->file, e) == -1)
		return -1;
	return file_end(&f, doc_summary_write(f.file, &c->summary, e), e);
}

void
checktap_init(struct checktap *t, const struct order *order)
{
	*t = (struct checktap){ .tap = { begin, pass, end, t },
		.order = order };
}

void
checktap_name(struct checktap *t, size_t rank)
{
	snprintf(t->file, sizeof t->file, "summary.%zu", rank);
}

int
checktaps_write(
    const struct checktap *const *tap, size_t n, size_t rank, struct hp_err *e)
{
	struct file_out f;
	char name[32];
	int rc = 0;

	snprintf(name, sizeof name, "summary.%zu", rank);
	if (file_begin(&f, name, e) == -1)
		return -1;
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = doc_summary_write(f.file, &tap[i]->check.check.summary, e);
	return file_end(&f, rc, e);
}

void
checktap_fini(struct checktap *t)
{
	piececheck_fini(&t->check);
	*t = (struct checktap){ 0 };
}
