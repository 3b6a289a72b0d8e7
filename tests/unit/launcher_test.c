/*
 * The launcher with real agents: of this machine, and of hosts that a script
 * plays.  The program is its own agent, as hprun is.
 */

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "job/agent.h"
#include "job/guard.h"
#include "job/launcher.h"
#include "test.h"

#define MOST 1024
#define TEXT ((size_t)1 << 16)

static char top[128], bin[256], rsh[512], self[512];

/* A run: nodes, and what its launcher told. */
static struct {
	char dir[256], work[300];
	size_t nodes;
	struct job_node node[MOST];
	struct node_facts facts[MOST];
	struct job_config config;
	struct launcher *launcher;
	struct outcome outcome;
	struct hp_err e;
	char told[TEXT];
	unsigned steps;
} run;

static unsigned runs;

static char *
text(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) == -1)
		exit(1);
	va_end(ap);
	return s;
}

static void
tell(const char *name, const char *line)
{
	size_t n = strlen(run.told);

	snprintf(run.told + n, sizeof run.told - n, "%s%s\n", name, line);
}

static void
say(void *context, int rank, const char *line)
{
	char name[64];

	(void)context;
	snprintf(name, sizeof name,
	    "%s: ", rank == STEP_LAUNCHER ? "launcher" : run.node[rank].name);
	tell(name, line);
}

static void
note(void *context, const char *line)
{
	(void)context;
	tell("* ", line);
}

static void
count_step(void *context, const struct step *step)
{
	(void)context;
	(void)step;
	run.steps++;
}

static void
write_file(const char *path, const char *content, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	if (fd == -1 ||
	    write(fd, content, strlen(content)) != (ssize_t)strlen(content))
		perror(path);
	fchmod(fd, mode);
	close(fd);
}

/* The content of a file of the work directory; to be freed. */
static char *
content(const char *file)
{
	char *path = text("%s/%s", run.work, file);
	char *s = calloc(1, TEXT);
	FILE *f = fopen(path, "r");

	if (f == NULL || fread(s, 1, TEXT - 1, f) == 0)
		snprintf(s, TEXT, "%s", f == NULL ? "(no file)" : "");
	if (f != NULL)
		fclose(f);
	free(path);
	return s;
}

static void
check_content(int line, const char *file, const char *want)
{
	char *got = content(file);

	test_eq_str(__FILE__, line, file, got, want);
	free(got);
}
#define CHECK_CONTENT(file, want) check_content(__LINE__, file, want)

/* hosts: that many nodes, each on a host of its own; others are here. */
static void
prepare(size_t nodes, size_t hosts)
{
	memset(&run, 0, sizeof run);
	snprintf(run.dir, sizeof run.dir, "%s/run.%u", top, runs++);
	snprintf(run.work, sizeof run.work, "%s/work", run.dir);
	if (mkdir(run.dir, 0700) == -1 || mkdir(run.work, 0700) == -1)
		perror(run.dir);
	run.nodes = nodes;
	for (size_t i = 0; i < nodes; i++) {
		run.node[i].name = text("n%zu", i);
		run.node[i].dir = text("%s/node.%zu", run.dir, i);
		if (i >= nodes - hosts)
			run.node[i].host = text("host%zu", i);
	}
	run.config = (struct job_config){ .node = run.node,
		.nodes = nodes,
		.home = bin,
		.work = run.work,
		.rsh = rsh,
		.timeout_s = 5,
		.say = say,
		.note = note,
		.step = count_step };
}

static int
begin(void)
{
	return launcher_open(&run.launcher, &run.config, run.facts, &run.e);
}

static int
play(struct stage *s)
{
	int rc = launcher_stage(run.launcher, s, &run.outcome, &run.e);

	stage_fini(s);
	return rc;
}

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void
finish(bool drop)
{
	launcher_close(run.launcher, drop);
	run.launcher = NULL;
}

