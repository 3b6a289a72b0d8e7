/* A guard or its worker is killed: nothing may be left behind. */

#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include "base/clock.h"
#include "job/child.h"
#include "job/guard.h"
#include "job/sweep.h"
#include "test.h"

#define PATIENCE_S 20.0

static char scratch[64];

/*
 * What the worker of this guard does, and the data that it shares with the
 * test.
 */
struct plan {
	struct guard *guard;
	enum {
		EXITS,
		STOPS_ITS_GUARD,
		STOPS_ITSELF,
		IS_KILLED,
		WAITS_FOR_SIGNAL,
		WAITS_FOR_TWO /* exits with 1 if SIGCONT came */
	} end;
	bool forgets;
	int tell; /* a pipe to the test process */
};

static char *
path_of(const char *name)
{
	static char path[8][200];
	static int n;
	char *p = path[n++ % 8];

	snprintf(p, sizeof path[0], "%s/%s", scratch, name);
	return p;
}

static bool
exists(const char *name)
{
	struct stat st;

	return lstat(path_of(name), &st) == 0;
}

static bool
goes(const char *name)
{
	double until_s = clock_now_s() + PATIENCE_S;

	while (exists(name) && clock_now_s() < until_s)
		usleep(2000);
	return !exists(name);
}

static void
touch(const char *name)
{
	close(open(path_of(name), O_WRONLY | O_CREAT, 0600));
}

/* Starts an orphan with a session of its own. */
static pid_t
start_sleeper(void)
{
	int pair[2];
	pid_t pid, sleeper = 0;

	if (pipe(pair) == -1)
		return 0;
	pid = fork();
	if (pid == 0) {
		setsid();
		pid = fork();
		if (pid > 0)
			_exit(0);
		pid = getpid();
		if (write(pair[1], &pid, sizeof pid) != sizeof pid)
			_exit(1);
		for (;;)
			pause();
	}
	waitpid(pid, NULL, 0);
	if (read(pair[0], &sleeper, sizeof sleeper) != sizeof sleeper)
		sleeper = 0;
	close(pair[0]);
	close(pair[1]);
	return sleeper;
}

static void
leave_things(struct plan *p)
{
	struct hp_err e = { 0 };

	CHECK(guard_register(p->guard, path_of("gone"), false, &e) == 0);
	CHECK(guard_register(p->guard, path_of("kept"), true, &e) == 0);
	CHECK(guard_register(p->guard, path_of("file"), false, &e) == 0);
	CHECK(guard_register(p->guard, path_of("stays"), false, &e) == 0);
	CHECK(guard_register(p->guard, path_of("never"), false, &e) == 0);
	mkdir(path_of("gone"), 0700);
	mkdir(path_of("gone/deep"), 0700);
	touch("gone/deep/file");
	symlink("/", path_of("gone/link"));
	mkdir(path_of("kept"), 0700);
	mkdir(path_of("kept/deep"), 0700);
	touch("kept/file");
	touch("kept/key");
	touch("kept/lock");
	touch("kept/deep/key");
	mkfifo(path_of("kept/deep/fifo"), 0600);
	touch("file");
	touch("stays");
	CHECK(guard_forget(p->guard, path_of("stays"), &e) == 0);
}

/* Waits for a signal that the guard passes on, and tells it to the test. */
static int
tell_signal(struct plan *p)
{
	struct pollfd fd = { .fd = guard_fd(p->guard), .events = POLLIN };
	int signal;

	while (poll(&fd, 1, -1) != 1)
		;
	signal = guard_signal(p->guard);
	return write(p->tell, &signal, sizeof signal) == sizeof signal ? 0 : 1;
}

static int
work(struct guard *g, void *context)
{
	struct plan *p = context;
	sigset_t set;
	pid_t pids[2];
	int rc;

	p->guard = g;
	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	if (p->end == WAITS_FOR_TWO)
		sigprocmask(SIG_BLOCK, &set, NULL);
	leave_things(p);
	pids[0] = start_sleeper();
	pids[1] = getpid();
	if (write(p->tell, pids, sizeof pids) != sizeof pids)
		return 1;
	if (p->end == STOPS_ITS_GUARD)
		kill(getppid(), SIGSTOP);
	if (p->end == STOPS_ITSELF)
		kill(getpid(), SIGSTOP);
	if (p->end <= STOPS_ITSELF)
		return 7;
	if (p->end == IS_KILLED)
		kill(pids[1], SIGKILL);
	rc = tell_signal(p);
	if (p->end == WAITS_FOR_TWO) {
		rc |= tell_signal(p);
		sigpending(&set);
		rc |= sigismember(&set, SIGCONT);
	}
	return rc;
}

