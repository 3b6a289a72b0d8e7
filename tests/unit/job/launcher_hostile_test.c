/*
 * A launcher and a hostile agent. Only the hostile agent's machine is lost, and
 * at once. Its text reaches the terminal only escaped, and its data go only to
 * the files that were asked for.
 */

#include <netinet/in.h>
#include <poll.h>

#include "job/wire.h"
#include "launcher_rig.h"

/* The hostile agent.  The last argument of its command says what it does. */
struct foe {
	struct wire wire;
	const char *deed;
	bool beats; /* like an agent that was told the timeout */
	struct hp_err e;
};

static void
foe_sends(struct foe *f, const struct message *m)
{
	if (wire_send(&f->wire, m, &f->e) == -1)
		exit(9);
}

static bool
is(const struct foe *f, const char *deed)
{
	return strcmp(f->deed, deed) == 0;
}

static void
foe_hello(struct foe *f)
{
	char version[] = HP_VERSION, other[] = "9\033[2J";
	char by_ssh[] = "127.0.0.1", none[] = "";
	struct message hello = { .type = MESSAGE_HELLO,
		.version = is(f, "version") ? other : version,
		.address = strncmp(f->deed, "port", 4) == 0 ? by_ssh : none,
		.processors = 1,
		.memory = 1 };
	struct message stopped = { .type = MESSAGE_STOPPED };
	struct message listening = {
		.type = MESSAGE_LISTENING, .address = by_ssh, .port = 22
	};

	f->beats = is(f, "port-never");
	if (is(f, "early"))
		foe_sends(f, &stopped);
	if (is(f, "unasked"))
		foe_sends(f, &listening);
	foe_sends(f, &hello);
	if (is(f, "unasked-late"))
		foe_sends(f, &listening);
	if (is(f, "twice"))
		foe_sends(f, &hello);
	if (is(f, "data"))
		wire_data(&f->wire, 1, "x", 1, &f->e);
}

/* Listens on a port, but never accepts a connection. */
static uint16_t
silent_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof at;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (bind(fd, (struct sockaddr *)&at, sizeof at) == -1 ||
	    listen(fd, 1) == -1 ||
	    getsockname(fd, (struct sockaddr *)&at, &len) == -1)
		exit(9);
	return ntohs(at.sin_port);
}

/* Answers with a port that the launcher cannot use. */
static void
foe_listens(struct foe *f)
{
	char address[] = "127.0.0.1", name[] = "localhost; touch pwned";
	struct message listening = { .type = MESSAGE_LISTENING,
		.address = is(f, "port-name") ? name : address,
		.port = 1 };

	if (is(f, "port-never"))
		return;
	if (is(f, "port-silent"))
		listening.port = silent_port();
	if (is(f, "port-none"))
		listening.port = 0;
	foe_sends(f, &listening);
	if (is(f, "port-twice"))
		foe_sends(f, &listening);
}

static void
foe_opens(struct foe *f, const struct message *open)
{
	char line[] = "no\033[2Jgood\nn0: fine";
	struct message opened = { .type = MESSAGE_OPENED, .room = 1 };
	struct message fault = { .type = MESSAGE_FAULT, .text = line };

	f->beats = strncmp(f->deed, "port", 4) == 0 || is(f, "dawdles");
	if (is(f, "dawdles"))
		return;
	opened.rank = fault.rank = open->node[0].rank;
	if (is(f, "neighbour"))
		opened.rank = 0;
	if (is(f, "nobody"))
		opened.rank = 999999;
	for (int i = 0; is(f, "many-faults") && i < 20000; i++)
		foe_sends(f, &fault);
	if (is(f, "faults")) {
		foe_sends(f, &fault);
		fault.last = true;
		foe_sends(f, &fault);
		return;
	}
	foe_sends(f, &opened);
	if (is(f, "reopened"))
		foe_sends(f, &opened);
}

