/* hp-summary(5): a summary that was read can be combined, written and read
 * again. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "doc/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
read_again(const struct summary *sum)
{
	struct summary again = { 0 };
	struct doc_in d = { .name = "again" };
	struct hp_err e = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	assert(doc_summary_write(f, sum, &e) == 0);
	fclose(f);
	d.file = fmemopen(text, size, "r");
	assert(doc_summary_read(&d, &again, &e) == 1);
	assert(again.records == sum->records && again.bytes == sum->bytes &&
	    again.duplicates == sum->duplicates &&
	    again.unordered == sum->unordered &&
	    again.first_unordered == sum->first_unordered &&
	    again.unique == sum->unique && again.last.len == sum->last.len &&
	    again.last.primary == sum->last.primary);
	assert(sum->records == 0 ||
	    memcmp(again.first.bytes, sum->first.bytes, sum->first.len) == 0);
	summary_fini(&again);
	doc_close(&d);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct summary part = { 0 }, sum = { 0 };
	struct doc_in d = { .name = "fuzz" };
	struct hp_err e = { 0 };
	int rc;

	if (len == 0 ||
	    (d.file = fmemopen((void *)(uintptr_t)bytes, len, "r")) == NULL)
		return 0;
	while ((rc = doc_summary_read(&d, &part, &e)) == 1) {
		read_again(&part);
		if ((rc = summary_append(&sum, &part, &e)) == -1)
			break;
		read_again(&sum);
	}
	assert(rc == 0 || e.text[0] != '\0');
	summary_fini(&part);
	summary_fini(&sum);
	doc_close(&d);
	return 0;
}
