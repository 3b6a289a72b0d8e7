/*
 * Range partitioning, compared with brute force: random records, orders and
 * shares. All records are sorted by key and then by their place in the input.
 * Each node must get the records of its share of this order, and those with
 * equal keys in the order of the input. If the shares are approximate, each
 * node must get the next records of this order, as many as it likes. The file
 * may have other bytes before and after the records.
 */

#include <sys/mman.h>

#include <unistd.h>

#include "base/io.h"
#include "keys.h"
#include "record/scan.h"
#include "split/partition.h"
#include "test.h"

enum {
	ROUNDS = 400,
	RECORDS = 3000,
	NODES = 7,
	LONGEST = 40,
	FEW = 4, /* so few records are less than one for each thread */
	LONG_LINE = 300 << 10, /* longer than a buffer of an area */
	OTHER = 50000	       /* most bytes before or after the records */
};

struct row {
	unsigned char *bytes;
	size_t len, index;
};

struct world {
	struct order order;
	struct row row[RECORDS + 1];
	struct row *sorted[RECORDS + 1];
	size_t n;
	uint64_t share[NODES];
	size_t nodes;
	uint64_t header;
	struct range range; /* the bytes of the file that have the records */
	int in, out;
	char path[64];
};

static struct hp_err e;
static struct world *sorting;

/* Makes short lines of few letters: many are equal or share prefixes. */
static void
random_row(struct world *w, struct row *r)
{
	unsigned kinds = 1 + (unsigned)test_below(3);

	r->len = w->order.format.size;
	if (w->order.format.kind == FORMAT_LINE)
		r->len = test_below(1000) == 0	       ? test_below(LONG_LINE)
		    : w->n < FEW || test_below(4) == 0 ? test_below(LONGEST)
						       : test_below(4);
	r->bytes = malloc(r->len + 1);
	for (size_t i = 0; i < r->len; i++)
		r->bytes[i] = (unsigned char)("abc\0"[test_below(kinds)]);
}

static int
by_key(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a,
			 *y = *(struct row *const *)b;
	int c = keys_compare(
	    &sorting->order, x->bytes, x->len, y->bytes, y->len);

	return c != 0 ? c : (x->index > y->index) - (x->index < y->index);
}

static void
random_shares(struct world *w)
{
	uint64_t left = w->n;

	w->nodes = 1 + test_below(NODES);
	for (size_t i = 0; i + 1 < w->nodes; i++) {
		w->share[i] = test_below(4) == 0 ? 0 : test_below(left + 1);
		left -= w->share[i];
	}
	w->share[w->nodes - 1] = left;
}

static void
sort_by_hand(struct world *w)
{
	for (size_t i = 0; i < w->n; i++)
		w->sorted[i] = &w->row[w->header + i];
	sorting = w;
	qsort(w->sorted, w->n, sizeof *w->sorted, by_key);
}

/* Appends some bytes, lines and parts of lines, to the file, or none. */
static void
write_others(int fd)
{
	FILE *out = fdopen(dup(fd), "a");

	for (size_t n = test_below(2) == 0 ? test_below(OTHER) : 0; n > 0; n--)
		putc("abcdefg\n"[test_below(8)], out);
	CHECK(fclose(out) == 0);
}

static void
write_rows(struct world *w)
{
	const struct format *f = &w->order.format;
	size_t all = w->header + w->n;
	uint64_t end;
	FILE *out;

	w->in = memfd_create("records", 0);
	write_others(w->in);
	w->range = (struct range){ .header = w->header,
		.offset = (uint64_t)lseek(w->in, 0, SEEK_END),
		.bytes = UINT64_MAX };
	out = fdopen(dup(w->in), "a");
	for (size_t i = 0; i < all; i++) {
		fwrite(w->row[i].bytes, 1, w->row[i].len, out);
		if (f->kind == FORMAT_LINE)
			putc(f->delim, out);
	}
	CHECK(fclose(out) == 0);
	/* The last newline may be missing, unless the line is empty. */
	if (f->kind == FORMAT_LINE && w->n > 0 && w->row[all - 1].len > 0 &&
	    test_below(2) == 0)
		CHECK(ftruncate(w->in, lseek(w->in, 0, SEEK_END) - 1) == 0);
	end = (uint64_t)lseek(w->in, 0, SEEK_END);
	write_others(w->in);
	if ((uint64_t)lseek(w->in, 0, SEEK_END) > end || test_below(2) == 0)
		w->range.bytes = end - w->range.offset;
	snprintf(w->path, sizeof w->path, "/proc/self/fd/%d", w->in);
}