/* Sends what the launcher does not expect before the end of a step. */
static void
foe_interrupts(struct foe *f, const struct message *start)
{
	struct message stopped = { .type = MESSAGE_STOPPED };
	uint32_t stream = (uint32_t)start->action[0].out_stream;
	struct message credit = { .type = MESSAGE_CREDIT,
		.stream = is(f, "credit-input")
		    ? start->action[0].in_stream
		    : stream + (is(f, "credit-nobody") ? 7 : 0),
		.bytes = is(f, "credit-nothing") ? 0 : 70000 };

	if (is(f, "stopped"))
		foe_sends(f, &stopped);
	else if (is(f, "others-data"))
		wire_data(&f->wire, stream - 1, "evil", 4, &f->e);
	else if (is(f, "no-stream"))
		wire_data(&f->wire, stream + 7, "evil", 4, &f->e);
	else if (strncmp(f->deed, "credit", 6) == 0)
		foe_sends(f, &credit);
	else if (is(f, "more"))
		wire_data(&f->wire, stream, "evil!", 5, &f->e);
	else if (is(f, "much"))
		wire_data(&f->wire, stream, "evil!!", 6, &f->e);
	else if (is(f, "pieces")) {
		wire_data(&f->wire, stream, "evi", 3, &f->e);
		wire_data(&f->wire, stream, "l!!", 3, &f->e);
	} else if (is(f, "less"))
		wire_data(&f->wire, stream, "hey", 3, &f->e);
	else if (is(f, "again"))
		wire_data(&f->wire, stream, "heyo", 4, &f->e);
}

static void
foe_steps(struct foe *f, const struct message *start)
{
	char line[] = "\033]0;title\007";
	struct message said = {
		.type = MESSAGE_SAID, .id = start->id, .text = line
	};
	struct message ended = { .type = MESSAGE_ENDED,
		.id = start->id,
		.failed = start->nactions };
	uint32_t stream = (uint32_t)start->action[0].out_stream;
	uint64_t size[2] = { 1, 2 };

	if (is(f, "holds")) {
		f->beats = true;
		return;
	}
	if (is(f, "others-end"))
		ended.id = start->id - 1;
	else if (is(f, "later-end"))
		ended.id = start->id + 1;
	else if (is(f, "others-line"))
		said.id = start->id - 1;
	else if (is(f, "sizes"))
		ended.size = size, ended.nsizes = 2;
	else if (is(f, "actions"))
		ended.failed = 9;
	foe_interrupts(f, start);
	foe_sends(f, &said);
	if (!is(f, "open-end") && !is(f, "more"))
		wire_data(&f->wire, stream, NULL, 0, &f->e);
	if (is(f, "again"))
		wire_data(&f->wire, stream, "x", 1, &f->e);
	for (int i = 0; is(f, "flood") && i < 20000; i++)
		foe_sends(f, &said);
	foe_sends(f, &ended);
	if (is(f, "ended-twice"))
		foe_sends(f, &ended);
	if (is(f, "garbage") && write(STDOUT_FILENO, line, 7) == 7)
		exit(0);
}

/* Creates a file in the directory of the run. */
static void
foe_notes(const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", getenv("FOE_DIR"), name);
	close(open(path, O_WRONLY | O_CREAT, 0600));
}

/* Ends late, or beats until it is bored. */
static void
foe_ends(struct foe *f)
{
	struct message beat = { .type = MESSAGE_BEAT };
	int beats = is(f, "stays") ? 300 : is(f, "slow") ? 50 : 0;

	foe_notes("ending");
	if (is(f, "tidies")) {
		sleep(3);
		foe_notes("tidy");
	}
	if (is(f, "sleeps"))
		sleep(30);
	for (int i = 0; i < beats; i++) {
		foe_sends(f, &beat);
		if (wire_flush(&f->wire, &f->e) == -1)
			return;
		usleep(100000);
	}
	foe_notes("bored");
}

