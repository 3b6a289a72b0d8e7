#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "quote.h"
#include "rsh.h"
#include "words.h"

/* A command line of a step, as the shell of the node runs it. */
struct text {
	FILE *f;
	char *s;
	size_t size;
	/* files of the launcher for input and output; NULL: none */
	const char *in, *out;
	bool append, standard;
	/* command whose output this command reads; NULL: none */
	const char *before;
};

static void
put_word(FILE *f, const char *word)
{
	if (word[0] == SHELL_WORD)
		fputs(word + 1, f);
	else
		quote(f, word);
}

static void
put_words(FILE *f, const char *const *words)
{
	for (; *words != NULL; words++) {
		put_word(f, *words);
		if (words[1] != NULL)
			putc(' ', f);
	}
}

static void
port_in(struct text *t, const struct port *p)
{
	if (p->kind == PORT_NODE) {
		fputs(" <", t->f);
		quote(t->f, p->file);
	} else if (p->kind == PORT_FILE)
		t->in = p->file;
	else if (p->kind == PORT_STANDARD)
		t->standard = true;
}

static void
port_out(struct text *t, const struct port *p)
{
	if (p->kind == PORT_NODE) {
		fputs(p->append ? " >>" : " >", t->f);
		quote(t->f, p->file);
	} else if (p->kind == PORT_FILE) {
		t->out = p->file;
		t->append = p->append;
	}
}

static void
put_action(struct text *t, const struct action *a, const struct step *step)
{
	/*
	 * Exit status 1 means the answer no.  The command line must continue
	 * then, because later commands read the answer from the output.
	 */
	bool asks = step->asks && step->rank != STEP_LAUNCHER;

	switch (a->kind) {
	case ACT_RUN:
		fputs(asks ? "{ " : "", t->f);
		put_words(t->f, a->words);
		if (a->in.part)
			t->before = a->shell;
		else
			port_in(t, &a->in);
		port_out(t, &a->out);
		fputs(asks ? " || [ $? -eq 1 ]; }" : "", t->f);
		break;
	case ACT_PUT:
		fputs("(umask 077 && cat >", t->f);
		quote(t->f, a->node);
		putc(')', t->f);
		t->before = a->shell;
		if (a->shell == NULL)
			t->in = a->launcher.file;
		break;
	case ACT_GET:
		fputs("cat ", t->f);
		quote(t->f, a->node);
		port_out(t, &a->launcher);
		break;
	case ACT_REMOVE:
		fputs("rm -f ", t->f);
		put_words(t->f, a->words);
		break;
	case ACT_RENAME:
		fputs("mv -f ", t->f);
		put_words(t->f, a->words);
		break;
	case ACT_FIFO:
		fputs("rm -f ", t->f);
		put_words(t->f, a->words);
		fputs(" && mkfifo ", t->f);
		put_words(t->f, a->words);
		break;
	case ACT_SIZE:
		fprintf(t->f,
		    "stat -c '{\"type\":\"extent\",\"sublist\":%d,\"rank\":%d,"
		    "\"offset\":0,\"bytes\":%%s,\"records\":0}' ",
		    step->rank, step->rank);
		quote(t->f, a->node);
		break;
	case ACT_SKIP_IF:
		fputs("{ { [ -e ", t->f);
		quote(t->f, a->words[0]);
		if (*a->words[1] != '\0') {
			fputs(" ] && { [ ! -e ", t->f);
			quote(t->f, a->words[1]);
			fputs(" ] || rmdir ", t->f);
			quote(t->f, a->words[1]);
			fputs(" 2>/dev/null; }; } || ", t->f);
			break;
		}
		fputs(" ]; } || ", t->f);
		break;
	}
}

/* Returns whether the action writes a file of the launcher. */
static bool
tells(const struct action *a)
{
	return a->kind == ACT_GET || a->kind == ACT_SIZE ||
	    (a->kind == ACT_RUN && a->out.kind == PORT_FILE);
}

/*
 * Prints actions as one command line, beginning with action `from`.  A command
 * line has only one output, so it stops before a second action that writes a
 * file of the launcher.  Returns the index of the next action.
 */
