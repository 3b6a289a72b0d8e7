#include "job/launcher_hears.h"
#include "job/launcher_own.h"

enum launcher_hears
launcher_hears(const struct launcher *l, int rank)
{
	const struct machine *m = &l->machine[l->of_rank[rank]];

	if (!m->lost)
		return HEARS_IT;
	return m->state == MACHINE_READY ? HEARS_AGAIN : HEARS_NOT;
}
