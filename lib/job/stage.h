#ifndef HP_JOB_STAGE_H
#define HP_JOB_STAGE_H

/*
 * Steps that run at the same time, and the memory of their words and actions.
 * A stage ends when all of its steps have ended.
 *
 * The functions that add to a stage do not fail.  If memory runs out, they set
 * `nomem`.  launcher_stage, or the function that prints the stage, then fails
 * with HP_NOMEM.
 * Functions that format copy their text into the stage.
 *
 *	struct stage s;
 *	stage_init(&s);
 *	for (int r = 0; r < nodes; r++) {
 *		struct words w = words_of(&s);
 *		WORDS_ADD(&w, "hpsplit", "sample", "run");
 *		stage_run(&s, stage_step(&s, r, "sample"),
 *		    port_file("plan.jsonl"),
 *		    port_file(stage_text(&s, "candidates.%d", r)), &w);
 *	}
 */

#include "job/port.h"
#include "job/step.h"

struct stage_block;

/* index passed to `grow` if no step has ended, but time has passed */
#define STAGE_TICK SIZE_MAX

struct stage {
	struct step **step;
	size_t n, cap;
	/*
	 * When a run is resumed, the stage is run again even if it has
	 * succeeded before. Its effects may be gone, for example FIFOs that it
	 * made.
	 */
	bool passing;
	/*
	 * The stage is not retried, because it cannot be undone: it uses
	 * standard input or output, or renames files to their final names. If a
	 * machine is lost, the stage fails only if a step on that machine has
	 * not ended. Otherwise the next stage notices the loss.
	 */
	bool once;
	/*
	 * The stage may grow while it runs. The launcher calls this function
	 * after each step that has succeeded, also for a step that the journal
	 * has. `index` is the step's index. The launcher also calls the
	 * function a few times a second, with the index STAGE_TICK. The
	 * function may add steps, at most `growth` in all, which start at once.
	 * Returns 0, or -1 with an error that ends the run. NULL: the stage
	 * does not grow.
	 */
	int (*grow)(
	    void *context, struct stage *, size_t index, struct hp_err *);
	void *context;
	size_t growth;
	/* indices of the steps that stage_drop has dropped, in that order */
	size_t *dropped;
	size_t ndropped, dropped_cap;
	bool nomem;
	/* Private. */
	struct stage_block *blocks;
	struct step spare_step; /* returned when memory runs out */
	struct action spare_action;
};

void stage_init(struct stage *);
void stage_fini(struct stage *);

/* Adds a step of the node. It has no actions yet. */
struct step *stage_step(struct stage *, int rank, const char *name);
/*
 * Drops a step, because the stage can do without it. The launcher does not
 * start the step, or cancels it if it runs. The step then counts as done, but
 * it is not reported, and `grow` is not called for it. To be called before the
 * stage runs, or by `grow`.
 */
void stage_drop(struct stage *, size_t index);
/* Formats a text. Its memory belongs to the stage. */
const char *stage_text(struct stage *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* A growing list of words; its memory belongs to the stage. */
struct words {
	struct stage *stage;
	/*
	 * array of the words, with NULL after the last word; while the list is
	 * empty, there is no array (NULL)
	 */
	const char **v;
	size_t n, cap;
};

struct words words_of(struct stage *);
/* Adds a word; its text is copied. */
void words_add(struct words *, const char *);
void words_addf(struct words *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds all words of a list that ends with NULL. */
void words_add_all(struct words *, const char *const *);
/* Adds the words: WORDS_ADD(&w, "hpsolve", "-n", count). */
#define WORDS_ADD(w, ...) \
	words_add_all(w, (const char *const[]){ __VA_ARGS__, NULL })

/*
 * Each of these functions adds one action to the step and returns it. The
 * pointer is valid until the next action is added to the step. After that, use
 * step->action[i].
 */
struct action *stage_run(struct stage *, struct step *, struct port in,
    struct port out, const struct words *);
struct action *stage_put(struct stage *, struct step *, const char *source,
    uint64_t offset, uint64_t bytes, const char *node);
struct action *stage_get(struct stage *, struct step *, const char *node,
    uint64_t offset, uint64_t bytes, struct port target, uint64_t at);
struct action *stage_size(struct stage *, struct step *, const char *node);
struct action *
stage_rename(struct stage *, struct step *, const char *from, const char *to);
struct action *stage_skip_if(
    struct stage *, struct step *, const char *exists, const char *absent);
/* kind: ACT_REMOVE or ACT_FIFO. */
struct action *stage_files(
    struct stage *, struct step *, enum action_kind kind, const struct words *);

#endif
