#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void
lacks_find(struct lacks *l, bool local, const char *home)
{
	static const char *const programs[LACKS_PROGRAMS] = { "hpsplit",
		"hpsort", "hpmerge", "hpexchange", "hpcheck" };
	static const char ours[] = "hpexchange (hptools) " HP_VERSION;
	char path[PATH_MOST + 1];
	bool beside = false;

	*l = (struct lacks){ 0 };
	for (size_t i = 0; i < LACKS_PROGRAMS; i++)
		if (find_program(programs[i], path) == -1)
			l->program[l->missing++] = programs[i];
		else if (strcmp(programs[i], "hpexchange") == 0)
			beside = local && home != NULL &&
			    strncmp(path, home, strlen(home)) == 0;
	/*
	 * If hpexchange lies beside hprun on the launcher's machine, both have
	 * the same version. Then do not ask hpexchange for its version.
	 */
	if (beside)
		return;
	ask_version(l->version);
	if (strcmp(l->version, ours) == 0)
		l->version[0] = '\0';
	else if (l->version[0] == '\0')
		strcpy(l->version, "no version");
}
