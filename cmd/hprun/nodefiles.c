#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/size.h"
#include "file.h"
#include "job/journal.h"
#include "nodefiles.h"
#include "words.h"

/*
 * File of the work directory.  It has a line for each node: its rank, and the
 * size and the time of its part of the input when the run began.
 */
static const char began_with[] = "in-place";

/*
 * Returns whether two nodes of different machines seem to have the same input
 * file.  Machines may number the device that they share differently, so devices
 * are not compared.
 */
static bool
have_same_input(const struct run *run, size_t a, size_t b)
{
	const struct node_facts *x = &run->facts[a], *y = &run->facts[b];

	return run->node[a].machine != run->node[b].machine &&
	    strcmp(run->node[a].in, run->node[b].in) == 0 &&
	    x->input_inode == y->input_inode &&
	    x->input_bytes == y->input_bytes &&
	    x->input_changed_us == y->input_changed_us;
}

/* Orders nodes so that those with the same input file are neighbours. */
static int
by_input(const void *a, const void *b, void *context)
{
	const struct run *run = context;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const struct node_facts *x = &run->facts[i], *y = &run->facts[k];
	int c = strcmp(run->node[i].in, run->node[k].in);

	if (c == 0)
		c = (x->input_inode > y->input_inode) -
		    (x->input_inode < y->input_inode);
	if (c == 0)
		c = (x->input_changed_us > y->input_changed_us) -
		    (x->input_changed_us < y->input_changed_us);
	return c != 0 ? c : (i > k) - (i < k);
}

/*
 * Warns if machines that share a file system sort the same file.  This is no
 * error, because equal files of copied disks look the same.
 */
