#ifndef HP_JOB_STAGE_H
#define HP_JOB_STAGE_H

/*
 * Steps that run at the same time, and the memory that they are made of.  A
 * stage ends when all of its steps have ended.
 *
 * The functions that add to a stage do not fail: when memory runs out they
 * note it, and launcher_stage and the printer refuse the stage with HP_NOMEM.
 * Functions that format copy their text into the stage.
 *
 *	struct stage s;
 *	stage_init(&s);
 *	for (int r = 0; r < nodes; r++) {
 *		struct step *step = stage_step(&s, r, "sample");
 *		const char **words = step_run(step, port_file("plan.jsonl"),
 *		    port_file(stage_text(&s, "candidates.%d", r)));
 *		...
 */

#include "job/step.h"

struct stage_block;

struct stage {
	struct step **step;
	size_t n, cap;
	/*
	 * Done each time when a run is resumed, as it leaves nothing behind
	 * that a journal could vouch for (FIFOs, the final rename).
	 */
	bool passing;
	/*
	 * Reads or gives what cannot be had twice (standard input, standard
	 * output, names that files get): the stage is not tried again.  A
	 * machine that is lost meanwhile ends it only if one of its steps is
	 * not done; the next stage notices the loss.
	 */
	bool once;
	/*
	 * The steps talk to each other: when the stage is tried again, steps
	 * that have ended well are started again as well.
	 */
	bool together;
	bool nomem;
	/* Private. */
	struct stage_block *blocks;
	struct step spare_step; /* what is returned when memory runs out */
	struct action spare_action;
};

void stage_init(struct stage *);
void stage_fini(struct stage *);

/* A new step of the node, without actions. */
struct step *stage_step(struct stage *, int rank, const char *name);
/* A copy of the text, which lives as long as the stage. */
const char *stage_text(struct stage *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

struct port port_none(void);
struct port port_file(const char *);
struct port port_node(const char *);
struct port port_standard(void);

/* A list of words that grows; it belongs to the stage. */
struct words {
	struct stage *stage;
	const char **v; /* ends with NULL; NULL while the list is empty */
	size_t n, cap;
};

struct words words_of(struct stage *);
/* The text is copied. */
void words_add(struct words *, const char *);
void words_addf(struct words *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds all words of a list that ends with NULL. */
void words_add_all(struct words *, const char *const *);

/*
 * Each adds one action to the step, and returns it.  The pointer is good until
 * the next action is added to the same step: later, read step->action[i].
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
