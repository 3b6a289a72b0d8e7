#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <err.h>

#include "base/size.h"
#include "doc/plan.h"
#include "fill.h"

enum {
	/* exit status of a shell: found, but not executable */
	NOT_TO_BE_RUN = 126,
	NOT_FOUND = 127 /* exit status of a shell: command not found */
};

/*
 * If the text begins with the placeholder, returns the length of the
 * placeholder, otherwise 0.
 */
static size_t
is(const char *text, const char *placeholder)
{
	size_t n = strlen(placeholder);

	return strncmp(text, placeholder, n) == 0 ? n : 0;
}

/*
 * Writes the value of the placeholder that `text` begins with. Returns the
 * length of the placeholder, or 0 if there is none.
 */
static size_t
put_value(FILE *f, const char *text, const struct placeholders *p)
{
	size_t n;

	if ((n = is(text, "{first}")) > 0)
		fprintf(f, "%" PRIu64, p->first);
	else if ((n = is(text, "{count}")) > 0)
		fprintf(f, "%" PRIu64, p->count);
	else if ((n = is(text, "{rank}")) > 0)
		fprintf(f, "%zu", p->rank);
	else if ((n = is(text, "{nodes}")) > 0)
		fprintf(f, "%zu", p->nodes);
	else if ((n = is(text, "{node}")) > 0)
		fputs(p->node, f);
	return n;
}

const char *
fill(struct stage *s, const char *word, const struct placeholders *p)
{
	const char *filled;
	char *text = NULL;
	size_t size, n;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL) {
		s->nomem = true;
		return "";
	}
	for (; *word != '\0'; word += n > 0 ? n : 1)
		if ((n = put_value(f, word, p)) == 0)
			putc(*word, f);
	if (fclose(f) == EOF)
		s->nomem = true;
	filled = stage_text(s, "%s", text == NULL ? "" : text);
	free(text);
	return filled;
}

/*
 * Replaces this process by the command, with its placeholders filled in.
 * Returns only if memory is short.
 */
static void
execute(char *words[], const struct placeholders *p, struct stage *s,
    const char **v)
{
	size_t n = 0;

	for (; words[n] != NULL; n++)
		v[n] = fill(s, words[n], p);
	v[n] = NULL;
	if (s->nomem)
		return;
	execvp(v[0], (char *const *)(uintptr_t)v);
	warn("%s", v[0]);
	exit(errno == ENOENT ? NOT_FOUND : NOT_TO_BE_RUN);
}

int
share_do(char *words[], struct hp_err *e)
{
	struct placeholders p;
	struct plan plan = { 0 };
	struct stage s;
	uint64_t rank = 0;
	const char **v = NULL;
	size_t n = 0;
	int rc;

	while (words[n] != NULL)
		n++;
	if (n < 3)
		return hp_fail(e, HP_USAGE, "share PLAN RANK COMMAND...");
	stage_init(&s);
	rc = doc_plan_read(words[0], &plan, e);
	if (rc == 0)
		rc = int_parse(words[1], 0, plan.nodes - 1, &rank, "rank", e);
	if (rc == 0 && plan.share[rank].n > 0) {
		p = (struct placeholders){ plan.share[rank].offset,
			plan.share[rank].n, (size_t)rank, plan.nodes,
			plan.share[rank].node };
		/* execute returns only if memory is short. */
		if ((v = calloc(n, sizeof *v)) != NULL)
			execute(words + 2, &p, &s, v);
		rc = hp_fail_errno(e, HP_NOMEM, "share");
	}
	free(v);
	stage_fini(&s);
	plan_fini(&plan);
	return rc;
}
