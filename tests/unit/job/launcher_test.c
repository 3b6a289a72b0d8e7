/* The launcher with real agents: stages, their steps and their data. */

#include "job/journal.h"
#include "job/launcher_stage.h"
#include "launcher_rig.h"

static void
documents_go_in_and_out(size_t nodes, size_t hosts)
{
	struct stage s;
	char *path, want[64];

	prepare(nodes, hosts);
	path = text("%s/in", run.work);
	write_file(path, "5\n3\n4\n", 0600);
	free(path);
	if (begin() == -1)
		test_bad(__FILE__, __LINE__, "%s\n%s", run.e.text, run.told);
	stage_init(&s);
	for (int r = 0; r < (int)nodes; r++)
		shell(&s, r, "sort", port_file("in"),
		    port_file(stage_text(&s, "out.%d", r)),
		    "sort; echo %d; echo hello >&2", r);
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_DONE);
	CHECK_EQ_U64(run.steps, nodes);
	for (int r = 0; r < (int)nodes; r++) {
		snprintf(want, sizeof want, "out.%d", r);
		path = text("3\n4\n5\n%d\n", r);
		CHECK_CONTENT(want, path);
		free(path);
		snprintf(want, sizeof want, "n%d: hello\n", r);
		CHECK(strstr(run.told, want) != NULL);
	}
	finish(false);
	clean();
}

static void
documents_go_in_and_out_here(void)
{
	documents_go_in_and_out(4, 0);
}

static void
documents_go_in_and_out_of_hosts(void)
{
	documents_go_in_and_out(5, 3);
}

/* Sends parts of a file to nodes and fetches each part back to its offset. */
static void
parts_come_to_their_places(size_t hosts)
{
	enum {
		NODES = 6,
		PART = 1000000 / 8 * 8
	};
	struct step *step[NODES];
	struct stage s;

	prepare(NODES, hosts);
	fill("in", NODES * (size_t)PART);
	REQUIRE(begin() == 0);
	stage_init(&s);
	for (int r = 0; r < NODES; r++) {
		uint64_t at = (uint64_t)r * PART;

		step[r] = stage_step(&s, r, "deal");
		stage_put(&s, step[r], "in", at,
		    r == NODES - 1 ? ACTION_TO_END : PART, "part");
		stage_size(&s, step[r], "part");
	}
	CHECK_EQ_I64(launcher_stage(run.launcher, &s, &run.outcome, &run.e), 0);
	for (int r = 0; r < NODES; r++)
		CHECK_EQ_U64(step[r]->action[1].size, PART);
	stage_fini(&s);
	stage_init(&s);
	for (int r = NODES - 1; r >= 0; r--) {
		struct step *get = stage_step(&s, r, "gather");

		stage_get(&s, get, "part", PART / 2, PART / 2, port_file("out"),
		    (uint64_t)r * PART + PART / 2);
		stage_get(&s, get, "part", 0, PART / 2, port_file("out"),
		    (uint64_t)r * PART);
		stage_get(&s, get, "part", 0, ACTION_TO_END,
		    port_file(stage_text(&s, "whole.%d", r)), 0);
	}
	CHECK_EQ_I64(play(&s), 0);
	check_same(__LINE__, "in", "out");
	CHECK_EQ_STR(run.told, "");
	finish(false);
	clean();
}

static void
parts_come_to_their_places_here(void)
{
	parts_come_to_their_places(0);
}

static void
parts_come_to_their_places_on_hosts(void)
{
	parts_come_to_their_places(5);
}

/*
 * Commands of hosts read parts of a file that are longer than an agent holds.
 * Some commands read slowly, and one does not read.
 */
static void
parts_are_streams_to_commands(void)
{
	enum {
		NODES = 4,
		PART = 8000000
	};
	struct stage s;

	prepare(NODES, NODES);
	fill("in", NODES * (size_t)PART);
	REQUIRE(begin() == 0);
	stage_init(&s);
	for (int r = 0; r < NODES; r++)
		shell(&s, r, "sort", port_part("in", (uint64_t)r * PART, PART),
		    port_file(stage_text(&s, "out.%d", r)),
		    r == 0	 ? "sleep 0.5; cat"
			: r == 1 ? "true"
			: r == 2 ? "head -c 5000000; sleep 0.5; cat"
				 : "cat");
	CHECK_EQ_I64(play(&s), 0);
	CHECK_CONTENT("out.1", "");
	CHECK_EQ_I64(
	    system(text("cd '%s' && tail -c +8000001 in | head -c 8000000 |"
			"cat out.0 - out.2 out.3 | cmp - in",
		run.work)),
	    0);
	/* A file that is shorter than its part fails the step. */
	stage_init(&s);
	shell(&s, 1, "sort", port_part("in", 8, (uint64_t)NODES * PART),
	    port_none(), "cat >/dev/null");
	CHECK_EQ_I64(play(&s), -1);
	CHECK(strstr(run.told, "in: ends too early") != NULL);
	finish(false);
	clean();
}

