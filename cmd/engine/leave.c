#include <stdlib.h>

#include "file.h"
#include "gather.h"
#include "prove.h"
#include "words.h"

/* What the whole is, and where its parts are: the file `summary`. */
static int
tell_parts(struct run *run, struct hp_err *e)
{
	const char **name = reallocarray(NULL, run->nodes, sizeof *name);
	const char **path = reallocarray(NULL, run->nodes, sizeof *path);
	struct parts l = { 0 };
	struct file_out f;
	int rc = -1;

	if (name == NULL || path == NULL) {
		hp_fail_errno(e, HP_NOMEM, "parts");
		goto out;
	}
	for (size_t i = 0; i < run->nodes; i++) {
		name[i] = run->node[i].name;
		path[i] = run->node[i].leave;
	}
	if (doc_parts_read("parts.jsonl", &l, e) == 0 &&
	    file_begin(&f, "summary", e) == 0)
		rc = file_end(
		    &f, doc_left_write(f.file, "whole", &l, name, path, e), e);
out:
	parts_fini(&l);
	free(name);
	free(path);
	return rc;
}

/* The parts are proven before any of them gets its name. */
static int
prove_left(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++)
		prove_step(run, &s, i);
	if (run_stage(run, &s, e) == -1)
		return -1;
	return prove_parts(run, e);
}

static int
name_parts(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++)
		stage_rename(&s, stage_step(&s, (int)i, "leave"),
		    run_result(run, i), run->node[i].leave);
	return run_stage(run, &s, e);
}

int
leave(struct run *run, const struct parts *l, struct hp_err *e)
{
	struct stage s;
	struct words w;

	(void)l;
	if (prove_left(run, e) == -1 ||
	    (!run->o.dry && tell_parts(run, e) == -1))
		return -1;
	/* Nothing gives or takes back several names at once. */
	run->naming = true;
	if (name_parts(run, e) == -1)
		return -1;
	run->naming = false;
	run->given = true;
	stage_init(&s);
	s.passing = true;
	w = words_of(&s);
	words_add(&w, "cat");
	words_add(&w, "summary");
	return run_alone(run, &s, "gather", port_standard(), &w, e);
}
