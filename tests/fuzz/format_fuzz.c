/* The arguments of -F, -S and -n: each is parsed, or rejected with a reason. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/sum.h"
#include "record/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
format(const char *text)
{
	struct hp_err e = { 0 };
	struct format f;

	if (format_parse(text, &f, &e) == -1) {
		assert(e.kind == HP_USAGE && e.text[0] != '\0');
		return;
	}
	assert(f.kind == FORMAT_LINE || f.size > 0);
	assert(f.kind == FORMAT_LINE ||
	    (f.key_off <= f.size && f.key_len <= f.size - f.key_off));
}

static void
numbers(const char *text)
{
	struct hp_err e = { 0 };
	char out[SUM_HEX];
	struct sum s, t;
	uint64_t n;
	double x;

	if (count_parse(text, &n, &e) == 0)
		assert(n <= (uint64_t)1 << 53);
	if (int_parse(text, 3, 12, &n, "x", &e) == 0)
		assert(n >= 3 && n <= 12);
	if (positive_parse(text, &x, "x", &e) == 0)
		assert(x > 0);
	size_parse(text, &n, &e);
	if (sum_parse(text, &s) == 0) {
		sum_format(&s, out);
		assert(sum_parse(out, &t) == 0);
		assert(s.high == t.high && s.low == t.low);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	char *text = strndup((const char *)in, len);

	if (text == NULL)
		return 0;
	format(text);
	numbers(text);
	free(text);
	return 0;
}
