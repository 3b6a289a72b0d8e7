/*
 * lib/check: records that are added as text, or as pieces of text, give the
 * summary of the same records that are added one by one.
 */
#include "check/piececheck.h"
#include "test.h"

enum {
	ROUNDS = 300,
	RECORDS = 60,
	ROOM = RECORDS * 40
};

static const char *const formats[] = { "line", "record:20,0,10",
	"record:20,5,9", "record:3", "u8", "i16", "u32be", "i32", "u64",
	"i64be", "f32", "f64be" };

/* Each row is the letters of options, without arguments. */
static const char *const options[] = { "", "r", "s", "u", "rs", "ru" };

struct text {
	unsigned char bytes[ROOM];
	size_t n;
	size_t begin[RECORDS + 1], len[RECORDS], records;
};

static void
order_make(struct order *o, const char *format, const char *letters, bool keyed)
{
	struct hp_err e = { 0 };

	order_init(o);
	CHECK(order_option(o, 'F', format, &e) == 0);
	if (keyed && strcmp(format, "line") == 0)
		CHECK(order_option(o, 'k', "2,2n", &e) == 0);
	for (; *letters != '\0'; letters++)
		CHECK(order_option(o, *letters, NULL, &e) == 0);
	CHECK(order_ready(o, &e) == 0);
}

/*
 * Makes records of which many are equal, or differ only in one byte, and of
 * which a long stretch may be in order.
 */
static void
text_random(struct text *t, const struct format *f)
{
	size_t size;

	t->n = 0;
	t->records = test_below(RECORDS + 1);
	for (size_t i = 0; i < t->records; i++) {
		size = f->size != 0 ? f->size : test_below(30);
		t->begin[i] = t->n;
		t->len[i] = size;
		for (size_t k = 0; k < size; k++)
			t->bytes[t->n + k] = (unsigned char)(f->size == 0 &&
				    k % 10 == 5
				? ' '
				: f->size == 0 ? '0' + test_below(3)
					       : test_below(2) * 255);
		if (i > 0 && t->len[i - 1] == size && test_below(3) > 0) {
			memcpy(
			    t->bytes + t->n, t->bytes + t->begin[i - 1], size);
			if (size > 0 && test_below(2) == 0)
				t->bytes[t->n + test_below(size)]++;
		}
		t->n += size;
		if (f->size == 0)
			t->bytes[t->n++] = '\n';
	}
	t->begin[t->records] = t->n;
}

static void
same_key(const struct summary_key *a, const struct summary_key *b)
{
	CHECK_BYTES(a->bytes, a->len, b->bytes, b->len);
	CHECK_EQ_U64(a->primary, b->primary);
}

static void
same(const struct summary *a, const struct summary *b)
{
	CHECK_EQ_U64(a->records, b->records);
	CHECK_EQ_U64(a->bytes, b->bytes);
	CHECK_EQ_U64(a->checksum.high, b->checksum.high);
	CHECK_EQ_U64(a->checksum.low, b->checksum.low);
	CHECK_EQ_U64(a->duplicates, b->duplicates);
	CHECK_EQ_U64(a->unordered, b->unordered);
	CHECK_EQ_U64(a->first_unordered, b->first_unordered);
	CHECK(a->unique == b->unique);
	CHECK(a->text == b->text);
	if (a->records == 0)
		return;
	same_key(&a->first, &b->first);
	same_key(&a->last, &b->last);
}

/* One by one; this is what the definition of the summary is tested with. */
static void
by_record(struct check *c, const struct order *o, const struct text *t)
{
	struct hp_err e = { 0 };

	check_init(c, o);
	for (size_t i = 0; i < t->records; i++)
		CHECK(check_record(c, t->bytes + t->begin[i], t->len[i], &e) !=
		    -1);
}

/* Texts of random numbers of records, some of them empty. */
static void
by_text(struct check *c, const struct order *o, const struct text *t, bool cut)
{
	struct hp_err e = { 0 };
	uint64_t before;
	size_t to, n;
	int rc;

	check_init(c, o);
	for (size_t i = 0; i < t->records; i = to) {
		to = i + test_below(t->records - i + 1);
		n = t->begin[to] - t->begin[i];
		before = c->summary.unordered;
		rc = check_text(c, t->bytes + t->begin[i],
		    n - (cut && to == t->records), &e);
		CHECK_EQ_I64(rc, c->summary.unordered > before);
	}
}

