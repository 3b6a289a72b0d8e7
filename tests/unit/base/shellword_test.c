/*
 * Each shell of this machine prints a quoted word unchanged.
 */
#include <sys/wait.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/shellword.h"
#include "test.h"

static const char *const shells[] = { "/bin/sh", "/bin/bash", "/bin/csh",
	"/bin/tcsh", "/bin/zsh", "/bin/ksh", "/bin/mksh", "/usr/bin/fish" };

/* Checks that the shell passes the word to printf(1) as it is. */
static void
check_word(const char *shell, const char *text)
{
	char command[1024], got[256] = "", *word = shellword(text);
	int fd[2], status;
	ssize_t n;
	pid_t pid;

	REQUIRE(word != NULL && pipe(fd) == 0);
	snprintf(command, sizeof command, "exec printf %%s %s", word);
	pid = fork();
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		execl(shell, shell, "-c", command, (char *)NULL);
		_exit(127);
	}
	close(fd[1]);
	n = read(fd[0], got, sizeof got - 1);
	close(fd[0]);
	REQUIRE(waitpid(pid, &status, 0) == pid);
	if (n < 0 || status != 0 || strcmp(got, text) != 0)
		test_bad(__FILE__, __LINE__, "%s: '%s' for '%s' (%s)", shell,
		    got, text, word);
	free(word);
}

static void
every_shell_keeps_a_word(void)
{
	static const char *const texts[] = { "plain", "", "two words", "it's",
		"''", "hey!you", "!!", "a\\b", "two\\\\bs", "end\\",
		"$HOME `id`", "\"*?[a]{b,c}~;&|<>()#", "-n", "\\'!" };
	size_t tried = 0;

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (access(shells[i], X_OK) == -1)
			continue;
		tried++;
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			check_word(shells[i], texts[k]);
	}
	CHECK(tried > 0);
}

int
main(void)
{
	RUN(every_shell_keeps_a_word);
	return test_done();
}
