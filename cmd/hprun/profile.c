#include "profile.h"

int
profile_nodes(struct run *run, struct hp_err *e)
{
	(void)e;
	return run->o.profile_s > 0 ? 0 : 0;
}