/* Nothing is left of the nodes; then the rest goes as well. */
static void
clean(void)
{
	char *command = text("rm -rf '%s'", run.dir);

	for (size_t i = 0; i < run.nodes; i++)
		if (exists(run.node[i].dir))
			test_bad(
			    __FILE__, __LINE__, "%s is left", run.node[i].dir);
	if (system(command) != 0)
		test_bad(__FILE__, __LINE__, "%s", command);
	free(command);
}

/* A step that runs a line of the shell. */
static struct step *
shell(struct stage *s, int rank, const char *name, struct port in,
    struct port out, const char *fmt, ...)
{
	struct step *step = stage_step(s, rank, name);
	struct words w = words_of(s);
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	words_add(&w, "sh");
	words_add(&w, "-c");
	words_add(&w, line);
	stage_run(s, step, in, out, &w);
	return step;
}

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

/* Bytes that differ from place to place. */
static void
fill(const char *file, size_t bytes)
{
	char *path = text("%s/%s", run.work, file);
	FILE *f = fopen(path, "w");

	for (size_t i = 0; f != NULL && i < bytes; i += 8)
		fprintf(f, "%07zu\n", i / 8);
	if (f == NULL || fclose(f) != 0)
		perror(path);
	free(path);
}

static void
check_same(int line, const char *a, const char *b)
{
	char *command = text("cd '%s' && cmp %s %s", run.work, a, b);

	if (system(command) != 0)
		test_bad(__FILE__, line, "%s and %s differ", a, b);
	free(command);
}

/* Parts of a file go to nodes, and come back to their places. */
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

/* Why hpsort fails is for the user; the others are ended at once. */
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
		    r == 2 ? "echo no space >&2; exit 2" : "exec sleep 60");
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

/* The step that is killed is started again, alone. */
static void
a_killed_step_goes_on(void)
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
	    "* n1: exchange: killed by signal 9; goes on\n"
	    "* n1: exchange: killed by signal 9; goes on\n"
	    "* n1: exchange: killed by signal 9; goes on\n");
	CHECK_CONTENT("out.0", "1\n");
	CHECK_CONTENT("out.1", "4\n");
	CHECK_CONTENT("out.2", "1\n");
	finish(false);
	clean();
}

/* With hosts, a stage is tried twice more, without the steps that are done. */
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
	    "* n1: sort: failed; once more\n"
	    "* n1: sort: failed; once more\n");
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
steps_that_need_each_other_are_tried_together(void)
{
	struct stage s;

	prepare(2, 2);
	REQUIRE(begin() == 0);
	stage_init(&s);
	s.together = true;
	for (int r = 0; r < 2; r++)
		shell(&s, r, "exchange", port_none(),
		    port_file(stage_text(&s, "out.%d", r)),
		    "echo x >>tries; wc -l <tries; "
		    "[ %d = 0 ] || { sleep 0.3; [ -e once ] ||"
		    " { : >once; exit 3; }; }",
		    r);
	CHECK_EQ_I64(play(&s), 0);
	CHECK_EQ_STR(run.told, "* n1: exchange: failed; once more\n");
	CHECK_CONTENT("out.0", "2\n");
	CHECK_CONTENT("out.1", "2\n");
	finish(false);
	clean();
}

static void
what_cannot_be_had_twice_is_not_tried_again(void)
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

static long
number_in(const char *file)
{
	char *s = content(file);
	long n = atol(s);

	free(s);
	return n;
}

/* The agents' processes, as their steps know them. */
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

/* What ends an agent while its step, and those of others, run. */
static void
lose(size_t hosts, int victim, int signal)
{
	pid_t pid[8], child;
	struct stage s;

	ask_pids(pid);
	(void)hosts;
	child = fork();
	if (child == 0) {
		usleep(300000);
		kill(pid[victim], signal);
		_exit(0);
	}
	stage_init(&s);
	for (int r = 0; r < (int)run.nodes; r++)
		shell(&s, r, "sort", port_none(), port_none(),
		    "echo $$ >%s/step.%d; sleep 60", run.work, r);
	CHECK_EQ_I64(play(&s), -1);
	waitpid(child, NULL, 0);
}

