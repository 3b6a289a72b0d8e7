#include <inttypes.h>

#include "batch_work.h"
#include "memory.h"
#include "words.h"

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

void
batch_send(struct run *run, struct stage *s, size_t rank, size_t b,
    const struct extent *x, bool probe)
{
	stage_put(s, stage_step(s, (int)rank, batch_send_name(probe)),
	    run->input, x->offset, x->bytes, nth(s, "in", b));
}

void
batch_sort(struct run *run, struct stage *s, size_t rank, size_t b,
    const struct extent *x, bool probe)
{
	struct step *step = stage_step(s, (int)rank, batch_sort_name(probe));
	struct words w = ordered(run, s, "hpsort", NULL), old = words_of(s);

	memory_words(run, rank, &w);
	WORDS_ADD(&w, "-o", nth(s, "run", b));
	if (batch_is_read(run, rank)) {
		words_add(&w, "--extent");
		words_addf(&w, "%" PRIu64 ":%" PRIu64, x->offset, x->bytes);
		words_add(&w, run->input);
	} else {
		words_add(&w, nth(s, "in", b));
		words_add(&old, nth(s, "in", b));
	}
	stage_run(s, step, port_none(), port_none(), &w);
	if (probe)
		words_add(&old, nth(s, "run", b));
	if (old.n > 0)
		stage_files(s, step, ACT_REMOVE, &old);
}