static int
be_hostile(const char *deed)
{
	struct foe f = { .deed = deed };
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct message beat = { .type = MESSAGE_BEAT };
	struct wire_event event;

	if (is(&f, "prints"))
		for (int i = 0; i < 100000; i++)
			if (write(STDOUT_FILENO, "boo\n", 4) == -1)
				return 1;
	if (is(&f, "endless"))
		for (;;)
			if (write(STDOUT_FILENO, "xxxxxxxxxxxxxxxx", 16) == -1)
				return 1;
	if (is(&f, "future") &&
	    write(STDOUT_FILENO, "hpstream\7\0\0\0\0\0\0\0", 16) == -1)
		return 1;
	wire_init(
	    &f.wire, WIRE_AGENT, STDIN_FILENO, STDOUT_FILENO, "launcher", &f.e);
	foe_hello(&f);
	for (;;) {
		wire_flush(&f.wire, &f.e);
		if (poll(&in, 1,
			wire_queued(&f.wire) > 0 ? 1
			    : f.beats		 ? 100
						 : -1) == 0 &&
		    f.beats)
			foe_sends(&f, &beat);
		if (wire_read(&f.wire, &f.e) == -1)
			return 0;
		while (wire_next(&f.wire, &event, &f.e) == 1) {
			if (event.kind != WIRE_MESSAGE)
				continue;
			if (event.message.type == MESSAGE_LISTEN)
				foe_listens(&f);
			else if (event.message.type == MESSAGE_OPEN)
				foe_opens(&f, &event.message);
			else if (event.message.type == MESSAGE_START)
				foe_steps(&f, &event.message);
			else if (event.message.type == MESSAGE_END) {
				foe_ends(&f);
				return 0;
			}
			message_fini(&event.message);
		}
	}
}

static uint64_t document_most; /* of the next run; 0: no limit */

static void
hire(const char *deed)
{
	char *script = text("#!/bin/sh\n"
			    "[ $1 != host1 ] || exec '%s' --hostile %s\n"
			    "shift\nexec sh -c \"$*\"\n",
	    self, deed);

	prepare(3, 2);
	run.config.direct = true;
	run.config.document_most = document_most;
	setenv("FOE_DIR", run.dir, 1);
	with_rsh(script);
	free(script);
}

/* Checks the launcher against an agent that misbehaves before it is ready. */
static void
opens_badly(const char *deed, const char *told)
{
	hire(deed);
	if (begin() != -1)
		test_bad(__FILE__, __LINE__, "%s: begins", deed);
	if (strcmp(run.told, told) != 0)
		test_bad(
		    __FILE__, __LINE__, "%s: it is told: %s", deed, run.told);
	CHECK(run.facts[0].ready && run.facts[2].ready);
	finish(false);
	clean();
}

#define NOT_ASKED "* n1: sent something that was not asked for\n"
#define NOT_REACHED "* n1: cannot be reached\n"

static void
what_comes_before_a_run_is_checked(void)
{
	opens_badly("early", NOT_ASKED NOT_REACHED);
	opens_badly("twice", NOT_ASKED NOT_REACHED);
	opens_badly("unasked", NOT_ASKED NOT_REACHED);
	opens_badly("unasked-late", NOT_ASKED NOT_REACHED);
	opens_badly("port-twice", NOT_ASKED NOT_REACHED);
	opens_badly("data", NOT_ASKED NOT_REACHED);
	opens_badly("neighbour", NOT_ASKED NOT_REACHED);
	opens_badly("nobody", NOT_ASKED NOT_REACHED);
	opens_badly("version",
	    "* n1: hptools: hprun (hptools) 9\\033[2J, not " HP_VERSION "\n");
	opens_badly("faults",
	    "* n1: no\\033[2Jgood\\012n0: fine\n"
	    "* n1: no\\033[2Jgood\\012n0: fine\n");
}

