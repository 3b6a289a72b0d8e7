/* Documents: lines of JSON, and all functions that read a member. */

#include <assert.h>
#include <stdlib.h>

#include "doc/lines.h"
#include "doc/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
members(const struct doc_in *in)
{
	struct hp_err e = { 0 };
	unsigned char *bytes = NULL;
	char *text = NULL;
	uint64_t n = 0;
	size_t len = 0;
	double x = 0;
	bool b;

	if (doc_u64(in, "n", DOC_OPTIONAL, &n, &e) == 1)
		assert(n <= (uint64_t)1 << 53);
	doc_number(in, "seconds", DOC_REQUIRED, &x, &e);
	assert(x - x == 0);
	doc_bool(in, "optimal", DOC_OPTIONAL, &b, &e);
	if (doc_string(in, "node", DOC_REQUIRED, &text, &e) == 1)
		assert(text != NULL);
	if (doc_hex(in, "key", DOC_OPTIONAL, &bytes, &len, &e) == 1)
		assert(len == 0 || bytes[len - 1] <= 0xff);
	free(bytes);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct doc_in in = { .name = "fuzz" };
	struct hp_err e = { 0 };
	int rc;

	if (len == 0 ||
	    (in.file = fmemopen((void *)(uintptr_t)bytes, len, "r")) == NULL)
		return 0;
	while ((rc = doc_next(&in, &e)) == 1) {
		assert(in.object != NULL && in.type != NULL);
		members(&in);
	}
	assert(rc == 0 || e.text[0] != '\0');
	doc_close(&in);
	return 0;
}
