#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle.h"
#include "deal.h"
#include "doc/extents.h"
#include "file.h"
#include "files.h"
#include "fill.h"
#include "gather.h"
#include "job.h"
#include "links.h"
#include "print.h"
#include "printed.h"
#include "quote.h"
#include "words.h"

int
job_files(struct run *run, struct hp_err *e)
{
	const char *file = run->o.weights;
	bool standard = file != NULL && strcmp(file, "-") == 0;

	if (file == NULL)
		return 0;
	if (!standard && !run->o.dry && access(file, R_OK) == -1)
		return hp_fail_errno(e, HP_IO, "%s", file);
	run->weights = standard ? strdup(file) : files_absolute(run, file, e);
	return run->weights == NULL ? hp_fail_errno(e, HP_NOMEM, "weights") : 0;
}

/*
 * Copies the weights into the work directory, because a new plan after the loss
 * of a node needs them again.
 */
int
job_weights(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	if (run->weights == NULL)
		return 0;
	stage_init(&s);
	s.once = true;
	w = cat_words(run, &s);
	words_add(&w, named_file(run, &s, run->weights));
	stage_run(&s, stage_step(&s, STEP_LAUNCHER, "store"), port_standard(),
	    port_file("weights"), &w);
	return run_stage(run, &s, e);
}

static void
count_words(const struct run *run, struct stage *s, struct words *w)
{
	if (run->o.mode == MODE_COUNT && !run->o.counted)
		return;
	words_add(w, "-n");
	if (run->o.mode == MODE_COUNT)
		words_addf(w, "%" PRIu64, run->o.count);
	else
		words_add(w, record_count(run, s));
}

int
job_plan(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	words_add(&w, "hpsolve");
	count_words(run, &s, &w);
	WORDS_ADD(&w, "-c", run->o.cost);
	if (run->weights != NULL || run->o.files) {
		WORDS_ADD(&w, "--weights",
		    run->weights != NULL ? "weights" : BUNDLE_SIZES);
	} else {
		WORDS_ADD(&w, "-m", run->o.method);
	}
	words_add(&w, "nodes.jsonl");
	if (run_alone(run, &s, "plan", port_file("plan.jsonl"), &w, e) == -1)
		return -1;
	return run->o.dry ? 0 : deal_take_plan(run, e);
}

/*
 * Adds a word of the user's command to a command that --dry-run prints.  Words
 * that begin with the byte SHELL_WORD are printed unquoted, as shell code.  If
 * the user's word begins with this byte, quote it here.
 */
static void
print_word(struct stage *s, const char *word, struct words *w)
{
	char *quoted = NULL;
	size_t size;
	FILE *f;

	if (word[0] != SHELL_WORD) {
		words_add(w, word);
		return;
	}
	if ((f = open_memstream(&quoted, &size)) != NULL) {
		quote(f, word);
		fclose(f);
	}
	if (quoted == NULL)
		s->nomem = true;
	else
		words_addf(w, "%c%s", SHELL_WORD, quoted);
	free(quoted);
}

/*
 * Returns the command of a job for one node.  A dry run does not know the
 * shares.  It returns a call of `hprun --do share`, which replaces the
 * placeholders when the script runs.
 */
static struct words
command(const struct run *run, struct stage *s, const struct placeholders *p)
{
	struct words w = run->o.dry ? do_words(s, "share") : words_of(s);

	if (run->o.dry) {
		words_add(&w, "plan.jsonl");
		words_addf(&w, "%zu", p->rank);
	}
	if (run->o.files) {
		struct words each = do_words(s, "each");

		words_add_all(&w, each.v);
	}
	for (char **word = run->o.command; *word != NULL; word++)
		if (run->o.dry)
			print_word(s, *word, &w);
		else
			words_add(&w, fill(s, *word, p));
	return w;
}

/*
 * Adds the action that copies the node's part of the input to the node.  The
 * command does not read it from the connection, because a filter may leave some
 * of its input unread.
 */
static void
send(struct run *run, struct stage *s, struct step *step)
{
	const struct run_node *n = &run->node[step->rank];
	struct action *put = stage_put(
	    s, step, run->input, n->offset, n->bytes, "in");

	if (run->o.dry)
		print_send(s, (size_t)step->rank, run->input, put);
}

/*
 * Adds the command that makes the node's files.  A host unpacks its part of the
 * bundle while it arrives.  A node of this machine reads the bundle in place.
 */
static void
send_files(struct run *run, struct stage *s, struct step *step)
{
	const struct run_node *n = &run->node[step->rank];
	struct words w = do_words(s, "unpack");
	bool streamed = n->host != NULL || run->o.dry;
	struct action *unpack;

	if (!streamed) {
		words_addf(&w, "%" PRIu64, n->offset);
		words_addf(&w, "%" PRIu64, n->bytes);
		words_addf(&w, "%s/" BUNDLE, run->work);
	}
	unpack = stage_run(s, step,
	    streamed ? port_part(BUNDLE, n->offset, n->bytes) : port_none(),
	    port_none(), &w);
	if (run->o.dry)
		print_send(s, (size_t)step->rank, BUNDLE, unpack);
}

static void
job_step(struct run *run, struct stage *s, const struct placeholders *p)
{
	struct step *step = stage_step(s, (int)p->rank, "run");
	struct words w = command(run, s, p), in = words_of(s);
	bool filter = run->o.mode == MODE_MAP;

	step->foreign = true;
	if (run->o.files)
		send_files(run, s, step);
	if (filter)
		send(run, s, step);
	stage_run(s, step, filter ? port_node("in") : port_none(),
	    port_node("out"), &w);
	if (filter && run->o.keep == NULL) {
		words_add(&in, "in");
		stage_files(s, step, ACT_REMOVE, &in);
	}
	stage_size(s, step, "out");
}

int
job_run(struct run *run, struct hp_err *e)
{
	struct placeholders p = { .nodes = run->nodes };
	struct stage s;

	if (run->o.dry && put_everywhere(run, "plan.jsonl", e) == -1)
		return -1;
	stage_init(&s);
	for (size_t i = 0; i < run->nodes; i++) {
		p.rank = i;
		p.node = run->node[i].name;
		p.count = run->node[i].share;
		if (run->o.dry || p.count > 0)
			job_step(run, &s, &p);
		else if (file_piece(i, 0, e) == -1) {
			stage_fini(&s);
			return -1;
		}
		p.first += p.count;
	}
	return gather_pieces(run, &s, e);
}