/* The messages about one node are limited. */
static void
faults_do_not_go_on_for_ever(void)
{
	hire("many-faults");
	CHECK_EQ_I64(begin(), -1);
	CHECK(strstr(run.told, "* n1: no") != NULL);
	CHECK(strstr(run.told, NOT_ASKED) != NULL);
	finish(false);
	clean();
}

/* Runs a step of an agent whose port the launcher cannot use. */
static void
goes_on_by_login(const char *deed, double timeout_s, const char *told)
{
	struct stage s;

	hire(deed);
	run.config.timeout_s = timeout_s;
	if (begin() == -1) {
		test_bad(__FILE__, __LINE__, "%s: %s", deed, run.told);
		return;
	}
	CHECK_EQ_STR(run.told, told);
	stage_init(&s);
	s.once = true;
	shell(&s, 2, "gather", port_none(), port_file("n2"), "echo good");
	stage_get(&s, stage_step(&s, 1, "gather"), "part", 0, ACTION_TO_END,
	    port_file("n1"), 0);
	CHECK_EQ_I64(play(&s), 0);
	CHECK_CONTENT("n2", "good\n");
	finish(false);
	clean();
}

static void
the_login_remains_without_a_port(void)
{
#define NOT_BY_PORT \
	"* n1: its port cannot be reached, so data pass through the login\n"
	goes_on_by_login("port-none", 5, "");
	goes_on_by_login("port-name", 5, "");
	goes_on_by_login("port-closed", 5, NOT_BY_PORT);
	goes_on_by_login("port-silent", 5, NOT_BY_PORT);
	/* An agent is not told the timeout before `open`: it sends no beat. */
	goes_on_by_login("port-silent", 2, NOT_BY_PORT);
	goes_on_by_login("port-never", 1,
	    "* n1: its agent does not listen, so data pass through the "
	    "login\n");
}

static void
an_agent_does_not_open_its_directories_for_ever(void)
{
	hire("dawdles");
	run.config.timeout_s = 0.5;
	CHECK_EQ_I64(begin(), -1);
	CHECK_EQ_STR(
	    run.told, "* n1: does not open its directories\n" NOT_REACHED);
	CHECK(run.facts[0].ready && run.facts[2].ready);
	finish(false);
	clean();
}

static void
a_login_may_not_print_for_ever(void)
{
	opens_badly("prints",
	    "n1: the login prints 'boo' on its standard output\n"
	    "* n1: prints too much before the agent's head\n" NOT_REACHED);
	hire("endless");
	CHECK_EQ_I64(begin(), -1);
	CHECK(strstr(run.told, "prints too much") != NULL);
	finish(false);
	clean();
}

static int
drop_of_foe(void *context, struct stage *s, size_t index, struct hp_err *e)
{
	(void)context;
	(void)e;
	if (index == 0)
		stage_drop(s, 1);
	return 0;
}

/* A stage that can do without a step does not wait for its agent for ever. */
static void
a_cancelled_step_ends_in_time(void)
{
	struct stage s;

	hire("holds");
	run.config.timeout_s = 0.5;
	REQUIRE(begin() == 0);
	stage_init(&s);
	s.grow = drop_of_foe;
	shell(&s, 0, "first", port_none(), port_none(), "exit 0");
	shell(&s, 1, "sort", port_none(), port_file("n1"), "cat");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_I64(run.outcome.rank, 1);
	CHECK_EQ_STR(
	    run.told, "* n1: does not end a step that was cancelled\n");
	finish(false);
	clean();
}

/* The agent gives credit for more bytes of its input than it was sent. */
static void
credit_is_checked(void)
{
	struct stage s;

	hire("credit-input");
	REQUIRE(begin() == 0);
	fill("in", 80000);
	stage_init(&s);
	s.once = true;
	shell(&s, 1, "sort", port_part("in", 8, 60000), port_file("n1"), "cat");
	CHECK_EQ_I64(play(&s), -1);
	CHECK_EQ_U64(run.outcome.kind, OUTCOME_LOST);
	CHECK_EQ_STR(run.told, "* n1: gave credit for more than was sent\n");
	finish(false);
	clean();
}

