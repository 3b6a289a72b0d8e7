/*
 * The spool directory of a resumed exchange: who may use it, how often it can
 * be resumed, and the order of its removal.
 */

#include <sys/stat.h>
#include <sys/syscall.h>

#include <fcntl.h>
#include <unistd.h>

#include "net/spool.h"
#include "test.h"

enum {
	NODES = 3,
	INPUT = 815,
	WHO = 4711,
	/* how far each process advances its numbers, as in hpexchange */
	CALLS = 1 << 20
};

static char dir[] = "hpkeep.XXXXXX";

/* names of removed files in order, and how many may be removed */
static char removed[16][32];
static size_t nremoved, may_remove = SIZE_MAX;

/* Replaces the function of libc. After so many calls it behaves as if the
 * process were killed. */
int
unlinkat(int fd, const char *name, int flags)
{
	if (nremoved < sizeof removed / sizeof *removed)
		snprintf(removed[nremoved], sizeof *removed, "%s", name);
	if (nremoved++ >= may_remove)
		return 0;
	return (int)syscall(SYS_unlinkat, fd, name, flags);
}

static struct spool_record
job_of(uint64_t run, uint32_t call)
{
	return (struct spool_record){ .nodes = NODES,
		.from = 1,
		.to = 1,
		.input = INPUT,
		.run = run,
		.attempt = call };
}

static int
take(struct spool *k, struct hello *mine, uint64_t input, struct hp_err *e)
{
	*mine = (struct hello){
		.version = HELLO_VERSION, .nodes = NODES, .from = 1, .run = 99
	};
	return spool_open(k, dir, mine, input, e);
}

/* Makes a directory that another process has begun to use with this record. */
static void
begin(struct spool_record job)
{
	struct spool k = SPOOL_NONE;
	struct hp_err e;

	k.path = dir;
	k.nodes = NODES;
	strcpy(dir + sizeof dir - 7, "XXXXXX");
	CHECK(mkdtemp(dir) != NULL);
	k.dir = open(dir, O_RDONLY | O_DIRECTORY);
	CHECK_EQ_I64(spool_put(&k, "job", &job, &e), 0);
	spool_close(&k);
}

static void
end(void)
{
	struct spool k = SPOOL_NONE;
	struct hp_err e;

	k.path = dir;
	k.nodes = NODES;
	k.dir = open(dir, O_RDONLY | O_DIRECTORY);
	may_remove = SIZE_MAX;
	CHECK_EQ_I64(spool_clear(&k, &e), 0);
	spool_close(&k);
	CHECK_EQ_I64(access(dir, F_OK), -1);
}

/* Each process has attempt numbers of its own, and these must not run out. */
static void
a_spool_resumes_the_same_node(void)
{
	struct hello mine;
	struct spool_record job;
	struct hp_err e;
	struct spool k;

	begin(job_of(WHO, 7));
	for (uint32_t i = 1; i < 4; i++) {
		CHECK_EQ_I64(take(&k, &mine, INPUT, &e), 0);
		CHECK(k.resumed);
		CHECK_EQ_U64(mine.run, WHO);
		CHECK_EQ_U64(mine.attempt, 7 + i * CALLS);
		CHECK(mine.flags == HELLO_RESTARTS);
		CHECK(spool_get(&k, "job", &job));
		CHECK_EQ_U64(job.attempt, mine.attempt);
		spool_close(&k);
	}
	end();
}

static void
a_new_directory_is_created(void)
{
	struct hello mine;
	struct spool_record job;
	struct hp_err e;
	struct spool k, other;

	begin(job_of(WHO, 7));
	end();
	/* The call creates the directory and locks it. */
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), 0);
	CHECK(!k.resumed);
	CHECK_EQ_U64(mine.run, 99);
	CHECK_EQ_U64(mine.attempt, 0);
	CHECK(spool_get(&k, "job", &job));
	CHECK(job.to == 1 && job.input == INPUT);
	CHECK_EQ_I64(take(&other, &mine, INPUT, &e), -1);
	CHECK(strstr(e.text, "another hpexchange is running there") != NULL);
	spool_close(&other);
	spool_close(&k);
	end();
}

static void
a_spool_is_not_resumed_too_often(void)
{
	const uint32_t most = UINT32_MAX - 2 * CALLS;
	struct hello mine;
	struct hp_err e;
	struct spool k;

	begin(job_of(WHO, most));
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), 0);
	CHECK_EQ_U64(mine.attempt, most + CALLS);
	spool_close(&k);
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), -1);
	CHECK_EQ_I64(e.kind, HP_INPUT);
	CHECK(strstr(e.text, "was resumed too often") != NULL);
	spool_close(&k);
	end();

	begin(job_of(WHO, most + 1));
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), -1);
	spool_close(&k);
	end();
}

