#include <string.h>

#include "doc/summary.h"
#include "doc/values.h"

static int
read_key(const struct doc_in *d, const char *member, const char *rest_member,
    struct summary_key *key, struct hp_err *e)
{
	if (doc_hex_joined(d, member, rest_member, DOC_REQUIRED, &key->bytes,
		&key->len, &key->primary, e) == -1)
		return -1;
	key->cap = key->len + 1;
	return 0;
}

static int
read_checksum(const struct doc_in *d, struct sum *sum, struct hp_err *e)
{
	char *hex;
	int bad;

	if (doc_string(d, "checksum", DOC_REQUIRED, &hex, e) == -1)
		return -1;
	bad = sum_parse(hex, sum);
	free(hex);
	return bad ? doc_fail(d, e,
			 "'checksum' must be a number in "
			 "lower-case hex")
		   : 0;
}

/*
 * Summaries of other programs may lack the optional counts. Then only `sorted`
 * says whether the file is in order.
 */
static int
read_order(const struct doc_in *d, struct summary *s, struct hp_err *e)
{
	bool sorted;

	if (doc_bool(d, "sorted", DOC_REQUIRED, &sorted, e) == -1)
		return -1;
	s->unordered = !sorted;
	if (doc_u64(d, "unordered", DOC_OPTIONAL, &s->unordered, e) == -1 ||
	    doc_u64(d, "first_unordered", DOC_OPTIONAL, &s->first_unordered,
		e) == -1 ||
	    doc_bool(d, "unique", DOC_OPTIONAL, &s->unique, e) == -1)
		return -1;
	if (sorted != (s->unordered == 0) ||
	    (sorted && s->first_unordered != 0))
		return doc_fail(
		    d, e, "'sorted' and 'unordered' contradict each other");
	return 0;
}

int
doc_summary_read(struct doc_in *d, struct summary *s, struct hp_err *e)
{
	struct key first, last;
	uint64_t pairs;
	bool same;
	int rc = doc_next(d, e);

	if (rc != 1)
		return rc;
	if (strcmp(d->type, "summary") != 0)
		return doc_unexpected(d, "a summary", e);
	summary_fini(s);
	if (doc_u64(d, "records", DOC_REQUIRED, &s->records, e) == -1 ||
	    doc_u64(d, "bytes", DOC_REQUIRED, &s->bytes, e) == -1 ||
	    doc_u64(d, "duplicates", DOC_REQUIRED, &s->duplicates, e) == -1 ||
	    read_checksum(d, &s->checksum, e) == -1 ||
	    read_order(d, s, e) == -1)
		return -1;
	pairs = s->records == 0 ? 0 : s->records - 1;
	if (s->duplicates > pairs || s->unordered > pairs ||
	    s->first_unordered > pairs || s->bytes < s->records ||
	    (s->records == 0 &&
		(s->bytes > 0 || s->checksum.low > 0 || s->checksum.high > 0)))
		return doc_fail(d, e, "a count is impossible for %ju records",
		    (uintmax_t)s->records);
	if (s->records > 0 &&
	    (read_key(d, "first", "first_rest", &s->first, e) == -1 ||
		read_key(d, "last", "last_rest", &s->last, e) == -1))
		return -1;
	first = summary_key_of(&s->first);
	last = summary_key_of(&s->last);
	s->text = doc_has(d, "first_text") || doc_has(d, "last_text");
	if (s->records > 0 && s->unordered == 0 &&
	    summary_key_cmp(&first, &last, &same) > 0)
		return doc_fail(
		    d, e, "sorted, but the last key comes before the first");
	return 1;
}

static int
set_key(json_t *object, const char *member, const char *rest_member,
    const struct summary_key *key)
{
	int bad = json_object_set_new(
	    object, member, doc_hex_new(key->bytes, key->primary));

	if (key->len > key->primary)
		bad |= json_object_set_new(object, rest_member,
		    doc_hex_new(
			key->bytes + key->primary, key->len - key->primary));
	return bad;
}

int
doc_summary_write(FILE *f, const struct summary *s, struct hp_err *e)
{
	char checksum[SUM_HEX];
	json_t *o;
	int bad = 0;

	sum_format(&s->checksum, checksum);
	o = json_pack("{s:s, s:I, s:I, s:b, s:s, s:I, s:I}", "type", "summary",
	    "records", (json_int_t)s->records, "bytes", (json_int_t)s->bytes,
	    "sorted", s->unordered == 0, "checksum", checksum, "duplicates",
	    (json_int_t)s->duplicates, "unordered", (json_int_t)s->unordered);
	if (s->first_unordered > 0)
		bad |= json_object_set_new(o, "first_unordered",
		    json_integer((json_int_t)s->first_unordered));
	if (s->unique)
		bad |= json_object_set_new(o, "unique", json_true());
	if (s->records > 0)
		bad |= set_key(o, "first", "first_rest", &s->first) |
		    set_key(o, "last", "last_rest", &s->last);
	if (s->records > 0 && s->text)
		bad |= doc_set_text(
			   o, "first_text", s->first.bytes, s->first.primary) |
		    doc_set_text(
			o, "last_text", s->last.bytes, s->last.primary);
	return doc_put_unless(f, bad, o, e);
}

int
doc_sum_write(
    FILE *f, const struct summary *s, const uint64_t *sublist, struct hp_err *e)
{
	char checksum[SUM_HEX];
	json_t *o;
	bool bad = false;

	sum_format(&s->checksum, checksum);
	o = json_pack("{s:s, s:I, s:I, s:s}", "type", "sum", "records",
	    (json_int_t)s->records, "bytes", (json_int_t)s->bytes, "checksum",
	    checksum);
	if (sublist != NULL)
		bad = json_object_set_new(o, "sublist",
			  json_integer((json_int_t)*sublist)) == -1;
	return doc_put_unless(f, bad, o, e);
}
