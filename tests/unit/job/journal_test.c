/*
 * The journal of a run returns the entries that were written, and rejects
 * damaged files.
 */

#include <sys/resource.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "job/journal.h"
#include "job/step.h"
#include "test.h"

static char path[64];

/* Whether the simulated disk refuses rename or fsync with EIO. */
static bool no_rename, no_sync;

int
rename(const char *from, const char *to)
{
	if (!no_rename)
		return renameat(AT_FDCWD, from, AT_FDCWD, to);
	errno = EIO;
	return -1;
}

int
fdatasync(int fd)
{
	(void)fd;
	if (!no_sync)
		return 0;
	errno = EIO;
	return -1;
}

static void
write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0)
		test_bad(__FILE__, __LINE__, "%s: cannot be written", path);
}

static const char *
read_file(void)
{
	static char text[4096];
	FILE *f = fopen(path, "r");
	size_t n = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);

	text[n] = '\0';
	if (f != NULL)
		fclose(f);
	return text;
}

static struct journal_entry
entry(uint64_t stage, uint64_t index, int rank, const char *name)
{
	struct journal_entry e = { .stage = stage,
		.index = index,
		.rank = rank,
		.start_s = 1764000000.25,
		.end_s = 1764000001.5 };

	snprintf(e.name, sizeof e.name, "%s", name);
	return e;
}

/* Writes three steps to a new journal. */
static void
write_steps(void)
{
	uint64_t size[] = { 0, UINT64_MAX };
	struct journal_entry sort = entry(1, 7, 3, "sort");
	struct journal_entry store = entry(0, 0, STEP_LAUNCHER, "store");
	struct journal_entry link = entry(0, 0, 0, "link");
	struct hp_err e = { 0 };
	struct journal *j;

	unlink(path);
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	CHECK(journal_find(j, 0, 0) == NULL);
	sort.size = size;
	sort.nsizes = 2;
	sort.answer = 1;
	link.passing = true;
	CHECK(journal_append(j, &store, &e) == 0);
	CHECK(journal_append(j, &link, &e) == 0);
	CHECK(journal_append(j, &sort, &e) == 0);
	CHECK(journal_sync(j, &e) == 0);
	journal_close(j);
}

static void
entries_are_read_as_they_were_written(void)
{
	const struct journal_entry *found;
	struct hp_err e = { 0 };
	struct journal *j;

	write_steps();
	CHECK_EQ_STR(read_file(),
	    "0 0 - store 1764000000.250000 1764000001.500000 0\n"
	    "- 0 0 link 1764000000.250000 1764000001.500000 0\n"
	    "1 7 3 sort 1764000000.250000 1764000001.500000 1"
	    " 0 18446744073709551615\n");
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	found = journal_find(j, 0, 0);
	REQUIRE(found != NULL);
	CHECK_EQ_STR(found->name, "store");
	CHECK_EQ_I64(found->rank, STEP_LAUNCHER);
	CHECK_EQ_U64(found->nsizes, 0);
	found = journal_find(j, 1, 7);
	REQUIRE(found != NULL);
	CHECK_EQ_STR(found->name, "sort");
	CHECK_EQ_I64(found->rank, 3);
	CHECK_EQ_I64(found->answer, 1);
	CHECK(found->start_s == 1764000000.25);
	CHECK(found->end_s == 1764000001.5);
	REQUIRE(found->nsizes == 2);
	CHECK_EQ_U64(found->size[1], UINT64_MAX);
	CHECK(journal_find(j, 1, 0) == NULL);
	CHECK(journal_find(j, 2, 7) == NULL);
	journal_close(j);
}

