#include <stdlib.h>
#include <string.h>

#include "kernel/entries.h"
#include "kernel/treebuild.h"
#include "kernel/treesteps.h"

enum {
	DEPTH_MOST = 1 << 12, /* bytes of a path */
	NODES = 1 << 11,
	/*
	 * maximum number of buckets in a tree; when it is reached, the tree
	 * gets no more nodes
	 */
	BUCKETS = 1 << 14
};

struct build {
	struct tree *tree;
	const struct span *s; /* the sorted sample */
	uint64_t *key;	      /* buffer for as many keys */
	size_t share;	      /* sample strings per bucket */
	size_t nodes;	      /* most nodes */
	struct hp_err *err;
};

static unsigned char none[1];
static const struct order whole = { .slice = true, .slice_len = SIZE_MAX };

static int
sort_sample(struct span *s, size_t n, size_t depth, struct hp_err *e)
{
	struct entry *x = calloc(2 * n + 1, sizeof *x);
	struct span *copy = calloc(n + 1, sizeof *copy);
	struct view v;
	int rc = -1;

	if (x == NULL || copy == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sample of %zu records", n);
		goto out;
	}
	view_init(&v, &whole);
	memcpy(copy, s, n * sizeof *s);
	for (size_t i = 0; i < n; i++) {
		x[i].place = place_make(&copy[i], PLACE_LONG);
		x[i].key = span_load(copy[i], depth, false);
	}
	entries_sort(&v, x, n, x + n, 0, depth);
	for (size_t i = 0; i < n; i++)
		s[i] = place_span(x[i].place);
	rc = 0;
out:
	free(x);
	free(copy);
	return rc;
}

static int
add_leaf(struct build *b, struct leaf l, uint16_t *target)
{
	struct tree *t = b->tree;
	void *array = t->leaf;

	if (tree_grow(&array, t->buckets, sizeof l, b->err) == -1)
		return -1;
	t->leaf = array;
	t->leaf[t->buckets] = l;
	*target = (uint16_t)t->buckets++;
	return 0;
}

/*
 * Returns the length of the common prefix of two strings, but at most `most`.
 * The caller knows that they share `depth` bytes.
 */
static size_t
common(struct span a, struct span b, size_t depth, size_t most)
{
	size_t n = a.len < b.len ? a.len : b.len;

	n = n < most ? n : most;
	while (depth < n && a.at[depth] == b.at[depth])
		depth++;
	return depth;
}

static int
build(struct build *, size_t from, size_t end, size_t depth, uint16_t *target);

/*
 * Returns a copy of the first `depth` bytes of sample string i. Leaves out the
 * bytes that all strings of the tree share.
 */
static unsigned char *
path_new(const struct build *b, size_t i, size_t depth)
{
	size_t base = b->tree->base;
	unsigned char *path = malloc(depth - base + 1);

	if (path == NULL)
		hp_fail_errno(b->err, HP_NOMEM, "sort");
	else
		memcpy(path, b->s[i].at + base, depth - base);
	return path;
}

/*
 * Makes a bucket for the sample strings with the indices from .. end - 1. If
 * they are too many for one bucket, makes a tree node that divides them into
 * several buckets. Stores the number of the bucket or node in *target.
 */
static int
build_part(
    struct build *b, size_t from, size_t end, struct leaf l, uint16_t *target)
{
	struct tree *t = b->tree;

	if (end - from >= 2 * b->share && t->nodes < b->nodes &&
	    t->buckets < BUCKETS && l.depth - t->base < DEPTH_MOST)
		return build(b, from, end, l.depth, target);
	return add_leaf(b, l, target);
}

/*
 * Makes a bucket for strings that do not have the common prefix of the strings
 * of node n.
 */
static int
add_side(struct build *b, const struct node *n, uint16_t *target)
{
	return add_leaf(
	    b, (struct leaf){ n->path, n->depth, false, false }, target);
}

/*
 * Fills a tree node for sample strings that are equal here: each string either
 * ends at n->at or continues with 8 zero bytes. Strings that end go to one
 * bucket. The others go to another bucket or tree node.
 */
static int
build_end(struct build *b, size_t from, size_t end, struct node *n)
{
	struct leaf l = { n->path, n->at, false, true };
	size_t i = from;

	n->ends = true;
	if (add_leaf(b, l, &n->to[0]) == -1)
		return -1;
	n->step = n->to[0];
	while (i < end && b->s[i].len == n->at)
		i++;
	l.ended = false;
	if (build_part(b, i, end, l, &n->to[1]) == -1)
		return -1;
	return add_side(b, n, &n->above);
}