/*
 * Large parts arrive at the same time, even if a command does not read, or
 * begins to read late.
 */
static void
parts_keep_pace(void)
{
	enum {
		NODES = 3,
		PART = 20000000
	};
	struct stage s;
	struct port in;

	prepare(NODES, NODES);
	fill("in", NODES * (size_t)PART);
	REQUIRE(begin() == 0);
	stage_init(&s);
	for (int r = 0; r < NODES; r++) {
		in = port_part("in", (uint64_t)r * PART, PART);
		in.paced = true;
		shell(&s, r, "sort", in, port_file(stage_text(&s, "out.%d", r)),
		    r == 0	 ? "sleep 1; cat"
			: r == 1 ? "true"
				 : "cat");
	}
	CHECK_EQ_I64(play(&s), 0);
	CHECK_CONTENT("out.1", "");
	CHECK_EQ_I64(system(text("cd '%s' && tail -c +20000001 in | "
				 "head -c 20000000 | cat out.0 - out.2 | "
				 "cmp - in",
			 run.work)),
	    0);
	finish(false);
	clean();
}

static int
find_sent(void *context, const struct journal_entry *j, struct hp_err *e)
{
	double *sent_s = context;

	(void)e;
	if (strcmp(j->name, "send") == 0)
		*sent_s = j->end_s;
	return 0;
}

/* The journal tells when a command had its input, which an agent may hold. */
static void
a_part_has_arrived_when_the_command_has_it(void)
{
	double sent_s = 0, began_s = 0;
	struct hp_err e = { 0 };
	struct stage s;
	char *path;
	FILE *f;

	prepare(1, 1);
	fill("in", 3000000);
	REQUIRE(begin() == 0);
	stage_init(&s);
	shell(&s, 0, "sort", port_part("in", 0, 3000000), port_file("began"),
	    "sleep 0.5; date +%%s.%%N; cat >/dev/null")
	    ->sending = "send";
	CHECK_EQ_I64(play(&s), 0);
	path = text("%s/began", run.work);
	REQUIRE((f = fopen(path, "re")) != NULL);
	CHECK(fscanf(f, "%lf", &began_s) == 1);
	fclose(f);
	free(path);
	path = text("%s/journal", run.work);
	CHECK_EQ_I64(journal_each(path, find_sent, &sent_s, &e), 0);
	free(path);
	CHECK(began_s > 0 && sent_s >= began_s);
	finish(false);
	clean();
}

static void
a_step_may_answer_no(void)
{
	struct step *yes, *no;
	struct stage s;

	prepare(2, 1);
	REQUIRE(begin() == 0);
	stage_init(&s);
	yes = shell(&s, 0, "ask", port_none(), port_none(), "exit 0");
	no = shell(&s, 1, "ask", port_none(), port_file("no"), "exit 1");
	yes->asks = no->asks = true;
	CHECK_EQ_I64(launcher_stage(run.launcher, &s, &run.outcome, &run.e), 0);
	CHECK_EQ_I64(yes->answer, 0);
	CHECK_EQ_I64(no->answer, 1);
	CHECK(no->end_s >= no->start_s);
	stage_fini(&s);
	finish(false);
	clean();
}

static void
a_launchers_step_works_in_its_directory(void)
{
	struct stage s;

	prepare(1, 1);
	REQUIRE(begin() == 0);
	stage_init(&s);
	shell(&s, STEP_LAUNCHER, "plan", port_none(), port_file("plan"),
	    "pwd; echo x >here");
	CHECK_EQ_I64(play(&s), 0);
	CHECK_CONTENT("here", "x\n");
	finish(false);
	clean();
}

/*
 * The user sees why hpsort fails.  The other steps of the stage are ended at
 * once.
 */