/* No other line continues the line that was not written completely. */
static void
an_incomplete_line_is_removed_after_a_failure(void)
{
	struct journal_entry last = entry(2, 0, 0, "merge");
	struct rlimit was, now;
	struct hp_err e = { 0 };
	struct journal *j;
	struct stat st, now_st;

	write_steps();
	REQUIRE(stat(path, &st) == 0 && getrlimit(RLIMIT_FSIZE, &was) == 0);
	now = was;
	now.rlim_cur = (rlim_t)st.st_size + 5;
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	signal(SIGXFSZ, SIG_IGN);
	REQUIRE(setrlimit(RLIMIT_FSIZE, &now) == 0);
	CHECK_EQ_I64(journal_append(j, &last, &e), -1);
	REQUIRE(setrlimit(RLIMIT_FSIZE, &was) == 0);
	CHECK_EQ_I64(stat(path, &now_st), 0);
	CHECK_EQ_I64(now_st.st_size, st.st_size);
	CHECK_EQ_I64(journal_append(j, &last, &e), 0);
	journal_close(j);
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	CHECK(journal_find(j, 2, 0) != NULL && journal_find(j, 1, 7) != NULL);
	journal_close(j);
}

static void
only_the_owner_can_read_the_journal(void)
{
	struct hp_err e = { 0 };
	struct journal *j;
	struct stat st;

	unlink(path);
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	journal_close(j);
	REQUIRE(stat(path, &st) == 0);
	CHECK_EQ_U64(st.st_mode & 0777, 0600);
}

/* The last line is incomplete: the process was killed while it wrote. */
static void
an_incomplete_last_line_is_ignored(void)
{
	struct journal_entry sort = entry(1, 0, 0, "sort");
	struct hp_err e = { 0 };
	struct journal *j;

	write_file("0 0 - store 1.000000 2.000000 0\n1 0 0 sort 2.00");
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	CHECK(journal_find(j, 0, 0) != NULL);
	CHECK(journal_find(j, 1, 0) == NULL);
	CHECK(journal_append(j, &sort, &e) == 0);
	journal_close(j);
	CHECK_EQ_STR(read_file(),
	    "0 0 - store 1.000000 2.000000 0\n"
	    "1 0 0 sort 1764000000.250000 1764000001.500000 0\n");
}

static void
other_lines_are_errors(void)
{
	const char *lines[] = {
		"",
		"0 0 - store 1.000000 2.000000",
		"0 0 - store 1.000000 2.000000 2",
		"0 0 - store 1.000000 2.000000 -1",
		"0 0 - store 1.000000 2.000000 0 ",
		"0 0 - store 1.000000 2.000000 0 x",
		"0 0 - store 1.000000 2.000000 0  5",
		"0 0 - store 1.000000 2.000000 0 18446744073709551616",
		"0 0 - store 1.0 2.000000 0",
		"0 0 - store 1.000000 inf 0",
		"0 0 - STORE 1.000000 2.000000 0",
		"0 0 -  1.000000 2.000000 0",
		"0 0 - abcdefghijklmnopqrstuvwxyz123456 1.000000 2.000000 0",
		"0 0 -1 store 1.000000 2.000000 0",
		"0 0 2147483648 store 1.000000 2.000000 0",
		"00 0 - store 1.000000 2.000000 0",
		" 0 0 - store 1.000000 2.000000 0",
		"0 0 - store 1.000000 2.000000 0\r",
		"{}",
	};
	struct hp_err e;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char text[256];

		snprintf(text, sizeof text, "%s\n", lines[i]);
		write_file(text);
		e = (struct hp_err){ 0 };
		if (journal_open(path, &e) != NULL)
			test_bad(__FILE__, __LINE__, "taken: '%s'", lines[i]);
		CHECK_EQ_U64(e.kind, HP_INPUT);
	}
}

static void
names_that_would_not_be_read_are_not_written(void)
{
	const char *names[] = { "", "a b", "a\nb", "Sort", "-\xc3\xa4",
		"abcdefghijklmnopqrstuvwxyz12345" };
	struct hp_err e = { 0 };
	struct journal *j;

	unlink(path);
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct journal_entry bad = entry(0, 0, 0, names[i]);

		CHECK_EQ_I64(journal_append(j, &bad, &e), i < 5 ? -1 : 0);
	}
	journal_close(j);
}

