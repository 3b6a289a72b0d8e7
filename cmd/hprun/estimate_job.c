#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle.h"
#include "doc/stages.h"
#include "estimate_job.h"
#include "pack.h"

/* Writes the sizes of the files whose names are in the input. */
static int
write_sizes(struct run *run, struct scratch *to, struct hp_err *e)
{
	FILE *f = fdopen(dup(to->fd), "w");
	int rc = 0;

	if (f == NULL)
		return hp_fail_errno(e, HP_IO, "estimate");
	for (char **list = run->operand; rc == 0 && *list != NULL; list++)
		rc = bundle_sizes(
		    strcmp(*list, "-") == 0 ? "/dev/stdin" : *list,
		    run->o.order.zero ? '\0' : '\n', run->cwd, f, e);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "estimate");
	return rc;
}

int
estimate_job_words(
    struct run *run, struct words *w, struct scratch *sizes, struct hp_err *e)
{
	uint64_t n = run->o.count, bytes;

	if (run->o.mode == MODE_MAP && scratch_count(run, &n, &bytes, e) == -1)
		return -1;
	if (run->o.mode == MODE_MAP || run->o.counted) {
		words_add(w, "-n");
		words_addf(w, "%" PRIu64, n);
	}
	WORDS_ADD(w, "-c", run->o.cost);
	if (run->o.files && run->weights == NULL &&
	    (scratch_make(sizes, e) == -1 || write_sizes(run, sizes, e) == -1))
		return -1;
	if (run->o.files || run->weights != NULL)
		WORDS_ADD(w, "--weights",
		    run->weights != NULL ? run->weights : sizes->name);
	return 0;
}

int
estimate_job_print(
    const struct scratch *s, const struct plan *p, struct hp_err *e)
{
	static char name[] = "run";
	struct plan_stage stage = { .name = name, .seconds = p->makespan };
	FILE *f = fopen(s->name, "re");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	stage.node = calloc(p->nodes, sizeof *stage.node);
	if (f == NULL || stage.node == NULL)
		rc = hp_fail(e, HP_NOMEM, "estimate");
	for (size_t i = 0; rc == 0 && i < p->nodes; i++)
		stage.node[i] = p->share[i].seconds;
	for (size_t i = 0; rc == 0 && getline(&line, &size, f) != -1; i++) {
		if (i == p->nodes)
			rc = doc_stage_write(stdout, &stage, p->nodes, e);
		fputs(line, stdout);
	}
	if (f != NULL)
		fclose(f);
	free(line);
	free(stage.node);
	return rc;
}
