/*
 * The launcher when machines are lost, when logins fail, and when it is ended
 * itself.
 */

#include "job/launcher_own.h"
#include "launcher_rig.h"

/* Finds the process ids of the agents: each is the parent of a step. */
static void
ask_pids(pid_t *pid)
{
	char name[32];
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (int r = 0; r < (int)run.nodes; r++)
		shell(&s, r, "pid", port_none(),
		    port_file(stage_text(&s, "pid.%d", r)), "echo $PPID");
	CHECK_EQ_I64(play(&s), 0);
	for (size_t r = 0; r < run.nodes; r++) {
		snprintf(name, sizeof name, "pid.%zu", r);
		pid[r] = (pid_t)number_in(name);
	}
	run.told[0] = '\0';
}

/* Waits until a file exists, for 10 s at most. */
static void
comes(const char *path)
{
	for (int k = 0; k < 1000 && !exists(path); k++)
		usleep(10000);
}

/* Ends an agent by a signal while its step and the steps of others run. */
static void
lose(int victim, int signal)
{
	pid_t pid[8], child;
	struct stage s;

	ask_pids(pid);
	child = fork();
	if (child == 0) {
		for (size_t r = 0; r < run.nodes; r++)
			comes(text("%s/ready.%zu", run.work, r));
		kill(pid[victim], signal);
		_exit(0);
	}
	stage_init(&s);
	for (int r = 0; r < (int)run.nodes; r++)
		shell(&s, r, "sort", port_none(), port_none(),
		    "echo $$ >%s/step.%d; : >%s/ready.%d; sleep 3600", run.work,
		    r, run.work, r);
	CHECK_EQ_I64(play(&s), -1);
	waitpid(child, NULL, 0);
}

static void
a_machine_that_dies_is_lost(void)
{
	double began_s = clock_now_s();

	prepare(4, 3);
	REQUIRE(begin() == 0);
	lose(2, SIGKILL);
	CHECK(clock_now_s() - began_s < 8);
	CHECK_EQ_STR(run.e.text, "n2: lost");
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_I64(run.outcome.rank, 2);
	CHECK_EQ_U64(run.outcome.nlost, 1);
	CHECK(run.outcome.lost[2]);
	/*
	 * Only the connection broke: the host accepts the next login at once.
	 */
	CHECK(run.outcome.broke_only);
	for (int r = 0; r < 4; r++) {
		char name[32];

		snprintf(name, sizeof name, "step.%d", r);
		CHECK(!runs_still((pid_t)number_in(name)));
	}
	finish(true);
	clean();
}

static void
a_machine_that_stays_away_is_lost(void)
{
	char *script = text("#!/bin/sh\n"
			    "[ ! -e %s/$1 ] || exit 255\n: >%s/$1\n"
			    "shift\nexec sh -c \"$*\"\n",
	    top, top);
	char *once = text("%s/once", top);

	write_file(once, script, 0700);
	prepare(3, 2);
	run.config.rsh = once;
	REQUIRE(begin() == 0);
	lose(1, SIGKILL);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK(run.outcome.lost[1] && !run.outcome.lost[2]);
	CHECK(!run.outcome.broke_only);
	finish(true);
	clean();
	free(script);
	free(once);
}

/* One refusal is no loss: hosts refuse some logins when many come at once. */
static void
a_new_login_that_is_refused_is_tried_once_more(void)
{
	prepare(3, 2);
	with_rsh(text("#!/bin/sh\necho x >>%s/logins.$1\n"
		      "[ $(wc -l <%s/logins.$1) != 2 ] || exit 255\n"
		      "shift\nexec sh -c \"$*\"\n",
	    run.work, run.work));
	REQUIRE(begin() == 0);
	lose(1, SIGKILL);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_CONTENT("logins.host1", "x\nx\nx\n");
	CHECK(run.outcome.lost[1]);
	CHECK(run.outcome.broke_only);
	finish(true);
	clean();
}

/*
 * The agent of host1 is killed `times` times: each time when it has opened its
 * node, but not earlier than `after_s` seconds after its login began.  The
 * login to host2 goes on until the launcher has reaped each killed agent.
 */
