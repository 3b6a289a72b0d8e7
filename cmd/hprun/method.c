#include <string.h>

#include "method.h"

bool
method_may_be_range(const struct run *run)
{
	const struct opts *o = &run->o;

	return !o->algorithm_given && o->mode == MODE_SORT && !o->dry &&
	    o->in_place == NULL && o->keep == NULL && o->leave == NULL &&
	    run->beside != NULL && o->profile_s == 0 &&
	    o->profile_key == NULL && !o->learn && !o->shared && !o->random &&
	    !o->order.unique && strcmp(o->method, "auto") == 0 &&
	    (o->transport == NULL || !way_find(o->transport)->collective);
}
