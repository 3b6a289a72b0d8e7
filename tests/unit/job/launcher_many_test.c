/*
 * A launcher with many agents: memory and time per agent do not grow with their
 * number.
 *
 *	launcher_many_test [AGENTS]
 *
 * With a number, prints the elapsed seconds for so many agents, the launcher's
 * processor time, and its peak memory in KiB.
 */

#include <sys/resource.h>

#include "launcher_rig.h"

enum {
	FEW = 40,
	MANY = 200,
	BYTES = 100000, /* bytes of a document for each node */
	KIB_MOST = 16 << 10
};

static double
cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Sends documents to all nodes at once, and fetches the documents back. */
static double
all_at_once(size_t hosts)
{
	double began_s = cpu_s();
	struct stage s;

	prepare(hosts, hosts);
	run.config.timeout_s = 60;
	fill("in", BYTES / 8 * 8);
	if (begin() == -1)
		test_bad(__FILE__, __LINE__, "%s\n%s", run.e.text, run.told);
	for (int k = 0; k < 3; k++) {
		stage_init(&s);
		for (int r = 0; r < (int)hosts; r++) {
			struct step *step = shell(&s, r, "copy",
			    port_file("in"), port_node("copy"), "exec cat");

			stage_get(&s, step, "copy", 0, ACTION_TO_END,
			    port_file(stage_text(&s, "out.%d", r)), 0);
		}
		if (play(&s) == -1)
			test_bad(
			    __FILE__, __LINE__, "%s\n%s", run.e.text, run.told);
	}
	check_same(__LINE__, "in", "out.0");
	check_same(__LINE__, "in", "out.39");
	finish(false);
	clean();
	return cpu_s() - began_s;
}

static void
cost_grows_with_the_number_of_machines_alone(void)
{
	double few_s = all_at_once(FEW), many_s = all_at_once(MANY);
	double each = (double)MANY / FEW;
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	printf("# %d machines: %.3f s, %d machines: %.3f s, %ld KiB\n", FEW,
	    few_s, MANY, many_s, u.ru_maxrss);
	/* Allow for the coarse clock of process times and for cold caches. */
	CHECK(many_s < 2 * each * few_s + 0.2);
	if (getenv("HP_SANITIZER") == NULL)
		CHECK(u.ru_maxrss < KIB_MOST);
}

static int
measure(size_t hosts)
{
	double began_s = clock_now_s(), cpu = all_at_once(hosts);
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	printf("%zu %.3f %.3f %ld\n", hosts, clock_now_s() - began_s, cpu,
	    u.ru_maxrss);
	return test.bad > 0;
}

int
main(int argc, char *argv[])
{
	int rc;

	if (argc > 1 && strcmp(argv[1], "--agent") == 0)
		return guard_run(serve, NULL);
	if (argc > 1 && (atoi(argv[1]) < FEW || atoi(argv[1]) > MOST)) {
		fprintf(stderr, "agents: %d to %d\n", FEW, MOST);
		return 2;
	}
	make_rig();
	/*
	 * This process is the subreaper of its descendants, like the worker of
	 * a guard.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (argc > 1) {
		rc = measure((size_t)atoi(argv[1]));
		remove_rig();
		return rc;
	}
	RUN(cost_grows_with_the_number_of_machines_alone);
	remove_rig();
	return test_done();
}