static int
begin_and_lose(unsigned times, double after_s, double timeout_s)
{
	prepare(3, 2);
	run.config.timeout_s = timeout_s;
	with_rsh(text("#!/bin/sh\nhost=$1\nshift\n"
		      "[ $host = host2 ] || rm -f %s/node.1/lock\n"
		      "[ $host = host2 ] || echo $$ >%s/login\n"
		      "echo x >>%s/logins.$host\nn=$(wc -l <%s/logins.host1)\n"
		      "[ $host = host2 ] || [ $n -gt %u ] || ( (\n"
		      "sleep %g\n"
		      "until [ -e %s/node.1/lock ]; do sleep 0.1; done\n"
		      "until kill -KILL $(cat /proc/$$/task/$$/children)\n"
		      "do [ -e /proc/$$ ] || exit; sleep 0.1; done\n"
		      ") >/dev/null 2>&1 </dev/null & )\n"
		      "[ $host = host1 ] ||\n"
		      "until [ $(wc -l <%s/logins.host1) -ge %u ] &&\n"
		      "[ ! -e /proc/$(cat %s/login) ]; do sleep 0.1; done\n"
		      "exec sh -c \"$*\"\n",
	    run.dir, run.work, run.work, run.work, times, after_s, run.dir,
	    run.work, times, run.work));
	write_file(text("%s/logins.host1", run.work), "", 0600);
	return begin();
}

/*
 * Does the same, and tries again where this machine is so slow that the login
 * to host2 has taken too long before the launcher gave up host1.
 */
static int
lose_while_opening(unsigned times, double after_s, double timeout_s)
{
	int rc = begin_and_lose(times, after_s, timeout_s);

	for (int k = 0;
	     k < 9 && strstr(run.told, "* n1: cannot be reached\n") == NULL &&
	     strstr(run.told, "* n2: cannot be reached\n") != NULL;
	     k++) {
		finish(false);
		clean();
		rc = begin_and_lose(times, after_s, timeout_s);
	}
	return rc;
}

static void
check_started_again(void)
{
	struct stage s;

	CHECK_EQ_STR(run.e.text, "");
	CHECK_EQ_STR(run.told, "");
	CHECK_CONTENT("logins.host1", "x\nx\n");
	for (int r = 0; r < 3; r++)
		CHECK(run.facts[r].ready && run.facts[r].reached);
	stage_init(&s);
	for (int r = 0; r < 3; r++)
		shell(&s, r, "sort", port_none(), port_none(),
		    "[ -d %s/node.%d ]", run.dir, r);
	CHECK_EQ_I64(play(&s), 0);
	finish(false);
	clean();
}

static void
an_agent_killed_before_all_are_ready_is_started_again(void)
{
	REQUIRE(lose_while_opening(1, 0.3, 20) == 0);
	check_started_again();
}

/* The time of a login that succeeded does not count against the next one. */
static void
an_agent_killed_after_the_timeout_is_started_again(void)
{
	REQUIRE(lose_while_opening(1, 2.1, 2) == 0);
	check_started_again();
}

static void
an_agent_that_is_killed_each_time_is_given_up(void)
{
	/* Within 2 s, an end counts as a refusal.  A third login would follow.
	 */
	CHECK_EQ_I64(lose_while_opening(100, 0, 2), -1);
	CHECK_EQ_U64(run.e.kind, HP_LOST);
	CHECK(strstr(run.told, "* n1: cannot be reached\n") != NULL);
	CHECK_CONTENT("logins.host1", "x\nx\n");
	CHECK(!run.facts[1].ready);
	finish(false);
	clean();
}

