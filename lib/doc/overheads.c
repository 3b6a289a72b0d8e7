#include "doc/overheads.h"
#include "doc/values.h"

/* A member of a line, which must not be negative. */
struct amount {
	const char *name; /* NULL: the end of a list */
	size_t at;	  /* offset of a double in the structure of the line */
};

static const struct amount node_amounts[] = {
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
	{ NULL, 0 },
};

static const struct amount launcher_amounts[] = {
	{ "begin_s", offsetof(struct launcher, begin_s) },
	{ "finish_s", offsetof(struct launcher, finish_s) },
	{ "divide_seconds_per_item",
	    offsetof(struct launcher, divide_s_per_item) },
	{ "batch_begin_s", offsetof(struct launcher, batch_begin_s) },
	{ "batch_finish_s", offsetof(struct launcher, batch_finish_s) },
	{ NULL, 0 },
};

static int
amounts_read(const struct doc_in *d, const struct amount *list, void *to,
    struct hp_err *e)
{
	for (; list->name != NULL; list++)
		if (doc_amount(d, list->name, false,
			(double *)((char *)to + list->at), e) == -1)
			return -1;
	return 0;
}

int
doc_overheads_read(const struct doc_in *d, struct node *node, struct hp_err *e)
{
	if (amounts_read(d, node_amounts, node, e) == -1)
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
	return amounts_read(d, launcher_amounts, l, e);
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

static int
amounts_add(json_t *line, const struct amount *list, const void *from)
{
	for (; list->name != NULL; list++)
		if (add_number(line, list->name,
			*(const double *)((const char *)from + list->at)) == -1)
			return -1;
	return 0;
}

int
doc_overheads_add(json_t *line, const struct node *node)
{
	return amounts_add(line, node_amounts, node);
}

int
doc_launcher_overheads_add(json_t *line, const struct launcher *l)
{
	return amounts_add(line, launcher_amounts, l);
}
