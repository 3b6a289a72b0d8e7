#include "doc/overheads.h"
#include "doc/values.h"

int
doc_overheads_read(const struct doc_in *d, struct node *node, struct hp_err *e)
{
	const struct {
		const char *member;
		double *out;
	} amounts[] = {
		{ "merge_seconds_per_item", &node->merge_s_per_item },
		{ "login_s", &node->login_s },
		{ "step_s", &node->step_s },
		{ "arrive_seconds_per_item", &node->arrive_s_per_item },
		{ "exchange_seconds_per_item", &node->exchange_s_per_item },
		{ "return_seconds_per_item", &node->return_s_per_item },
		{ "candidate_s", &node->candidate_s },
	};

	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
		if (doc_amount(
			d, amounts[i].member, false, amounts[i].out, e) == -1)
			return -1;
	if (doc_amount(d, "sort_rest", true, &node->sort_rest, e) == -1)
		return -1;
	if (node->sort_rest > 1)
		return doc_fail(d, e, "'sort_rest' must be at most 1");
	return 0;
}

int
doc_launcher_overheads_read(
    const struct doc_in *d, struct launcher *l, struct hp_err *e)
{
	if (doc_amount(d, "begin_s", false, &l->begin_s, e) == -1)
		return -1;
	return doc_amount(d, "finish_s", false, &l->finish_s, e) == -1 ? -1 : 0;
}