static void
a_silent_machine_is_lost(void)
{
	double began_s;
	pid_t pid[8];

	prepare(3, 2);
	run.config.timeout_s = 1;
	REQUIRE(begin() == 0);
	ask_pids(pid);
	began_s = clock_now_s();
	lose(2, SIGSTOP);
	CHECK(clock_now_s() - began_s < 1 + 5);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_I64(run.outcome.rank, 2);
	CHECK_EQ_U64(run.outcome.nlost, 1);
	finish(true);
	if (runs_still(pid[2]))
		kill(pid[2], SIGCONT);
	for (int k = 0; k < 100 && exists(run.node[2].dir); k++)
		usleep(100000);
	clean();
}

static void
the_agent_of_this_machine_may_be_lost(void)
{
	prepare(3, 1);
	REQUIRE(begin() == 0);
	lose(0, SIGKILL);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_U64(run.outcome.nlost, 2);
	CHECK(run.outcome.lost[0] && run.outcome.lost[1]);
	CHECK(run.outcome.broke_only);
	CHECK(!runs_still((pid_t)number_in("step.0")));
	finish(true);
	clean();
}

/* Without other machines, a retry would fail in the same way. */
static void
without_hosts_no_node_is_dropped(void)
{
	prepare(2, 0);
	REQUIRE(begin() == 0);
	lose(0, SIGKILL);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_U64(run.outcome.nlost, 0);
	finish(true);
	clean();
}

static void
the_output_of_a_login_is_reported(void)
{
	struct stage s;

	prepare(2, 1);
	with_rsh("#!/bin/sh\necho Welcome >&2\necho 'no news'; printf hp\n"
		 "printf '\\033[2J\\n'; echo Killed >&2\n"
		 "shift\nexec sh -c \"$*\"\n");
	if (begin() == -1)
		test_bad(__FILE__, __LINE__, "%s", run.e.text);
	CHECK_EQ_STR(run.told,
	    "n1: Welcome\n"
	    "n1: the login prints 'no news' on its standard output\n"
	    "n1: the login prints 'hp\\033[2J' on its standard output\n");
	stage_init(&s);
	shell(&s, 1, "x", port_none(), port_file("out"), "echo whole");
	CHECK_EQ_I64(play(&s), 0);
	CHECK_CONTENT("out", "whole\n");
	finish(false);
	clean();
}

/*
 * The login prints more than a pipe holds.  It starts the agent only after the
 * launcher has read that.
 */
static void
a_login_may_print_more_than_a_pipe_holds(void)
{
	prepare(2, 1);
	with_rsh("#!/bin/sh\nyes Welcome | head -n 20000 >&2\n"
		 "shift\nexec sh -c \"$*\"\n");
	CHECK_EQ_I64(begin(), 0);
	CHECK_EQ_STR(run.told, "n1: Welcome\n");
	finish(false);
	clean();
}

/* The host refuses the first login at once.  The next login may succeed. */
static void
a_refused_login_is_tried_once_more(void)
{
	char *script;

	prepare(3, 2);
	script = text("#!/bin/sh\necho x >>%s/tries.$1\n"
		      "[ $1 = host2 ] && echo go away >&2 && exit 255\n"
		      "[ $(wc -l <%s/tries.$1) -gt 1 ] || exit 255\n"
		      "shift\nexec sh -c \"$*\"\n",
	    run.work, run.work);
	with_rsh(script);
	CHECK_EQ_I64(begin(), -1);
	CHECK_EQ_U64(run.e.kind, HP_LOST);
	CHECK_EQ_STR(run.e.text, "");
	CHECK_EQ_STR(run.told, "n2: go away\n* n2: cannot be reached\n");
	CHECK(run.facts[0].ready);
	CHECK(run.facts[1].ready && run.facts[1].reached);
	CHECK(!run.facts[2].ready && !run.facts[2].reached);
	CHECK_CONTENT("tries.host2", "x\nx\n");
	finish(false);
	clean();
	free(script);
}

static void
a_silent_login_is_given_up(void)
{
	double began_s = clock_now_s();

	prepare(2, 1);
	run.config.timeout_s = 1;
	with_rsh("#!/bin/sh\nsleep 3600\n");
	CHECK_EQ_I64(begin(), -1);
	CHECK_EQ_STR(run.told,
	    "* n1: the login starts no agent in 3 s\n"
	    "* n1: cannot be reached\n");
	CHECK(clock_now_s() - began_s < 8);
	finish(false);
	clean();
}

