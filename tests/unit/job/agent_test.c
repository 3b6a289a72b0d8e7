/* Tests of the agent through the launcher's side of the connection. */

#include "agent_frame.h"

static char *
inside(const struct talk *t, const char *name)
{
	static char path[8][256];
	static int n;
	char *p = path[n++ % 8];

	snprintf(p, sizeof path[0], "%s/%s", t->dir, name);
	return p;
}

static void
file_is(const char *path, const char *text)
{
	char buf[4096] = "";
	int fd = open(path, O_RDONLY);
	ssize_t n = fd == -1 ? -1 : read(fd, buf, sizeof buf - 1);

	CHECK_EQ_I64(n, (int64_t)strlen(text));
	CHECK_EQ_STR(buf, text);
	if (fd != -1)
		close(fd);
}

static void
put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) == EOF || fclose(f) == EOF)
		abort();
}

static void
a_step_runs_in_the_directory_of_its_node(void)
{
	struct talk t;
	struct stat st;

	talk_begin(&t, false);
	talk_open(&t, false, false, 30);
	CHECK(t.last.room > 0);
	CHECK(stat(t.dir, &st) == 0 && (st.st_mode & 07777) == 0700);
	CHECK_EQ_I64(talk_sh(&t,
			 "pwd >&2; umask >&2; echo $LC_ALL >&2;"
			 "read a || echo no input >&2; >made"),
	    0);
	CHECK_EQ_U64(t.last.failed, 1);
	CHECK(strncmp(t.said, t.dir, strlen(t.dir)) == 0);
	CHECK_EQ_STR(t.said + strlen(t.dir), "\n0077\nC\nno input\n");
	CHECK(
	    stat(inside(&t, "made"), &st) == 0 && (st.st_mode & 07777) == 0600);
	talk_end(&t, false);
	CHECK(!exists(t.dir));
}

static void
commands_fail_with_their_status(void)
{
	struct message_action x[2] = { act_sh(">before"), act_sh("exit 3") };
	struct talk t;

	talk_begin(&t, false);
	talk_open(&t, false, false, 30);
	CHECK_EQ_I64(talk_run(&t, x, 2), 3);
	CHECK_EQ_U64(t.last.failed, 1);
	CHECK(exists(inside(&t, "before")));
	CHECK_EQ_I64(talk_sh(&t, "exit 255"), 255);
	CHECK_EQ_I64(talk_sh(&t, "kill -KILL $$"), 1009);
	CHECK_EQ_I64(talk_sh(&t, "kill -PIPE $$"), 1013);
	x[0].words = WORDS(TEXT("no-such-program"));
	CHECK_EQ_I64(talk_run(&t, x, 1), 127);
	CHECK_EQ_STR(t.said, "no-such-program: not found\n");
	x[0].words = WORDS(TEXT("/"));
	CHECK_EQ_I64(talk_run(&t, x, 1), 126);
	CHECK_EQ_STR(t.said, "/: Permission denied\n");
	talk_end(&t, false);
}

static void
ports_are_files_of_the_node(void)
{
	struct message_action x = act_sh("tr a-z A-Z");
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	put_file(inside(&t, "in"), "abc\n");
	x.in_kind = x.out_kind = TEXT("node");
	x.in = TEXT("in");
	x.out = TEXT("out");
	CHECK_EQ_I64(talk_run(&t, &x, 1), 0);
	file_is(inside(&t, "out"), "ABC\n");
	CHECK_EQ_I64(talk_run(&t, &x, 1), 0);
	file_is(inside(&t, "out"), "ABC\n");
	x.append = true;
	CHECK_EQ_I64(talk_run(&t, &x, 1), 0);
	file_is(inside(&t, "out"), "ABC\nABC\n");
	x.in = TEXT("nothing");
	CHECK_EQ_I64(talk_run(&t, &x, 1), 2);
	CHECK_EQ_STR(t.said, "nothing: No such file or directory\n");
	talk_end(&t, false);
	CHECK(!exists(t.dir));
}

