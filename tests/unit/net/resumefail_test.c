/*
 * The receiving half of an exchange is closed after only some of its resume
 * logs could be opened.
 */

#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include "net/engine.h"
#include "net/resume.h"
#include "test.h"

enum {
	NODES = 4,
	ME = 1
};

/* Closing a log that is all zero would close descriptor 0. */
static void
a_log_that_was_never_opened_closes_nothing(void)
{
	char path[] = "hpresumefail.XXXXXX", log[64];
	struct exchange x = { .nodes = NODES, .me = ME, .spool = path };
	struct engine en = { .x = &x, .done = true, .spool = SPOOL_NONE };
	struct inlet inlet[NODES] = { 0 };
	struct receiving r = { .en = &en, .inlet = inlet };
	struct hp_err e = { 0 };

	REQUIRE(mkdtemp(path) != NULL);
	en.spool.path = path;
	for (uint32_t i = 0; i < NODES; i++)
		inlet[i].rank = i;
	/*
	 * The log of node 2 cannot be opened because it is a directory, so the
	 * log of node 3 is not opened.
	 */
	snprintf(log, sizeof log, "%s/ledger.2", path);
	CHECK_EQ_I64(mkdir(log, 0700), 0);
	CHECK_EQ_I64(dup2(STDERR_FILENO, STDIN_FILENO), STDIN_FILENO);
	CHECK_EQ_I64(resume_open(&r, &e), -1);
	CHECK(strstr(e.text, "ledger.2") != NULL);
	resume_close(&r);
	CHECK(fcntl(STDIN_FILENO, F_GETFD) != -1);
	rmdir(log);
	snprintf(log, sizeof log, "%s/ledger.0", path);
	unlink(log);
	rmdir(path);
}

int
main(void)
{
	test_scratch();
	RUN(a_log_that_was_never_opened_closes_nothing);
	return test_done();
}