static void
a_missing_login_command_is_reported(void)
{
	prepare(1, 1);
	run.config.rsh = "/nonexistent -x";
	CHECK_EQ_I64(begin(), -1);
	CHECK_EQ_STR(run.told,
	    "n0: /nonexistent: No such file or directory\n"
	    "* n0: cannot be reached\n");
	finish(false);
	clean();
}

static void
all_faults_are_reported(void)
{
	prepare(4, 2);
	run.node[1].dir = text("%s/none/such", run.dir);
	run.node[2].input = text("%s/missing", run.dir);
	CHECK_EQ_I64(begin(), -1);
	CHECK_EQ_U64(run.e.kind, HP_IO);
	CHECK(
	    strstr(run.told, "* n1: mkdir: cannot create directory '") != NULL);
	CHECK(strstr(run.told, "missing: cannot be read\n") != NULL);
	CHECK(run.facts[0].ready && run.facts[3].ready);
	CHECK(!run.facts[1].ready && !run.facts[2].ready);
	CHECK(run.facts[0].processors > 0 && run.facts[0].memory > 0);
	CHECK(run.facts[0].room > 0);
	finish(false);
	clean();
}

static void
without_its_work_directory_a_run_ends(void)
{
	struct stage s;
	pid_t child;

	prepare(2, 1);
	REQUIRE(begin() == 0);
	child = fork();
	if (child == 0) {
		usleep(200000);
		execlp("rm", "rm", "-rf", run.work, (char *)NULL);
		_exit(1);
	}
	stage_init(&s);
	shell(&s, 1, "sort", port_none(), port_none(), "sleep 3600");
	CHECK_EQ_I64(play(&s), -1);
	waitpid(child, NULL, 0);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_GONE);
	CHECK(strstr(run.e.text, "/work: has been removed") != NULL);
	finish(true);
	clean();
}

/* The launcher is stopped for longer than the timeout of its machines. */
static void
a_stopped_launcher_loses_no_node(void)
{
	struct stage s;
	pid_t pid;
	int rc;

	prepare(3, 2);
	run.config.timeout_s = 1;
	REQUIRE(begin() == 0);
	pid = fork();
	if (pid == 0) {
		pid_t parent = getppid();

		usleep(200000);
		kill(parent, SIGSTOP);
		sleep(3);
		kill(parent, SIGCONT);
		_exit(0);
	}
	stage_init(&s);
	for (int r = 0; r < 3; r++)
		shell(&s, r, "sort", port_none(), port_none(), "sleep 4");
	rc = play(&s);
	CHECK_EQ_I64(rc, 0);
	CHECK_EQ_STR(run.e.text, "");
	waitpid(pid, NULL, 0);
	finish(false);
	clean();
}

/* A run in a guard's worker, which reports on a pipe. */
static int told_fd;

static int
run_guarded(struct guard *guard, void *context)
{
	struct stage s;
	int rc;

	(void)context;
	run.config.guard = guard;
	rc = begin();
	stage_init(&s);
	for (int r = 0; r < (int)run.nodes; r++)
		shell(&s, r, "sort", port_none(), port_none(),
		    "echo $$ >%s/step.%d; : >%s/ready.%d; sleep 3600", run.work,
		    r, run.work, r);
	if (rc == 0)
		rc = play(&s);
	dprintf(told_fd, "%d %d %d %s\n", rc, (int)run.outcome.kind,
	    run.outcome.code, run.e.text);
	finish(false);
	return 5;
}

/* Kills the agent of this machine before the end of the run. */
static int
end_without_agent(struct guard *guard, void *context)
{
	(void)context;
	run.config.guard = guard;
	if (begin() == -1)
		return 1;
	kill(run.launcher->machine[0].login.pid, SIGKILL);
	finish(false);
	return 5;
}