static size_t
put_actions(struct text *t, const struct step *step, size_t from)
{
	bool told = false;
	size_t i;

	for (i = from; i < step->nactions; i++) {
		const struct action *a = &step->action[i];
		bool skips = i > from && a[-1].kind == ACT_SKIP_IF;

		if (told && tells(a))
			break;
		told = told || tells(a);
		if (i > from && !skips)
			fputs(" && ", t->f);
		put_action(t, a, step);
		if (skips)
			fputs("; }", t->f);
	}
	return i;
}

/*
 * Prints the command that runs `text` in the directory of the node.  It is a
 * subshell for a node of this machine, and a login for a host.
 */
static int
put_node(struct run *run, const struct step *step, const char *text)
{
	const struct run_node *n = &run->node[step->rank];
	/*
	 * The agent sets the umask and LC_ALL for all steps.  Only commands of
	 * the user depend on them.
	 */
	const char *begin = step->foreign ? "umask 077 && export LC_ALL=C && "
					  : "";
	char *line;
	size_t size;
	FILE *f;

	if (n->host == NULL) {
		printf("(%scd ", begin);
		quote(stdout, n->dir);
		printf(" && %s)", text);
		return 0;
	}
	if ((f = open_memstream(&line, &size)) == NULL)
		return -1;
	if (run->home != NULL) {
		fputs("PATH=", f);
		quote(f, run->home);
		fputs(":$PATH; ", f);
	}
	fprintf(f, "%scd ", begin);
	quote(f, n->dir);
	fprintf(f, " && %s", text);
	if (fclose(f) == EOF)
		return -1;
	rsh_print(run, n->host);
	putchar(' ');
	quote(stdout, line);
	free(line);
	return 0;
}

/*
 * Prints one command line of a step.  Returns the index of the next action, or
 * 0 on failure.
 */
static size_t
put_command(struct run *run, const struct step *step, size_t from)
{
	struct text t = { 0 };
	size_t next;
	int rc = 0;

	if ((t.f = open_memstream(&t.s, &t.size)) == NULL)
		return 0;
	next = put_actions(&t, step, from);
	if (fclose(t.f) == EOF)
		return 0;
	if (t.before != NULL)
		printf("%s | ", t.before);
	if (step->rank == STEP_LAUNCHER)
		fputs(t.s, stdout);
	else
		rc = put_node(run, step, t.s);
	free(t.s);
	if (t.in != NULL) {
		fputs(" <", stdout);
		quote(stdout, t.in);
	}
	/*
	 * An action of this kind prints the size of the node's result, which
	 * goes to pieces.R for rank R.
	 */
	if (next > from && step->action[next - 1].kind == ACT_SIZE)
		printf(" >pieces.%d", step->rank);
	else if (t.out != NULL) {
		fputs(t.append ? " >>" : " >", stdout);
		quote(stdout, t.out);
	}
	return rc == -1 ? 0 : next;
}

static int
put_step(struct run *run, const struct step *step, const char *end)
{
	size_t next = put_command(run, step, 0);

	while (next > 0 && next < step->nactions) {
		fputs(" &&\n\t", stdout);
		next = put_command(run, step, next);
	}
	fputs(end, stdout);
	return next == 0 && step->nactions > 0 ? -1 : 0;
}

void
print_started(void)
{
	puts("pids=\"$pids $!\"");
}

void
print_join(void)
{
	puts("wait_all");
}

int
print_stage(struct run *run, const struct stage *s, struct hp_err *e)
{
	bool alone = s->n == 1 && s->step[0]->rank == STEP_LAUNCHER;

	if (s->nomem)
		return hp_fail_errno(e, HP_NOMEM, "commands");
	for (size_t i = 0; i < s->n; i++) {
		if (put_step(run, s->step[i], alone ? "\n" : " &\n") == -1)
			return hp_fail_errno(e, HP_NOMEM, "commands");
		if (!alone)
			print_started();
	}
	if (!alone && s->n > 0)
		print_join();
	return fflush(stdout) == EOF || ferror(stdout)
	    ? hp_fail_errno(e, HP_IO, "standard output")
	    : 0;
}

int
print_bare(struct run *run, const struct stage *s, struct hp_err *e)
{
	if (s->nomem || put_step(run, s->step[0], "") == -1)
		return hp_fail_errno(e, HP_NOMEM, "commands");
	return 0;
}
