#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "job/votes_cover.h"

enum {
	/*
	 * Maximum number of vertices that the search chooses by trying both
	 * ends of an edge. So the search tries at most 2^12 = 4096 sets of
	 * vertices.
	 */
	DEPTH = 12
};

struct search {
	struct cover_edge *left; /* edges without a forced vertex */
	size_t nleft;
	bool *in;
	void (*found)(void *context, const bool *in);
	void *context;
	bool any;
};

static void
branch(struct search *s, size_t edge, size_t budget)
{
	size_t end[2];

	while (edge < s->nleft &&
	    (s->in[s->left[edge].a] || s->in[s->left[edge].b]))
		edge++;
	if (edge == s->nleft) {
		s->any = true;
		s->found(s->context, s->in);
		return;
	}
	if (budget == 0)
		return;
	end[0] = s->left[edge].a;
	end[1] = s->left[edge].b;
	for (int i = 0; i < 2; i++) {
		s->in[end[i]] = true;
		branch(s, edge + 1, budget - 1);
		s->in[end[i]] = false;
	}
}

/*
 * Marks the vertices that are in every cover of this size. Returns the number
 * of these vertices.
 */
static size_t
force(bool *in, const size_t *degree, size_t vertices, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < vertices; i++) {
		in[i] = degree[i] > size;
		n += in[i];
	}
	return n;
}

static void
keep_left(struct search *s, const struct cover_edge *edge, size_t edges)
{
	s->nleft = 0;
	for (size_t i = 0; i < edges; i++)
		if (!s->in[edge[i].a] && !s->in[edge[i].b])
			s->left[s->nleft++] = edge[i];
}

static size_t
look(struct search *s, const struct cover_edge *edge, size_t edges,
    const size_t *degree, size_t vertices, size_t most)
{
	for (size_t size = 1; size <= most; size++) {
		size_t forced = force(s->in, degree, vertices, size);

		if (forced > size)
			continue;
		keep_left(s, edge, edges);
		/*
		 * `forced` vertices are in every cover of `size` vertices. Each
		 * of the other size - forced vertices has at most `size` edges.
		 * If more edges than these remain, there is no cover of this
		 * size.
		 */
		if (s->nleft > (size - forced) * size)
			continue;
		if (size - forced > DEPTH)
			return 0;
		branch(s, 0, size - forced);
		if (s->any)
			return size;
	}
	return 0;
}

size_t
cover_least(const struct cover_edge *edge, size_t edges, size_t vertices,
    size_t most, void (*found)(void *context, const bool *in), void *context,
    struct hp_err *e)
{
	struct search s = { .left = reallocarray(NULL, edges, sizeof *s.left),
		.in = calloc(vertices, sizeof *s.in),
		.found = found,
		.context = context };
	size_t *degree = calloc(vertices, sizeof *degree), size = SIZE_MAX;

	if (s.left == NULL || s.in == NULL || degree == NULL) {
		hp_fail_errno(e, HP_NOMEM, "%zu links", edges);
		goto out;
	}
	for (size_t i = 0; i < edges; i++) {
		degree[edge[i].a]++;
		degree[edge[i].b]++;
	}
	size = look(&s, edge, edges, degree, vertices, most);
out:
	free(s.left);
	free(s.in);
	free(degree);
	return size;
}