static void
messages_of_a_command_come_line_by_line_before_its_end(void)
{
	char want[2048];
	struct talk t;

	talk_begin(&t, false);
	talk_open(&t, false, false, 30);
	CHECK_EQ_I64(talk_sh(&t, "printf 'a\\n\\n\\033[1m\\377\\nend' >&2"), 0);
	CHECK_EQ_STR(t.said, "a\n\033[1m\xff\nend\n");
	CHECK_EQ_I64(talk_sh(&t, "printf '%01000d' 0 >&2"), 0);
	snprintf(want, sizeof want, "%0512d\n%0488d\n", 0, 0);
	CHECK_EQ_STR(t.said, want);
	CHECK_EQ_I64(talk_sh(&t, "printf 'a\\000b\\n' >&2"), 0);
	CHECK_EQ_STR(t.said, "a?b\n");
	talk_end(&t, false);
}

/* Writes 30,000 lines, more than the buffers of the connection hold. */
static void
a_flood_of_lines_is_cut(void)
{
	struct talk t;
	size_t n = 0;

	talk_begin(&t, false);
	talk_open(&t, false, false, 30);
	talk_sh(&t, "yes | head -n 30000 >&2; exit 4");
	CHECK_EQ_U64(t.last.code, 4);
	for (const char *p = t.said; *p != '\0'; p++)
		n += *p == '\n';
	CHECK_EQ_U64(n, 10001);
	CHECK(strstr(t.said, "\n20000 more lines are not shown\n") != NULL);
	talk_end(&t, false);
}

static void
processes_that_a_command_started_are_killed(void)
{
	char script[200];
	double begun_s = clock_now_s();
	struct talk t;

	talk_begin(&t, false);
	talk_open(&t, false, false, 30);
	/* The background process keeps standard error open. */
	snprintf(script, sizeof script, "(sleep 100; >late) & echo $! >pid");
	CHECK_EQ_I64(talk_sh(&t, script), 0);
	CHECK_EQ_I64(
	    talk_sh(&t,
		"read pid <pid; "
		"for i in 1 2 3 4 5 6 7 8 9; do grep '^State:.[^ZX]' "
		"/proc/$pid/status || exit 0; sleep 0.5; done; exit 1"),
	    0);
	/*
	 * An orphaned process with a session of its own runs until the agent
	 * ends.
	 */
	CHECK_EQ_I64(talk_sh(&t,
			 "setsid sh -c 'echo $$ >pid2; sleep 100' & "
			 "until [ -s pid2 ]; do :; done"),
	    0);
	snprintf(script, sizeof script, "cp pid2 %s.pid", t.dir);
	CHECK_EQ_I64(talk_sh(&t, script), 0);
	talk_end(&t, false);
	CHECK(clock_now_s() - begun_s < 15);
	snprintf(script, sizeof script, "! kill -0 $(cat %s.pid) 2>&-", t.dir);
	CHECK_EQ_I64(system(script), 0);
	snprintf(script, sizeof script, "%s.pid", t.dir);
	unlink(script);
}

static void
send_stream(struct talk *t, uint32_t stream, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i += 50000)
		CHECK(
		    wire_data(&t->wire, stream, bytes + i, 50000, &t->e) == 0);
	CHECK(wire_data(&t->wire, stream, NULL, 0, &t->e) == 0);
}

static void
streams_go_both_ways(void)
{
	enum {
		BYTES = 3000000
	};
	struct message_action x[3] = { { .kind = TEXT("put"),
					   .node = TEXT("file"),
					   .in_kind = TEXT("stream"),
					   .in_stream = 1,
					   .bytes = MESSAGE_TO_END },
		act_sh("cat - file"),
		{ .kind = TEXT("get"),
		    .node = TEXT("file"),
		    .out_kind = TEXT("stream"),
		    .out_stream = 9,
		    .offset = 3,
		    .bytes = BYTES - 3 } };
	char *bytes = malloc(BYTES);
	struct talk t;

	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (char)test_random();
	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	x[1].in_kind = x[1].out_kind = TEXT("stream");
	x[1].in_stream = 2;
	x[1].out_stream = 1;
	talk_start(&t, x, 3);
	/* Send the data of stream 2 before those of stream 1. */
	send_stream(&t, 2, bytes, BYTES);
	send_stream(&t, 1, bytes, BYTES);
	talk_flush(&t);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 0);
	CHECK_EQ_U64(t.last.failed, 3);
	CHECK_EQ_STR(t.said, "");
	CHECK_EQ_U64(t.streams_ended, 2);
	REQUIRE(t.got_len == 3 * BYTES - 3);
	CHECK(memcmp(t.got, bytes, BYTES) == 0);
	CHECK(memcmp(t.got + BYTES, bytes, BYTES) == 0);
	CHECK(memcmp(t.got + 2 * BYTES, bytes + 3, BYTES - 3) == 0);
	talk_end(&t, false);
	CHECK(!exists(t.dir));
	free(bytes);
}