static bool
runs_still(pid_t pid)
{
	return pid > 0 && kill(pid, 0) == 0;
}

static void
a_machine_that_dies_is_lost(void)
{
	double began_s = clock_now_s();

	prepare(4, 3);
	REQUIRE(begin() == 0);
	lose(3, 2, SIGKILL);
	CHECK(clock_now_s() - began_s < 8);
	CHECK_EQ_STR(run.e.text, "n2: lost");
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_I64(run.outcome.rank, 2);
	CHECK_EQ_U64(run.outcome.nlost, 1);
	CHECK(run.outcome.lost[2]);
	/* The script logs in again at once. */
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
	lose(2, 1, SIGKILL);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK(run.outcome.lost[1] && !run.outcome.lost[2]);
	CHECK(!run.outcome.broke_only);
	finish(true);
	clean();
	free(script);
	free(once);
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
	lose(2, 2, SIGSTOP);
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
	lose(1, 0, SIGKILL);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_U64(run.outcome.nlost, 2);
	CHECK(run.outcome.lost[0] && run.outcome.lost[1]);
	CHECK(run.outcome.broke_only);
	CHECK(!runs_still((pid_t)number_in("step.0")));
	finish(true);
	clean();
}

/* Here it would be the same again. */
static void
without_hosts_nobody_is_done_without(void)
{
	prepare(2, 0);
	REQUIRE(begin() == 0);
	lose(0, 0, SIGKILL);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_U64(run.outcome.nlost, 0);
	finish(true);
	clean();
}

static void
with_rsh(const char *script)
{
	char *path = text("%s/other", run.dir);

	write_file(path, script, 0700);
	run.config.rsh = path;
}

static void
what_a_login_prints_is_told(void)
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
	    "n1: the login prints 'hp\\x1b[2J' on its standard output\n");
	stage_init(&s);
	shell(&s, 1, "x", port_none(), port_file("out"), "echo whole");
	CHECK_EQ_I64(play(&s), 0);
	CHECK_CONTENT("out", "whole\n");
	finish(false);
	clean();
}

/* Refusals come at once, and may be over at the next try. */
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
	with_rsh("#!/bin/sh\nsleep 60\n");
	CHECK_EQ_I64(begin(), -1);
	CHECK_EQ_STR(run.told, "* n1: cannot be reached\n");
	CHECK(clock_now_s() - began_s < 8);
	finish(false);
	clean();
}

static void
a_command_that_is_not_there_cannot_be_run(void)
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
all_faults_are_told(void)
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

/* A run that ended in its second stage; what it had done is not repeated. */
static void
a_resumed_run_repeats_no_step(void)
{
	struct step *step;
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
		stage_init(&s);
		for (int r = 0; r < 3; r++) {
			step = shell(&s, r, "sort", port_none(), port_none(),
			    "echo x >>sorted");
			stage_size(&s, step, "sorted");
		}
		CHECK_EQ_I64(
		    launcher_stage(run.launcher, &s, &run.outcome, &run.e), 0);
		CHECK_EQ_U64(s.step[2]->action[1].size, 2);
		CHECK(s.step[2]->start_s > 0);
		stage_fini(&s);
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
	shell(&s, 1, "sort", port_none(), port_none(), "sleep 60");
	CHECK_EQ_I64(play(&s), -1);
	waitpid(child, NULL, 0);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_GONE);
	CHECK(strstr(run.e.text, "/work: has been removed") != NULL);
	finish(true);
	clean();
}

/* Takes the place of standard output while a function runs. */
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

/* The reader is slow: longer than a machine may be silent. */
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
	finish(false);
	restore(saved, pid);
	CHECK_EQ_I64(rc, 0);
	CHECK_EQ_STR(run.e.text, "");
	check_same(__LINE__, "in", "out");
	clean();
	free(command);
}