/* If a step was repeated, its last entry counts. */
static void
the_last_entry_of_a_step_counts(void)
{
	struct hp_err e = { 0 };
	struct journal *j;

	write_file("0 0 0 a 1.000000 2.000000 0 1\n"
		   "0 1 1 a 1.000000 2.000000 0 2\n"
		   "1 0 0 b 1.000000 2.000000 0 3\n"
		   "0 0 0 a 3.000000 4.000000 1 4\n");
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	REQUIRE(journal_find(j, 0, 0) != NULL);
	CHECK_EQ_U64(journal_find(j, 0, 0)->size[0], 4);
	REQUIRE(journal_find(j, 0, 1) != NULL);
	CHECK_EQ_U64(journal_find(j, 0, 1)->size[0], 2);
	REQUIRE(journal_find(j, 1, 0) != NULL);
	CHECK_EQ_U64(journal_find(j, 1, 0)->size[0], 3);
	CHECK(journal_clear(j, &e) == 0);
	CHECK(journal_find(j, 0, 0) == NULL);
	journal_close(j);
	CHECK_EQ_STR(read_file(), "");
}

static int
names(void *context, const struct journal_entry *entry_, struct hp_err *e)
{
	char *text = context;

	(void)e;
	sprintf(text + strlen(text), "%s%s ", entry_->name,
	    entry_->passing ? "*" : "");
	return strcmp(entry_->name, "stop") == 0 ? 5 : 0;
}

static void
entries_come_in_their_order(void)
{
	struct hp_err e = { 0 };
	char text[64] = "";

	write_file("1 0 0 b 1.000000 2.000000 0\n"
		   "- 0 0 p 1.000000 2.000000 0 7\n"
		   "0 0 0 a 1.000000 2.000000 0 8 9\n"
		   "0 1 0 torn");
	CHECK_EQ_I64(journal_each(path, names, text, &e), 0);
	CHECK_EQ_STR(text, "b p* a ");
	write_file("0 0 0 stop 1.000000 2.000000 0\n"
		   "0 0 0 a 1.000000 2.000000 0\n");
	text[0] = '\0';
	CHECK_EQ_I64(journal_each(path, names, text, &e), 5);
	CHECK_EQ_STR(text, "stop ");
	unlink(path);
	text[0] = '\0';
	CHECK_EQ_I64(journal_each(path, names, text, &e), 0);
	CHECK_EQ_STR(text, "");
}

static void
some_entries_are_kept(void)
{
	struct hp_err e = { 0 };

	write_file("0 0 - store 1.000000 2.000000 0 5\n"
		   "- 0 0 p 1.000000 2.000000 0 7\n"
		   "1 0 0 a 1.000000 2.000000 0 8 9\n"
		   "0 1 0 torn");
	CHECK_EQ_I64(journal_keep(path, "store", &e), 0);
	CHECK_EQ_STR(read_file(), "0 0 - store 1.000000 2.000000 0 5\n");
	CHECK_EQ_I64(journal_keep(path, NULL, &e), 0);
	CHECK_EQ_STR(read_file(), "");
	unlink(path);
	CHECK_EQ_I64(journal_keep(path, "store", &e), 0);
	CHECK_EQ_STR(read_file(), "");
}

static void
expect_error(const struct hp_err *e, int errnum, const char *text)
{
	CHECK_EQ_I64(e->kind, HP_IO);
	CHECK_EQ_I64(e->errnum, errnum);
	CHECK_EQ_STR(e->text, text);
}

