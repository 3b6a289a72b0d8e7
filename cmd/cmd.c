#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/names.h"
#include "base/outfile.h"
#include "base/version.h"
#include "cmd.h"

/* The version of the program, for those that do not run it. */
__attribute__((
    section(".note.hptools"), used, aligned(4))) static const struct {
	struct version_head head;
	char version[sizeof HP_VERSION];
} note = { { sizeof "hptools", sizeof HP_VERSION, VERSION_NOTE, "hptools" },
	HP_VERSION };

/*
 * Opens /dev/null for each standard descriptor that is closed.  Otherwise the
 * next file opened would get the number 0, 1 or 2: an input could be read as
 * standard input, or messages written into the output.  The access mode is the
 * wrong one on purpose, so that reads and writes fail with EBADF.  Runs before
 * main in all programs.
 */
__attribute__((constructor)) static void
hold_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null",
			    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/*
 * Buffers standard error by lines, so that each message is written by one
 * system call.  The functions of <err.h> print a message in pieces, and other
 * processes that write to the same file or pipe could write between the pieces.
 * The buffer is static, because memory may be short when a message is printed.
 */
__attribute__((constructor)) static void
write_whole_lines(void)
{
	static char buf[BUFSIZ];

	setvbuf(stderr, buf, _IOLBF, sizeof buf);
}

/*
 * A parent that ignores SIGCHLD passes this on, and the system then discards
 * the exit statuses of children.  A program could not tell that its child has
 * failed.
 */
__attribute__((constructor)) static void
wait_for_children(void)
{
	signal(SIGCHLD, SIG_DFL);
}

static void
nothing(int signo)
{
	(void)signo;
}

/*
 * Makes a write beyond the file size limit (ulimit -f) fail with EFBIG.  By
 * default, SIGXFSZ kills the process.  This installs a handler instead of
 * ignoring the signal, because child processes inherit ignored signals.  If
 * SIGXFSZ is ignored already, writes fail with EFBIG anyway.
 */
__attribute__((constructor)) static void
live_with_limits(void)
{
	struct sigaction act = { .sa_handler = nothing,
		.sa_flags = SA_RESTART };
	struct sigaction old;

	if (sigaction(SIGXFSZ, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &act, NULL);
}

void
cmd_reads_terminal(void)
{
	if (isatty(STDIN_FILENO))
		warnx("reading standard input (a terminal); --help lists the "
		      "options");
}

/*
 * Signal handlers may call only async-signal-safe functions.
 */
static void
end_without_names(int signo)
{
	names_remove();
	signal(signo, SIG_DFL);
	raise(signo);
}

/*
 * Installs a handler for the signals that end the process.  It first removes
 * the incomplete output files.
 */
__attribute__((constructor)) static void
leave_nothing(void)
{
	static const int ends[] = { SIGALRM, SIGHUP, SIGINT, SIGPIPE, SIGQUIT,
		SIGTERM, SIGXCPU };
	struct sigaction act = { .sa_handler = end_without_names }, old;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (sigaction(ends[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(ends[i], &act, NULL);
}

/*
 * Handler of SIGBUS, which means that another process has truncated a mapped
 * input file.
 */
static void
cut_short(int signo)
{
	static const char text[] = ": an input file was cut short\n";
	const char *name = getprogname();
	ssize_t ignored;

	(void)signo;
	ignored = write(STDERR_FILENO, name, strlen(name));
	ignored = write(STDERR_FILENO, text, sizeof text - 1);
	(void)ignored;
	names_remove();
	_exit(EXIT_TROUBLE);
}

void
cmd_maps_files(void)
{
	struct sigaction act = { .sa_handler = cut_short };

	sigaction(SIGBUS, &act, NULL);
}

static int
exit_code(const struct hp_err *e)
{
	switch (e->kind) {
	case HP_NONE:
		return EXIT_DONE;
	case HP_NO:
	case HP_NOSHARE:
		return EXIT_NO;
	case HP_LOST:
		return EXIT_LOST;
	case HP_USAGE:
	case HP_INPUT:
	case HP_IO:
	case HP_NOMEM:
		break;
	}
	return EXIT_TROUBLE;
}

/*
 * Replaces control characters in a message, because texts from documents and
 * other nodes may contain terminal escapes.
 */
static void
mask_controls(char *s)
{
	for (; *s != '\0'; s++)
		if (iscntrl((unsigned char)*s) && *s != '\t')
			*s = '?';
}

void
cmd_note(const char *text)
{
	char masked[HP_ERR_TEXT];

	snprintf(masked, sizeof masked, "%s", text);
	mask_controls(masked);
	warnx("%s", masked);
}

/*
 * Prints an error. Control characters are replaced, as file names, documents
 * and messages of other nodes may contain terminal escapes. Answers (HP_NO) are
 * printed unchanged, as in sort(1).
 */
static void
complain(const struct hp_err *e)
{
	char text[HP_ERR_TEXT];

	/*
	 * An error without text and errno is the answer "no", which needs no
	 * message.  An empty text with an errno is an empty file name.
	 */
	if (e->text[0] == '\0' && e->errnum == 0)
		return;
	snprintf(text, sizeof text, "%s", e->text[0] == '\0' ? "''" : e->text);
	if (e->kind != HP_NO)
		mask_controls(text);
	if (e->errnum != 0)
		warnc(e->errnum, "%s", text);
	else
		warnx("%s", text);
}

void
cmd_bad(const struct hp_err *e)
{
	complain(e);
	exit(EXIT_TROUBLE);
}

/* Returns the name that messages give to an operand. */
static const char *
shown(const char *name)
{
	return strcmp(name, "-") == 0 ? "standard input" : name;
}

void
cmd_header_warn(const struct header *h)
{
	if (h->other != NULL)
		warnx("%s: its header differs from that of %s, and is left out",
		    shown(h->other), shown(h->name));
}

void
cmd_outputs_differ(const char *option, const char *path,
    const char *other_option, const char *other_path)
{
	if (path != NULL && other_path != NULL &&
	    outfile_same(path, other_path))
		errx(EXIT_TROUBLE, "%s and %s name the same file: %s", option,
		    other_option, other_path);
}

void
cmd_spares_inputs(
    const char *option, const char *path, const char *const *input, size_t n)
{
	for (size_t i = 0; path != NULL && i < n; i++)
		if (strcmp(input[i], "-") != 0 && outfile_same(path, input[i]))
			errx(EXIT_TROUBLE, "%s: %s is an input", option, path);
}

int
cmd_told(struct hp_err *e)
{
	return ferror(stderr) ? hp_fail_errno(e, HP_IO, "standard error") : 0;
}

int
cmd_finish(int rc, struct hp_err *e)
{
	int failed = ferror(stdout);

	if (rc == -1)
		complain(e);
	/*
	 * If the answer "no" could not be printed, the program fails with an
	 * error instead.
	 */
	if (rc == -1 && e->kind == HP_NO && ferror(stderr))
		e->kind = HP_IO;
	if ((fclose(stdout) == EOF || failed) &&
	    (rc == 0 || e->kind == HP_NO)) {
		rc = hp_fail_errno(e, HP_IO, "standard output");
		complain(e);
	}
	return rc == -1 ? exit_code(e) : EXIT_DONE;
}
