#include <stdio.h>

#include "actions.h"
#include "doc/show.h"

static int
show(const char *path, void *order, struct hp_err *e)
{
	return doc_show(stdout, path, order, e);
}

int
action_show(struct job *j, struct hp_err *e)
{
	struct order order = j->o->order;

	return job_each_document(j, show, &order, e);
}