static int
keep_path(struct build *b, unsigned char *path)
{
	void *array = b->tree->path;

	if (tree_grow(&array, b->tree->paths, sizeof path, b->err) == -1) {
		free(path);
		return -1;
	}
	b->tree->path = array;
	b->tree->path[b->tree->paths++] = path;
	return 0;
}

/*
 * Returns how many leading bytes are the same in all keys of bucket k. Does not
 * count zero bytes at the end, which may be padding of short strings.
 */
static size_t
shared(const struct spread *s, size_t k)
{
	uint64_t low = k > 0 ? s->bound[k] : 0;
	uint64_t high = k + 1 < s->buckets ? s->bound[k + 1] - 1 : UINT64_MAX;
	size_t n = low == high ? 8 : (size_t)__builtin_clzll(low ^ high) / 8;

	while (n > 0 && (low >> (64 - 8 * n) & 0xff) == 0)
		n--;
	return n;
}

/*
 * Makes a bucket or a further node of the tree for the strings in bucket k of
 * node n. The sample strings from .. end - 1 belong to it.
 */
static int
build_bucket(struct build *b, size_t from, size_t end, struct node *n, size_t k)
{
	const struct spread *s = &n->spread;
	struct leaf l = { n->path, n->at, s->equal[k], false };
	size_t more = from < end ? shared(s, k) : 0;

	if (l.equal && more < 8)
		more = 0;
	if (more > 0) {
		if ((l.path = path_new(b, from, n->at + more)) == NULL)
			return -1;
		if (keep_path(b, l.path) == -1)
			return -1;
		l.equal = false;
		l.depth += more;
	}
	return build_part(b, from, end, l, &n->to[k]);
}

static int
build_spread(struct build *b, size_t from, size_t end, struct node *n)
{
	const struct spread *s = &n->spread;
	size_t *start = calloc(s->buckets + 1, sizeof *start), j = from;
	int rc = -1;

	if (start == NULL)
		return hp_fail_errno(b->err, HP_NOMEM, "sort");
	for (size_t k = 0; k < s->buckets; k++) {
		for (start[k] = j; j < end; j++)
			if (spread_bucket(
				s, span_load(b->s[j], n->at, false)) != k)
				break;
		start[k + 1] = j;
		if (build_bucket(b, start[k], j, n, k) == -1)
			goto out;
	}
	if (add_side(b, n, &n->above) == -1)
		goto out;
	rc = n == b->tree->node ? tree_first(b->tree, n, start, b->err)
				: tree_steps(b->tree, n, start, b->err);
out:
	free(start);
	return rc;
}

static int
build(struct build *b, size_t from, size_t end, size_t depth, uint16_t *target)
{
	struct tree *t = b->tree;
	struct node *n = &t->node[t->nodes];
	struct span first = b->s[from], last = b->s[end - 1];
	size_t parts = (end - from) / b->share;

	*target = (uint16_t)(t->nodes++ | TREE_NODE);
	n->depth = depth;
	n->at = common(first, last, depth, t->base + DEPTH_MOST);
	if ((n->path = path_new(b, from, n->at)) == NULL)
		return -1;
	if (first.len == n->at &&
	    span_load(first, n->at, false) == span_load(last, n->at, false))
		parts = 0;
	for (size_t i = from; i < end; i++)
		b->key[i - from] = span_load(b->s[i], n->at, false);
	if (spread_init(&n->spread, b->key, parts == 0 ? 0 : end - from, parts,
		b->err) == -1)
		return -1;
	if ((n->to = calloc(n->spread.buckets + 1, sizeof *n->to)) == NULL)
		return hp_fail_errno(b->err, HP_NOMEM, "sort");
	if (add_side(b, n, &n->below) == -1)
		return -1;
	return parts == 0 ? build_end(b, from, end, n)
			  : build_spread(b, from, end, n);
}

int
tree_build(struct tree *t, struct span *sample, size_t n, size_t want,
    struct hp_err *e)
{
	struct build b = { .tree = t, .s = sample, .err = e };
	struct leaf all = { .path = none, .depth = t->base };
	int rc = -1;

	want = want < n / TREE_PER_BUCKET ? want : n / TREE_PER_BUCKET;
	want = want < SPREAD_MOST ? want : SPREAD_MOST;
	b.share = want < 2 ? n + 1 : n / want;
	b.nodes = want < NODES / 2 ? 2 * want : NODES;
	t->node = calloc(b.nodes + 1, sizeof *t->node);
	b.key = calloc(n + 1, sizeof *b.key);
	if (t->node == NULL || b.key == NULL)
		hp_fail_errno(e, HP_NOMEM, "sample of %zu records", n);
	else if (sort_sample(sample, n, t->base, e) == 0 &&
	    build_part(&b, 0, n, all, &t->root) == 0)
		rc = t->first == NULL ? tree_one_first(t, e) : 0;
	free(b.key);
	return rc;
}
