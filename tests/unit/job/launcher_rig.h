#ifndef HP_LAUNCHER_RIG_H
#define HP_LAUNCHER_RIG_H

/*
 * Runs of a launcher with real agents: the agent of this machine, and agents on
 * hosts that a script simulates.  The test program is its own agent, like
 * hprun.
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
#include "job/launcher_stage.h"
#include "test.h"

#define MOST 1024
#define TEXT ((size_t)1 << 16)

static char top[128], bin[256], rsh[512], self[512];

/* The current run: its nodes, and what its launcher reported. */
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

/*
 * Returns a formatted text, which lives until the process ends.  A list keeps
 * each text reachable, so that no leak is reported.
 */
__attribute__((format(printf, 1, 2))) static inline char *
text(const char *fmt, ...)
{
	static char **all;
	static size_t n;
	va_list ap;
	char *s;

	all = realloc(all, (n + 1) * sizeof *all);
	va_start(ap, fmt);
	if (all == NULL || vasprintf(&s, fmt, ap) == -1)
		exit(1);
	va_end(ap);
	all[n++] = s;
	return s;
}

static inline void
tell(const char *name, const char *line)
{
	size_t n = strlen(run.told);

	snprintf(run.told + n, sizeof run.told - n, "%s%s\n", name, line);
}

static inline void
say(void *context, int rank, const char *line)
{
	char name[64];

	(void)context;
	snprintf(name, sizeof name,
	    "%s: ", rank == STEP_LAUNCHER ? "launcher" : run.node[rank].name);
	tell(name, line);
}

static inline void
note(void *context, const char *line)
{
	(void)context;
	tell("* ", line);
}

static inline void
count_step(void *context, const struct step *step)
{
	(void)context;
	(void)step;
	run.steps++;
}

static inline void
write_file(const char *path, const char *content, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	if (fd == -1 ||
	    write(fd, content, strlen(content)) != (ssize_t)strlen(content))
		perror(path);
	fchmod(fd, mode);
	close(fd);
}

/* Returns the contents of a file in the work directory; the caller frees it. */
static inline char *
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

static inline void
check_content(int line, const char *file, const char *want)
{
	char *got = content(file);

	test_eq_str(__FILE__, line, file, got, want);
	free(got);
}
#define CHECK_CONTENT(file, want) check_content(__LINE__, file, want)

/*
 * Prepares nodes. The last `hosts` nodes each have a host of their own; the
 * others are on this machine.
 */
static inline void
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

static inline int
begin(void)
{
	return launcher_open(&run.launcher, &run.config, run.facts, &run.e);
}

static inline int
play(struct stage *s)
{
	int rc = launcher_stage(run.launcher, s, &run.outcome, &run.e);

	stage_fini(s);
	return rc;
}

static inline bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static inline void
finish(bool drop)
{
	launcher_close(run.launcher, drop);
	run.launcher = NULL;
}

/*
 * Checks that the nodes have left nothing behind; then removes the test's own
 * files.
 */
static inline void
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

/* Adds a step that runs a shell command. */
__attribute__((format(printf, 6, 7))) static inline struct step *
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

/* Writes a file of so many bytes, which differ from place to place. */
static inline void
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

static inline void
check_same(int line, const char *a, const char *b)
{
	char *command = text("cd '%s' && cmp %s %s", run.work, a, b);

	if (system(command) != 0)
		test_bad(__FILE__, line, "%s and %s differ", a, b);
	free(command);
}

static inline long
number_in(const char *file)
{
	char *s = content(file);
	long n = atol(s);

	free(s);
	return n;
}

static inline bool
runs_still(pid_t pid)
{
	return pid > 0 && kill(pid, 0) == 0;
}

static inline void
with_rsh(const char *script)
{
	char *path = text("%s/other", run.dir);

	write_file(path, script, 0700);
	run.config.rsh = path;
}

static inline void
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

static inline int
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

/*
 * Waits until all processes of the runs have ended. The launcher kills a login
 * that exits too late. Its agent then still cleans up, as a child of this
 * process, which is the subreaper.
 */
static inline void
wait_for_agents(void)
{
	while (wait(NULL) != -1 || errno == EINTR)
		;
}

static inline void
remove_rig(void)
{
	char *command = text("rm -rf \"%s\"", top);

	wait_for_agents();
	if (system(command) != 0)
		test.failed++;
	free(command);
}

#endif
