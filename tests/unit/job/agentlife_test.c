/* How agents start and end, for each way of ending them, and what they leave
 * behind. */

#include "agent_frame.h"

static char *
inside(const struct talk *t, const char *name)
{
	static char path[8][400];
	static int n;
	char *p = path[n++ % 8];

	snprintf(p, sizeof path[0], "%s/%s", t->dir, name);
	return p;
}

/* Starts a long-running command and a child of it that has a session of its
 * own. */
static void
start_sleepers(struct talk *t)
{
	struct message_action x = act_sh(
	    "setsid sh -c 'echo $$ >pid; sleep 99' & echo $$ >own; sleep 99");

	talk_start(t, &x, 1);
	CHECK(comes_to_be(inside(t, "pid"), true));
	CHECK(comes_to_be(inside(t, "own"), true));
}

/* Returns the process id that a command has written into a file of the node. */
static pid_t
pid_in(const struct talk *t, const char *name)
{
	double until_s = clock_now_s() + PATIENCE_S;
	int pid = 0;

	while (pid == 0 && clock_now_s() < until_s) {
		FILE *f = fopen(inside(t, name), "r");

		if (f == NULL || fscanf(f, "%d", &pid) != 1)
			usleep(1000);
		if (f != NULL)
			fclose(f);
	}
	return pid;
}

/* Returns whether the process has ended. A zombie has ended. */
static bool
is_over(pid_t pid)
{
	char path[64], state = 'Z';
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if ((f = fopen(path, "r")) == NULL)
		return true;
	if (fscanf(f, "%*d %*s %c", &state) != 1)
		state = 'Z';
	fclose(f);
	return state == 'Z' || state == 'X';
}

static bool
ends(pid_t pid)
{
	double until_s = clock_now_s() + PATIENCE_S;

	while (!is_over(pid) && clock_now_s() < until_s)
		usleep(2000);
	return is_over(pid);
}

static pid_t
child_of(pid_t parent)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent,
	    (int)parent);
	if ((f = fopen(path, "r")) != NULL) {
		if (fscanf(f, "%d", &pid) != 1)
			pid = 0;
		fclose(f);
	}
	return pid;
}

static void
forget(struct talk *t)
{
	int status;

	wire_fini(&t->wire);
	if (t->fd != -1)
		close(t->fd);
	if (t->pid > 0)
		waitpid(t->pid, &status, 0);
	message_fini(&t->last);
	free(t->said);
	free(t->got);
}

static void
remove_tree(const char *path)
{
	CHECK(sweep_remove(path, &(struct hp_err){ 0 }) == 0);
}

static void
cancel(struct talk *t, uint64_t id)
{
	struct message m = { .type = MESSAGE_CANCEL, .id = id };

	talk_send(t, &m);
}

/* Checks that the step that the test has started last was cancelled. */
static void
it_is_cancelled(struct talk *t, uint64_t failed)
{
	CHECK_EQ_I64(talk_hear(t), MESSAGE_ENDED);
	CHECK_EQ_U64(t->last.id, t->id);
	CHECK_EQ_U64(t->last.failed, failed);
	CHECK_EQ_U64(t->last.signal, SIGKILL);
}

