/* The programs that a machine lacks, or has in another version. */

#include <sys/stat.h>

#include <fcntl.h>

#include "base/io.h"
#include "base/version.h"
#include "job/lacks.h"
#include "test.h"

static const char *const programs[] = { "hpsplit", "hpsort", "hpmerge",
	"hpexchange", "hpcheck" };

/* Installs a program that prints a line, or nothing if the line is NULL. */
static void
install(const char *dir, const char *name, const char *line)
{
	char path[100], script[300];
	int fd;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	snprintf(script, sizeof script, "#!/bin/sh\n%s%s%s\n",
	    line == NULL ? ":" : "echo '", line == NULL ? "" : line,
	    line == NULL ? "" : "'");
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0700);
	CHECK(fd != -1 && io_write(fd, script, strlen(script)) == 0);
	close(fd);
}

/*
 * Installs a file that begins like a program, with a note at this offset. The
 * file ends `cut` bytes before the end of the note.
 */
static void
install_note(
    const char *name, const struct version_head *head, size_t at, size_t cut)
{
	char path[100], bytes[5000] = "\177ELF";
	int fd;

	snprintf(path, sizeof path, "bin/%s", name);
	memcpy(bytes + at, head, sizeof *head);
	memcpy(bytes + at + sizeof *head, "0.7.1", 6);
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0700);
	CHECK(
	    fd != -1 && io_write(fd, bytes, at + sizeof *head + 6 - cut) == 0);
	close(fd);
}

static char home[200], path[500];

static void
a_machine_may_have_all_programs(void)
{
	struct lacks l;

	install("bin", "hpexchange", "hpexchange (hptools) " HP_VERSION);
	lacks_find(&l, false, NULL);
	CHECK_EQ_U64(l.missing, 0);
	CHECK_EQ_STR(l.version, "");
}

static void
missing_programs_are_named(void)
{
	struct lacks l;

	unlink("bin/hpmerge");
	CHECK(chmod("bin/hpsplit", 0600) == 0);
	unlink("bin/hpcheck");
	lacks_find(&l, false, NULL);
	REQUIRE(l.missing == 3);
	CHECK_EQ_STR(l.program[0], "hpsplit");
	CHECK_EQ_STR(l.program[1], "hpmerge");
	CHECK_EQ_STR(l.program[2], "hpcheck");
	for (size_t i = 0; i < 5; i++)
		install("bin", programs[i], NULL);
	chmod("bin/hpsplit", 0700);
	setenv("PATH", "/nowhere", 1);
	lacks_find(&l, false, NULL);
	CHECK_EQ_U64(l.missing, 5);
	setenv("PATH", path, 1);
}

static void
another_version_is_reported(void)
{
	struct lacks l;

	install("bin", "hpexchange", "hpexchange (hptools) 0.0\nmore");
	lacks_find(&l, false, home);
	CHECK_EQ_U64(l.missing, 0);
	CHECK_EQ_STR(l.version, "hpexchange (hptools) 0.0");
	lacks_find(&l, true, NULL);
	CHECK_EQ_STR(l.version, "hpexchange (hptools) 0.0");
	lacks_find(&l, true, "/elsewhere");
	CHECK_EQ_STR(l.version, "hpexchange (hptools) 0.0");
	install("bin", "hpexchange", NULL);
	lacks_find(&l, false, NULL);
	CHECK_EQ_STR(l.version, "no version");
}

/* Programs beside hprun on its own machine have its version, so they are not
 * run to ask for it. */
static void
programs_beside_hprun_have_its_version(void)
{
	struct lacks l;

	install("bin", "hpexchange", "hpexchange (hptools) 0.0");
	lacks_find(&l, true, home);
	CHECK_EQ_U64(l.missing, 0);
	CHECK_EQ_STR(l.version, "");
}

