/*
 * Compression programs that fail to start or fail at the end. Some functions of
 * this program replace those of libc in order to fail.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "run/filter.h"
#include "test.h"

enum {
	BYTES = 1 << 20,
	MEMORY = 8 << 20,
	HANG_S = 60
};

static struct {
	bool socketpair, pipe2, pthread_create;
} fails;

int
socketpair(int domain, int type, int protocol, int fd[2])
{
	if (!fails.socketpair)
		return (int)syscall(SYS_socketpair, domain, type, protocol, fd);
	errno = EMFILE;
	return -1;
}

int
pipe2(int fd[2], int flags)
{
	if (!fails.pipe2)
		return (int)syscall(SYS_pipe2, fd, flags);
	errno = ENFILE;
	return -1;
}

int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
    void *(*work)(void *), void *arg)
{
	int (*real)(
	    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (fails.pthread_create)
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(thread, attr, work, arg);
}

static int
lowest_descriptor(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

static bool
no_child(void)
{
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

static void
begin(struct store *s, struct tape *t, const char *program)
{
	static const char *dir[] = { "." };
	static const struct tmpdirs dirs = { .dir = dir, .n = 1 };
	struct hp_err e = { 0 };

	*t = (struct tape){ 0 };
	store_init(s, &dirs, CODEC_NONE, program, MEMORY);
	CHECK(tape_begin(t, s, &e) == 0);
}

static void
end(struct store *s, struct tape *t)
{
	tape_fini(t);
	store_fini(s);
}

/*
 * Checks that neither compressing nor decompressing starts the program, and
 * that nothing is left behind.
 */
static void
does_not_start(
    const char *program, enum hp_kind kind, int errnum, const char *text)
{
	struct hp_err e = { 0 };
	struct store s;
	struct tape t;
	int fd, out;

	begin(&s, &t, program);
	fd = lowest_descriptor();
	for (int unpack = 0; unpack < 2; unpack++) {
		e = (struct hp_err){ 0 };
		CHECK((unpack ? filter_unpack(&s, &t, &out, &e)
			      : filter_pack(&s, &t, &e)) == NULL);
		CHECK(e.kind == kind);
		CHECK_EQ_I64(e.errnum, errnum);
		CHECK_EQ_STR(e.text, text);
		CHECK_EQ_I64(lowest_descriptor(), fd);
		CHECK(no_child());
	}
	end(&s, &t);
}

static void
a_program_that_cannot_be_started(void)
{
	does_not_start(
	    "./nosuch", HP_IO, ENOENT, "compression program ./nosuch");
	does_not_start("/", HP_IO, EACCES, "compression program /");
	fails.socketpair = true;
	does_not_start("cat", HP_IO, EMFILE, "compression program cat");
	fails.socketpair = false;
	fails.pipe2 = true;
	does_not_start("cat", HP_IO, ENFILE, "compression program cat");
	fails.pipe2 = false;
	fails.pthread_create = true;
	does_not_start("cat", HP_NOMEM, EAGAIN, "threads");
	fails.pthread_create = false;
}

/* Writes a script, then compresses a run with it. */
static int
pack_by(const char *text, struct hp_err *e)
{
	FILE *f = fopen("packer", "w");
	char *bytes = calloc(1, BYTES);
	struct filter *filter;
	struct store s;
	struct tape t;
	int rc = -1;

	CHECK(f != NULL && fprintf(f, "#!/bin/sh\n%s\n", text) > 0 &&
	    fclose(f) == 0 && chmod("packer", 0700) == 0);
	begin(&s, &t, "./packer");
	if ((filter = filter_pack(&s, &t, e)) != NULL) {
		CHECK(filter_write(filter, bytes, BYTES, e) == 0);
		rc = filter_end(filter, BYTES, e);
	}
	if (rc == 0)
		CHECK_EQ_U64(t.packed, BYTES);
	CHECK(no_child());
	end(&s, &t);
	free(bytes);
	unlink("packer");
	return rc;
}

/*
 * The compressed run looks complete, but the program's exit status shows an
 * error.
 */
static void
a_packer_that_fails_after_the_last_byte(void)
{
	struct hp_err e = { 0 };

	CHECK(pack_by("exec cat", &e) == 0);
	CHECK(e.kind == HP_NONE);
	CHECK(pack_by("cat && exit 1", &e) == -1);
	CHECK(e.kind == HP_IO);
	CHECK_EQ_STR(e.text, "compression program ./packer failed");
	e = (struct hp_err){ 0 };
	CHECK(pack_by("cat && kill -9 $$", &e) == -1);
	CHECK_EQ_STR(e.text, "compression program ./packer failed");
}

int
main(void)
{
	test_scratch();
	alarm(HANG_S);
	RUN(a_program_that_cannot_be_started);
	RUN(a_packer_that_fails_after_the_last_byte);
	return test_done();
}