/*
 * The directory of the node has been moved away.  The step fails, and its data,
 * which the launcher has sent already, are dropped.
 */
static void
a_step_that_cannot_begin_drops_its_stream(void)
{
	struct message_action x = { .kind = TEXT("put"),
		.node = TEXT("file"),
		.in_kind = TEXT("stream"),
		.in_stream = 1,
		.bytes = MESSAGE_TO_END };
	char away[80], bytes[50000] = { 0 };
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	snprintf(away, sizeof away, "%s.away", t.dir);
	CHECK(rename(t.dir, away) == 0);
	talk_start(&t, &x, 1);
	send_stream(&t, 1, bytes, sizeof bytes);
	talk_flush(&t);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK(t.last.code != 0);
	CHECK(strstr(t.said, "No such file or directory") != NULL);
	CHECK(rename(away, t.dir) == 0);
	CHECK_EQ_I64(talk_sh(&t, "true"), 0);
	talk_end(&t, false);
}

/*
 * A step that copies bytes 2 to 5 of a file into the directory of the node, and
 * these from byte 1 on to byte 1 of another file.
 */
struct copying {
	char from[80], to[80];
	struct message_action x[2];
	struct talk t;
};

static void
copying_begin(struct copying *c)
{
	c->x[0] = (struct message_action){ .kind = TEXT("put"),
		.node = TEXT("file"),
		.in_kind = TEXT("path"),
		.in = c->from,
		.offset = 2,
		.bytes = 4 };
	c->x[1] = (struct message_action){ .kind = TEXT("get"),
		.node = TEXT("file"),
		.out_kind = TEXT("path"),
		.out = c->to,
		.offset = 1,
		.bytes = MESSAGE_TO_END,
		.at = 1 };
	talk_begin(&c->t, false);
	talk_open(&c->t, false, false, 30);
	snprintf(c->from, sizeof c->from, "%s.from", c->t.dir);
	snprintf(c->to, sizeof c->to, "%s.to", c->t.dir);
	put_file(c->from, "0123456789");
	put_file(c->to, "abcdefgh");
}

static void
copying_end(struct copying *c)
{
	talk_end(&c->t, false);
	unlink(c->from);
	unlink(c->to);
}

static void
local_files_are_copied_by_the_agent(void)
{
	struct copying c;

	copying_begin(&c);
	CHECK_EQ_I64(talk_run(&c.t, c.x, 2), 0);
	file_is(inside(&c.t, "file"), "2345");
	file_is(c.to, "a345efgh");
	c.x[1].append = true;
	CHECK_EQ_I64(talk_run(&c.t, c.x, 2), 0);
	file_is(c.to, "a345efgh345");
	copying_end(&c);
}

static void
a_local_file_that_cannot_be_read_fails_the_step(void)
{
	struct copying c;

	copying_begin(&c);
	c.x[0].bytes = 9;
	CHECK_EQ_I64(talk_run(&c.t, c.x, 2), 2);
	CHECK(strstr(c.t.said, "is too short") != NULL);
	c.x[0].in = TEXT("/no/such");
	CHECK_EQ_I64(talk_run(&c.t, c.x, 2), 2);
	CHECK_EQ_STR(c.t.said, "/no/such: No such file or directory\n");
	c.x[0].in = TEXT("/");
	c.x[0].bytes = MESSAGE_TO_END;
	CHECK_EQ_I64(talk_run(&c.t, c.x, 2), 2);
	CHECK_EQ_STR(c.t.said, "/: Is a directory\n");
	copying_end(&c);
}

/* 8 MiB are so many that the agent starts a child process, which copies them.
 */