static void
a_step_that_fails_ends_its_stage(size_t hosts)
{
	double began_s;
	struct stage s;

	prepare(4, hosts);
	REQUIRE(begin() == 0);
	stage_init(&s);
	for (int r = 0; r < 4; r++)
		shell(&s, r, "sort", port_none(), port_none(),
		    r == 2 ? "echo no space >&2; exit 2" : "exec sleep 3600");
	began_s = clock_now_s();
	CHECK_EQ_I64(play(&s), -1);
	CHECK(clock_now_s() - began_s < 10);
	CHECK_EQ_STR(run.e.text, "n2: sort: failed");
	CHECK_EQ_U64(run.e.kind, HP_IO);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_FAILED);
	CHECK_EQ_I64(run.outcome.rank, 2);
	CHECK_EQ_I64(run.outcome.code, 2);
	CHECK_EQ_U64(run.outcome.nlost, 0);
	CHECK_EQ_STR(run.told, "n2: no space\n");
	/* Another stage can follow. */
	stage_init(&s);
	for (int r = 0; r < 4; r++)
		shell(&s, r, "sort", port_none(), port_none(), "exit 0");
	CHECK_EQ_I64(play(&s), 0);
	finish(false);
	clean();
}

static void
a_step_that_fails_here_ends_its_stage(void)
{
	a_step_that_fails_ends_its_stage(0);
}

static void
a_step_that_fails_on_a_host_ends_its_stage(void)
{
	a_step_that_fails_ends_its_stage(4);
}

/* Only the killed step is started again. */
static void
a_killed_step_is_restarted(void)
{
	struct stage s;

	prepare(3, 2);
	REQUIRE(begin() == 0);
	stage_init(&s);
	for (int r = 0; r < 3; r++)
		shell(&s, r, "exchange", port_none(),
		    port_file(stage_text(&s, "out.%d", r)),
		    "echo x >>tries; wc -l <tries;"
		    " [ %d != 1 ] || [ $(wc -l <tries) -gt 3 ] || kill -9 $$",
		    r)
		    ->restarts = 3;
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_STR(run.told,
	    "* n1: exchange: killed by signal 9; restarted\n"
	    "* n1: exchange: killed by signal 9; restarted\n"
	    "* n1: exchange: killed by signal 9; restarted\n");
	CHECK_CONTENT("out.0", "1\n");
	CHECK_CONTENT("out.1", "4\n");
	CHECK_CONTENT("out.2", "1\n");
	finish(false);
	clean();
}

/* With hosts, a stage is retried twice. Steps that succeeded are not
 * repeated. */
static void
a_stage_is_tried_again(void)
{
	struct stage s;

	prepare(3, 2);
	REQUIRE(begin() == 0);
	stage_init(&s);
	for (int r = 0; r < 3; r++)
		shell(&s, r, "sort", port_none(),
		    port_file(stage_text(&s, "out.%d", r)),
		    r == 1 ? "sleep 0.3; echo x >>tries; wc -l <tries; exit 3"
			   : "echo x >>tries; wc -l <tries");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_STR(run.told,
	    "* n1: sort: failed; trying again\n"
	    "* n1: sort: failed; trying again\n");
	CHECK_CONTENT("out.0", "1\n");
	CHECK_CONTENT("out.1", "3\n");
	CHECK_EQ_STR(run.e.text, "n1: sort: failed");
	CHECK_EQ_U64(run.e.kind, HP_LOST);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_FAILED);
	CHECK_EQ_I64(run.outcome.code, 3);
	CHECK_EQ_U64(run.outcome.nlost, 1);
	CHECK(run.outcome.lost[1] && !run.outcome.lost[0]);
	CHECK(!run.outcome.broke_only);
	finish(false);
	clean();
}

static void
a_stage_that_may_run_once_is_not_tried_again(void)
{
	struct stage s;

	prepare(2, 1);
	REQUIRE(begin() == 0);
	stage_init(&s);
	s.once = true;
	shell(&s, 1, "gather", port_none(), port_none(), "kill -13 $$");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_KILLED);
	CHECK_EQ_I64(run.outcome.code, SIGPIPE);
	CHECK_EQ_U64(run.outcome.nlost, 0);
	CHECK_EQ_STR(run.told, "");
	finish(false);
	clean();
}

/* A stage in which each of three nodes appends a line to its file. */
static void
sort_stage(void)
{
	struct step *step;
	struct stage s;

	stage_init(&s);
	for (int r = 0; r < 3; r++) {
		step = shell(
		    &s, r, "sort", port_none(), port_none(), "echo x >>sorted");
		stage_size(&s, step, "sorted");
	}
	CHECK_EQ_I64(launcher_stage(run.launcher, &s, &run.outcome, &run.e), 0);
	CHECK_EQ_U64(s.step[2]->action[1].size, 2);
	CHECK(s.step[2]->start_s > 0);
	stage_fini(&s);
}

/*
 * Resumes a run that ended in its second stage. Completed steps are not
 * repeated.
 */
