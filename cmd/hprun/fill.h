#ifndef HP_CMD_HPRUN_FILL_H
#define HP_CMD_HPRUN_FILL_H

/*
 * The words of a job's command.  In each word {first}, {count}, {rank}, {node}
 * and {nodes} are replaced; any other brace stays.  What replaces them is not
 * read again, and no shell sees the words.
 */

#include "job/stage.h"

struct placeholders {
	uint64_t first, count; /* the node's items, counted from 0 */
	size_t rank, nodes;
	const char *node;
};

/* Returns the filled word, which belongs to the stage. */
const char *fill(struct stage *, const char *word, const struct placeholders *);

/*
 * `hprun --do share PLAN RANK COMMAND...` executes the command for the node's
 * share of PLAN, or does nothing if the share is 0.  Returns only on failure or
 * without a share.
 */
int share_do(char *words[], struct hp_err *);

#endif
