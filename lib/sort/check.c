#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "record/header.h"
#include "run/fill.h"
#include "sort/check.h"

enum {
	BUFFER = 1 << 18,
	/* maximum number of bytes of a record that a message shows */
	SHOWN = 900
};

/*
 * Fails with a message that shows the first record that is out of order, like
 * sort(1). A binary record is shown as its key in hexadecimal digits. The
 * record number in the message counts the header, too.
 */
static int
disorder(const struct source *s, const struct format *f, uint64_t header,
    struct hp_err *e)
{
	struct span r = s->item.record;
	char text[SHOWN + 1];
	size_t n = 0;

	if (f->size == 0) {
		n = r.len < SHOWN ? r.len : SHOWN;
		memcpy(text, r.at, n);
	} else
		for (size_t i = 0; i < f->key_len && n + 2 <= SHOWN; i++) {
			static const char hex[] = "0123456789abcdef";
			unsigned char c = r.at[f->key_off + i];

			text[n++] = hex[c >> 4];
			text[n++] = hex[c & 15];
		}
	text[n] = '\0';
	return hp_fail(e, HP_NO, "%s:%" PRIu64 ": disorder: %s",
	    strcmp(s->name, "standard input") == 0 ? "-" : s->name,
	    header + s->nrec, text);
}

static int
check(const struct sort_job *j, const char *file, int fd, struct hp_err *e)
{
	const struct order *o = j->order;
	struct source s = { 0 };
	struct view v;
	int rc;

	view_init(&v, o);
	if (source_open(&s, &v, file, fd, BUFFER, e) == -1)
		return -1;
	for (;;) {
		rc = source_next(&s, e);
		if (rc == SOURCE_EMPTY)
			rc = source_fill(&s, e);
		else if (rc == SOURCE_DISORDER ||
		    (rc == 0 && !s.done && o->unique && s.nrec > 1 &&
			item_compare(&v, &s.before, &s.item) == 0))
			rc = disorder(&s, &o->format, j->header, e);
		if (rc == -1 || s.done)
			break;
	}
	source_close(&s);
	return rc;
}

int
sort_check(const struct sort_job *j, struct hp_err *e)
{
	const char *file = j->nfiles > 0 ? j->file[0] : "-";
	struct header h = {
		.format = &j->order->format, .n = j->header, .fd = -1
	};
	int rc;

	if (h.n > 0 && header_take(&h, file, -1, NULL, e) == -1)
		return -1;
	rc = check(j, file, h.fd, e);
	if (h.fd != -1)
		io_close(h.fd);
	return rc;
}