static void
an_agent_killed_at_the_end_leaves_nothing(void)
{
	pid_t guard;
	int status;

	prepare(2, 0);
	guard = fork();
	if (guard == 0)
		_exit(guard_run(end_without_agent, NULL));
	waitpid(guard, &status, 0);
	CHECK_EQ_I64(WEXITSTATUS(status), 5);
	clean();
}

/*
 * Starts a run under a guard and waits for its steps.  Then kills the worker or
 * the guard.
 */
static void
kill_guarded(bool worker, int signal, char *told, int *status)
{
	char path[400], children[32] = "";
	ssize_t n;
	pid_t guard;
	int fds[2];
	FILE *f;

	prepare(3, 2);
	if (pipe(fds) == -1)
		exit(1);
	told_fd = fds[1];
	guard = fork();
	if (guard == 0)
		_exit(guard_run(run_guarded, NULL));
	close(fds[1]);
	for (int r = 0; r < 3; r++) {
		snprintf(path, sizeof path, "%s/ready.%d", run.work, r);
		comes(path);
	}
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)guard,
	    (int)guard);
	f = fopen(path, "r");
	if (f == NULL || fgets(children, sizeof children, f) == NULL)
		test_bad(__FILE__, __LINE__, "%s", path);
	if (f != NULL)
		fclose(f);
	kill(worker ? (pid_t)atoi(children) : guard, signal);
	n = read(fds[0], told, 199);
	told[n > 0 ? n : 0] = '\0';
	close(fds[0]);
	waitpid(guard, status, 0);
}

/* Checks that soon no process and no directory of the run is left. */
static void
check_all_gone(int line)
{
	char name[32];

	for (int r = 0; r < 3; r++) {
		for (int k = 0; k < 100 && exists(run.node[r].dir); k++)
			usleep(100000);
		snprintf(name, sizeof name, "step.%d", r);
		for (int k = 0; k < 100 && runs_still((pid_t)number_in(name));
		     k++)
			usleep(100000);
		if (runs_still((pid_t)number_in(name)))
			test_bad(__FILE__, line, "step %d runs", r);
	}
	clean();
}

static void
a_signal_ends_a_run(void)
{
	char told[200];
	int status;

	kill_guarded(false, SIGTERM, told, &status);
	CHECK_EQ_STR(told, "-1 4 15 interrupted\n");
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	check_all_gone(__LINE__);
}

static void
a_killed_launcher_leaves_nothing(void)
{
	char told[200];
	int status;

	kill_guarded(true, SIGKILL, told, &status);
	CHECK_EQ_STR(told, "");
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL);
	check_all_gone(__LINE__);
}

static void
a_killed_guard_leaves_nothing(void)
{
	char told[200];
	int status;

	kill_guarded(false, SIGKILL, told, &status);
	CHECK_EQ_STR(told, "-1 4 15 interrupted\n");
	check_all_gone(__LINE__);
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
	RUN(a_machine_that_dies_is_lost);
	RUN(a_machine_that_stays_away_is_lost);
	RUN(a_new_login_that_is_refused_is_tried_once_more);
	RUN(an_agent_killed_before_all_are_ready_is_started_again);
	RUN(an_agent_killed_after_the_timeout_is_started_again);
	RUN(an_agent_that_is_killed_each_time_is_given_up);
	RUN(a_silent_machine_is_lost);
	RUN(the_agent_of_this_machine_may_be_lost);
	RUN(without_hosts_no_node_is_dropped);
	RUN(the_output_of_a_login_is_reported);
	RUN(a_login_may_print_more_than_a_pipe_holds);
	RUN(a_refused_login_is_tried_once_more);
	RUN(a_silent_login_is_given_up);
	RUN(a_missing_login_command_is_reported);
	RUN(all_faults_are_reported);
	RUN(without_its_work_directory_a_run_ends);
	RUN(a_stopped_launcher_loses_no_node);
	RUN(a_signal_ends_a_run);
	RUN(an_agent_killed_at_the_end_leaves_nothing);
	RUN(a_killed_launcher_leaves_nothing);
	RUN(a_killed_guard_leaves_nothing);
	remove_rig();
	return test_done();
}