static int
compare_inputs(const struct run *run, struct hp_err *e)
{
	size_t *rank = calloc(run->nodes, sizeof *rank);

	if (rank == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	for (size_t i = 0; i < run->nodes; i++)
		rank[i] = i;
	qsort_r(
	    rank, run->nodes, sizeof *rank, by_input, (void *)(uintptr_t)run);
	for (size_t i = 1; i < run->nodes; i++)
		if (have_same_input(run, rank[i - 1], rank[i])) {
			run_say(run,
			    "%s and %s may share the file %s: then its records "
			    "are sorted twice (write {node} or {rank} in "
			    "--in-place)",
			    run->node[rank[i - 1]].name,
			    run->node[rank[i]].name, run->node[rank[i]].in);
			break;
		}
	free(rank);
	return 0;
}

static int
write_began_with(const struct run *run, struct hp_err *e)
{
	struct file_out f;

	if (file_begin(&f, began_with, e) == -1)
		return -1;
	for (size_t i = 0; i < run->nodes; i++)
		fprintf(f.file, "%zu %" PRIu64 " %" PRIu64 "\n", i,
		    run->facts[i].input_bytes, run->facts[i].input_changed_us);
	return file_end(&f, 0, e);
}

/*
 * Handles an entry of the journal.  A step `leave` shows that the node's part
 * of the result has its final name.
 */
static int
note_named(void *context, const struct journal_entry *x, struct hp_err *e)
{
	const struct run *run = ((void **)context)[0];
	bool *named = ((void **)context)[1];

	(void)e;
	if (strcmp(x->name, "leave") == 0 && x->rank >= 0 &&
	    (size_t)x->rank < run->nodes)
		named[x->rank] = true;
	return 0;
}

/*
 * Compares a node's part of the input with its line in the file `began_with`.
 * A part of the result may have replaced the input.
 */
static int
check_part(const struct run *run, size_t rank, uint64_t bytes,
    uint64_t changed_us, const bool *named, struct hp_err *e)
{
	const struct run_node *n = &run->node[rank];
	const struct node_facts *now = &run->facts[rank];

	if (now->input_bytes == bytes && now->input_changed_us == changed_us)
		return 0;
	if ((named[rank] || now->named) && strcmp(n->in, n->leave) == 0)
		return 0;
	return hp_fail(e, HP_INPUT,
	    "%s: %s has changed since the run in %s began: begin a new run",
	    n->name, n->in, run->o.keep);
}

static int
check_began_with(struct run *run, FILE *f, struct hp_err *e)
{
	bool *named = calloc(run->nodes, sizeof *named);
	void *context[] = { run, named };
	uint64_t bytes, changed_us;
	size_t rank;
	int rc;

	if (named == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	rc = run->o.leave == NULL
	    ? 0
	    : journal_each("journal", note_named, context, e);
	while (rc == 0 &&
	    fscanf(f, "%zu %" SCNu64 " %" SCNu64, &rank, &bytes, &changed_us) ==
		3)
		if (rank < run->nodes)
			rc = check_part(run, rank, bytes, changed_us, named, e);
	free(named);
	/*
	 * If the input has changed, the kept run cannot be continued.  So the
	 * last message must not suggest --resume.
	 */
	run->began = run->began && rc == 0;
	return rc;
}

static int
inputs_unchanged(struct run *run, struct hp_err *e)
{
	FILE *f = run->resumed ? fopen(began_with, "re") : NULL;
	int rc;

	if (f == NULL)
		return write_began_with(run, e);
	rc = check_began_with(run, f, e);
	fclose(f);
	return rc;
}

int
beside_do(char *words[], struct hp_err *e)
{
	struct dirent *f;
	char *dir;
	const char *name;
	size_t stem;
	DIR *d;

	if (words[0] == NULL)
		return hp_fail(e, HP_USAGE, "beside FILE");
	if ((dir = io_directory(words[0])) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "beside");
	name = words[0] + strlen(words[0]);
	while (name > words[0] && name[-1] != '/')
		name--;
	/* The name ends with the rank. */
	for (stem = strlen(name); stem > 0 && name[stem - 1] != '.'; stem--)
		;
	d = opendir(dir);
	while (d != NULL && (f = readdir(d)) != NULL)
		if (strncmp(f->d_name, name, stem) == 0)
			puts(f->d_name + stem);
	if (d == NULL)
		hp_fail_errno(e, HP_IO, "%s", dir);
	else
		closedir(d);
	free(dir);
	return d == NULL ? -1 : 0;
}

/*
 * Returns whether another machine's node has the same path for its part of the
 * result.
 */
static bool
has_namesake(const struct run *run, size_t rank)
{
	for (size_t i = 0; i < run->nodes; i++)
		if (run->node[i].machine != run->node[rank].machine &&
		    strcmp(run->node[i].leave, run->node[rank].leave) == 0)
			return true;
	return false;
}

/*
 * Fails if the directory of the node's result has the temporary result of a
 * node of another machine with the same path.
 */
static int
check_besides(const struct run *run, size_t rank, struct hp_err *e)
{
	char line[64];
	uint64_t other;
	int rc = 0;
	FILE *f;

	snprintf(line, sizeof line, "beside.%zu", rank);
	if ((f = fopen(line, "re")) == NULL)
		return hp_fail_errno(e, HP_IO, "%s", line);
	while (rc == 0 && fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (int_parse(line, 0, run->nodes - 1, &other, "rank",
			&(struct hp_err){ 0 }) == 0 &&
		    run->node[other].machine != run->node[rank].machine &&
		    strcmp(run->node[other].leave, run->node[rank].leave) == 0)
			rc = hp_fail(e, HP_INPUT,
			    "--leave: nodes %s and %s have the same file '%s': "
			    "write {node} or {rank} in the path to distinguish "
			    "them",
			    run->node[rank].name, run->node[other].name,
			    run->node[rank].leave);
	}
	fclose(f);
	return rc;
}

/*
 * Fails if machines that share a file system would replace each other's part of
 * the result.  Each agent has created a temporary file in the directory of its
 * part, whose name has the node's rank.
 */
static int
results_differ(struct run *run, struct hp_err *e)
{
	struct stage s;
	int rc = 0;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = do_words(&s, "beside");

		if (!has_namesake(run, i))
			continue;
		words_add(&w, run->node[i].beside);
		stage_run(&s, stage_step(&s, (int)i, "setup"), port_none(),
		    port_file(nth(&s, "beside", i)), &w);
	}
	if (s.n == 0) {
		stage_fini(&s);
		return 0;
	}
	if (run_stage(run, &s, e) == -1)
		return -1;
	for (size_t i = 0; rc == 0 && i < run->nodes; i++)
		if (has_namesake(run, i))
			rc = check_besides(run, i, e);
	return rc;
}

int
nodefiles_check(struct run *run, struct hp_err *e)
{
	if (run->o.in_place != NULL &&
	    (compare_inputs(run, e) == -1 ||
		(run->o.keep != NULL && inputs_unchanged(run, e) == -1)))
		return -1;
	return run->o.leave == NULL ? 0 : results_differ(run, e);
}
