#include "doc/overheads.h"
#include "doc/values.h"

/* Members of a node that must not be negative. */
static const struct {
	const char *name;
	size_t at; /* offset of a double in struct node */
} amounts[] = {
	{ "merge_seconds_per_item", offsetof(struct node, merge_s_per_item) },
	{ "login_s", offsetof(struct node, login_s) },
	{ "step_s", offsetof(struct node, step_s) },
	{ "arrive_seconds_per_item", offsetof(struct node, arrive_s_per_item) },
	{ "exchange_seconds_per_item",
	    offsetof(struct node, exchange_s_per_item) },
	{ "return_seconds_per_item", offsetof(struct node, return_s_per_item) },
	{ "batch_seconds_per_item", offsetof(struct node, batch_s_per_item) },
	{ "sort_rest", offsetof(struct node, sort_rest) },
	{ "candidate_s", offsetof(struct node, candidate_s) },
};

enum {
	AMOUNTS = sizeof amounts / sizeof *amounts
};

int
doc_overheads_read(const struct doc_in *d, struct node *node, struct hp_err *e)
{
	for (size_t i = 0; i < AMOUNTS; i++)
		if (doc_amount(d, amounts[i].name, false,
			(double *)((char *)node + amounts[i].at), e) == -1)
			return -1;
	if (doc_has(d, "sort_rest") &&
	    (node->sort_rest <= 0 || node->sort_rest > 1))
		return doc_fail(
		    d, e, "'sort_rest' must be above 0 and at most 1");
	return 0;
}

int
doc_launcher_overheads_read(
    const struct doc_in *d, struct launcher *l, struct hp_err *e)
{
	if (doc_amount(d, "begin_s", false, &l->begin_s, e) == -1)
		return -1;
	if (doc_amount(d, "finish_s", false, &l->finish_s, e) == -1)
		return -1;
	return doc_amount(d, "divide_seconds_per_item", false,
		   &l->divide_s_per_item, e) == -1
	    ? -1
	    : 0;
}

/* Adds a number, unless it is 0 or the line has such a member. */
static int
add_number(json_t *line, const char *name, double x)
{
	json_t *has = json_object_get(line, name);

	if (x == 0 || (has != NULL && !json_is_null(has)))
		return 0;
	return json_object_set_new(line, name, doc_number_new(x));
}

int
doc_overheads_add(json_t *line, const struct node *node)
{
	for (size_t i = 0; i < AMOUNTS; i++)
		if (add_number(line, amounts[i].name,
			*(const double *)((const char *)node +
			    amounts[i].at)) == -1)
			return -1;
	return 0;
}

int
doc_launcher_overheads_add(json_t *line, const struct launcher *l)
{
	if (add_number(line, "begin_s", l->begin_s) == -1)
		return -1;
	if (add_number(line, "finish_s", l->finish_s) == -1)
		return -1;
	return add_number(
	    line, "divide_seconds_per_item", l->divide_s_per_item);
}