static void
by_piece(struct piececheck *p, const struct order *o, const struct text *t,
    bool cut, size_t most)
{
	struct hp_err e = { 0 };
	size_t all = t->n - cut, n;

	piececheck_begin(p, o);
	for (size_t i = 0; i < all; i += n) {
		unsigned char piece[ROOM];

		n = test_below(most + 1);
		n = n < all - i ? n : all - i;
		/* A piece is not beside the next one in memory. */
		memcpy(piece, t->bytes + i, n);
		CHECK(piececheck_add(p, piece, n, &e) == 0);
		memset(piece, 0xaa, n);
	}
	CHECK(piececheck_end(p, &e) == 0);
}

static void
texts_and_pieces_are_their_records(void)
{
	struct piececheck p = { 0 };
	struct check one, c;
	struct order o;
	struct text t;

	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
			bool cut;

			order_make(&o, formats[i],
			    options[test_below(
				sizeof options / sizeof *options)],
			    test_below(2) == 0);
			text_random(&t, &o.format);
			/* An empty last line exists only by its delimiter. */
			cut = i == 0 && t.records > 0 &&
			    t.len[t.records - 1] > 0 && test_below(2) == 0;
			by_record(&one, &o, &t);
			by_text(&c, &o, &t, cut);
			same(&c.summary, &one.summary);
			by_piece(&p, &o, &t, cut, test_below(2) == 0 ? 5 : t.n);
			same(&p.check.summary, &one.summary);
			check_fini(&c);
			check_fini(&one);
			order_fini(&o);
		}
	piececheck_fini(&p);
}

/* The order between two texts counts like that within one. */
static void
a_text_may_begin_before_the_previous_one_ends(void)
{
	static const unsigned char low[] = "a\nc\n", high[] = "b\nd\n";
	struct hp_err e = { 0 };
	struct order o;
	struct check c;

	order_make(&o, "line", "", false);
	check_init(&c, &o);
	CHECK(check_text(&c, low, 4, &e) == 0);
	CHECK(check_text(&c, high, 4, &e) == 1);
	CHECK_EQ_U64(c.summary.unordered, 1);
	CHECK_EQ_U64(c.summary.first_unordered, 2);
	CHECK(check_text(&c, low, 0, &e) == 0);
	CHECK_EQ_U64(c.summary.records, 4);
	check_fini(&c);
	order_fini(&o);
}

static void
an_incomplete_record_at_the_end_is_an_error(void)
{
	struct piececheck p = { 0 };
	struct hp_err e = { 0 };
	struct order o;

	order_make(&o, "record:4", "", false);
	piececheck_begin(&p, &o);
	CHECK(piececheck_add(&p, (const unsigned char *)"abcdef", 6, &e) == 0);
	CHECK(piececheck_end(&p, &e) == -1);
	CHECK(e.kind == HP_INPUT);
	CHECK_EQ_U64(p.check.summary.records, 1);
	piececheck_fini(&p);
	order_fini(&o);
}

/* The sum alone has the counts, and no keys. */
static void
a_count_of_a_text_has_no_order(void)
{
	static const unsigned char text[] = "b\na\n\nc";
	struct order o;
	struct check c;

	order_make(&o, "line", "", false);
	check_init(&c, &o);
	check_count_text(&c, text, sizeof text - 1);
	CHECK_EQ_U64(c.summary.records, 4);
	CHECK_EQ_U64(c.summary.bytes, sizeof text);
	CHECK_EQ_U64(c.summary.unordered, 0);
	check_fini(&c);
	order_fini(&o);
}

int
main(void)
{
	RUN(texts_and_pieces_are_their_records);
	RUN(a_text_may_begin_before_the_previous_one_ends);
	RUN(an_incomplete_record_at_the_end_is_an_error);
	RUN(a_count_of_a_text_has_no_order);
	return test_done();
}
