#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "run/polyphase.h"

/*
 * A tape of the plan. It holds first some dummy runs, which are empty, and then
 * a queue of nodes. A node is an initial run or the result of a merge.
 */
struct tape_of_runs {
	size_t dummies;
	size_t *node;
	size_t head, n, cap;
};

struct planner {
	struct polyphase *p;
	struct tape_of_runs *tape; /* the last one is empty */
	size_t ninputs;
};

static int
push(struct tape_of_runs *t, size_t node)
{
	if (ARRAY_ROOM(t->node, t->n, t->cap) == -1)
		return -1;
	t->node[t->n++] = node;
	return 0;
}

/*
 * Distributes the runs over the tapes: steps D1 to D4 of Knuth's Algorithm
 * 5.4.2D. perfect[] is Knuth's A, and dummies[] is his D.
 */
static void
distribute(struct polyphase *p)
{
	size_t *a = p->perfect, *d = p->dummies, j = 0, first;

	p->phases = 1;
	for (size_t i = 0; i + 1 < p->tapes; i++)
		a[i] = d[i] = 1;
	for (size_t left = p->runs; left > 0; left--) {
		d[j]--;
		if (left == 1)
			break;
		if (d[j] < d[j + 1])
			j++;
		else if (d[j] > 0)
			j = 0;
		else { /* go to the next level of Fibonacci numbers */
			p->phases++;
			first = a[0];
			for (size_t i = 0; i + 1 < p->tapes; i++) {
				d[i] = first + a[i + 1] - a[i];
				a[i] = first + a[i + 1];
			}
			j = 0;
		}
	}
}

/*
 * Plans one merge of a polyphase merge sort. It takes one run from each tape
 * except the last, and writes the merged run to the last tape. Dummy runs stand
 * for missing runs and are left out. A single real run moves to the last tape
 * without a merge.
 */
static int
merge_one(struct planner *l)
{
	struct polyphase *p = l->p;
	size_t last = p->tapes - 1, first = l->ninputs, node;
	struct tape_of_runs *t;

	for (size_t i = 0; i < last; i++) {
		t = &l->tape[i];
		if (t->dummies > 0)
			t->dummies--;
		else
			p->input[l->ninputs++] = t->node[t->head++];
	}
	if (l->ninputs == first) {
		l->tape[last].dummies++;
		return 0;
	}
	if (l->ninputs == first + 1)
		node = p->input[--l->ninputs];
	else {
		p->merge[p->nmerges] = (struct polyphase_merge){ first,
			l->ninputs - first };
		node = p->runs + p->nmerges++;
	}
	return push(&l->tape[last], node);
}

static size_t
left(const struct tape_of_runs *t)
{
	return t->dummies + t->n - t->head;
}

/* Steps D5 and D6. */
static int
merge_all(struct planner *l)
{
	struct tape_of_runs full;
	size_t last = l->p->tapes - 1;

	for (size_t phase = 0; phase < l->p->phases; phase++) {
		/*
		 * The last tape was read completely, so it is empty. It takes
		 * the results of the next merges.
		 */
		l->tape[last].head = l->tape[last].n = 0;
		while (left(&l->tape[last - 1]) > 0)
			if (merge_one(l) == -1)
				return -1;
		full = l->tape[last];
		memmove(l->tape + 1, l->tape, last * sizeof *l->tape);
		l->tape[0] = full;
	}
	return 0;
}

/*
 * The merges form a tree, whose leaves are the initial runs. Numbers the leaves
 * from left to right: leaf k becomes run k of the input. So each merge combines
 * adjacent runs, and equal records keep their input order. First computes the
 * number of leaves below each merge. Then goes from the last merge, the root,
 * down, and computes the number of the first leaf of each merge.
 */
static int
number_by_place(struct polyphase *p)
{
	size_t nodes = p->runs + p->nmerges, at;
	size_t *size = calloc(nodes, sizeof *size);
	size_t *start = calloc(nodes, sizeof *start);

	if (size == NULL || start == NULL) {
		free(size);
		free(start);
		return -1;
	}
	for (size_t i = 0; i < nodes; i++) {
		const struct polyphase_merge *m = &p->merge[i - p->runs];

		size[i] = i < p->runs;
		for (size_t k = 0; i >= p->runs && k < m->n; k++)
			size[i] += size[p->input[m->first + k]];
	}
	for (size_t i = nodes; i-- > p->runs;) {
		const struct polyphase_merge *m = &p->merge[i - p->runs];

		at = start[i];
		for (size_t k = 0; k < m->n; k++) {
			size_t *input = &p->input[m->first + k];

			start[*input] = at;
			at += size[*input];
			if (*input < p->runs)
				*input = start[*input];
		}
	}
	free(size);
	free(start);
	return 0;
}

static int
plan(struct planner *l)
{
	struct polyphase *p = l->p;
	size_t run = 0;

	p->perfect = calloc(p->tapes + 1, sizeof *p->perfect);
	p->dummies = calloc(p->tapes + 1, sizeof *p->dummies);
	p->merge = calloc(p->runs + 1, sizeof *p->merge);
	/*
	 * All merges together have fewer than 2 * runs inputs. The rest is room
	 * for inputs that merge_one adds and removes again if no merge is
	 * needed.
	 */
	p->input = calloc(2 * p->runs + p->tapes, sizeof *p->input);
	l->tape = calloc(p->tapes, sizeof *l->tape);
	if (p->perfect == NULL || p->dummies == NULL || p->merge == NULL ||
	    p->input == NULL || l->tape == NULL)
		return -1;
	distribute(p);
	for (size_t i = 0; i + 1 < p->tapes; i++) {
		l->tape[i].dummies = p->dummies[i];
		for (size_t k = p->dummies[i]; k < p->perfect[i]; k++)
			if (push(&l->tape[i], run++) == -1)
				return -1;
	}
	return merge_all(l) == -1 || number_by_place(p) == -1 ? -1 : 0;
}

int
polyphase_plan(struct polyphase *p, size_t runs, size_t tapes, struct hp_err *e)
{
	struct planner l = { .p = p };
	int rc;

	*p = (struct polyphase){ .runs = runs, .tapes = tapes };
	rc = plan(&l);
	for (size_t i = 0; l.tape != NULL && i < tapes; i++)
		free(l.tape[i].node);
	free(l.tape);
	if (rc == 0)
		return 0;
	polyphase_fini(p);
	return hp_fail_errno(e, HP_NOMEM, "merge of %zu runs", runs);
}

void
polyphase_fini(struct polyphase *p)
{
	free(p->perfect);
	free(p->dummies);
	free(p->merge);
	free(p->input);
	*p = (struct polyphase){ 0 };
}
