#include <stdlib.h>

#include "file.h"
#include "leave.h"
#include "progress.h"
#include "prove.h"
#include "words.h"

/*
 * Writes the document `summary`: the summary of the whole result, and the path
 * of each node's part.
 *   words  name and path of each node, by rank; NULL at the end
 */
static int
tell_parts(const char *const *words, struct hp_err *e)
{
	const char **name, **path;
	struct parts l = { 0 };
	struct file_out f;
	size_t n = 0;
	int rc;

	while (words[n] != NULL)
		n++;
	name = reallocarray(NULL, n / 2 + 1, 2 * sizeof *name);
	if (name == NULL)
		return hp_fail_errno(e, HP_NOMEM, "parts");
	path = name + n / 2 + 1;
	for (size_t i = 0; i < n / 2; i++) {
		name[i] = words[2 * i];
		path[i] = words[2 * i + 1];
	}
	rc = doc_parts_read("parts.jsonl", &l, e);
	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (l.v[i].rank >= n / 2)
			rc = hp_fail(e, HP_INPUT,
			    "parts.jsonl: a part belongs to no node");
	if (rc == 0 && (rc = file_begin(&f, "summary", e)) == 0)
		rc = file_end(
		    &f, doc_left_write(f.file, "whole", &l, name, path, e), e);
	parts_fini(&l);
	free(name);
	return rc;
}

int
left_do(char *words[], struct hp_err *e)
{
	return tell_parts((const char *const *)words, e);
}

static int
tell_left(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = do_words(&s, "left");
	for (size_t i = 0; i < run->nodes; i++) {
		WORDS_ADD(&w, run->node[i].name, run->node[i].leave);
	}
	return run_do(run, &s, "leave", &w, tell_parts, e);
}

/* Proves the parts of all nodes before any part is renamed. */
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
		    result_file(run, i), run->node[i].leave);
	return run_stage(run, &s, e);
}

int
leave(struct run *run, const struct parts *l, struct hp_err *e)
{
	struct stage s;
	struct words w;

	(void)l;
	if (prove_left(run, e) == -1 || tell_left(run, e) == -1)
		return -1;
	/*
	 * The parts are renamed one by one.  If hprun fails from here on, some
	 * parts may have their final names.
	 */
	run->naming = true;
	if (name_parts(run, e) == -1)
		return -1;
	run->naming = false;
	run->given = true;
	progress_give_way(run);
	stage_init(&s);
	s.passing = true;
	w = cat_words(run, &s);
	words_add(&w, "summary");
	return run_alone(run, &s, "gather", port_standard(), &w, e);
}