/* What the agent of node 1 should send. */
enum wanted {
	WANT_DOCUMENT,
	WANT_PART,  /* of a larger file */
	WANT_OUTPUT /* of a command of the user */
};

static void
want(struct stage *s, enum wanted wanted, uint64_t bytes)
{
	struct step *step;

	if (wanted == WANT_PART) {
		fill("n1", 8);
		shell(s, 1, "gather", port_none(), port_part("n1", 0, bytes),
		    "exit 0");
		return;
	}
	step = stage_step(s, 1, "gather");
	step->foreign = wanted == WANT_OUTPUT;
	stage_get(s, step, "part", 0, bytes, port_file("n1"), 0);
}

/*
 * Checks the launcher against an agent that should send data, beside honest
 * agents.
 */
static void
sends(const char *deed, enum wanted wanted, const char *told, uint64_t bytes,
    bool is_lost)
{
	struct stage s;
	char *good;
	int rc;

	hire(deed);
	if (begin() == -1) {
		test_bad(__FILE__, __LINE__, "%s: %s", deed, run.told);
		return;
	}
	stage_init(&s);
	s.once = true;
	shell(&s, 0, "gather", port_none(), port_none(), "exit 0");
	shell(&s, 2, "gather", port_none(), port_file("n2"),
	    is_lost ? "echo good; sleep 3600" : "echo good");
	want(&s, wanted, bytes);
	rc = play(&s);
	if (is_lost) {
		if (rc == 0 || run.outcome.kind != OUTCOME_LOST ||
		    run.outcome.rank != 1)
			test_bad(
			    __FILE__, __LINE__, "%s: %s", deed, run.e.text);
	} else {
		CHECK_EQ_I64(rc, 0);
	}
	if (strstr(run.told, told) == NULL || strchr(run.told, '\033') != NULL)
		test_bad(__FILE__, __LINE__, "%s: it is told: %.300s", deed,
		    run.told);
	good = content("n2");
	if (strstr(good, "evil") != NULL)
		test_bad(__FILE__, __LINE__, "%s: %s", deed, good);
	free(good);
	finish(false);
	clean();
}

static void
sends_badly(const char *deed, const char *told, uint64_t bytes, bool is_lost)
{
	sends(deed, WANT_DOCUMENT, told, bytes, is_lost);
}