static void
world_init(struct world *w)
{
	static const char *formats[] = { "line", "line", "record:5,1,3", "u16",
		"record:20", "i32be" };
	const char *letters = "rs";

	*w = (struct world){ .n = test_below(RECORDS) };
	if (test_below(3) == 0)
		w->n = test_below(FEW);
	if (test_below(4) == 0)
		w->header = test_below(RECORDS - w->n + 1);
	order_init(&w->order);
	REQUIRE(order_option(&w->order, 'F', formats[test_below(6)], &e) == 0);
	for (; *letters != '\0'; letters++)
		if (test_below(3) == 0)
			REQUIRE(
			    order_option(&w->order, *letters, NULL, &e) == 0);
	REQUIRE(order_ready(&w->order, &e) == 0);
	for (size_t i = 0; i < w->header + w->n; i++) {
		random_row(w, &w->row[i]);
		w->row[i].index = i;
	}
	random_shares(w);
	sort_by_hand(w);
	write_rows(w);
	w->out = memfd_create("parts", 0);
}

static void
world_fini(struct world *w)
{
	for (size_t i = 0; i < w->header + w->n; i++)
		free(w->row[i].bytes);
	order_fini(&w->order);
	close(w->in);
	close(w->out);
}

/*
 * Reads the records of a part into rows, and sorts pointers to them by key and
 * place.
 */
static size_t
read_part(struct world *w, const struct partition_part *p, struct row *row,
    struct row **sorted)
{
	const unsigned char *got;
	struct reader r;
	size_t n = 0, len;

	CHECK(reader_init(&r, w->out, "parts", &w->order.format, &e) == 0);
	CHECK(reader_extent(&r, p->offset, p->bytes, &e) == 0);
	while (n < w->n && reader_next(&r, &got, &len, &e) == 1) {
		row[n] = (struct row){ malloc(len + 1), len, n };
		memcpy(row[n].bytes, got, len);
		sorted[n] = &row[n];
		n++;
	}
	CHECK(reader_next(&r, &got, &len, &e) == 0);
	reader_close(&r);
	sorting = w;
	qsort(sorted, n, sizeof *sorted, by_key);
	return n;
}

/*
 * The part has the records from number `first` of the sorted order on. Those
 * with equal keys have the order of the input, so a stable sort of the part
 * gives the same rows.
 */
static void
check_part(struct world *w, const struct partition_part *p, size_t first)
{
	struct row *row = reallocarray(NULL, w->n + 1, sizeof *row);
	struct row **sorted = reallocarray(NULL, w->n + 1, sizeof *sorted);
	size_t n = read_part(w, p, row, sorted);
	struct sum sum = { 0 };

	CHECK_EQ_U64(n, p->records);
	for (size_t i = 0; i < n && first + i < w->n; i++) {
		const struct row *x = w->sorted[first + i];

		scan_sum(
		    &w->order.format, (struct span){ x->bytes, x->len }, &sum);
		CHECK_BYTES(sorted[i]->bytes, sorted[i]->len, x->bytes, x->len);
	}
	CHECK(memcmp(&sum, &p->checksum, sizeof sum) == 0);
	for (size_t i = 0; i < n; i++)
		free(row[i].bytes);
	free(row);
	free(sorted);
}

static void
random_records(void)
{
	struct world *w = malloc(sizeof *w);
	struct partition_part part[NODES];
	struct partition_job job;
	uint64_t end = 0, records;

	for (int round = 0; round < ROUNDS && test.bad == 0; round++) {
		world_init(w);
		job = (struct partition_job){ .share = w->share,
			.n = w->nodes,
			.approximate = test_below(3) == 0,
			.threads = (unsigned)test_below(5),
			.to = w->out,
			.name = "parts" };
		CHECK(partition(
			  w->path, &w->range, &w->order, &job, part, &e) == 0);
		end = records = 0;
		for (size_t i = 0; i < w->nodes && test.bad == 0; i++) {
			CHECK_EQ_U64(part[i].offset, end);
			if (!job.approximate)
				CHECK_EQ_U64(part[i].records, w->share[i]);
			check_part(w, &part[i], records);
			end += part[i].bytes;
			records += part[i].records;
		}
		CHECK_EQ_U64(records, w->n);
		CHECK_EQ_U64(end, (uint64_t)lseek(w->out, 0, SEEK_END));
		world_fini(w);
	}
	free(w);
}

static void
wrong_shares(void)
{
	struct world *w = malloc(sizeof *w);
	struct partition_part part[NODES];
	struct partition_job job = { .share = w->share, .name = "parts" };
	struct hp_err why = { 0 };

	world_init(w);
	w->share[w->nodes - 1]++;
	job.n = w->nodes;
	job.to = w->out;
	CHECK(partition(w->path, &w->range, &w->order, &job, part, &why) == -1);
	CHECK(why.kind == HP_INPUT);
	CHECK(strstr(why.text, "but the plan is for") != NULL);
	CHECK_EQ_U64((uint64_t)lseek(w->out, 0, SEEK_END), 0);
	world_fini(w);
	free(w);
}

int
main(void)
{
	RUN(random_records);
	RUN(wrong_shares);
	return test_done();
}
