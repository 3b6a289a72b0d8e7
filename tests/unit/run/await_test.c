/*
 * Waiting for one of several pipes whose writer fills the others first. The
 * writer is a thread: it blocks in a full pipe until its data is read. No
 * result depends on how fast a thread is.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/await.h"
#include "run/source.h"
#include "test.h"

enum {
	FEEDS = 3,
	BYTES = 300000,	 /* per input: more than a pipe holds, several chunks */
	CHUNK = 1 << 16, /* bytes of a chunk of the spool */
	CHUNKS = FEEDS * (BYTES / CHUNK + 2)
};

static const struct tmpdirs here = { .dir = (const char *[]){ "." }, .n = 1 };
static unsigned char data[FEEDS][BYTES];

/*
 * A simulated disk, which can refuse to reserve space, and what was freed of
 * it.
 */
static struct {
	int error;	/* errno of the next reservations */
	unsigned fails; /* how many reservations fail */
	unsigned failed;
	unsigned freed[CHUNKS]; /* how often each chunk was freed */
} disk;

int
fallocate(int fd, int mode, off_t at, off_t len)
{
	(void)fd;
	if ((mode & FALLOC_FL_PUNCH_HOLE) != 0) {
		CHECK_EQ_U64(at % CHUNK, 0);
		CHECK_EQ_U64(len, CHUNK);
		if (at / CHUNK < CHUNKS)
			disk.freed[at / CHUNK]++;
		return 0;
	}
	CHECK(at / CHUNK == (at + len - 1) / CHUNK);
	if (disk.failed < disk.fails) {
		disk.failed++;
		errno = disk.error;
		return -1;
	}
	return 0;
}

struct pipes {
	struct feeds fs;
	int in[FEEDS], out[FEEDS];
	pthread_t writer;
};

static void
put(int fd, const unsigned char *s, size_t n)
{
	ssize_t did;

	for (; n > 0; s += did, n -= (size_t)did)
		if ((did = write(fd, s, n)) == -1)
			abort();
}

/*
 * Writes all inputs in a thread: the other inputs in turn, in pieces, and input
 * 0 last.
 */
static void *
write_all(void *arg)
{
	struct pipes *p = arg;
	size_t at = 0, n;

	for (size_t turn = 0; at < BYTES; turn++, at += n) {
		n = 1 + turn * 7919 % 50000;
		n = n < BYTES - at ? n : BYTES - at;
		for (size_t i = 1; i < FEEDS; i++)
			put(p->out[i], data[i] + at, n);
	}
	put(p->out[0], data[0], BYTES);
	for (size_t i = 0; i < FEEDS; i++)
		close(p->out[i]);
	return NULL;
}

static void
begin(struct pipes *p, double grace_s)
{
	struct hp_err e = { 0 };
	int fd[2];

	memset(&disk, 0, sizeof disk);
	feeds_init(&p->fs, &here);
	for (size_t i = 0; i < FEEDS; i++) {
		for (size_t k = 0; k < BYTES; k++)
			data[i][k] = (unsigned char)test_random();
		if (pipe(fd) == -1)
			abort();
		p->in[i] = fd[0];
		p->out[i] = fd[1];
		REQUIRE(feeds_add(&p->fs, "pipe", fd[0], &e) != NULL);
	}
	p->fs.grace_s = grace_s;
	if (pthread_create(&p->writer, NULL, write_all, p) != 0)
		abort();
}

/* Reads the rest of an input in pieces of random sizes. */
static void
expect_rest(struct feed *f, const unsigned char *want, size_t left)
{
	static unsigned char buf[BYTES + 1];
	struct hp_err e = { 0 };
	size_t have = 0, n;
	ssize_t got;

	for (;; have += (size_t)got) {
		n = 1 + test_below(100000);
		n = n < sizeof buf - have ? n : sizeof buf - have;
		got = feed_read(f, buf + have, n, &e);
		REQUIRE(got != -1);
		if (got == 0)
			break;
	}
	CHECK_BYTES(buf, have, want, left);
	CHECK(f->ended);
}

static void
end(struct pipes *p)
{
	pthread_join(p->writer, NULL);
	feeds_fini(&p->fs);
	for (size_t i = 0; i < FEEDS; i++)
		close(p->in[i]);
}

/*
 * Waits for input 0, and then reads all inputs.  The data of the other inputs
 * come first from the spool.
 */
static void
read_all(struct pipes *p)
{
	struct hp_err e = { 0 };

	CHECK(feeds_await(p->fs.feed[0], &e) == 0);
	CHECK(e.kind == HP_NONE);
	for (size_t i = 0; i < FEEDS; i++)
		expect_rest(p->fs.feed[i], data[i], BYTES);
}

static void
other_inputs_go_to_the_spool(void)
{
	struct pipes p;
	uint64_t spooled;
	unsigned freed = 0;

	begin(&p, 0.001);
	read_all(&p);
	/*
	 * The last bytes of an input may stay in its pipe, so the spool may
	 * have less.
	 */
	spooled = p.fs.spooled;
	CHECK(spooled > 0 && spooled <= (FEEDS - 1) * BYTES);
	CHECK(p.fs.chunks * (uint64_t)CHUNK >= spooled);
	/* A wait in which data was spooled halves the grace period. */
	CHECK_NEAR(p.fs.grace_s, 0.0005, 1e-12);
	for (size_t i = 0; i < CHUNKS; i++) {
		CHECK(disk.freed[i] == (i < p.fs.chunks));
		freed += disk.freed[i];
	}
	CHECK_EQ_U64(freed, p.fs.chunks);
	end(&p);
}

