/* Buffers of many threads, written in order. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/team.h"
#include "run/delivery.h"
#include "test.h"

enum {
	SIZE = 1 << 12,
	PIECES = 300,
	THREADS = 4,
	REPEATED = 7 /* every such piece is its first byte, SIZE times */
};

struct job {
	struct delivery to;
	const unsigned char *data;
	size_t cut[PIECES + 1];
	_Atomic size_t next;
	struct hp_err err[THREADS];
	bool stopped[THREADS];
};

static int
send_pieces(void *ctx, unsigned w)
{
	struct job *j = ctx;
	unsigned char *x;
	size_t i, n, most;

	while ((i = atomic_fetch_add(&j->next, 1)) < PIECES) {
		n = most = j->cut[i + 1] - j->cut[i];
		if ((x = delivery_buffer(&j->to, i)) == NULL) {
			j->stopped[w] = true;
			return -1;
		}
		if (i % REPEATED == 0 && n > 1)
			n = 1 + i % (n - 1);
		memcpy(x, j->data + j->cut[i], n);
		if (delivery_send(&j->to, i, x, n, most, &j->err[w]) == -1) {
			output_fail(j->to.out);
			return -1;
		}
	}
	return 0;
}

/* PIECES of a file of random bytes, in which some repeat themselves. */
static unsigned char *
make_data(struct job *j)
{
	unsigned char *x = malloc((size_t)PIECES * SIZE);
	size_t at = 0, n, period;

	for (size_t i = 0; i < PIECES; i++) {
		j->cut[i] = at;
		n = test_below(10) == 0 ? 0 : test_below(SIZE) + 1;
		period = i % REPEATED == 0 && n > 1 ? 1 + i % (n - 1) : n;
		for (size_t k = 0; k < n; k++)
			x[at + k] = k < period ? (unsigned char)test_random()
					       : x[at + k - period];
		at += n;
	}
	j->cut[PIECES] = at;
	j->data = x;
	return x;
}

static int
deliver(struct job *j, int fd, unsigned threads, unsigned writers,
    size_t buffers, off_t *end)
{
	unsigned char *room = malloc(buffers * SIZE);
	struct hp_err e = { 0 };
	struct output out;
	int rc;

	output_init(&out, fd, "out");
	rc = delivery_init(&j->to, &out, writers, room, buffers, SIZE, &e);
	if (rc == 0)
		rc = team_run(threads, send_pieces, j, &e);
	*end = out.at;
	delivery_fini(&j->to);
	output_close(&out, &e);
	free(room);
	return rc;
}

static void
in_order(void)
{
	for (unsigned threads = 1; threads <= THREADS; threads++)
		for (unsigned writers = 1; writers <= threads; writers++) {
			FILE *f = tmpfile();
			struct job j = { 0 };
			unsigned char *data = make_data(&j), *got;
			size_t n = j.cut[PIECES];
			off_t end;

			REQUIRE(f != NULL);
			CHECK(deliver(&j, fileno(f), threads, writers,
				  threads + test_below(3), &end) == 0);
			CHECK_EQ_U64((uint64_t)end, n);
			got = malloc(n + 1);
			CHECK(pread(fileno(f), got, n + 1, 0) == (ssize_t)n);
			CHECK(memcmp(got, data, n) == 0);
			fclose(f);
			free(got);
			free(data);
		}
}

static void
full_disk(void)
{
	struct job j = { 0 };
	unsigned char *data = make_data(&j);
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC), errors = 0;
	off_t end;

	REQUIRE(fd != -1);
	CHECK(deliver(&j, fd, THREADS, 1, THREADS, &end) == -1);
	for (unsigned w = 0; w < THREADS; w++) {
		errors += j.err[w].kind == HP_IO;
		CHECK(j.err[w].kind == HP_NONE || !j.stopped[w]);
	}
	CHECK(errors == 1);
	close(fd);
	free(data);
}

int
main(void)
{
	RUN(in_order);
	RUN(full_disk);
	return test_done();
}