struct run {
	pid_t guard, worker, sleeper;
	int hear, status;
	int input; /* a pipe to the standard input of guard and worker */
};

static void
begin(struct run *r, int end)
{
	int pair[2], input[2];

	if (pipe(pair) == -1 || pipe(input) == -1 || mkdir(scratch, 0700) == -1)
		abort();
	fflush(NULL);
	r->guard = fork();
	if (r->guard == 0) {
		struct plan p = { .end = end, .tell = pair[1] };

		close(pair[0]);
		close(input[1]);
		dup2(input[0], STDIN_FILENO);
		_exit(guard_run(work, &p));
	}
	close(pair[1]);
	close(input[0]);
	r->input = input[1];
	r->hear = pair[0];
	CHECK(read(r->hear, &r->sleeper, sizeof(pid_t)) == sizeof(pid_t));
	CHECK(read(r->hear, &r->worker, sizeof(pid_t)) == sizeof(pid_t));
}

static bool
has_ended(pid_t pid)
{
	double until_s = clock_now_s() + PATIENCE_S;

	while (kill(pid, 0) == 0 && waitpid(pid, NULL, WNOHANG) != pid &&
	    clock_now_s() < until_s)
		usleep(2000);
	return kill(pid, 0) == -1;
}

static void
all_is_gone(struct run *r)
{
	CHECK(has_ended(r->sleeper));
	CHECK(has_ended(r->worker));
	CHECK(goes("gone"));
	CHECK(goes("file"));
	CHECK(goes("kept/deep/fifo"));
	CHECK(goes("kept/key"));
	CHECK(goes("kept/lock"));
	CHECK(exists("kept/file"));
	CHECK(exists("kept/deep/key"));
	CHECK(exists("stays"));
	close(r->hear);
	close(r->input);
	CHECK(sweep_remove(scratch, &(struct hp_err){ 0 }) == 0);
}

static void
a_worker_ends(void)
{
	struct run r;

	begin(&r, EXITS);
	CHECK_EQ_I64(waitpid(r.guard, &r.status, 0), r.guard);
	CHECK(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 7);
	all_is_gone(&r);
}

static void
a_stopped_guard_ends_with_its_worker(void)
{
	struct run r;

	begin(&r, STOPS_ITS_GUARD);
	CHECK(has_ended(r.guard));
	kill(r.guard, SIGCONT);
	all_is_gone(&r);
}

/* The guard's input ends, as an agent's does when its connection ends. */
static void
a_stopped_worker_ends_with_its_input(void)
{
	struct run r;

	begin(&r, STOPS_ITSELF);
	usleep(100000);
	CHECK(kill(r.guard, 0) == 0);
	close(r.input);
	r.input = -1;
	CHECK(has_ended(r.guard));
	all_is_gone(&r);
}

/*
 * SIGCONT would revoke the SIGSTOP by which a debugger, or the leak check of a
 * sanitizer, attaches to the worker. The guard takes one signal in each round,
 * so it has seen the end of the input before it passes on the second one.
 */
static void
a_running_worker_gets_no_sigcont(void)
{
	static const int signals[] = { SIGHUP, SIGINT };
	struct run r;
	int signal = 0;

	begin(&r, WAITS_FOR_TWO);
	close(r.input);
	r.input = -1;
	for (size_t i = 0; i < 2; i++) {
		kill(r.guard, signals[i]);
		CHECK(read(r.hear, &signal, sizeof signal) == sizeof signal);
		CHECK_EQ_I64(signal, signals[i]);
	}
	CHECK_EQ_I64(waitpid(r.guard, &r.status, 0), r.guard);
	CHECK_EQ_I64(r.status, 0);
	all_is_gone(&r);
}

static void
a_worker_is_killed(void)
{
	struct run r;

	begin(&r, IS_KILLED);
	CHECK_EQ_I64(waitpid(r.guard, &r.status, 0), r.guard);
	CHECK_EQ_I64(WEXITSTATUS(r.status), 128 + SIGKILL);
	all_is_gone(&r);
}

static void
signals_are_passed_on(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM };

	for (size_t i = 0; i < 3; i++) {
		struct run r;
		int signal = 0;

		begin(&r, WAITS_FOR_SIGNAL);
		kill(r.guard, signals[i]);
		CHECK(read(r.hear, &signal, sizeof signal) == sizeof signal);
		CHECK_EQ_I64(signal, signals[i]);
		CHECK_EQ_I64(waitpid(r.guard, &r.status, 0), r.guard);
		CHECK_EQ_I64(r.status, 0);
		all_is_gone(&r);
	}
}