static void
the_spool_is_used_again(void)
{
	struct hp_err e = { 0 };
	unsigned char c[2] = { 1, 2 }, got[2];
	int a[2], b[2];
	struct feeds fs;

	memset(&disk, 0, sizeof disk);
	REQUIRE(pipe(a) == 0 && pipe(b) == 0);
	feeds_init(&fs, &here);
	REQUIRE(feeds_add(&fs, "a", a[0], &e) != NULL);
	REQUIRE(feeds_add(&fs, "b", b[0], &e) != NULL);
	for (int i = 0; i < 3; i++) {
		put(b[1], c, 2);
		CHECK(!feed_is_ready(fs.feed[0]));
		CHECK(feed_spool(fs.feed[1], &e) == 0);
		/*
		 * The written bytes are now in the spool, no longer in the
		 * pipe.
		 */
		CHECK(feed_is_ready(fs.feed[1]));
		CHECK_EQ_U64(fs.spooled, 2 * (i + 1));
		CHECK(feed_read(fs.feed[1], got, 1, &e) == 1);
		CHECK(feed_is_ready(fs.feed[1]));
		CHECK(feed_read(fs.feed[1], got + 1, 2, &e) == 1);
		CHECK(memcmp(got, c, 2) == 0);
		CHECK(!feed_is_ready(fs.feed[1]));
	}
	close(b[1]);
	CHECK(feed_spool(fs.feed[1], &e) == 0);
	CHECK(fs.feed[1]->ended);
	CHECK(feed_is_ready(fs.feed[1]));
	CHECK(feed_read(fs.feed[1], got, 2, &e) == 0);
	feeds_fini(&fs);
	close(a[0]);
	close(a[1]);
	close(b[0]);
}

static void
no_data_is_lost_while_the_disk_is_full(void)
{
	struct pipes p;

	begin(&p, 0);
	disk.error = ENOSPC;
	disk.fails = 1;
	read_all(&p);
	CHECK_EQ_U64(disk.failed, 1);
	CHECK(p.fs.spooled > 0);
	end(&p);
}

static void
disks_without_fallocate_work(void)
{
	struct pipes p;

	begin(&p, 0);
	disk.error = EOPNOTSUPP;
	disk.fails = UINT32_MAX;
	read_all(&p);
	CHECK(disk.failed > 0);
	CHECK(p.fs.spooled > 0);
	end(&p);
}

/* The grace period is an hour: only the buffers can let the writer go on. */
static void
sources_with_room_take_the_data_of_their_inputs(void)
{
	struct source s[FEEDS] = { 0 };
	struct hp_err e = { 0 };
	struct pipes p;

	begin(&p, 3600);
	for (size_t i = 1; i < FEEDS; i++) {
		s[i] = (struct source){ .fd = p.in[i],
			.name = "pipe",
			.feed = p.fs.feed[i],
			.at = -1,
			.left = UINT64_MAX,
			.buf = malloc(BYTES),
			.cap = BYTES };
		REQUIRE(s[i].buf != NULL);
		p.fs.feed[i]->reader = &s[i];
	}
	CHECK(feeds_await(p.fs.feed[0], &e) == 0);
	CHECK_EQ_U64(p.fs.spooled, 0);
	CHECK_NEAR(p.fs.grace_s, 3600, 1e-12);
	expect_rest(p.fs.feed[0], data[0], BYTES);
	for (size_t i = 1; i < FEEDS; i++) {
		CHECK(memcmp(s[i].buf, data[i], s[i].end) == 0);
		expect_rest(p.fs.feed[i], data[i] + s[i].end, BYTES - s[i].end);
		free(s[i].buf);
	}
	end(&p);
}

static void
a_spool_without_a_directory_reads_nothing(void)
{
	const struct tmpdirs nowhere = { .dir = (const char *[]){ "none" },
		.n = 1 };
	struct hp_err e = { 0 };
	struct feeds fs;
	unsigned char c = 7;
	int fd[2];

	REQUIRE(pipe(fd) == 0);
	feeds_init(&fs, &nowhere);
	REQUIRE(feeds_add(&fs, "pipe", fd[0], &e) != NULL);
	put(fd[1], &c, 1);
	for (int i = 0; i < 2; i++)
		CHECK(feed_spool(fs.feed[0], &e) == FEED_SPOOL_FULL);
	CHECK(e.kind == HP_NONE);
	c = 0;
	CHECK(feed_read(fs.feed[0], &c, 1, &e) == 1 && c == 7);
	feeds_fini(&fs);
	close(fd[0]);
	close(fd[1]);
}

int
main(void)
{
	test_scratch();
	RUN(other_inputs_go_to_the_spool);
	RUN(the_spool_is_used_again);
	RUN(no_data_is_lost_while_the_disk_is_full);
	RUN(disks_without_fallocate_work);
	RUN(sources_with_room_take_the_data_of_their_inputs);
	RUN(a_spool_without_a_directory_reads_nothing);
	return test_done();
}
