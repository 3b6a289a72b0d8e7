/*
 * Sorting and merging: the headers of the files, and the counters that other
 * threads read during the job.
 */

#include <sys/mman.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/io.h"
#include "record/order.h"
#include "sort/sort.h"
#include "test.h"

enum {
	FILES = 3,
	LINES = 300000, /* more than the least memory of a sort holds */
	LEN = 12
};

struct rig {
	struct order order;
	struct sort_job job;
	struct sort_stats stats;
	int in[FILES], out;
	char path[FILES][32];
	const char *name[FILES];
};

static void
begin(struct rig *r, const char *format)
{
	struct hp_err e = { 0 };

	*r = (struct rig){ 0 };
	order_init(&r->order);
	CHECK_EQ_I64(format_parse(format, &r->order.format, &e), 0);
	CHECK_EQ_I64(order_ready(&r->order, &e), 0);
	r->job = (struct sort_job){ .order = &r->order,
		.file = r->name,
		.extent_bytes = UINT64_MAX,
		.memory = 64 << 20,
		.threads = 2 };
	r->out = memfd_create("out", MFD_CLOEXEC);
}

/* Adds a file, or a pipe that holds the bytes. */
static void
add(struct rig *r, const void *bytes, size_t len, bool pipes)
{
	size_t i = r->job.nfiles++;
	int fd[2];

	if (pipes) {
		REQUIRE(pipe2(fd, O_CLOEXEC) == 0);
		CHECK_EQ_I64(io_write(fd[1], bytes, len), 0);
		close(fd[1]);
		r->in[i] = fd[0];
	} else {
		r->in[i] = memfd_create("in", MFD_CLOEXEC);
		CHECK_EQ_I64(io_write(r->in[i], bytes, len), 0);
	}
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

static void
out_is(struct rig *r, const char *want)
{
	char got[100] = "";

	CHECK(io_pread(r->out, got, sizeof got - 1, 0) >= 0);
	CHECK_EQ_STR(got, want);
}

/* Each file begins with a header of two lines. */
static void
headers_are_skipped_and_compared(void)
{
	static const char *const text[][FILES] = {
		{ "x\ny\nb\nd\n", "x\ny\na\n", "x\ny\nc\n" },
		{ "x\ny\nb\nd\n", "x\ny\na\n", "x\nz\nc\n" },
		{ "x\ny\nb\nd\n", "x\nz\na\nc\n", "" },
	};
	static const int differs[] = { -1, 2, 1 };

	for (int k = 0; k < 3 * 4; k++) {
		int merges = k & 1, pipes = k >> 1 & 1, i = k / 4;
		struct hp_err e = { 0 };
		struct rig r;

		begin(&r, "line");
		for (int f = 0; f < FILES; f++)
			add(&r, text[i][f], strlen(text[i][f]), pipes);
		r.job.header = 2;
		CHECK_EQ_I64((merges ? sort_merge : sort_files)(
				 &r.job, r.out, "out", &r.stats, &e),
		    0);
		CHECK_EQ_STR(e.text, "");
		out_is(&r, "x\ny\na\nb\nc\nd\n");
		CHECK_EQ_U64(r.stats.header.first.records, 2);
		CHECK_EQ_U64(r.stats.header.first.bytes, 4);
		CHECK_EQ_STR(r.stats.header.name, r.name[0]);
		CHECK(r.stats.header.fd == -1);
		if (differs[i] == -1)
			CHECK(r.stats.header.other == NULL);
		else
			CHECK_EQ_STR(r.stats.header.other, r.name[differs[i]]);
		CHECK_EQ_U64(r.stats.records, 4);
		end(&r);
	}
}

/* Without --header, the statistics have none. */
static void
no_header_is_none(void)
{
	struct hp_err e = { 0 };
	struct rig r;

	begin(&r, "line");
	add(&r, "b\na\n", 4, false);
	CHECK_EQ_I64(sort_files(&r.job, r.out, "out", &r.stats, &e), 0);
	out_is(&r, "a\nb\n");
	CHECK_EQ_U64(r.stats.header.first.records, 0);
	CHECK(r.stats.header.other == NULL);
	end(&r);
}

enum order_of_keys {
	MIXED,
	RISING,
	FALLING,
	HALF /* in order to the middle */
};

static void
make(char *text, enum order_of_keys keys)
{
	for (uint32_t i = 0; i < LINES; i++) {
		uint32_t k = i;

		if (keys == MIXED || (keys == HALF && i > LINES / 2))
			k = i * 2654435761U;
		else if (keys == FALLING)
			k = LINES - i;
		snprintf(text + (size_t)i * LEN, LEN + 1, "%011u\n", k);
	}
}

/*
 * All of the input is read once and all is written once, with temporary files
 * twice.  Input that turns out not to be in order counts once, too.
 */
static void
progress_counts_every_byte(void)
{
	static const char *const formats[] = { "line", "record:12", "u32" };
	static char text[(size_t)LINES * LEN + 1];
	const uint64_t bytes = (uint64_t)LINES * LEN;

	for (unsigned k = 0; k < 3 * 4 * 2; k++) {
		bool spills = k & 1;
		struct progress p = { 0 };
		struct hp_err e = { 0 };
		struct rig r;

		make(text, (enum order_of_keys)(k / 2 % 4));
		begin(&r, formats[k / 8]);
		add(&r, text, bytes, false);
		r.job.progress = &p;
		r.job.memory = spills ? 0 : 64 << 20;
		CHECK_EQ_I64(sort_files(&r.job, r.out, "out", &r.stats, &e), 0);
		CHECK_EQ_STR(e.text, "");
		CHECK_EQ_U64(p.total, bytes);
		CHECK_EQ_U64(p.read, bytes);
		CHECK_EQ_U64(p.written, bytes + r.stats.spilled);
		CHECK_EQ_U64(r.stats.bytes, bytes);
		CHECK(r.stats.sort_s > 0);
		if (spills && k / 2 % 4 == MIXED)
			CHECK(r.stats.spilled > 0);
		end(&r);
	}
}

/* A pipe is not mapped; its records are copied if they are in order. */
static void
a_full_disk_ends_a_copy_of_a_pipe(void)
{
	static const char *const text[] = { "a\nb\nc\n", "c\nb\na\n",
		"b\nc\na\n" };

	for (size_t i = 0; i < 3; i++) {
		struct hp_err e = { 0 };
		struct rig r;

		begin(&r, "line");
		add(&r, text[i], 6, true);
		close(r.out);
		r.out = open("/dev/full", O_WRONLY | O_CLOEXEC);
		CHECK_EQ_I64(
		    sort_files(&r.job, r.out, "out", &r.stats, &e), -1);
		CHECK_EQ_U64(e.kind, HP_IO);
		CHECK_EQ_STR(e.text, "out");
		end(&r);
	}
}

int
main(void)
{
	RUN(headers_are_skipped_and_compared);
	RUN(no_header_is_none);
	RUN(progress_counts_every_byte);
	RUN(a_full_disk_ends_a_copy_of_a_pipe);
	return test_done();
}
