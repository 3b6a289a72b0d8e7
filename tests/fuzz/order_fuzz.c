/*
 * Ordering options and keys. The first lines of the input are options, each a
 * letter and its argument, up to an empty line. The other lines are records.
 * For all of them, keys must obey their rules.
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "record/key.h"
#include "record/keybuf.h"
#include "record/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Returns the next line and removes it from the input; NULL at the end. */
static const uint8_t *
line(const uint8_t **in, size_t *len, size_t *line_len)
{
	const uint8_t *start = *in, *end;

	if (*len == 0)
		return NULL;
	end = memchr(start, '\n', *len);
	*line_len = end == NULL ? *len : (size_t)(end - start);
	*in = end == NULL ? start + *len : end + 1;
	*len -= *line_len + (end == NULL ? 0 : 1);
	return start;
}

static int
option(struct order *o, const uint8_t *text, size_t len)
{
	char *arg = strndup((const char *)text + 1, len - 1);
	struct hp_err e = { 0 };
	int rc = 0;

	if (arg == NULL)
		return -1;
	if (strchr("bdfinrsuz", text[0]) != NULL)
		rc = order_option(o, text[0], NULL, &e);
	else if (strchr("Fkt", text[0]) != NULL)
		rc = order_option(o, text[0], arg, &e);
	assert(rc == 0 || (e.kind == HP_USAGE && e.text[0] != '\0') ||
	    e.kind == HP_NOMEM);
	free(arg);
	return rc;
}

static void
keys(const struct order *o, const uint8_t *in, size_t len)
{
	struct keybuf buf = { 0 }, again = { 0 };
	size_t n, fixed = o->format.size;
	const uint8_t *record;
	struct key k, l;

	while (len > 0 && len >= fixed) {
		if (fixed > 0) {
			record = in;
			n = fixed;
			in += n;
			len -= n;
		} else
			record = line(&in, &len, &n);
		if (order_key(o, record, n, &buf, &k) == -1 ||
		    order_key(o, record, n, &again, &l) == -1)
			break;
		assert(k.primary <= k.len);
		assert(key_cmp(k.bytes, k.len, l.bytes, l.len) == 0);
		assert(k.primary == l.primary);
		key_prefix(k.bytes, k.len);
	}
	keybuf_fini(&buf);
	keybuf_fini(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t len)
{
	struct hp_err e = { 0 };
	const uint8_t *text;
	struct order o;
	size_t n;

	order_init(&o);
	while ((text = line(&in, &len, &n)) != NULL && n > 0)
		if (option(&o, text, n) == -1)
			goto out;
	if (order_ready(&o, &e) == 0)
		keys(&o, in, len);
	else
		assert(e.text[0] != '\0');
out:
	order_fini(&o);
	return 0;
}
