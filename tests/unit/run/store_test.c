/*
 * Tapes of temporary data: written by several threads in any order, read from
 * any byte.
 */
#include <sys/resource.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/team.h"
#include "run/tape.h"
#include "test.h"

enum {
	BYTES = 3 << 20,
	PIECES = 40,
	MEMORY = 8 << 20
};

static unsigned char *data; /* contents of the tape, aligned to a page */

struct job {
	struct store *store;
	struct tape *tape;
	size_t cut[PIECES + 1];
	size_t order[PIECES];
	_Atomic size_t next;
};

/* Opens a store with several directories, all the same, and starts a tape. */
static int
begin(const struct job *j, size_t ndirs, enum codec_kind codec)
{
	static const char *dir[] = { ".", "." };
	const struct tmpdirs dirs = { .dir = dir, .n = ndirs };
	struct hp_err e = { 0 };

	store_init(j->store, &dirs, codec, NULL, MEMORY);
	return tape_begin(j->tape, j->store, &e);
}

static int
put_pieces(void *ctx, unsigned worker)
{
	struct job *j = ctx;
	struct hp_err e = { 0 };
	size_t i, k;

	(void)worker;
	while ((i = atomic_fetch_add(&j->next, 1)) < PIECES) {
		k = j->order[i];
		if (tape_put(j->tape, j->store, data + j->cut[k],
			j->cut[k + 1] - j->cut[k], j->cut[k], &e) == -1)
			return -1;
	}
	return 0;
}

/* Writes pieces of random sizes, some at page-aligned addresses. */
static void
cut_at_random(struct job *j)
{
	size_t at = 0, k, t;

	for (k = 1; k < PIECES; k++) {
		at += test_below(2 * BYTES / PIECES);
		at = at < BYTES ? at : BYTES;
		if (test_below(3) == 0)
			at -= at % DIRECT_ALIGN;
		j->cut[k] = at < j->cut[k - 1] ? j->cut[k - 1] : at;
	}
	j->cut[PIECES] = BYTES;
	for (k = 0; k < PIECES; k++)
		j->order[k] = k;
	for (k = PIECES - 1; k > 0; k--) {
		size_t other = test_below(k + 1);

		t = j->order[k];
		j->order[k] = j->order[other];
		j->order[other] = t;
	}
}

static void
read_back(struct job *j)
{
	unsigned char *buf = malloc(BYTES);
	struct hp_err e = { 0 };
	size_t from, n, done;
	ssize_t got;

	CHECK_EQ_U64(j->tape->bytes, BYTES);
	for (int i = 0; i < 60; i++) {
		from = i == 0 ? 0 : test_below(BYTES);
		n = i == 0 ? BYTES : 1 + test_below(BYTES - from);
		if (i % 2)
			n = n < 5000 ? n : 5000;
		for (done = 0; done < n; done += (size_t)got) {
			got = tape_read(j->tape, j->store, from + done,
			    buf + done, n - done, &e);
			REQUIRE(got > 0 && (size_t)got <= n - done);
		}
		CHECK(memcmp(buf, data + from, n) == 0);
	}
	free(buf);
}

static void
try(enum codec_kind codec)
{
	struct hp_err e = { 0 };
	struct store s;
	struct tape t;
	struct job j = { .store = &s, .tape = &t };

	REQUIRE(begin(&j, 1, codec) == 0);
	for (int round = 0; round < 3; round++) {
		j.next = 0;
		cut_at_random(&j);
		if (round == 1) { /* the first attempt is discarded */
			CHECK(team_run_spare(2, put_pieces, &j, &e) == 0);
			tape_rewind(&t);
			j.next = 0;
		}
		CHECK(team_run_spare(3, put_pieces, &j, &e) == 0);
		tape_end(&t);
		read_back(&j);
		if (round == 2)
			break;
		tape_release(&t);
		REQUIRE(tape_begin(&t, &s, &e) == 0);
	}
	CHECK_EQ_U64(s.spilled, 4 * (uint64_t)BYTES);
	if (codec == CODEC_NONE)
		CHECK_EQ_U64(s.stored, s.spilled);
	else
		CHECK(s.stored < s.spilled);
	/*
	 * If the file was truncated, reading it gives an error instead of wrong
	 * bytes.  The first block may have a single byte, and the next one may
	 * be in another lane.
	 */
	CHECK(ftruncate(t.block[0].lane->disk.fd, 0) == 0);
	CHECK(tape_read(&t, &s, 0, data, 10, &e) == -1);
	CHECK(e.kind == HP_IO && strstr(e.text, "cut short") != NULL);
	tape_fini(&t);
	store_fini(&s);
}

/* A file becomes full with part of a tape in it. The tape continues in another
 * file. */
