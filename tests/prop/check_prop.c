/*
 * Summaries of random sequences.  Each is compared with counting by hand.
 * Summaries of parts, read back from documents, must combine to the summary of
 * the whole.
 */

#include "check/check.h"
#include "doc/summary.h"

#include "../unit/test.h"

enum {
	N = 40,
	LEN = 4
};

struct sequence {
	unsigned char bytes[N][LEN];
	size_t len[N], n;
};

/* Makes short records of few letters, so that many are equal or prefixes of
 * others. */
static void
sequence_random(struct sequence *s, bool fixed)
{
	s->n = test_below(N + 1);
	for (size_t i = 0; i < s->n; i++) {
		s->len[i] = fixed ? LEN : test_below(LEN + 1);
		for (size_t j = 0; j < s->len[i]; j++)
			s->bytes[i][j] = (unsigned char)('a' + test_below(2));
		/*
		 * Often repeat the previous record, so that long stretches are
		 * in order by chance.
		 */
		if (i > 0 && test_below(4) > 0) {
			memcpy(s->bytes[i], s->bytes[i - 1], LEN);
			s->len[i] = s->len[i - 1];
			if (s->len[i] > 0 && test_below(2) == 0)
				s->bytes[i][s->len[i] - 1]++;
		}
	}
}

static void
order_random(struct order *o, bool *fixed)
{
	static const char *const letters = "rsu";
	struct hp_err e = { 0 };

	order_init(o);
	*fixed = test_below(2) == 0;
	if (*fixed)
		CHECK(order_option(o, 'F', "record:4,1,2", &e) == 0);
	else if (test_below(2) == 0)
		CHECK(order_option(o, 'k', "1.2,1.3", &e) == 0);
	for (const char *l = letters; *l != '\0'; l++)
		if (test_below(3) == 0)
			CHECK(order_option(o, *l, NULL, &e) == 0);
	CHECK(order_ready(o, &e) == 0);
}

static void
sum_up(struct summary *sum, const struct order *o, const struct sequence *s,
    size_t from, size_t to)
{
	struct hp_err e = { 0 };
	struct check c;

	check_init(&c, o);
	for (size_t i = from; i < to; i++)
		CHECK(check_record(&c, s->bytes[i], s->len[i], &e) != -1);
	*sum = c.summary;
	c.summary = (struct summary){ 0 };
	check_fini(&c);
}

/* Writes the summary as a document and reads it back. */
static void
round_trip(struct summary *sum)
{
	char *text = NULL;
	size_t size = 0;
	struct doc_in d = { .name = "test" };
	struct hp_err e = { 0 };
	FILE *f = open_memstream(&text, &size);

	CHECK(doc_summary_write(f, sum, &e) == 0);
	fclose(f);
	d.file = fmemopen(text, size, "r");
	if (doc_summary_read(&d, sum, &e) != 1)
		test_bad(__FILE__, __LINE__, "%s: %s", e.text, text);
	doc_close(&d);
	free(text);
}

static void
same_key(const struct summary_key *a, const struct summary_key *b)
{
	CHECK_BYTES(a->bytes, a->len, b->bytes, b->len);
	CHECK_EQ_U64(a->primary, b->primary);
}

static void
same_summary(const struct summary *a, const struct summary *b)
{
	CHECK_EQ_U64(a->records, b->records);
	CHECK_EQ_U64(a->bytes, b->bytes);
	CHECK_EQ_U64(a->checksum.high, b->checksum.high);
	CHECK_EQ_U64(a->checksum.low, b->checksum.low);
	CHECK_EQ_U64(a->duplicates, b->duplicates);
	CHECK_EQ_U64(a->unordered, b->unordered);
	CHECK_EQ_U64(a->first_unordered, b->first_unordered);
	CHECK(a->unique == b->unique);
	if (a->records == 0)
		return;
	same_key(&a->first, &b->first);
	same_key(&a->last, &b->last);
}