static void
what_comes_of_steps_is_checked(void)
{
	sends_badly("honest", "n1: \\033]0;title\\007\n", ACTION_TO_END, false);
	sends_badly("flood", "n1: \\033]0;title\\007\n", ACTION_TO_END, false);
	sends_badly("others-end", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("later-end", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("others-line", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("stopped", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("others-data", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("no-stream", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("credit-nobody", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("credit-output",
	    "* n1: gave credit for more than was sent\n", ACTION_TO_END, true);
	sends_badly("credit-nothing",
	    "* n1: gave credit for more than was sent\n", ACTION_TO_END, true);
	sends_badly(
	    "more", "* n1: sent data that was not asked for\n", 4, true);
	sends_badly("less", "* n1: sent less than was asked for\n", 4, true);
	sends_badly(
	    "again", "* n1: sent data that was not asked for\n", 4, true);
	sends_badly("sizes", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("actions", NOT_ASKED, ACTION_TO_END, true);
	sends_badly("open-end", NOT_ASKED, ACTION_TO_END, true);
}

static void
only_documents_have_a_greatest_size(void)
{
	document_most = 5;
	sends_badly("honest", "n1: \\033]0;title\\007\n", ACTION_TO_END, false);
	sends_badly("much", "* n1: sent data that was not asked for\n",
	    ACTION_TO_END, true);
	sends_badly("pieces", "* n1: sent data that was not asked for\n",
	    ACTION_TO_END, true);
	sends("much", WANT_PART, "n1: \\033]0;title\\007\n", 6, false);
	sends("much", WANT_OUTPUT, "n1: \\033]0;title\\007\n", ACTION_TO_END,
	    false);
	document_most = 0;
}

static bool
noted(const char *name)
{
	return exists(text("%s/%s", run.dir, name));
}

static void
tick(void *context, const char *step, const uint64_t *wrote)
{
	(void)context;
	(void)step;
	(void)wrote;
}

static const char may_be_left[] = "files and processes of the run may be left";

/* Ends a run with an agent that does not end in time. */
static void
ends_without(const char *deed, bool drop)
{
	hire(deed);
	run.config.timeout_s = 1;
	REQUIRE(begin() == 0);
	finish(drop);
	CHECK(noted("ending") && !noted("bored"));
	CHECK((strstr(run.told, may_be_left) != NULL) == !drop);
	clean();
}

/* The launcher waits for an agent that tidies up, but not for ever. */
static void
an_agent_has_some_time_to_end(void)
{
	hire("tidies");
	run.config.timeout_s = 60;
	run.config.tick = tick; /* beats each second */
	REQUIRE(begin() == 0);
	finish(false);
	CHECK(noted("tidy"));
	clean();
	/* Its beats last longer than the silence that ends the wait. */
	hire("slow");
	run.config.timeout_s = 4;
	REQUIRE(begin() == 0);
	finish(false);
	CHECK(noted("bored") && strstr(run.told, may_be_left) == NULL);
	clean();
	ends_without("stays", false);
}

static void
an_agent_that_is_silent_at_the_end_is_told_of(void)
{
	ends_without("sleeps", false);
}

/* The next attempt ends it, so that nothing is left. */
static void
an_agent_whose_directories_are_dropped_is_not_told_of(void)
{
	ends_without("stays", true);
}

static int
end_guarded(struct guard *guard, void *context)
{
	(void)context;
	run.config.guard = guard;
	if (begin() == -1)
		return 1;
	finish(false);
	return noted("bored") ? 2 : 5;
}

static void
a_second_signal_ends_the_wait_for_agents(void)
{
	int status = 0;
	pid_t guard;

	hire("stays");
	run.config.timeout_s = 1000;
	fflush(NULL);
	guard = fork();
	if (guard == 0)
		_exit(guard_run(end_guarded, NULL));
	for (int k = 0; k < 1000 && !noted("ending"); k++)
		usleep(20000);
	kill(guard, SIGTERM);
	sleep(1);
	CHECK(!noted("bored"));
	CHECK_EQ_I64(waitpid(guard, &status, WNOHANG), 0);
	kill(guard, SIGTERM);
	CHECK_EQ_I64(waitpid(guard, &status, 0), guard);
	CHECK_EQ_I64(WEXITSTATUS(status), 5);
	clean();
}

int
main(int argc, char *argv[])
{
	if (argc > 1 && strcmp(argv[1], "--agent") == 0)
		return guard_run(serve, NULL);
	if (argc > 2 && strcmp(argv[1], "--hostile") == 0)
		return be_hostile(argv[2]);
	make_rig();
	/*
	 * This process is the subreaper of its descendants, like the worker of
	 * a guard.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	RUN(what_comes_before_a_run_is_checked);
	RUN(the_login_remains_without_a_port);
	RUN(an_agent_does_not_open_its_directories_for_ever);
	RUN(a_login_may_not_print_for_ever);
	RUN(faults_do_not_go_on_for_ever);
	RUN(what_comes_of_steps_is_checked);
	RUN(only_documents_have_a_greatest_size);
	RUN(credit_is_checked);
	RUN(a_cancelled_step_ends_in_time);
	RUN(an_agent_has_some_time_to_end);
	RUN(an_agent_that_is_silent_at_the_end_is_told_of);
	RUN(an_agent_whose_directories_are_dropped_is_not_told_of);
	RUN(a_second_signal_ends_the_wait_for_agents);
	remove_rig();
	return test_done();
}