static void
a_full_disk_is_followed_by_another(void)
{
	struct hp_err e = { 0 };
	struct store s;
	struct tape t;
	struct job j = { .store = &s, .tape = &t };

	REQUIRE(begin(&j, 2, CODEC_NONE) == 0);
	cut_at_random(&j);
	for (size_t i = 0; i < PIECES; i++) {
		if (i == PIECES / 2)
			t.file->full = ENOSPC;
		REQUIRE(tape_put(&t, &s, data + j.cut[i],
			    j.cut[i + 1] - j.cut[i], j.cut[i], &e) == 0);
	}
	tape_end(&t);
	CHECK_EQ_U64(s.nfiles, 2);
	CHECK(s.file[0]->lane[0].end > 0 && s.file[1]->lane[0].end > 0);
	read_back(&j);
	/* Space that a tape returned can be used again. */
	tape_release(&t);
	CHECK(s.file[0]->full == 0);
	/* All files are full, so a write to the tape fails. */
	REQUIRE(tape_begin(&t, &s, &e) == 0);
	s.file[0]->full = s.file[1]->full = ENOSPC;
	CHECK(tape_put(&t, &s, data, 10, 0, &e) == -1);
	CHECK(e.kind == HP_IO && e.errnum == ENOSPC);
	CHECK(strstr(e.text, "temporary files of more than 3145728 bytes"));
	tape_fini(&t);
	store_fini(&s);
}

static void
write_beside(struct job *j, size_t most)
{
	struct tmpfile *f = j->tape->file;
	struct hp_err e = { 0 };
	const struct stored *last;
	size_t busy, free;

	cut_at_random(j);
	for (size_t i = 0; i < PIECES; i++) {
		size_t n = j->cut[i + 1] - j->cut[i];

		busy = i % 2 == 0 && f->lanes < most ? f->lanes
						     : test_below(f->lanes + 1);
		free = busy < most ? busy : most - 1;
		for (size_t k = 0; k < busy; k++)
			f->lane[k].disk.writers++;
		REQUIRE(tape_put(j->tape, j->store, data + j->cut[i], n,
			    j->cut[i], &e) == 0);
		for (size_t k = 0; k < busy; k++)
			f->lane[k].disk.writers--;
		if (n == 0)
			continue;
		last = &j->tape->block[j->tape->n - 1];
		if (free == 0 && most > 1 && f->lane[0].disk.on &&
		    last->stored < DIRECT_WORTH)
			free = 1;
		CHECK(last->lane == &f->lane[free]);
	}
	CHECK_EQ_U64(f->lanes, most);
	tape_end(j->tape);
	read_back(j);
	tape_release(j->tape);
}

/* A thread uses another lane, through the page cache, if all lanes are busy or
 * its data is small. If no other lane can be opened, it uses the last one. */
static void
busy_lanes_are_followed_by_another_lane(void)
{
	struct rlimit limit, few;
	struct store s;
	struct tape t;
	struct job j = { .store = &s, .tape = &t };

	REQUIRE(begin(&j, 1, CODEC_NONE) == 0);
	REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	few = limit;
	few.rlim_cur = (rlim_t)t.file->lane[0].disk.fd + 1;
	REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
	write_beside(&j, 1);
	REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	store_fini(&s);
	REQUIRE(begin(&j, 1, CODEC_NONE) == 0);
	write_beside(&j, LANES);
	for (size_t i = 1; i < LANES; i++)
		CHECK(!s.file[0]->lane[i].disk.on);
	store_fini(&s);
}

/* A message about a temporary file says where it is, and how much it needs. */
static void
files_are_described(void)
{
	const struct tmpdirs here = { .dir = (const char *[]){ "." }, .n = 1 };
	char *dir = realpath(".", NULL), want[4200];
	struct hp_err e = { 0 };
	struct tmpfile f;

	REQUIRE(dir != NULL);
	REQUIRE(tmpfile_open(&f, &here, 0, 0, 12345, false, 1, &e) == 0);
	snprintf(
	    want, sizeof want, "temporary file in %s, 12345 bytes needed", dir);
	CHECK_EQ_STR(f.name, want);
	tmpfile_close(&f);
	REQUIRE(tmpfile_open(&f, &here, 0, 0, 0, false, 1, &e) == 0);
	snprintf(want, sizeof want, "temporary file in %s", dir);
	CHECK_EQ_STR(f.name, want);
	tmpfile_close(&f);
	free(dir);
}

static void
plain(void)
{
	try(CODEC_NONE);
}

static void
zstd(void)
{
	try(CODEC_ZSTD);
}

static void
lz4(void)
{
	try(CODEC_LZ4);
}

/* Fills the data so that half of the blocks can be compressed. */
static void
fill(void)
{
	for (size_t i = 0; i < BYTES; i++)
		data[i] = i / 100000 % 2 ? (unsigned char)test_random()
					 : (unsigned char)(i / 1000);
}

static int
get_ahead(void *ctx, unsigned worker)
{
	_Atomic int *at = ctx;
	int now;
	static _Atomic int most;

	(void)worker;
	for (int i = 0; i < 200; i++) {
		now = ++*at;
		if (now > most)
			most = now;
		usleep(10);
		--*at;
		team_wait();
		usleep(10);
		team_go_on();
	}
	return most > 2 ? -1 : 0;
}

/*
 * A team of two threads has spare ones, but at most two threads run at a time.
 */
static void
two_at_a_time(void)
{
	struct hp_err e = { 0 };
	_Atomic int at = 0;

	CHECK(team_run_spare(2, get_ahead, &at, &e) == 0);
	CHECK_EQ_U64(at, 0);
}

int
main(void)
{
	test_scratch();
	data = aligned_alloc(DIRECT_ALIGN, BYTES);
	fill();
	RUN(plain);
	RUN(zstd);
	RUN(lz4);
	RUN(files_are_described);
	RUN(a_full_disk_is_followed_by_another);
	RUN(busy_lanes_are_followed_by_another_lane);
	RUN(two_at_a_time);
	free(data);
	return test_done();
}
