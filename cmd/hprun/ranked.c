#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/size.h"
#include "ranked.h"

int
ranked_do(char *words[], struct hp_err *e)
{
	const char *rank = getenv("PMIX_RANK");
	uint64_t nodes, me;
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	if (n < 3 || int_parse(words[0], 1, n - 2, &nodes, "nodes", e) == -1)
		return hp_fail(e, HP_USAGE, "ranked NODES DIR... COMMAND...");
	if (rank == NULL)
		return hp_fail(e, HP_INPUT, "PMIX_RANK is not set");
	if (int_parse(rank, 0, nodes - 1, &me, "PMIX_RANK", e) == -1)
		return -1;
	if (chdir(words[1 + me]) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[1 + me]);
	execvp(words[1 + nodes], words + 1 + nodes);
	return hp_fail_errno(e, HP_IO, "%s", words[1 + nodes]);
}
