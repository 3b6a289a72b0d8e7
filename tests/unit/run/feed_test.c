/* Inputs that are opened in advance, as far as the descriptor limit allows. */
#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "run/feed.h"
#include "test.h"

enum {
	FEEDS = 5,
	ROOM = 2 /* descriptors that remain available */
};

static char name[FEEDS][32];
static const struct tmpdirs nowhere = { 0 };

static void
make_fifos(void)
{
	for (int i = 0; i < FEEDS; i++) {
		snprintf(
		    name[i], sizeof name[i], "feed.%ld.%d", (long)getpid(), i);
		CHECK(mkfifo(name[i], 0600) == 0);
	}
}

static void
remove_fifos(void)
{
	for (int i = 0; i < FEEDS; i++)
		unlink(name[i]);
}

static void
add_all(struct feeds *fs)
{
	struct hp_err e = { 0 };

	feeds_init(fs, &nowhere);
	for (int i = 0; i < FEEDS; i++)
		REQUIRE(feeds_add(fs, name[i], -1, &e) != NULL);
}

/* Limits the descriptors that can still be opened. Returns the old limit. */
static struct rlimit
leave(int room)
{
	struct rlimit old, few;
	int fd = dup(STDIN_FILENO);

	close(fd);
	CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0);
	few = old;
	few.rlim_cur = (rlim_t)(fd + room);
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	return old;
}

static void
as_many_are_open_as_there_are_descriptors(void)
{
	struct hp_err e = { 0 };
	struct rlimit old;
	struct feeds fs;
	char c;

	make_fifos();
	add_all(&fs);
	old = leave(ROOM);
	CHECK(feeds_open_ahead(&fs, &e) == 0);
	CHECK(e.kind == HP_NONE);
	CHECK_EQ_I64(e.errnum, 0);
	CHECK_EQ_U64(fs.open, ROOM);
	CHECK_EQ_U64(fs.next, ROOM);
	/* The next input is opened only when another input has ended. */
	CHECK(feeds_open_ahead(&fs, &e) == 0);
	CHECK_EQ_U64(fs.next, ROOM);
	CHECK(feed_read(fs.feed[0], &c, 1, &e) == 0);
	CHECK_EQ_U64(fs.open, ROOM - 1);
	CHECK(feeds_open_ahead(&fs, &e) == 0);
	CHECK_EQ_U64(fs.open, ROOM);
	CHECK_EQ_U64(fs.next, ROOM + 1);
	/*
	 * All descriptors are in use, so an input that must be read now cannot
	 * be opened.
	 */
	CHECK(feed_open(fs.feed[FEEDS - 1], &e) == -1);
	CHECK_EQ_I64(e.errnum, EMFILE);
	CHECK_EQ_U64(fs.open, ROOM);
	CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0);
	feeds_fini(&fs);
	remove_fifos();
}

static void
other_errors_end_the_merge(void)
{
	struct hp_err e = { 0 };
	struct feeds fs;

	make_fifos();
	unlink(name[1]);
	add_all(&fs);
	CHECK(feeds_open_ahead(&fs, &e) == -1);
	CHECK(e.kind == HP_IO);
	CHECK_EQ_I64(e.errnum, ENOENT);
	CHECK_EQ_U64(fs.open, 1);
	feeds_fini(&fs);
	remove_fifos();
}

/* A descriptor that the caller has opened stays open. */
static void
descriptors_of_the_caller_stay_open(void)
{
	unsigned before = test_descriptors();
	struct hp_err e = { 0 };
	struct feeds fs;
	int fd[2];

	REQUIRE(pipe2(fd, O_CLOEXEC) == 0);
	make_fifos();
	feeds_init(&fs, &nowhere);
	CHECK(feeds_add(&fs, "-", fd[0], &e) != NULL);
	CHECK(feeds_add(&fs, name[0], -1, &e) != NULL);
	feeds_fini(&fs);
	CHECK(fcntl(fd[0], F_GETFD) != -1);
	close(fd[0]);
	close(fd[1]);
	remove_fifos();
	CHECK_EQ_U64(test_descriptors(), before);
}

int
main(void)
{
	test_scratch();
	RUN(as_many_are_open_as_there_are_descriptors);
	RUN(other_errors_end_the_merge);
	RUN(descriptors_of_the_caller_stay_open);
	return test_done();
}