/* `cancel` ends one step, its processes and its data; the others go on. */
static void
a_step_is_cancelled(void)
{
	struct message_action x = act_sh("sleep 99"),
			      put[2] = { act_sh("exit 3"),
				      { .kind = TEXT("put"),
					  .node = TEXT("file"),
					  .in_kind = TEXT("stream"),
					  .in_stream = 1,
					  .bytes = MESSAGE_TO_END } };
	struct talk t;
	pid_t pid;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	talk_start(&t, &x, 1);
	start_sleepers(&t);
	pid = pid_in(&t, "own");
	cancel(&t, 2);
	it_is_cancelled(&t, 0);
	CHECK(ends(pid));
	/* The data of a cancelled step may still arrive. */
	talk_start(&t, put + 1, 1);
	CHECK(wire_data(&t.wire, 1, "x", 1, &t.e) == 0);
	cancel(&t, 3);
	CHECK(wire_data(&t.wire, 1, "y", 1, &t.e) == 0);
	CHECK(wire_data(&t.wire, 1, NULL, 0, &t.e) == 0);
	it_is_cancelled(&t, 0);
	CHECK(!exists(inside(&t, "file")));
	/* A step that has ended cannot be cancelled any more. */
	CHECK_EQ_I64(talk_run(&t, put, 1), 3);
	cancel(&t, 4);
	cancel(&t, 2);
	CHECK_EQ_I64(talk_sh(&t, "[ -z \"$(find . -name '.stream*')\" ]"), 0);
	/* The first step runs still. */
	cancel(&t, 1);
	t.id = 1;
	it_is_cancelled(&t, 0);
	talk_end(&t, false);
}

static void
the_launcher_ends(void)
{
	for (int guarded = 0; guarded < 2; guarded++) {
		struct talk t;
		pid_t pid, own;

		talk_begin(&t, guarded);
		talk_open(&t, false, false, 30);
		start_sleepers(&t);
		pid = pid_in(&t, "pid");
		own = pid_in(&t, "own");
		close(t.fd);
		t.fd = -1;
		CHECK(comes_to_be(t.dir, false));
		CHECK(ends(pid) && ends(own));
		forget(&t);
	}
}

static void
the_launcher_falls_silent(void)
{
	double begun_s = clock_now_s(), took_s;
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 0.5);
	start_sleepers(&t);
	CHECK(comes_to_be(t.dir, false));
	took_s = clock_now_s() - begun_s;
	CHECK(took_s > 5.4 && took_s < 9);
	forget(&t);
}

static void
the_agent_is_killed(void)
{
	struct talk t;
	pid_t pid, own, worker;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	start_sleepers(&t);
	pid = pid_in(&t, "pid");
	own = pid_in(&t, "own");
	worker = child_of(t.pid);
	kill(worker, SIGKILL);
	CHECK(comes_to_be(t.dir, false));
	CHECK(ends(pid) && ends(own));
	CHECK_EQ_I64(talk_hear(&t), -1);
	forget(&t);
}

static void
the_guard_is_killed(void)
{
	struct talk t;
	pid_t pid, own, worker;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	start_sleepers(&t);
	pid = pid_in(&t, "pid");
	own = pid_in(&t, "own");
	worker = child_of(t.pid);
	kill(t.pid, SIGKILL);
	CHECK(comes_to_be(t.dir, false));
	CHECK(ends(pid) && ends(own) && ends(worker));
	CHECK_EQ_I64(talk_hear(&t), -1);
	forget(&t);
}

/* Without a guard, at least the steps of a killed agent end with it. */
static void
a_local_agent_is_killed(void)
{
	struct talk t;
	pid_t own;

	talk_begin(&t, false);
	talk_open(&t, false, false, 30);
	start_sleepers(&t);
	own = pid_in(&t, "own");
	kill(t.pid, SIGKILL);
	CHECK(ends(own));
	forget(&t);
	/*
	 * This process is the subreaper of the agent's orphans, like the
	 * launcher.
	 */
	sweep_descendants();
	remove_tree(t.dir);
}

static void
signals_end_an_agent(void)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT };

	for (int i = 0; i < 6; i++) {
		struct talk t;
		pid_t own;

		talk_begin(&t, true);
		talk_open(&t, false, false, 30);
		start_sleepers(&t);
		own = pid_in(&t, "own");
		kill(i < 3 ? t.pid : child_of(t.pid), signals[i % 3]);
		CHECK(comes_to_be(t.dir, false));
		CHECK(ends(own));
		forget(&t);
	}
}

