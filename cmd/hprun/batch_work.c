#include <inttypes.h>

#include "batch_work.h"
#include "memory.h"
#include "words.h"

/*
 * A host sorts a batch of fewer bytes than this with one thread. More threads
 * would take a third more processor time, and such a batch is sorted sooner
 * than the next one arrives.
 */
#define SINGLE_THREAD ((uint64_t)8 << 20)

const char *
batch_send_name(bool probe)
{
	return probe ? "probe-send" : "send";
}

const char *
batch_sort_name(bool probe)
{
	return probe ? "probe" : "sort";
}

bool
batch_is_read(const struct run *run, size_t rank)
{
	return run->node[rank].host == NULL || run->o.shared;
}

/* Returns the file that has the batches. */
static const char *
source(const struct run *run)
{
	return batches_return(run) ? run->ranges : run->input;
}

void
batch_send(struct run *run, struct stage *s, size_t rank, size_t b,
    const struct extent *x, bool probe)
{
	stage_put(s, stage_step(s, (int)rank, batch_send_name(probe)),
	    source(run), x->offset, x->bytes, nth(s, "in", b));
}

void
batch_sort(struct run *run, struct stage *s, size_t rank, size_t b,
    const struct extent *x, struct port out, const size_t *spent, bool probe)
{
	struct step *step = stage_step(s, (int)rank, batch_sort_name(probe));
	struct words w = ordered(run, s, "hpsort", NULL), old = words_of(s);
	struct words before = words_of(s);
	bool single = !batch_is_read(run, rank) && x->bytes < SINGLE_THREAD;

	if (spent != NULL) {
		words_add(&before, nth(s, "in", *spent));
		stage_files(s, step, ACT_REMOVE, &before);
	}
	memory_words(run, rank, single ? 1 : 0, &w);
	if (out.kind == PORT_NONE)
		WORDS_ADD(&w, "-o", nth(s, "run", b));
	if (batch_is_read(run, rank)) {
		words_add(&w, "--extent");
		words_addf(&w, "%" PRIu64 ":%" PRIu64, x->offset, x->bytes);
		words_add(&w, source(run));
	} else {
		words_add(&w, nth(s, "in", b));
		/* The step may be repeated until its output has arrived. */
		if (out.kind == PORT_NONE)
			words_add(&old, nth(s, "in", b));
	}
	stage_run(s, step, port_none(), out, &w);
	if (probe)
		words_add(&old, nth(s, "run", b));
	if (old.n > 0)
		stage_files(s, step, ACT_REMOVE, &old);
}
