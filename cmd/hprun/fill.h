#ifndef HP_CMD_HPRUN_FILL_H
#define HP_CMD_HPRUN_FILL_H

/*
 * Fills in the command of a job.  In each word of the command, {first},
 * {count}, {rank}, {node} and {nodes} are replaced; other braces remain.
 * Replaced text is not searched for placeholders again, and no shell interprets
 * the words.
 */

#include "job/stage.h"

struct placeholders {
	/* first item of the node, from 0, and number of its items */
	uint64_t first, count;
	size_t rank, nodes;
	const char *node;
};

/*
 * Returns the word with its placeholders replaced.  The text is freed with the
 * stage.
 */
const char *fill(struct stage *, const char *word, const struct placeholders *);

/*
 * Executes a job's command for a node: `hprun --do share PLAN RANK COMMAND...`.
 * Returns only if that fails, or if the node's share in PLAN is 0.
 */
int share_do(char *words[], struct hp_err *);

#endif
