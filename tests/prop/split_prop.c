/*
 * Cutting, compared with brute force: random records, bounds and ranks. Each
 * record of the framed stream must be in the sublist that comparing with one
 * bound after the other gives, in input order. Counts, and the extents of the
 * sorted records, must agree.
 */

#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "keys.h"
#include "split/cut.h"
#include "split/sorted.h"
#include "test.h"

enum {
	ROUNDS = 300,
	RECORDS = 400,
	NODES = 9,
	LONGEST = 40
};

struct row {
	unsigned char bytes[LONGEST];
	size_t len;
	size_t sublist;
};

struct world {
	struct order order;
	struct row row[RECORDS];
	size_t n;
	uint64_t rank;
	struct sublists bounds;
	struct classifier by;
	struct keybuf buf;
};

static struct hp_err e;

/* Makes short lines of few letters: many are equal or share prefixes. */
static void
random_row(struct world *w, struct row *r)
{
	unsigned kinds = 1 + (unsigned)test_below(3);

	r->len = w->order.format.kind == FORMAT_LINE
	    ? test_below(test_below(4) == 0 ? LONGEST - 1 : 4)
	    : w->order.format.size;
	for (size_t i = 0; i < r->len; i++)
		r->bytes[i] = (unsigned char)("ab\0"[test_below(kinds)]);
}

static struct world *sorting;

static int
row_cmp(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return keys_compare(
	    &sorting->order, x->bytes, x->len, y->bytes, y->len);
}

static int
bound_cmp(const void *a, const void *b)
{
	const struct sublist *x = a, *y = b;

	return pivot_cmp(&x->until, &y->until);
}

/* Makes bounds near the records, at their positions and beside them. */
static void
random_bounds(struct world *w)
{
	size_t n = test_below(NODES);
	struct sublist *s;
	struct key key;
	struct row r;

	for (size_t i = 0; i < n; i++) {
		r = w->row[test_below(w->n + 1)];
		if (test_below(4) == 0)
			random_row(w, &r);
		order_key(&w->order, r.bytes, r.len, &w->buf, &key);
		s = sublists_add(&w->bounds, &e);
		s->bounded = true;
		s->until = (struct pivot){ .key = malloc(key.len + 1),
			.len = key.len,
			.rank = test_below(3),
			.index = test_below(w->n + 2) };
		memcpy(s->until.key, key.bytes, key.len);
	}
	if (n > 1)
		qsort(w->bounds.v, n, sizeof *w->bounds.v, bound_cmp);
	sublists_add(&w->bounds, &e);
}

/* Returns the first bound that is after the record's position. */
static size_t
by_hand(struct world *w, const struct row *r, uint64_t index)
{
	struct pivot p = { .rank = w->rank, .index = index };
	struct key key;
	size_t i;
	int c;

	order_key(&w->order, r->bytes, r->len, &w->buf, &key);
	p.key = malloc(key.len + 1);
	memcpy(p.key, key.bytes, key.len);
	p.len = key.len;
	for (i = 0; i + 1 < w->bounds.n; i++) {
		c = key_cmp(p.key, p.len, w->bounds.v[i].until.key,
		    w->bounds.v[i].until.len);
		if (c < 0 ||
		    (c == 0 && !w->order.unique &&
			pivot_cmp(&p, &w->bounds.v[i].until) < 0))
			break;
	}
	free(p.key);
	return i;
}