static void
the_version_that_a_program_contains_is_compared(void)
{
	static const struct version_head head = { 8, 6, VERSION_NOTE,
		"hptools" };
	struct lacks l;

	install("bin", "hpexchange", "hpexchange (hptools) " HP_VERSION);
	install_note("hpmerge", &head, 64, 0);
	lacks_find(&l, false, home);
	CHECK_EQ_U64(l.missing, 0);
	CHECK_EQ_STR(l.version, "hpmerge (hptools) 0.7.1");
	lacks_find(&l, true, "/elsewhere");
	CHECK_EQ_STR(l.version, "hpmerge (hptools) 0.7.1");
	lacks_find(&l, true, home);
	CHECK_EQ_STR(l.version, "");
	install("bin", "hpmerge", NULL);
	/* A file that cannot be executed: nobody runs it to ask. */
	install_note("hpexchange", &head, 4096 - sizeof head - 6, 0);
	lacks_find(&l, false, NULL);
	CHECK_EQ_STR(l.version, "hpexchange (hptools) 0.7.1");
}

static void
a_damaged_note_is_no_version(void)
{
	static const struct {
		struct version_head head;
		size_t at, cut;
	} notes[] = {
		{ { 8, 6, VERSION_NOTE, "hptools" }, 64, 1 },
		{ { 8, 6, VERSION_NOTE, "hptools" }, 64, 6 },
		{ { 8, 6, VERSION_NOTE, "hptools" }, 4096 - 25, 0 },
		{ { 8, 6, VERSION_NOTE + 1, "hptools" }, 64, 0 },
		{ { 7, 6, VERSION_NOTE, "hptools" }, 64, 0 },
		{ { 8, 6, VERSION_NOTE, "hptool" }, 64, 0 },
		{ { 8, 0, VERSION_NOTE, "hptools" }, 64, 0 },
		{ { 8, 5, VERSION_NOTE, "hptools" }, 64, 0 },
		{ { 8, 7, VERSION_NOTE, "hptools" }, 64, 0 },
		{ { 8, 66, VERSION_NOTE, "hptools" }, 64, 0 },
		{ { 8, UINT32_MAX, VERSION_NOTE, "hptools" }, 64, 0 },
	};
	char version[VERSION_MOST + 1] = "old";

	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		install_note(
		    "hpexchange", &notes[i].head, notes[i].at, notes[i].cut);
		CHECK(!version_of_file("bin/hpexchange", version));
		CHECK_EQ_STR(version, "");
	}
	install("bin", "hpexchange", NULL);
	CHECK(!version_of_file("bin/hpexchange", version));
	CHECK(!version_of_file("bin", version));
	CHECK(!version_of_file("bin/nothing", version));
}

int
main(void)
{
	char dir[] = "lacks.XXXXXX", *cwd;

	test_scratch();
	if (mkdtemp(dir) == NULL || chdir(dir) == -1 ||
	    mkdir("bin", 0700) == -1 || (cwd = getcwd(NULL, 0)) == NULL)
		return 2;
	for (size_t i = 0; i < 5; i++)
		install("bin", programs[i], NULL);
	snprintf(home, sizeof home, "%s/bin", cwd);
	/* Directories of PATH are searched in order; an empty one means ".". */
	snprintf(path, sizeof path, "/nowhere::%s:/bin:/usr/bin", home);
	setenv("PATH", path, 1);
	RUN(a_machine_may_have_all_programs);
	RUN(missing_programs_are_named);
	RUN(another_version_is_reported);
	RUN(programs_beside_hprun_have_its_version);
	RUN(the_version_that_a_program_contains_is_compared);
	RUN(a_damaged_note_is_no_version);
	for (size_t i = 0; i < 5; i++) {
		snprintf(path, sizeof path, "bin/%s", programs[i]);
		unlink(path);
	}
	rmdir("bin");
	if (chdir("..") == -1 || rmdir(dir) == -1)
		return 2;
	free(cwd);
	return test_done();
}
