#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "job/child.h"
#include "job/lacks.h"

enum {
	PATH_MOST = 4096,
	ANSWER_MS = 5000 /* milliseconds; normally a few suffice */
};

/*
 * Finds the program in PATH and stores its path.  Returns -1 if there is none.
 */
static int
find_program(const char *name, char found[PATH_MOST + 1])
{
	const char *path = getenv("PATH"), *end;

	for (; path != NULL; path = *end == ':' ? end + 1 : NULL) {
		end = strchrnul(path, ':');
		if (snprintf(found, PATH_MOST + 1, "%.*s%s%s",
			(int)(end - path), path, end == path ? "" : "/",
			name) <= PATH_MOST &&
		    access(found, X_OK) == 0)
			return 0;
	}
	return -1;
}

/*
 * Stores the first line that `hpexchange --version` prints, or "" if it prints
 * none.
 */
static void
ask_version(char out[LACKS_TEXT])
{
	char program[] = "hpexchange", option[] = "--version";
	char *words[] = { program, option, NULL };
	struct child_port none = { .kind = CHILD_NONE },
			  pipe = { .kind = CHILD_PIPE };
	struct hp_err ignored;
	struct rusage usage;
	struct pollfd answer = { .events = POLLIN }, ended = answer;
	struct child c;
	ssize_t n;
	int status;

	out[0] = '\0';
	if (child_start(&c, "/", words, &none, &pipe, &ignored) == -1)
		return;
	answer.fd = c.out;
	if (poll(&answer, 1, ANSWER_MS) == 1 &&
	    (n = read(c.out, out, LACKS_TEXT - 1)) > 0)
		out[n] = '\0';
	out[strcspn(out, "\n")] = '\0';
	ended.fd = c.pidfd;
	poll(&ended, 1, ANSWER_MS);
	child_kill(&c);
	poll(&ended, 1, -1);
	child_ended(&c, &status, &usage);
	close(c.out);
	close(c.err);
}

/*
 * Compares the version that the program contains with ours, and stores it if it
 * differs. Returns false if the program contains none.
 */
static bool
compare_contained(const char *name, const char *path, char out[LACKS_TEXT])
{
	char version[VERSION_MOST + 1];

	if (!version_of_file(path, version))
		return false;
	if (strcmp(version, HP_VERSION) != 0)
		snprintf(out, LACKS_TEXT, "%s (hptools) %s", name, version);
	return true;
}

static void
compare_told(char out[LACKS_TEXT])
{
	static const char ours[] = "hpexchange (hptools) " HP_VERSION;

	ask_version(out);
	if (strcmp(out, ours) == 0)
		out[0] = '\0';
	else if (out[0] == '\0')
		strcpy(out, "no version");
}

/* Returns whether the file is in the directory, which may be NULL. */
static bool
is_in(const char *path, const char *dir)
{
	size_t len = dir == NULL ? 0 : strlen(dir);

	return len > 0 && strncmp(path, dir, len) == 0 && path[len] == '/';
}

void
lacks_find(struct lacks *l, bool local, const char *home)
{
	static const char *const programs[LACKS_PROGRAMS] = { "hpsplit",
		"hpsort", "hpmerge", "hpexchange", "hpcheck" };
	char path[PATH_MOST + 1];
	bool ask = false;

	*l = (struct lacks){ 0 };
	for (size_t i = 0; i < LACKS_PROGRAMS; i++) {
		if (find_program(programs[i], path) == -1) {
			l->program[l->missing++] = programs[i];
			ask = ask || strcmp(programs[i], "hpexchange") == 0;
			continue;
		}
		/*
		 * On the launcher's machine, a program in the same directory as
		 * hprun has the same version as hprun. No check is needed.
		 */
		if (l->version[0] != '\0' || (local && is_in(path, home)))
			continue;
		if (!compare_contained(programs[i], path, l->version))
			ask = ask || strcmp(programs[i], "hpexchange") == 0;
	}
	if (ask && l->version[0] == '\0')
		compare_told(l->version);
}