static void
a_resumed_run_repeats_no_step(void)
{
	struct stage s;

	prepare(3, 1);
	run.config.keep = true;
	REQUIRE(begin() == 0);
	for (int again = 0; again < 2; again++) {
		if (again) {
			run.config.again = true;
			run.steps = 0;
			REQUIRE(begin() == 0);
		}
		sort_stage();
		stage_init(&s);
		s.passing = true;
		shell(
		    &s, 0, "fifo", port_none(), port_none(), "echo x >>passed");
		CHECK_EQ_I64(play(&s), 0);
		stage_init(&s);
		for (int r = 0; r < 3; r++)
			shell(&s, r, "merge", port_none(),
			    port_file(stage_text(&s, "out.%d", r)),
			    "cat sorted; echo x >>merged; wc -l <merged;"
			    " [ %d = 0 ] || { [ -e go ] || { : >go; sleep 0.4;"
			    " exit 2; }; }; true",
			    r);
		CHECK_EQ_I64(play(&s), again ? 0 : -1);
		CHECK_EQ_U64(run.steps, again ? 1 + 2 : 3 + 1 + 1);
		finish(false);
		for (int r = 0; r < 3; r++)
			CHECK(exists(run.node[r].dir) != again || !again);
		run.config.keep = again == 0 ? false : run.config.keep;
	}
	CHECK_CONTENT("out.0", "x\n1\n");
	CHECK_CONTENT("out.1", "x\n2\n");
	clean();
}

static void
dawdle(void *context, int rank, const char *line)
{
	(void)context;
	(void)rank;
	(void)line;
	usleep(600000);
}

/*
 * A step succeeds while its stage is being stopped. Its output is dropped, so
 * the step must be repeated.
 */
static void
a_step_whose_output_is_dropped_is_not_done(void)
{
	struct stage s;

	prepare(3, 2);
	run.config.keep = true;
	run.config.say = dawdle;
	for (int again = 0; again < 2; again++) {
		run.config.again = again == 1;
		run.config.keep = again == 0;
		REQUIRE(begin() == 0);
		stage_init(&s);
		shell(&s, 1, "sample", port_none(), port_none(),
		    "[ %d = 1 ] || { echo fails >&2; exit 2; }", again);
		shell(&s, 2, "sample", port_none(), port_file("whole"),
		    "sleep 0.2; echo whole");
		CHECK_EQ_I64(play(&s), again ? 0 : -1);
		CHECK_EQ_U64(run.steps, again ? 2 : 0);
		finish(false);
	}
	CHECK_CONTENT("whole", "whole\n");
	clean();
}

static void
another_runs_journal_is_refused(void)
{
	struct stage s;

	prepare(1, 0);
	REQUIRE(begin() == 0);
	stage_init(&s);
	shell(&s, 0, "sort", port_none(), port_none(), "exit 0");
	CHECK_EQ_I64(play(&s), 0);
	finish(false);
	REQUIRE(begin() == 0);
	stage_init(&s);
	shell(&s, 0, "merge", port_none(), port_none(), "exit 0");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_U64(run.e.kind, HP_INPUT);
	CHECK_EQ_I64(launcher_forget(run.launcher, &run.e), 0);
	stage_init(&s);
	shell(&s, 0, "merge", port_none(), port_none(), "exit 0");
	CHECK_EQ_I64(play(&s), 0);
	finish(false);
	clean();
}

/* Replaces standard output while a function runs. */
static pid_t
redirect(int *saved, const char *command)
{
	int fds[2];
	pid_t pid;

	fflush(stdout);
	if (pipe(fds) == -1)
		exit(1);
	pid = fork();
	if (pid == 0) {
		dup2(fds[0], STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		execlp("sh", "sh", "-c", command, (char *)NULL);
		_exit(1);
	}
	close(fds[0]);
	*saved = dup(STDOUT_FILENO);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[1]);
	return pid;
}

static void
restore(int saved, pid_t pid)
{
	dup2(saved, STDOUT_FILENO);
	close(saved);
	waitpid(pid, NULL, 0);
}

/* Ends the run, whose result the redirected output must have. */
static void
all_arrived(int rc, int saved, pid_t pid)
{
	finish(false);
	restore(saved, pid);
	CHECK_EQ_I64(rc, 0);
	CHECK_EQ_STR(run.e.text, "");
	check_same(__LINE__, "in", "out");
	clean();
}