static int
file_of(const struct world *w)
{
	int fd = memfd_create("records", 0);
	FILE *out = fdopen(dup(fd), "w");
	const struct format *f = &w->order.format;

	for (size_t i = 0; i < w->n; i++) {
		fwrite(w->row[i].bytes, 1, w->row[i].len, out);
		if (f->kind == FORMAT_LINE)
			putc(f->delim, out);
	}
	CHECK(fclose(out) == 0);
	/* The last newline may be missing, unless the line is empty. */
	if (f->kind == FORMAT_LINE && w->n > 0 && w->row[w->n - 1].len > 0 &&
	    test_below(2) == 0)
		CHECK(ftruncate(fd, lseek(fd, 0, SEEK_END) - 1) == 0);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void
world_init(struct world *w)
{
	static const char *formats[] = { "line", "record:5,1,3", "u16",
		"record:20", "i32be" };
	const char *letters = "rsu";

	*w = (struct world){ .n = test_below(RECORDS - 1) };
	if (test_below(5) == 0)
		w->n = test_below(4);
	w->rank = test_below(3);
	order_init(&w->order);
	REQUIRE(order_option(&w->order, 'F', formats[test_below(5)], &e) == 0);
	for (; *letters != '\0'; letters++)
		if (test_below(3) == 0)
			REQUIRE(
			    order_option(&w->order, *letters, NULL, &e) == 0);
	REQUIRE(order_ready(&w->order, &e) == 0);
	for (size_t i = 0; i <= w->n; i++)
		random_row(w, &w->row[i]);
	random_bounds(w);
	REQUIRE(classify_init(&w->by, &w->bounds, &w->order, w->rank, &e) == 0);
}

static void
world_fini(struct world *w)
{
	classify_fini(&w->by);
	sublists_fini(&w->bounds);
	order_fini(&w->order);
	keybuf_fini(&w->buf);
}

/*
 * Two adjacent sublists have the same destination, like several sublists of one
 * node.
 */
static size_t
number_of(size_t sublist)
{
	return sublist / 2;
}

/* Splits the stream into a file of records for each destination. */
static void
unframe(int fd, const struct world *w, FILE **out)
{
	unsigned char start[FRAME_STREAM_HEAD], head[FRAME_HEAD];
	unsigned char *payload = malloc(FRAME_MAX);
	struct frame_totals totals = { 0 };
	struct frame f;

	CHECK(io_read(fd, start, sizeof start) == sizeof start);
	CHECK(frame_stream_check(start, "stream", &e) == 0);
	for (;;) {
		CHECK(io_read(fd, head, sizeof head) == sizeof head);
		if (frame_decode(head, &f, "stream", &e) == -1) {
			CHECK(false);
			break;
		}
		CHECK(io_read(fd, payload, f.length) == (ssize_t)f.length);
		CHECK(frame_verify(head, payload, "stream", &e) == 0);
		if (f.type == FRAME_END)
			break;
		CHECK(f.sublist >= 10 &&
		    f.sublist <= 10 + number_of(w->bounds.n - 1));
		CHECK_EQ_U64(f.source, 7);
		frame_count(&totals, &f);
		fwrite(payload, 1, f.length, out[f.sublist - 10]);
	}
	CHECK(frame_end_check(payload, &totals, "stream", &e) == 0);
	CHECK_EQ_U64(totals.records, w->n);
	CHECK(io_read(fd, head, 1) == 0);
	free(payload);
}

/*
 * Where the pieces of a file go, and the offset at which the next piece must
 * begin.
 */
struct told {
	uint64_t end;
	int file;
	FILE **out;
};

static int
take_piece(void *arg, const struct cut_piece *p, struct hp_err *why)
{
	struct told *t = arg;
	unsigned char *bytes = malloc(p->bytes);

	(void)why;
	CHECK_EQ_U64(p->offset, t->end);
	CHECK(p->bytes > 0 && p->records > 0);
	CHECK(pread(t->file, bytes, p->bytes, (off_t)p->offset) ==
	    (ssize_t)p->bytes);
	fwrite(bytes, 1, p->bytes, t->out[p->to - 10]);
	t->end += p->bytes;
	free(bytes);
	return 0;
}

/* Cuts the records into a stream or into pieces, and splits these again. */
static void
move_records(struct world *w, int records, bool pieces, FILE **out)
{
	struct told t = { 0, memfd_create("moved", 0), out };
	uint32_t to[NODES + 1];
	struct reader r;

	for (uint32_t i = 0; i <= NODES; i++)
		to[i] = 10 + (uint32_t)number_of(i);
	lseek(records, 0, SEEK_SET);
	CHECK(reader_init(&r, records, "records", &w->order.format, &e) == 0);
	if (pieces) {
		CHECK(cut_pieces(&r, &w->by, w->bounds.n, to, t.file, "moved",
			  take_piece, &t, &e) == 0);
		CHECK_EQ_U64(t.end, (uint64_t)lseek(t.file, 0, SEEK_END));
	} else {
		CHECK(cut_stream(&r, &w->by, w->bounds.n, to, 7, t.file, &e) ==
		    0);
		lseek(t.file, 0, SEEK_SET);
		unframe(t.file, w, out);
	}
	reader_close(&r);
	close(t.file);
}

static void
check_moved(struct world *w, int records, bool pieces)
{
	FILE *part[NODES + 1];
	struct reader r[NODES + 1];
	const unsigned char *got;
	size_t len;

	for (size_t i = 0; i < w->bounds.n; i++)
		part[i] = tmpfile();
	move_records(w, records, pieces, part);
	for (size_t i = 0; i < w->bounds.n; i++) {
		fflush(part[i]);
		lseek(fileno(part[i]), 0, SEEK_SET);
		reader_init(
		    &r[i], fileno(part[i]), "part", &w->order.format, &e);
	}
	for (size_t i = 0; i < w->n; i++) {
		struct row *x = &w->row[i];

		if (reader_next(&r[number_of(x->sublist)], &got, &len, &e) != 1)
			CHECK(false);
		else
			CHECK_BYTES(got, len, x->bytes, x->len);
	}
	for (size_t i = 0; i < w->bounds.n; i++) {
		CHECK(reader_next(&r[i], &got, &len, &e) == 0);
		reader_close(&r[i]);
		fclose(part[i]);
	}
}

static void
classify_by_hand(struct world *w, uint64_t *want)
{
	memset(want, 0, (NODES + 1) * sizeof *want);
	for (size_t i = 0; i < w->n; i++) {
		w->row[i].sublist = by_hand(w, &w->row[i], i);
		want[w->row[i].sublist]++;
	}
}

static void
unsorted_records(void)
{
	uint64_t want[NODES + 1], got[NODES + 1];
	static struct world w;
	struct reader r;
	int fd;

	for (int round = 0; round < ROUNDS; round++) {
		world_init(&w);
		classify_by_hand(&w, want);
		fd = file_of(&w);
		check_moved(&w, fd, false);
		check_moved(&w, fd, true);
		lseek(fd, 0, SEEK_SET);
		CHECK(reader_init(&r, fd, "records", &w.order.format, &e) == 0);
		CHECK(cut_count(&r, &w.by, w.bounds.n, got, &e) == 0);
		for (size_t i = 0; i < w.bounds.n; i++)
			CHECK_EQ_U64(got[i], want[i]);
		reader_close(&r);
		close(fd);
		world_fini(&w);
	}
}

/*
 * Checks that the functions records_* find each record by its index and by its
 * offset. A record is still there when another one has been read.
 */
static void
check_places(const struct world *w, const struct records *r)
{
	struct records_view view = { 0 };
	struct span record, other;
	uint64_t at = 0, next, unused;

	CHECK_EQ_U64(r->n, w->n);
	for (size_t i = 0; i < w->n; i++, at = next) {
		CHECK_EQ_U64(records_offset(r, i), at);
		CHECK_EQ_U64(records_index(r, at), i);
		REQUIRE(records_get(r, &view, at, &record, &next, &e) == 0);
		REQUIRE(
		    records_get(r, &view, records_offset(r, test_below(w->n)),
			&other, &unused, &e) == 0);
		CHECK_BYTES(
		    record.at, record.len, w->row[i].bytes, w->row[i].len);
		CHECK_EQ_U64(records_begin(r, at), at);
		CHECK_EQ_U64(records_begin(r, next - 1), at);
		CHECK_EQ_U64(records_index(r, next), i + 1);
	}
	CHECK_EQ_U64(at, r->bytes);
	CHECK_EQ_U64(records_offset(r, w->n), r->bytes);
}

static void
sorted_records(void)
{
	uint64_t want[NODES + 1], end[NODES + 1], before;
	struct range all = { 0, UINT64_MAX };
	static struct world w;
	struct records r;
	char path[64];
	int fd;

	for (int round = 0; round < ROUNDS; round++) {
		world_init(&w);
		sorting = &w;
		qsort(w.row, w.n, sizeof w.row[0], row_cmp);
		classify_by_hand(&w, want);
		fd = file_of(&w);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		REQUIRE(records_open(&r, path, &all, &w.order.format, &e) == 0);
		check_places(&w, &r);
		CHECK(cut_sorted(&r, &w.by, w.bounds.n, end, &e) == 0);
		before = 0;
		for (size_t i = 0; i < w.bounds.n; i++) {
			CHECK_EQ_U64(
			    records_index(&r, end[i]), before + want[i]);
			before += want[i];
		}
		records_close(&r);
		close(fd);
		world_fini(&w);
	}
}

/* Lines about as long as a buffer or a frame, which take several frames. */
static void
long_lines(void)
{
	static const size_t sizes[] = { 0, (64 << 10) - 2, (64 << 10) - 1,
		64 << 10, FRAME_MAX - 2, FRAME_MAX - 1, FRAME_MAX,
		3 * FRAME_MAX - 1, 3 * FRAME_MAX, 5 };
	size_t n = sizeof sizes / sizeof sizes[0], total = 0;
	int fd = memfd_create("lines", 0);
	unsigned char *all, *got;
	static struct world w;
	FILE *part;

	w = (struct world){ .n = n };
	order_init(&w.order);
	REQUIRE(order_ready(&w.order, &e) == 0);
	sublists_add(&w.bounds, &e);
	REQUIRE(classify_init(&w.by, &w.bounds, &w.order, 0, &e) == 0);
	for (size_t i = 0; i < n; i++)
		total += sizes[i] + 1;
	all = calloc(2, total);
	got = all + total;
	for (size_t i = 0, at = 0; i < n; i++) {
		memset(all + at, (int)('a' + i), sizes[i]);
		at += sizes[i];
		all[at++] = '\n';
	}
	CHECK(io_write(fd, all, total) == 0);
	for (int pieces = 0; pieces < 2; pieces++) {
		part = tmpfile();
		move_records(&w, fd, pieces, &part);
		fflush(part);
		CHECK(io_pread(fileno(part), got, total, 0) == (ssize_t)total);
		CHECK(memcmp(all, got, total) == 0);
		fclose(part);
	}
	free(all);
	close(fd);
	world_fini(&w);
}

int
main(void)
{
	RUN(unsorted_records);
	RUN(sorted_records);
	RUN(long_lines);
	return test_done();
}