static void
a_journal_that_cannot_be_replaced_stays(void)
{
	const char *before = "0 0 - store 1.000000 2.000000 0 5\n"
			     "1 0 0 a 1.000000 2.000000 0 8 9\n";
	struct hp_err e = { 0 };
	char other[80];

	snprintf(other, sizeof other, "%s.new", path);
	write_file(before);
	no_rename = true;
	CHECK_EQ_I64(journal_keep(path, "store", &e), -1);
	no_rename = false;
	expect_error(&e, EIO, path);
	CHECK_EQ_STR(read_file(), before);
	CHECK(access(other, F_OK) == -1);
	no_sync = true;
	CHECK_EQ_I64(journal_keep(path, "store", &e), -1);
	no_sync = false;
	expect_error(&e, EIO, other);
	CHECK_EQ_STR(read_file(), before);
	CHECK(access(other, F_OK) == -1);
	/* A symbolic link in place of the new journal is not followed. */
	CHECK(symlink("elsewhere", other) == 0);
	CHECK_EQ_I64(journal_keep(path, "store", &e), -1);
	expect_error(&e, ELOOP, other);
	CHECK_EQ_STR(read_file(), before);
	CHECK(access("elsewhere", F_OK) == -1);
	unlink(other);
	/* A damaged journal is not replaced. */
	write_file("rubbish\n");
	CHECK_EQ_I64(journal_keep(path, "store", &e), -1);
	CHECK_EQ_I64(e.kind, HP_INPUT);
	CHECK_EQ_STR(read_file(), "rubbish\n");
	CHECK(access(other, F_OK) == -1);
}

static void
entries_that_are_not_on_the_disk_are_errors(void)
{
	struct journal_entry sort = entry(1, 7, 3, "sort");
	struct rlimit limit, few;
	struct hp_err e = { 0 };
	struct journal *j;

	unlink(path);
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	CHECK(journal_append(j, &sort, &e) == 0);
	no_sync = true;
	CHECK_EQ_I64(journal_sync(j, &e), -1);
	no_sync = false;
	expect_error(&e, EIO, path);
	/* Writing fails because the journal may not grow further. */
	signal(SIGXFSZ, SIG_IGN);
	REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
	few = limit;
	few.rlim_cur = strlen(read_file()) + 5;
	REQUIRE(setrlimit(RLIMIT_FSIZE, &few) == 0);
	CHECK_EQ_I64(journal_append(j, &sort, &e), -1);
	expect_error(&e, EFBIG, path);
	CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	journal_close(j);
	/* The next opening of the journal removes its incomplete last line. */
	j = journal_open(path, &e);
	REQUIRE(j != NULL);
	sort.index = 8;
	CHECK(journal_append(j, &sort, &e) == 0);
	journal_close(j);
	CHECK_EQ_STR(read_file(),
	    "1 7 3 sort 1764000000.250000 1764000001.500000 0\n"
	    "1 8 3 sort 1764000000.250000 1764000001.500000 0\n");
}

static void
a_path_that_is_no_file_is_an_error(void)
{
	char text[64] = "";
	struct hp_err e = { 0 };

	unlink(path);
	CHECK(mkdir(path, 0700) == 0);
	CHECK(journal_open(path, &e) == NULL);
	expect_error(&e, EISDIR, path);
	rmdir(path);
	CHECK(symlink("elsewhere", path) == 0);
	CHECK(journal_open(path, &e) == NULL);
	expect_error(&e, ELOOP, path);
	CHECK_EQ_I64(journal_each(path, names, text, &e), -1);
	expect_error(&e, ELOOP, path);
	CHECK_EQ_STR(text, "");
	unlink(path);
}

int
main(void)
{
	test_scratch();
	snprintf(path, sizeof path, "journal_test.%ld", (long)getpid());
	RUN(entries_are_read_as_they_were_written);
	RUN(an_incomplete_line_is_removed_after_a_failure);
	RUN(only_the_owner_can_read_the_journal);
	RUN(an_incomplete_last_line_is_ignored);
	RUN(other_lines_are_errors);
	RUN(names_that_would_not_be_read_are_not_written);
	RUN(the_last_entry_of_a_step_counts);
	RUN(entries_come_in_their_order);
	RUN(some_entries_are_kept);
	RUN(a_journal_that_cannot_be_replaced_stays);
	RUN(entries_that_are_not_on_the_disk_are_errors);
	RUN(a_path_that_is_no_file_is_an_error);
	unlink(path);
	return test_done();
}