static void
kept_directories_have_no_fifos_and_sockets(void)
{
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, true, false, 30);
	CHECK_EQ_I64(talk_sh(&t,
			 "mkfifo fifo; >key; >file; mkdir sub; "
			 "mkfifo sub/fifo"),
	    0);
	talk_end(&t, false);
	CHECK(exists(inside(&t, "file")));
	CHECK(!exists(inside(&t, "key")));
	CHECK(!exists(inside(&t, "lock")));
	CHECK(!exists(inside(&t, "fifo")));
	CHECK(!exists(inside(&t, "sub/fifo")));
	/* The directory was kept, so only a resumed run may use it again. */
	remove_tree(t.dir);
	talk_begin(&t, true);
	talk_open(&t, true, false, 30);
	talk_end(&t, true);
	CHECK(!exists(t.dir));
}

static void
steps_stop(void)
{
	struct message stop = { .type = MESSAGE_STOP };
	struct message_action x[3] = {
		act_sh("trap '' TERM; echo said >&2; >runs; sleep 99"),
		{ .kind = TEXT("put"),
		    .node = TEXT("file"),
		    .in_kind = TEXT("stream"),
		    .in_stream = 1,
		    .bytes = MESSAGE_TO_END },
		act_sh("exit 5")
	};
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	/* No step runs. */
	talk_send(&t, &stop);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_STOPPED);
	talk_start(&t, x + 1, 1);
	talk_start(&t, x, 1);
	CHECK(comes_to_be(inside(&t, "runs"), true));
	talk_send(&t, &stop);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_STOPPED);
	CHECK_EQ_STR(t.said, "said\n");
	/* Data that were still on their way to a step that has ended. */
	CHECK(wire_data(&t.wire, 1, "abc", 3, &t.e) == 0);
	CHECK_EQ_I64(talk_run(&t, x + 2, 1), 5);
	CHECK(!exists(inside(&t, ".stream.1")));
	talk_end(&t, false);
}

/* An agent finds another agent's lock in the directory and ends that agent. */
static void
a_directory_is_taken_over(void)
{
	for (int frozen = 0; frozen < 2; frozen++)
		for (int keep = 0; keep < 2; keep++) {
			struct talk old, new;
			pid_t own;

			talk_begin(&old, true);
			talk_open(&old, keep, false, 30);
			CHECK_EQ_I64(talk_sh(&old, ">file"), 0);
			start_sleepers(&old);
			own = pid_in(&old, "own");
			if (frozen)
				kill(child_of(old.pid), SIGSTOP);
			talk_begin(&new, true);
			strcpy(new.dir, old.dir);
			talk_open(&new, keep, true, 30);
			CHECK(is_over(own));
			CHECK_EQ_I64(talk_hear(&old), -1);
			forget(&old);
			CHECK_EQ_I64(exists(inside(&new, "file")), keep == 1);
			CHECK(exists(inside(&new, "lock")));
			CHECK_EQ_I64(talk_sh(&new, "exit 6"), 6);
			talk_end(&new, true);
			CHECK(!exists(new.dir));
		}
}

/*
 * The process that holds the lock ignores SIGTERM, so the agent must send
 * SIGKILL.
 */