/* The reader pauses for longer than a machine may be silent. */
static void
a_result_of_a_host_goes_to_standard_output(void)
{
	char *command;
	struct stage s;
	pid_t pid;
	int saved, rc;

	prepare(2, 1);
	run.config.timeout_s = 1;
	fill("in", 3000000);
	command = text("cd '%s' && sleep 3; cat >out", run.work);
	pid = redirect(&saved, command);
	rc = begin();
	for (int r = 0; r < 2; r++) {
		struct step *step;

		stage_init(&s);
		s.once = true;
		step = stage_step(&s, r, "gather");
		stage_put(&s, step, "in", r == 0 ? 0 : 1600000,
		    r == 0 ? 1600000 : ACTION_TO_END, "part");
		stage_get(
		    &s, step, "part", 0, ACTION_TO_END, port_standard(), 0);
		if (rc == 0)
			rc = play(&s);
	}
	all_arrived(rc, saved, pid);
	free(command);
}

/*
 * A command prints little at a time, and the reader takes little at a time.  So
 * the launcher, which has room again, may fill it at once with what has arrived
 * meanwhile.
 */
static void
small_pieces_go_to_standard_output(void)
{
	char *command;
	struct stage s;
	pid_t pid;
	int saved, rc;

	prepare(2, 1);
	fill("in", 400000);
	command = text("cd '%s' && { sleep 1; for i in $(seq 50); do "
		       "head -c 4096; sleep 0.01; done; cat; } >out",
	    run.work);
	pid = redirect(&saved, command);
	rc = begin();
	stage_init(&s);
	s.once = true;
	shell(&s, 1, "gather", port_file("in"), port_standard(),
	    "dd bs=1000 status=none");
	if (rc == 0)
		rc = play(&s);
	all_arrived(rc, saved, pid);
	free(command);
}

static void
a_reader_that_exits_ends_the_run(void)
{
	struct stage s;
	struct step *step;
	pid_t pid;
	int saved, rc;

	prepare(2, 1);
	fill("in", 3000000);
	pid = redirect(&saved, "head -c 10 >/dev/null");
	rc = begin();
	stage_init(&s);
	s.once = true;
	step = stage_step(&s, 1, "gather");
	stage_put(&s, step, "in", 0, ACTION_TO_END, "part");
	stage_get(&s, step, "part", 0, ACTION_TO_END, port_standard(), 0);
	if (rc == 0)
		rc = play(&s);
	finish(false);
	restore(saved, pid);
	CHECK_EQ_I64(rc, -1);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_KILLED);
	CHECK_EQ_I64(run.outcome.code, SIGPIPE);
	CHECK_EQ_STR(run.told, "");
	clean();
}

static void
an_output_that_cannot_be_written_fails_its_step(void)
{
	struct stage s;

	prepare(2, 2);
	REQUIRE(begin() == 0);
	stage_init(&s);
	shell(&s, 0, "sort", port_none(), port_file("/dev/full"),
	    "echo x; sleep 3600");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_STR(run.e.text, "n0: sort: failed");
	CHECK_EQ_STR(run.told, "* /dev/full: No space left on device\n");
	run.told[0] = '\0';
	stage_init(&s);
	shell(&s, 1, "sort", port_file("missing"), port_none(), "cat");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_STR(run.told, "* missing: No such file or directory\n");
	finish(false);
	clean();
}

int
main(int argc, char *argv[])
{
	if (argc > 1 && strcmp(argv[1], "--agent") == 0)
		return guard_run(serve, NULL);
	make_rig();
	/*
	 * This process is the subreaper of its descendants, like the worker of
	 * a guard.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	RUN(documents_go_in_and_out_here);
	RUN(documents_go_in_and_out_of_hosts);
	RUN(parts_come_to_their_places_here);
	RUN(parts_come_to_their_places_on_hosts);
	RUN(parts_are_streams_to_commands);
	RUN(parts_keep_pace);
	RUN(a_part_has_arrived_when_the_command_has_it);
	RUN(a_step_may_answer_no);
	RUN(a_launchers_step_works_in_its_directory);
	RUN(a_step_that_fails_here_ends_its_stage);
	RUN(a_step_that_fails_on_a_host_ends_its_stage);
	RUN(a_killed_step_is_restarted);
	RUN(a_stage_is_tried_again);
	RUN(a_stage_that_may_run_once_is_not_tried_again);
	RUN(a_resumed_run_repeats_no_step);
	RUN(a_step_whose_output_is_dropped_is_not_done);
	RUN(another_runs_journal_is_refused);
	RUN(a_result_of_a_host_goes_to_standard_output);
	RUN(small_pieces_go_to_standard_output);
	RUN(a_reader_that_exits_ends_the_run);
	RUN(an_output_that_cannot_be_written_fails_its_step);
	remove_rig();
	return test_done();
}
