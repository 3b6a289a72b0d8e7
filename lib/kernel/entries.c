/*
 * Sorts entries in the cache. A radix sort orders them by their 8 key bytes.
 * Groups that agree in these are sorted by the next bytes that differ. This is
 * multikey quicksort (Bentley and Sedgewick 1997), with 8 characters instead of
 * one and a radix step instead of the pivot. Caching the key bytes in the entry
 * follows Rantala and tlx.
 */
#include "kernel/entries.h"
#include "kernel/longest.h"

#define RADIX_TYPE struct entry
#define RADIX_KEY(x) ((x).key)
#define RADIX_NAME radix_entries
#include "kernel/radix.inc"

enum {
	AHEAD = 16, /* distance of prefetching, in entries */
	/*
	 * A group of at most this many entries with equal keys is sorted by
	 * insertion sort, which compares the bytes after these keys.
	 */
	FEW = 12,
	/*
	 * A group of entries is sorted by 8 bytes at a time. Normally each such
	 * step separates at least 1/8 of the group from its largest part with
	 * equal bytes. If more than this many successive steps separate less,
	 * part_by_longest is used.
	 */
	SLOW_MOST = 4
};

static void
insert_compare(const struct view *v, struct entry *a, size_t n, unsigned stage,
    size_t depth)
{
	for (size_t i = 1; i < n; i++) {
		struct entry x = a[i];
		size_t j = i;

		for (; j > 0 &&
		     view_compare(v, a[j - 1].place, x.place, stage, depth) > 0;
		     j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

/*
 * Sorts entries whose built keys are equal but truncated. It compares the
 * records, in a merge sort.
 */
static void
sort_cut(const struct view *v, struct entry *a, size_t n, struct entry *tmp)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n <= FEW) {
		insert_compare(v, a, n, 0, v->key_most);
		return;
	}
	sort_cut(v, a, half, tmp);
	sort_cut(v, a + half, n - half, tmp);
	memcpy(tmp, a, half * sizeof *a);
	while (i < half)
		a[k++] = j == n ||
			view_compare(
			    v, tmp[i].place, a[j].place, 0, v->key_most) <= 0
		    ? tmp[i++]
		    : a[j++];
}

static void
load_keys(const struct view *v, struct entry *a, size_t n, unsigned stage,
    size_t depth)
{
	for (size_t i = 0; i < n; i++)
		a[i].key = view_load(v, a[i].place, stage, depth);
}

/*
 * Returns how many key bytes after the first `depth` bytes are the same in all
 * entries.
 */
static size_t
common(const struct view *v, const struct entry *a, size_t n, unsigned stage,
    size_t depth)
{
	struct span s = view_bytes(v, a[0].place, stage), t;
	size_t len = s.len - depth;

	for (size_t i = 1; i < n && len > 0; i++) {
		t = view_bytes(v, a[i].place, stage);
		if (t.len - depth < len)
			len = t.len - depth;
		len = longest_agree(s.at + depth, t.at + depth, len);
	}
	return len;
}

/*
 * Partitions entries whose strings agree in the 8 bytes at offset `depth`. A
 * string that ends earlier is padded with zeros, so strings that agree may
 * differ in length. Shorter strings come first, or last if flipped. Group r has
 * the entries whose strings have r bytes from `depth` on; group 9 has those
 * with more than 8 bytes. If flipped, the groups are numbered the other way.
 * Stores the end of each group in end[]. Stable.
 */
static void
part_by_end(const struct view *v, struct entry *a, size_t n, struct entry *tmp,
    unsigned stage, size_t depth, size_t end[10])
{
	size_t count[10] = { 0 }, at[10], sum = 0;
	bool flip = v->flip[stage];

	for (size_t i = 0; i < n; i++) {
		size_t left = view_bytes(v, a[i].place, stage).len;

		left = left > depth ? left - depth : 0;
		left = left > 8 ? 9 : left;
		a[i].key = flip ? 9 - left : left;
		count[a[i].key]++;
	}
	for (size_t r = 0; r < 10; r++) {
		at[r] = sum;
		sum += count[r];
		end[r] = sum;
		if (count[r] == n)
			return;
	}
	for (size_t i = 0; i < n; i++)
		tmp[at[a[i].key]++] = a[i];
	memcpy(a, tmp, n * sizeof *a);
}

struct group {
	struct entry *a;
	size_t n;
	unsigned stage;
	size_t depth; /* where the keys are loaded */
};

/*
 * The entries of group g agree in the 8 bytes of the key at offset g->depth.
 * Sorts the entries whose keys end in these bytes. Leaves only the longer ones
 * in g, and loads the next 8 bytes of their keys. The caller sorts these in a
 * loop: recursion with long keys would exhaust the stack.
 */
static void
next_keys(const struct view *v, struct group *g, struct entry *tmp)
{
	size_t end[10] = { 0 }, from = 0, len;
	struct group rest = { .n = 0 };

	part_by_end(v, g->a, g->n, tmp, g->stage, g->depth, end);
	for (size_t r = 0; r < 10; r++) {
		struct group part = { g->a + from, end[r] - from, g->stage,
			g->depth };
		bool ended = r != (v->flip[g->stage] ? 0 : 9);

		if (end[r] <= from)
			continue;
		from = end[r];
		if (!ended) {
			rest = part;
			continue;
		}
		if (view_is_cut(v, part.stage,
			view_bytes(v, part.a->place, part.stage).len)) {
			sort_cut(v, part.a, part.n, tmp);
			continue;
		}
		if (part.n < 2 || part.stage + 1 == v->stages)
			continue;
		load_keys(v, part.a, part.n, part.stage + 1, 0);
		entries_sort(v, part.a, part.n, tmp, part.stage + 1, 0);
	}
	*g = rest;
	if (g->n < 2)
		return;
	g->depth += 8;
	len = common(v, g->a, g->n, g->stage, g->depth);
	g->depth += len;
	load_keys(v, g->a, g->n, g->stage, g->depth);
}

/*
 * All entries of group g have the same result `key` of longest_key. Returns
 * whether their keys are equal only up to the length to which long keys are
 * truncated. Then the whole records must be compared.
 */
static bool
ends_cut(const struct view *v, const struct group *g, uint64_t key)
{
	return longest_ends(key) &&
	    view_is_cut(v, g->stage, view_bytes(v, g->a->place, g->stage).len);
}

/*
 * All entries of group g have the same result `key` of longest_key. Moves
 * g->stage and g->depth to the next bytes in which these entries may differ.
 * Returns false if nothing remains to be sorted: all bytes are equal, or there
 * is only one entry.
 */
static bool
behind(const struct view *v, struct group *g, uint64_t key)
{
	if (longest_ends(key)) {
		g->stage++;
		g->depth = 0;
	} else
		g->depth += longest_shared(key);
	return g->n > 1 && g->stage < v->stages;
}

/*
 * Sorts entries whose strings share long prefixes, for example if each string
 * is a prefix of the next. Steps of 8 bytes would separate only a few of them
 * at a time. So sorts all of them in one step: by the number of leading bytes
 * that each string shares with the longest string. Strings less than the
 * longest one come first, by increasing number. Strings greater than it come
 * last, by decreasing number. If the stage is flipped, this order is reversed.
 * Strings with the same result form a group. Leaves the largest group that
 * still needs sorting in g, as next_keys does.
 */
static void
part_by_longest(const struct view *v, struct group *g, struct entry *tmp)
{
	struct span longest = view_bytes(v, g->a->place, g->stage), s;
	uint64_t flip = v->flip[g->stage] ? UINT64_MAX : 0;
	struct group most = { .n = 0 }, part, less;
	size_t i, j;

	for (i = 1; i < g->n; i++) {
		s = view_bytes(v, g->a[i].place, g->stage);
		longest = s.len > longest.len ? s : longest;
	}
	for (i = 0; i < g->n; i++)
		g->a[i].key = flip ^
		    longest_key(view_bytes(v, g->a[i].place, g->stage), longest,
			g->depth);
	radix_entries(g->a, tmp, g->n);
	for (i = 0; i < g->n; i = j) {
		for (j = i + 1; j < g->n && g->a[j].key == g->a[i].key; j++)
			;
		part = (struct group){ g->a + i, j - i, g->stage, g->depth };
		if (ends_cut(v, &part, g->a[i].key ^ flip)) {
			sort_cut(v, part.a, part.n, tmp);
			continue;
		}
		if (!behind(v, &part, g->a[i].key ^ flip))
			continue;
		load_keys(v, part.a, part.n, part.stage, part.depth);
		less = part.n > most.n ? most : part;
		most = part.n > most.n ? part : most;
		if (less.n > 1)
			entries_sort(
			    v, less.a, less.n, tmp, less.stage, less.depth);
	}
	*g = most;
}

void
entries_deepen(const struct view *v, struct entry *a, size_t n,
    struct entry *tmp, unsigned stage, size_t depth)
{
	struct group g = { a, n, stage, depth };

	if (v->kind == VIEW_NUMBER || n < 2)
		return;
	if (n <= FEW) {
		insert_compare(v, a, n, stage, depth);
		return;
	}
	next_keys(v, &g, tmp);
	if (g.n > 1)
		entries_sort(v, g.a, g.n, tmp, g.stage, g.depth);
}

void
entries_sort(const struct view *v, struct entry *a, size_t n, struct entry *tmp,
    unsigned stage, size_t depth)
{
	struct group most = { .n = 0 };
	size_t i, j, slow = 0;

	do {
		radix_entries(a, tmp, n);
		if (v->kind == VIEW_NUMBER)
			return;
		most.n = 0;
		/*
		 * The loop continues with the largest group of equal keys. The
		 * other groups are sorted by recursion. Each of them has at
		 * most half of the entries, so the recursion is at most log2(n)
		 * deep.
		 */
		for (i = 0; i < n; i = j) {
			for (j = i + 1; j < n && a[j].key == a[i].key; j++)
				if (j + AHEAD < n &&
				    a[j + AHEAD].key == a[j + AHEAD - 1].key)
					view_prefetch(
					    a[j + AHEAD].place, depth);
			if (i + AHEAD + 1 < n &&
			    a[i + AHEAD].key == a[i + AHEAD + 1].key)
				view_prefetch(a[i + AHEAD].place, depth);
			if (j - i < 2)
				continue;
			if (j - i <= FEW || j - i <= most.n)
				entries_deepen(
				    v, a + i, j - i, tmp, stage, depth);
			else {
				if (most.n > 0)
					entries_deepen(v, most.a, most.n, tmp,
					    stage, depth);
				most = (struct group){ a + i, j - i, stage,
					depth };
			}
		}
		if (most.n < 2)
			return;
		slow = most.n > n - n / 8 ? slow + 1 : 0;
		next_keys(v, &most, tmp);
		if (slow > SLOW_MOST && most.n > 1) {
			part_by_longest(v, &most, tmp);
			slow = 0;
		}
		a = most.a;
		n = most.n;
		stage = most.stage;
		depth = most.depth;
	} while (n > 1);
}
