/*
 * Ways of merging: parts of the output that several threads write at their
 * places, and passes over more runs than are merged at once.
 */

#include <sys/mman.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "record/order.h"
#include "run/polyphase.h"
#include "sort/sort.h"
#include "test.h"

enum {
	FILES = 3,
	LEN = 40,
	LINES = 300000, /* of all files: enough for several threads */
	SHORT = 8,
	MANY = 1000000 /* short lines: many runs, which take more memory */
};

static char text[(size_t)LINES * LEN + 1];

struct rig {
	struct order order;
	struct sort_job job;
	struct sort_stats stats;
	int in[FILES], out;
	char path[FILES][32];
	const char *name[FILES];
};

static void
begin(struct rig *r)
{
	struct hp_err e = { 0 };

	*r = (struct rig){ .out = memfd_create("out", MFD_CLOEXEC) };
	order_init(&r->order);
	CHECK_EQ_I64(order_ready(&r->order, &e), 0);
	r->job = (struct sort_job){
		.order = &r->order, .file = r->name, .extent_bytes = UINT64_MAX
	};
}

static void
add(struct rig *r, const char *bytes, size_t len)
{
	size_t i = r->job.nfiles++;

	r->in[i] = memfd_create("in", MFD_CLOEXEC);
	CHECK_EQ_I64(io_write(r->in[i], bytes, len), 0);
	snprintf(r->path[i], sizeof r->path[i], "/proc/self/fd/%d", r->in[i]);
	r->name[i] = r->path[i];
}

static void
end(struct rig *r)
{
	for (size_t i = 0; i < r->job.nfiles; i++)
		close(r->in[i]);
	close(r->out);
	order_fini(&r->order);
}

/* Checks that the output, from `at` on, is the numbers 0 to n - 1 in lines. */
static void
check_output(const struct rig *r, off_t at, size_t n, size_t len)
{
	char *got = malloc(sizeof text), want[LEN + 1];

	CHECK_EQ_U64(lseek(r->out, 0, SEEK_END), (size_t)at + n * len);
	CHECK(io_pread(r->out, got, n * len, at) == (ssize_t)(n * len));
	for (size_t i = 0; i < n && test.bad < 3; i++) {
		snprintf(want, sizeof want, "%0*zu\n", (int)len - 1, i);
		CHECK(memcmp(got + i * len, want, len) == 0);
	}
	free(got);
}

/* The output file may already have bytes before the place of the result. */
static void
threads_write_at_their_places(void)
{
	for (unsigned threads = 1; threads <= 4; threads++)
		for (off_t at = 0; at <= 5; at += 5) {
			struct hp_err e = { 0 };
			struct rig r;

			begin(&r);
			for (size_t f = 0; f < FILES; f++) {
				char *s = text;

				for (size_t i = f; i < LINES; i += FILES)
					s += sprintf(s, "%039zu\n", i);
				add(&r, text, (size_t)(s - text));
			}
			CHECK_EQ_I64(lseek(r.out, at, SEEK_SET), at);
			r.job.threads = threads;
			r.job.memory = 64 << 20;
			CHECK_EQ_I64(
			    sort_merge(&r.job, r.out, "out", &r.stats, &e), 0);
			CHECK_EQ_STR(e.text, "");
			check_output(&r, at, LINES, LEN);
			CHECK_EQ_U64(r.stats.records, LINES);
			end(&r);
		}
}

/* The first files are sorted, and one line of the last is out of order. */
static void
unsorted_input_is_an_error(void)
{
	for (unsigned threads = 1; threads <= 3; threads++) {
		struct hp_err e = { 0 };
		struct rig r;

		begin(&r);
		for (size_t f = 0; f < FILES; f++) {
			char *s = text;

			for (size_t i = f; i < LINES; i += FILES)
				s += sprintf(s, "%039zu\n", i);
			if (f == FILES - 1)
				memset(s - 2 * LEN, '0', LEN - 1);
			add(&r, text, (size_t)(s - text));
		}
		r.job.threads = threads;
		r.job.memory = 64 << 20;
		CHECK_EQ_I64(
		    sort_merge(&r.job, r.out, "out", &r.stats, &e), -1);
		CHECK_EQ_U64(e.kind, HP_INPUT);
		CHECK(strstr(e.text, "not sorted") != NULL);
		CHECK(strstr(e.text, r.name[FILES - 1]) != NULL);
		end(&r);
	}
}

/* The error comes early, and not only when the output is closed. */
static void
a_full_disk_is_an_error(void)
{
	for (unsigned k = 0; k < 2 * 3; k++) {
		struct hp_err e = { 0 };
		struct rig r;
		char *s = text;

		begin(&r);
		r.order.unique = k % 2 == 1;
		for (size_t i = 0; i < LINES; i++)
			s += sprintf(s, "%039zu\n", i);
		add(&r, text, (size_t)(s - text));
		add(&r, text, (size_t)(s - text));
		close(r.out);
		r.out = open("/dev/full", O_WRONLY | O_CLOEXEC);
		r.job.threads = 1 + k / 2;
		r.job.memory = 64 << 20;
		CHECK_EQ_I64(
		    sort_merge(&r.job, r.out, "out", &r.stats, &e), -1);
		CHECK_EQ_U64(e.kind, HP_IO);
		CHECK_EQ_I64(e.errnum, ENOSPC);
		CHECK_EQ_STR(e.text, "out");
		CHECK(r.stats.records < LINES);
		end(&r);
	}
}

/* Runs in temporary files, of which two are merged at once. */
static void
passes_lose_nothing(void)
{
	static const enum merge_way ways[] = { MERGE_KWAY, MERGE_POLYPHASE };

	for (size_t i = 0; i < MANY; i++)
		snprintf(text + i * SHORT, SHORT + 1, "%07zu\n",
		    (size_t)((uint64_t)i * 100003 % MANY));
	for (size_t k = 0; k < 2; k++) {
		struct hp_err e = { 0 };
		struct rig r;

		begin(&r);
		add(&r, text, (size_t)MANY * SHORT);
		r.job.threads = 1;
		r.job.way = ways[k];
		r.job.batch = 2 + k;
		CHECK_EQ_I64(sort_files(&r.job, r.out, "out", &r.stats, &e), 0);
		CHECK_EQ_STR(e.text, "");
		check_output(&r, 0, MANY, SHORT);
		CHECK(r.stats.passes > 1);
		CHECK(r.stats.runs > 4);
		end(&r);
	}
}

int
main(void)
{
	RUN(threads_write_at_their_places);
	RUN(unsorted_input_is_an_error);
	RUN(a_full_disk_is_an_error);
	RUN(passes_lose_nothing);
	return test_done();
}