static void
parts_are_the_whole(void)
{
	struct summary whole, part, sum;
	struct hp_err e = { 0 };
	struct sequence s;
	struct order o;
	size_t from, to;
	bool fixed;

	for (int round = 0; round < 3000; round++) {
		order_random(&o, &fixed);
		sequence_random(&s, fixed);
		sum_up(&whole, &o, &s, 0, s.n);
		sum = (struct summary){ .unique = o.unique };
		for (from = 0; from < s.n || test_below(3) == 0; from = to) {
			to = from + test_below(s.n - from + 1);
			sum_up(&part, &o, &s, from, to);
			round_trip(&part);
			CHECK(summary_append(&sum, &part, &e) == 0);
			summary_fini(&part);
		}
		same_summary(&sum, &whole);
		round_trip(&sum);
		same_summary(&sum, &whole);
		summary_fini(&sum);
		summary_fini(&whole);
		order_fini(&o);
	}
}

/* The key of the format record:4,1,2 is the middle of the record. */
static void
by_hand(void)
{
	uint64_t duplicates, unordered, first;
	struct hp_err e = { 0 };
	struct summary sum;
	struct sequence s;
	struct order o;
	int key, all;

	order_init(&o);
	CHECK(order_option(&o, 'F', "record:4,1,2", &e) == 0);
	CHECK(order_ready(&o, &e) == 0);
	for (int round = 0; round < 1000; round++) {
		sequence_random(&s, true);
		duplicates = unordered = first = 0;
		for (size_t i = 1; i < s.n; i++) {
			key = memcmp(s.bytes[i - 1] + 1, s.bytes[i] + 1, 2);
			all = memcmp(s.bytes[i - 1], s.bytes[i], 4);
			duplicates += key == 0;
			if (key > 0 || (key == 0 && all > 0)) {
				if (unordered++ == 0)
					first = i;
			}
		}
		sum_up(&sum, &o, &s, 0, s.n);
		CHECK_EQ_U64(sum.records, s.n);
		CHECK_EQ_U64(sum.bytes, 4 * s.n);
		CHECK_EQ_U64(sum.duplicates, duplicates);
		CHECK_EQ_U64(sum.unordered, unordered);
		CHECK_EQ_U64(sum.first_unordered, first);
		if (s.n > 0) {
			CHECK_BYTES(sum.first.bytes, sum.first.primary,
			    s.bytes[0] + 1, 2);
			CHECK_BYTES(sum.last.bytes, sum.last.primary,
			    s.bytes[s.n - 1] + 1, 2);
		}
		summary_fini(&sum);
	}
	order_fini(&o);
}

enum {
	COUNTS = 4
};

static uint64_t *
count_of(struct summary *s, int which)
{
	uint64_t *const count[COUNTS] = { &s->records, &s->bytes,
		&s->duplicates, &s->unordered };

	return count[which];
}

static void
refused_for_its_counts(int rc, const struct hp_err *e)
{
	CHECK(rc == 0 ||
	    (e->kind == HP_INPUT && strstr(e->text, "2^53") != NULL));
}

/*
 * Counts up to 2^53 are exact numbers of JSON, and larger ones are refused:
 * alone, and as a sum with a record that has the same key.
 */
static void
counts_end_at_2_to_53(void)
{
	static const uint64_t most = (uint64_t)1 << 53;
	unsigned char key[] = "a";
	const struct summary one = { .records = 1,
		.bytes = 1,
		.first = { key, 1, 1, 2 },
		.last = { key, 1, 1, 2 } };

	for (int which = 0; which < COUNTS; which++)
		for (uint64_t more = 0; more < 3; more++) {
			struct summary sum = { 0 }, next = one;
			struct hp_err e = { 0 };
			int rc;

			*count_of(&next, which) = most + (more > 1);
			rc = summary_append(&sum, &next, &e);
			CHECK_EQ_I64(rc, more > 1 ? -1 : 0);
			refused_for_its_counts(rc, &e);
			if (rc == 0) {
				sum.unique = true;
				*count_of(&sum, which) -= more == 0;
				rc = summary_append(&sum, &one, &e);
				/*
				 * The equal key itself increases the other
				 * counts, so only these two counts are certain.
				 */
				if (which < 2)
					CHECK_EQ_I64(rc, more == 1 ? -1 : 0);
				refused_for_its_counts(rc, &e);
			}
			summary_fini(&sum);
		}
}

int
main(void)
{
	RUN(parts_are_the_whole);
	RUN(by_hand);
	RUN(counts_end_at_2_to_53);
	return test_done();
}