static void
large_local_files_are_copied_by_a_child(void)
{
	struct copying c;
	struct stat st;

	copying_begin(&c);
	CHECK_EQ_I64(truncate(c.from, 8 << 20), 0);
	c.x[0].bytes = MESSAGE_TO_END;
	c.x[1].at = 5;
	CHECK_EQ_I64(talk_run(&c.t, c.x, 2), 0);
	CHECK(stat(c.to, &st) == 0 && st.st_size == (8 << 20) - 3 + 5);
	c.x[1].out = TEXT("/dev/full");
	CHECK_EQ_I64(talk_run(&c.t, c.x, 2), 2);
	CHECK_EQ_STR(c.t.said, "/dev/full: No space left on device\n");
	CHECK_EQ_U64(c.t.last.failed, 1);
	copying_end(&c);
}

static void
files_are_removed_renamed_measured_and_made(void)
{
	struct message_action x[] = { act_sh("printf abc >a; printf abcd >b"),
		{ .kind = TEXT("size"), .node = TEXT("a") },
		{ .kind = TEXT("rename"),
		    .words = WORDS(TEXT("b"), TEXT("a")) },
		{ .kind = TEXT("size"), .node = TEXT("a") },
		{ .kind = TEXT("fifo"), .words = WORDS(TEXT("p"), TEXT("a")) },
		{ .kind = TEXT("skip"), .words = WORDS(TEXT("p"), TEXT("")) },
		act_sh("exit 1"),
		{ .kind = TEXT("skip"), .words = WORDS(TEXT("p"), TEXT("")) },
		{ .kind = TEXT("size"), .node = TEXT("a") },
		{ .kind = TEXT("skip"), .words = WORDS(TEXT("p"), TEXT("")) },
		{ .kind = TEXT("size"), .node = TEXT("a") },
		{ .kind = TEXT("skip"), .words = WORDS(TEXT("p"), TEXT("a")) },
		act_sh("[ -p p ] && [ -p a ] || exit 2"),
		{ .kind = TEXT("skip"), .words = WORDS(TEXT("b"), TEXT("")) },
		{ .kind = TEXT("remove"),
		    .words = WORDS(TEXT("p"), TEXT("b"), TEXT("a")) },
		act_sh("[ -z \"$(ls)\" ]") };
	struct talk t;

	talk_begin(&t, true);
	talk_open(&t, false, false, 30);
	CHECK_EQ_I64(talk_run(&t, x, sizeof x / sizeof *x), 1);
	/*
	 * The last action has failed: the directory still has the file `lock`.
	 */
	CHECK_EQ_U64(t.last.failed, 15);
	REQUIRE(t.last.nsizes == 4);
	CHECK_EQ_U64(t.last.size[0], 3);
	CHECK_EQ_U64(t.last.size[1], 4);
	CHECK_EQ_U64(t.last.size[2], 0); /* two that were skipped */
	CHECK_EQ_U64(t.last.size[3], 0);
	CHECK_EQ_STR(t.said, "");
	x[0] = x[1];
	CHECK_EQ_I64(talk_run(&t, x, 1), 2);
	CHECK_EQ_STR(t.said, "a: No such file or directory\n");
	/* The action `skip` is the last, so there is nothing to skip. */
	x[0] = (struct message_action){ .kind = TEXT("skip"),
		.words = WORDS(TEXT("lock"), TEXT("")) };
	CHECK_EQ_I64(talk_run(&t, x, 1), 0);
	CHECK_EQ_U64(t.last.failed, 1);
	talk_end(&t, false);
}

int
main(void)
{
	talk_find_programs();
	RUN(a_step_runs_in_the_directory_of_its_node);
	RUN(commands_fail_with_their_status);
	RUN(ports_are_files_of_the_node);
	RUN(messages_of_a_command_come_line_by_line_before_its_end);
	RUN(a_flood_of_lines_is_cut);
	RUN(processes_that_a_command_started_are_killed);
	RUN(streams_go_both_ways);
	RUN(a_step_that_cannot_begin_drops_its_stream);
	RUN(local_files_are_copied_by_the_agent);
	RUN(a_local_file_that_cannot_be_read_fails_the_step);
	RUN(large_local_files_are_copied_by_a_child);
	RUN(files_are_removed_renamed_measured_and_made);
	return test_done();
}