static void
an_agent_that_does_not_give_up_its_directory_is_killed(void)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct talk t;
	int fd, pair[2];
	pid_t pid;
	char c;

	talk_begin(&t, true);
	CHECK(mkdir(t.dir, 0700) == 0 && pipe(pair) == 0);
	pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_IGN);
		fd = open(inside(&t, "lock"), O_RDWR | O_CREAT, 0600);
		if (fcntl(fd, F_SETLK, &whole) == -1 ||
		    write(pair[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	CHECK(read(pair[0], &c, 1) == 1);
	talk_open(&t, false, true, 0.4);
	CHECK(waitpid(pid, NULL, 0) == pid);
	talk_end(&t, false);
	close(pair[0]);
	close(pair[1]);
}

struct wanted {
	const char *dir, *input, *leave;
	const char *fault[3];
	bool again;
};

/* Opens one node and checks its fault messages. */
static void
faults_are(const struct wanted *w)
{
	struct message_node n = { .rank = 7,
		.dir = TEXT(w->dir),
		.input = TEXT(w->input),
		.leave = TEXT(w->leave) };
	struct message m = { .type = MESSAGE_OPEN,
		.node = &n,
		.nnodes = 1,
		.again = w->again,
		.timeout_s = 9 };
	struct talk t;

	talk_begin(&t, false);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_HELLO);
	talk_send(&t, &m);
	for (int i = 0; i < 3 && w->fault[i] != NULL; i++) {
		bool last = i == 2 || w->fault[i + 1] == NULL;

		CHECK_EQ_I64(talk_hear(&t), MESSAGE_FAULT);
		CHECK_EQ_U64(t.last.rank, 7);
		CHECK_EQ_STR(t.last.text, w->fault[i]);
		CHECK_EQ_I64(t.last.last, last);
	}
	talk_end(&t, false);
}

static void
all_faults_of_a_node_are_reported_together(void)
{
	static const struct wanted w[] = {
		{ "/no/such/dir", "", "",
		    { "mkdir: cannot create directory '/no/such/dir': "
		      "No such file or directory" } },
		{ "/tmp", "", "",
		    { "mkdir: cannot create directory '/tmp': File exists" } },
		{ "/proc/dir", "/no/part", "/tmp",
		    { "/no/part: cannot be read", "/tmp: Is a directory",
			"mkdir: cannot create directory '/proc/dir': "
			"No such file or directory" } },
		{ "/no/dir", "/", "/no/out",
		    { "/: cannot be read", "/no/: cannot be written",
			"mkdir: cannot create directory '/no/dir': "
			"No such file or directory" } },
	};

	for (size_t i = 0; i < sizeof w / sizeof *w; i++)
		faults_are(&w[i]);
}

/*
 * Between two logins, another user has made the directory, or a link in its
 * place.
 */
static void
a_directory_of_another_user_is_not_taken_over(void)
{
	char dir[64], target[80], text[128];
	struct wanted w = { dir, "", "", { text }, .again = true };
	struct stat st;

	snprintf(dir, sizeof dir, "/tmp/hp.agent.%d.other", (int)getpid());
	snprintf(target, sizeof target, "%s.target", dir);
	REQUIRE(mkdir(target, 0700) == 0 && symlink(target, dir) == 0);
	snprintf(text, sizeof text, "%s: Not a directory", dir);
	faults_are(&w);
	CHECK(rmdir(target) == 0 && unlink(dir) == 0);

	REQUIRE(mkdir(dir, 0700) == 0);
	snprintf(text, sizeof text, "%s: other users can write to it", dir);
	CHECK(chmod(dir, 0720) == 0);
	faults_are(&w);
	CHECK(chmod(dir, 0702) == 0);
	faults_are(&w);
	CHECK(chmod(dir, 0700) == 0);
	if (chown(dir, 65534, 65534) == 0) {
		snprintf(text, sizeof text, "%s: belongs to another user", dir);
		faults_are(&w);
	}
	/* It stays as it is. */
	CHECK(stat(dir, &st) == 0 && rmdir(dir) == 0);
}

/* Counts the agent's beats until the connection ends. */
static int
beats_to_the_end(struct talk *t)
{
	double until_s = clock_now_s() + PATIENCE_S;
	struct pollfd p = { .fd = t->fd, .events = POLLIN };
	struct wire_event event;
	int beats = 0, rc = 0;

	while (rc != -1 && clock_now_s() < until_s) {
		poll(&p, 1, 1000);
		rc = wire_read(&t->wire, &t->e);
		while (wire_next(&t->wire, &event, &t->e) == 1) {
			beats += event.kind == WIRE_MESSAGE &&
			    event.message.type == MESSAGE_BEAT;
			if (event.kind == WIRE_MESSAGE)
				message_fini(&event.message);
		}
	}
	CHECK_EQ_I64(rc, -1);
	return beats;
}

/* Creates many files, however slow the disk is, and keeps the agent alive. */
static void
make_files(struct talk *t)
{
	struct message beat = { .type = MESSAGE_BEAT };
	pid_t pid = fork();
	int status;

	for (int i = 0; pid == 0 && i < 20000; i++) {
		char name[16];

		snprintf(name, sizeof name, "%d", i);
		close(open(inside(t, name), O_WRONLY | O_CREAT, 0600));
	}
	if (pid == 0)
		_exit(0);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		talk_send(t, &beat);
		usleep(10000);
	}
}