static void
a_reader_that_goes_ends_the_run(void)
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
what_cannot_be_written_fails_its_step(void)
{
	struct stage s;

	prepare(2, 2);
	REQUIRE(begin() == 0);
	stage_init(&s);
	shell(&s, 0, "sort", port_none(), port_file("/dev/full"),
	    "echo x; sleep 60");
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

/* The launcher stands still for longer than its machines may be silent. */
static void
a_frozen_launcher_blames_nobody(void)
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

static void
make_rig(void)
{
	const char *tmp = getenv("TMPDIR");
	static const char *const programs[] = { "hpsplit", "hpsort", "hpmerge",
		"hpcheck" };
	char *path, *script;
	ssize_t n;

	n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = '\0';
	snprintf(top, sizeof top, "%s/launcher_test.XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(top) == NULL) {
		perror(top);
		exit(1);
	}
	snprintf(bin, sizeof bin, "%s/bin's", top);
	mkdir(bin, 0700);
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		path = text("%s/%s", bin, programs[i]);
		write_file(path, "#!/bin/sh\n", 0700);
		free(path);
	}
	path = text("%s/hpexchange", bin);
	write_file(path,
	    "#!/bin/sh\necho 'hpexchange (hptools) " HP_VERSION "'\n", 0700);
	free(path);
	path = text("%s/hprun", bin);
	script = text("#!/bin/sh\nexec '%s' \"$@\"\n", self);
	write_file(path, script, 0700);
	free(path);
	free(script);
	snprintf(rsh, sizeof rsh, "%s/rsh", top);
	write_file(rsh, "#!/bin/sh\nshift\nexec sh -c \"$*\"\n", 0700);
}

static int
serve(struct guard *guard, void *context)
{
	struct agent_config config = { .in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.stdin_fd = -1,
		.stdout_fd = -1,
		.guard = guard };
	struct hp_err e = { 0 };

	(void)context;
	return agent_serve(&config, &e) == 0 ? 0 : 2;
}

int
main(int argc, char *argv[])
{
	char *command;

	if (argc > 1 && strcmp(argv[1], "--agent") == 0)
		return guard_run(serve, NULL);
	make_rig();
	/* As the worker of a guard is. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	RUN(documents_go_in_and_out_here);
	RUN(documents_go_in_and_out_of_hosts);
	RUN(parts_come_to_their_places_here);
	RUN(parts_come_to_their_places_on_hosts);
	RUN(a_step_may_answer_no);
	RUN(a_launchers_step_works_in_its_directory);
	RUN(a_step_that_fails_here_ends_its_stage);
	RUN(a_step_that_fails_on_a_host_ends_its_stage);
	RUN(a_killed_step_goes_on);
	RUN(a_stage_is_tried_again);
	RUN(steps_that_need_each_other_are_tried_together);
	RUN(what_cannot_be_had_twice_is_not_tried_again);
	RUN(a_machine_that_dies_is_lost);
	RUN(a_machine_that_stays_away_is_lost);
	RUN(a_silent_machine_is_lost);
	RUN(the_agent_of_this_machine_may_be_lost);
	RUN(without_hosts_nobody_is_done_without);
	RUN(what_a_login_prints_is_told);
	RUN(a_refused_login_is_tried_once_more);
	RUN(a_silent_login_is_given_up);
	RUN(a_command_that_is_not_there_cannot_be_run);
	RUN(all_faults_are_told);
	RUN(a_resumed_run_repeats_no_step);
	RUN(another_runs_journal_is_refused);
	RUN(without_its_work_directory_a_run_ends);
	RUN(a_result_of_a_host_goes_to_standard_output);
	RUN(a_reader_that_goes_ends_the_run);
	RUN(what_cannot_be_written_fails_its_step);
	RUN(a_frozen_launcher_blames_nobody);
	command = text("rm -rf \"%s\"", top);
	if (system(command) != 0)
		test.failed++;
	free(command);
	return test_done();
}
