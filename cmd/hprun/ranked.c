#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/size.h"
#include "ranked.h"
#include "spawned.h"

int
ranked_do(char *words[], struct hp_err *e)
{
	const char *rank = getenv("PMIX_RANK");
	uint64_t nodes, me;
	size_t n = 0;
	int status;

	while (words[n] != NULL)
		n++;
	if (n < 4 || int_parse(words[0], 1, n - 3, &nodes, "nodes", e) == -1)
		return hp_fail(
		    e, HP_USAGE, "ranked NODES WORD DIR... COMMAND...");
	if (rank == NULL)
		return hp_fail(e, HP_INPUT, "PMIX_RANK is not set");
	if (int_parse(rank, 0, nodes - 1, &me, "PMIX_RANK", e) == -1)
		return -1;
	if (chdir(words[2 + me]) == -1)
		return hp_fail_errno(e, HP_IO, "%s", words[2 + me]);
	if (spawned_run(words + 2 + nodes, &status, e) == -1)
		return -1;
	spawned_end_like(status);
	if (*words[1] != '\0')
		puts(words[1]);
	return 0;
}