/* Otherwise the launcher would take it for lost. */
static void
an_agent_beats_while_it_removes_many_files(void)
{
	struct message end = { .type = MESSAGE_END, .drop = true };
	struct wire_event event;
	struct talk t;

	talk_begin(&t, false);
	talk_open(&t, false, false, 0.02); /* a beat each 2.5 ms */
	make_files(&t);
	/* The beats before the end do not count. */
	while (wire_read(&t.wire, &t.e) == 1)
		while (wire_next(&t.wire, &event, &t.e) == 1)
			message_fini(&event.message);
	talk_send(&t, &end);
	CHECK(beats_to_the_end(&t) > 5);
	CHECK(!exists(t.dir));
	forget(&t);
}

static void
missing_programs_are_faults(void)
{
	char *path = strdup(getenv("PATH"));
	static const char *const lacks[] = { "hpsplit: not found",
		"hpsort: not found", "hpmerge: not found",
		"hpexchange: not found", "hpcheck: not found",
		("hptools: no version, not " HP_VERSION) };
	struct message_node n = { .rank = 0 };
	struct message m = {
		.type = MESSAGE_OPEN, .node = &n, .nnodes = 1, .timeout_s = 9
	};
	struct talk t;

	setenv("PATH", "/usr/bin:/bin", 1);
	talk_begin(&t, true);
	setenv("PATH", path, 1);
	free(path);
	n.dir = t.dir;
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_HELLO);
	talk_send(&t, &m);
	for (size_t i = 0; i < 6; i++) {
		CHECK_EQ_I64(talk_hear(&t), MESSAGE_FAULT);
		CHECK_EQ_STR(t.last.text, lacks[i]);
		CHECK_EQ_I64(t.last.last, i == 5);
	}
	talk_end(&t, false);
	CHECK(!exists(t.dir));
}

static void
files_beside_the_result_are_removed(void)
{
	char beside[100], leave[100];
	struct message_node n[2] = { { .rank = 4 }, { .rank = 2 } };
	struct message m = {
		.type = MESSAGE_OPEN, .node = n, .nnodes = 2, .timeout_s = 9
	};
	struct stat st;
	struct talk t;
	char other[100];

	talk_begin(&t, true);
	snprintf(beside, sizeof beside, "%s.beside", t.dir);
	snprintf(leave, sizeof leave, "%s.leave", t.dir);
	snprintf(other, sizeof other, "%s.other", t.dir);
	n[0].dir = t.dir;
	n[0].beside = beside;
	n[0].leave = leave;
	n[1].dir = other;
	n[1].input = TEXT("/etc/passwd");
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_HELLO);
	CHECK_EQ_STR(t.last.version, HP_VERSION);
	CHECK(t.last.processors > 0 && t.last.memory > 1 << 20);
	talk_send(&t, &m);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_OPENED);
	CHECK_EQ_U64(t.last.rank, 4);
	CHECK_EQ_U64(t.last.input_bytes, 0);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_OPENED);
	CHECK_EQ_U64(t.last.rank, 2);
	CHECK(t.last.input_bytes > 0);
	CHECK_EQ_I64(stat("/etc/passwd", &st), 0);
	CHECK_EQ_U64(t.last.input_inode, st.st_ino);
	CHECK_EQ_U64(t.last.input_changed_us,
	    (uint64_t)st.st_mtim.tv_sec * 1000000 +
		(uint64_t)st.st_mtim.tv_nsec / 1000);
	close(open(beside, O_WRONLY | O_CREAT, 0600));
	close(open(leave, O_WRONLY | O_CREAT, 0600));
	talk_end(&t, false);
	CHECK(!exists(t.dir) && !exists(other) && !exists(beside));
	CHECK(exists(leave));
	unlink(leave);
}