static void
a_guard_is_killed(void)
{
	struct run r;
	int signal = 0;

	begin(&r, WAITS_FOR_SIGNAL);
	kill(r.guard, SIGKILL);
	CHECK(read(r.hear, &signal, sizeof signal) == sizeof signal);
	CHECK_EQ_I64(signal, -1);
	waitpid(r.guard, &r.status, 0);
	all_is_gone(&r);
}

/*
 * This process locks the file `lock`, as another agent that has taken over the
 * directory does.
 */
static void
files_that_another_run_took_over_stay(void)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct run r;
	int fd;

	begin(&r, WAITS_FOR_SIGNAL);
	fd = open(path_of("kept/lock"), O_RDWR);
	CHECK(fd != -1 && fcntl(fd, F_SETLK, &whole) == 0);
	kill(r.worker, SIGKILL);
	CHECK_EQ_I64(waitpid(r.guard, &r.status, 0), r.guard);
	CHECK(!exists("gone"));
	CHECK(exists("kept/deep/fifo"));
	CHECK(exists("kept/key"));
	close(fd);
	close(r.hear);
	CHECK(sweep_remove(scratch, &(struct hp_err){ 0 }) == 0);
}

/* This process locks the directory, as a resumed run does. */
static void
a_directory_that_another_has_locked_stays(void)
{
	struct run r;
	int fd;

	begin(&r, WAITS_FOR_SIGNAL);
	fd = open(path_of("kept"), O_RDONLY);
	CHECK(fd != -1 && flock(fd, LOCK_EX) == 0);
	kill(r.worker, SIGKILL);
	CHECK_EQ_I64(waitpid(r.guard, &r.status, 0), r.guard);
	CHECK(!exists("gone"));
	CHECK(exists("kept/deep/fifo"));
	CHECK(exists("kept/key"));
	close(fd);
	close(r.hear);
	CHECK(sweep_remove(scratch, &(struct hp_err){ 0 }) == 0);
}

/* A process that is not a descendant keeps creating files for a while. */
static void
a_directory_goes_while_files_appear_in_it(void)
{
	pid_t pid;

	mkdir(scratch, 0700);
	pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 300; i++) {
			char name[32];

			snprintf(name, sizeof name, "file.%d", i);
			touch(name);
			usleep(1000);
		}
		_exit(0);
	}
	usleep(20000);
	CHECK(sweep_remove(scratch, &(struct hp_err){ 0 }) == 0);
	CHECK(goes(""));
	waitpid(pid, NULL, 0);
}

static void
a_file_that_cannot_be_removed_is_reported(void)
{
	struct hp_err e = { 0 };

	CHECK(sweep_remove("/proc/self/status", &e) == -1);
	CHECK_EQ_STR(e.text, "remove /proc/self/status");
	CHECK(sweep_remove("/no/such/thing", &e) == 0);
}

/* The process group 0 would be that of the caller. */
static void
no_child_is_killed_before_one_has_started(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	REQUIRE((pid = fork()) != -1);
	if (pid == 0) {
		setsid();
		child_kill(&(struct child){ 0 });
		_exit(0);
	}
	REQUIRE(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Returns 0 if the worker's mask of blocked signals is this one. */
static int
compare_mask(struct guard *g, void *mask)
{
	sigset_t now;

	(void)g;
	sigprocmask(SIG_SETMASK, NULL, &now);
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&now, i) != sigismember(mask, i))
			return i;
	return 0;
}

/* The programs that the worker starts inherit its mask. */
static void
the_mask_of_signals_stays(void)
{
	sigset_t mask;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		sigemptyset(&mask);
		sigaddset(&mask, SIGUSR1);
		sigaddset(&mask, SIGTERM);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		if (guard_run(compare_mask, &mask) != 0)
			_exit(1);
		_exit(compare_mask(NULL, &mask) == 0 ? 0 : 2);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ_I64(status, 0);
}

int
main(void)
{
	/* When a guard is killed, this process becomes the parent of its
	 * worker. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	snprintf(scratch, sizeof scratch, "/tmp/hp.guard.%d", (int)getpid());
	RUN(a_worker_ends);
	RUN(a_stopped_guard_ends_with_its_worker);
	RUN(a_stopped_worker_ends_with_its_input);
	RUN(a_running_worker_gets_no_sigcont);
	RUN(a_worker_is_killed);
	RUN(signals_are_passed_on);
	RUN(a_guard_is_killed);
	RUN(files_that_another_run_took_over_stay);
	RUN(a_directory_that_another_has_locked_stays);
	RUN(a_directory_goes_while_files_appear_in_it);
	RUN(a_file_that_cannot_be_removed_is_reported);
	RUN(no_child_is_killed_before_one_has_started);
	RUN(the_mask_of_signals_stays);
	return test_done();
}