static void
refused(struct spool_record job, uint64_t input)
{
	struct hello mine;
	struct hp_err e = { 0 };
	struct spool k;

	begin(job);
	CHECK_EQ_I64(take(&k, &mine, input, &e), -1);
	CHECK_EQ_I64(e.kind, HP_INPUT);
	CHECK(strstr(e.text,
		  "belongs to an exchange with other nodes or input") != NULL);
	spool_close(&k);
	end();
}

static void
a_spool_of_another_exchange_is_refused(void)
{
	struct spool_record job = job_of(WHO, 7);

	refused(job, INPUT + 1);
	refused(job_of(0, 7), INPUT);
	job.from = 2;
	refused(job, INPUT);
	job = job_of(WHO, 7);
	job.nodes++;
	refused(job, INPUT);
	job = job_of(WHO, 7);
	job.cluster[0] = 1;
	refused(job, INPUT);
}

static void
a_directory_with_other_files_is_refused(void)
{
	struct hello mine;
	struct hp_err e;
	struct spool k;
	char path[64];

	/* A job file that was not completed does not count. */
	begin(job_of(WHO, 7));
	snprintf(path, sizeof path, "%s/job", dir);
	CHECK_EQ_I64(truncate(path, 50), 0);
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), -1);
	CHECK(strstr(e.text, "not empty, and no exchange was kept there") !=
	    NULL);
	spool_close(&k);
	snprintf(path, sizeof path, "mv %s/job %s/new", dir, dir);
	CHECK_EQ_I64(system(path), 0);
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), 0);
	CHECK(!k.resumed);
	spool_close(&k);
	end();
}

static void
touch(const char *name)
{
	char path[64];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	close(open(path, O_WRONLY | O_CREAT, 0600));
}

/*
 * Until everything else is removed, the next process must find that the
 * exchange is over. The file job shows that the directory is its own.
 */
static void
the_record_of_completion_is_removed_last(void)
{
	static const char *const names[] = { "ledger.0", "ledger.2", "part.2",
		"sent", "new", "done" };
	size_t n = sizeof names / sizeof *names;
	struct hello mine;
	struct spool k;
	struct hp_err e;

	for (size_t killed = 0; killed <= 2 * NODES + 3; killed++) {
		begin(job_of(WHO, 7));
		for (size_t i = 0; i < n; i++)
			touch(names[i]);
		k = SPOOL_NONE;
		k.path = dir;
		k.nodes = NODES;
		k.dir = open(dir, O_RDONLY | O_DIRECTORY);
		nremoved = 0;
		may_remove = killed;
		CHECK_EQ_I64(spool_clear(&k, &e), -1);
		CHECK_EQ_U64(nremoved, 2 * NODES + 4);
		spool_close(&k);
		/* It stays over for as many processes as there will be. */
		for (int times = 0; times < 2; times++) {
			CHECK_EQ_I64(take(&k, &mine, INPUT, &e), 0);
			CHECK(k.over && !k.resumed);
			spool_close(&k);
		}
		end();
	}
}

/*
 * The next process finds what each node has stored, and nothing of other nodes.
 */
static void
each_peer_has_a_record_of_its_own(void)
{
	struct spool_record h = job_of(WHO, 1), got;
	struct hello mine;
	struct hp_err e;
	struct spool k;
	char path[64];
	int fd;

	begin(job_of(WHO, 7));
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), 0);
	CHECK(!spool_get_sent(&k, 0, &got));
	h.from = 2;
	CHECK_EQ_I64(spool_put_sent(&k, 2, &h, &e), 0);
	h.parted = true;
	CHECK_EQ_I64(spool_put_sent(&k, 2, &h, &e), 0);
	spool_close(&k);
	CHECK_EQ_I64(take(&k, &mine, INPUT, &e), 0);
	CHECK(!spool_get_sent(&k, 0, &got) && !spool_get_sent(&k, 1, &got));
	CHECK(!spool_get_sent(&k, 3, &got));
	CHECK(spool_get_sent(&k, 2, &got));
	CHECK(got.from == 2 && got.run == WHO && got.parted);
	/* An entry in the place of another node does not count. */
	CHECK_EQ_I64(spool_put_sent(&k, 1, &h, &e), 0);
	CHECK(!spool_get_sent(&k, 1, &got));
	snprintf(path, sizeof path, "%s/sent", dir);
	fd = open(path, O_WRONLY);
	CHECK(pwrite(fd, "?", 1, 2 * 128 + 50) == 1);
	close(fd);
	CHECK(!spool_get_sent(&k, 2, &got));
	spool_close(&k);
	end();
}

int
main(void)
{
	test_scratch();
	RUN(a_spool_resumes_the_same_node);
	RUN(a_new_directory_is_created);
	RUN(a_spool_is_not_resumed_too_often);
	RUN(each_peer_has_a_record_of_its_own);
	RUN(a_spool_of_another_exchange_is_refused);
	RUN(a_directory_with_other_files_is_refused);
	RUN(the_record_of_completion_is_removed_last);
	return test_done();
}