static void
names_have_every_byte(void)
{
	struct message_action x[2] = { act_sh(""), act_sh("") };
	char name[128], all[256];
	struct talk t;
	int c = 1;

	talk_begin(&t, true);
	for (size_t i = strlen(t.dir); i < sizeof t.dir - 1; i++)
		t.dir[i] = "\xff\n'\" $`\\;*"[i % 10];
	t.dir[sizeof t.dir - 1] = '\0';
	talk_open(&t, false, false, 30);
	while (c < 256) {
		size_t n = 0;

		for (; n < sizeof name - 1 && c < 256; c++)
			if (c != '/')
				name[n++] = (char)c;
		name[n] = '\0';
		x[0].out_kind = TEXT("node");
		x[0].out = name;
		x[0].words = WORDS(TEXT("printf"), TEXT("%s"), name);
		x[1] = (struct message_action){ .kind = TEXT("get"),
			.node = name,
			.out_kind = TEXT("stream"),
			.out_stream = 5,
			.bytes = MESSAGE_TO_END };
		CHECK_EQ_I64(talk_run(&t, x, 2), 0);
		CHECK_EQ_STR(t.got, name);
		CHECK(exists(inside(&t, name)));
	}
	(void)all;
	talk_end(&t, false);
	CHECK(!exists(t.dir));
}

static void
bytes_written_are_reported_each_second(void)
{
	struct message_node n = { .rank = 0 };
	struct message m = { .type = MESSAGE_OPEN,
		.node = &n,
		.nnodes = 1,
		.timeout_s = 30,
		.progress = true };
	struct message_action x = act_sh(
	    "head -c 1000000 /dev/zero >file; sleep 99");
	double until_s = clock_now_s() + PATIENCE_S;
	struct wire_event event;
	uint64_t wrote = 0;
	struct talk t;

	talk_begin(&t, true);
	n.dir = t.dir;
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_HELLO);
	talk_send(&t, &m);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_OPENED);
	x.words[2] = TEXT("head -c 1000000 /dev/zero; sleep 99");
	x.out_kind = TEXT("node");
	x.out = TEXT("file");
	talk_start(&t, &x, 1);
	while (wrote == 0 && clock_now_s() < until_s) {
		struct message beat = { .type = MESSAGE_BEAT };

		usleep(10000);
		talk_send(&t, &beat);
		wire_read(&t.wire, &t.e);
		while (wire_next(&t.wire, &event, &t.e) == 1) {
			if (event.message.type == MESSAGE_WROTE)
				wrote = event.message.bytes;
			message_fini(&event.message);
		}
	}
	CHECK(clock_now_s() < until_s);
	talk_end(&t, false);
}

int
main(void)
{
	talk_find_programs();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	RUN(a_step_is_cancelled);
	RUN(the_launcher_ends);
	RUN(the_launcher_falls_silent);
	RUN(the_agent_is_killed);
	RUN(the_guard_is_killed);
	RUN(a_local_agent_is_killed);
	RUN(signals_end_an_agent);
	RUN(kept_directories_have_no_fifos_and_sockets);
	RUN(steps_stop);
	RUN(a_directory_is_taken_over);
	RUN(an_agent_that_does_not_give_up_its_directory_is_killed);
	RUN(all_faults_of_a_node_are_reported_together);
	RUN(a_directory_of_another_user_is_not_taken_over);
	RUN(an_agent_beats_while_it_removes_many_files);
	RUN(missing_programs_are_faults);
	RUN(files_beside_the_result_are_removed);
	RUN(names_have_every_byte);
	RUN(bytes_written_are_reported_each_second);
	return test_done();
}
