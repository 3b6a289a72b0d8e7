/* Cost expressions: each is rejected, or can be checked and evaluated. */

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cost/cost.h"
#include "cost/rises.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char text[256];
	struct cost cost;
	struct hp_err e = { 0 };
	bool rises;

	if (len >= sizeof text)
		return 0;
	memcpy(text, bytes, len);
	text[len] = '\0';
	if (cost_parse(text, &cost, &e) == -1) {
		assert(e.kind == HP_USAGE && e.text[0] != '\0');
		return 0;
	}
	if (cost_check(&cost, 1e4, &rises, &e) == 0)
		assert(cost_at(&cost, 1) >= 0);
	cost_fini(&cost);
	return 0;
}
