#include <ctype.h>
#include <string.h>

#include "doc/hints.h"

enum {
	NAME_MOST = 32 /* bytes; the longest known name has 25 */
};

static const char *const node[] = { "type", "node", "host", "port", "dir",
	"speed", "capacity", "latency_s", "seconds_per_item", "points",
	"beyond", "learned", "workload", "params", "link",
	"merge_seconds_per_item", "login_s", "step_s",
	"arrive_seconds_per_item", "exchange_seconds_per_item",
	"return_seconds_per_item", "sort_rest", "candidate_s",
	"batch_seconds_per_item", "power_w", "key", NULL };
static const char *const share[] = { "type", "rank", "node", "n", "offset",
	"seconds", "extrapolated", "weight", NULL };
static const char *const plan[] = { "type", "n", "nodes", "method", "cost",
	"beyond", "at", "makespan", "bound", "optimal", "unique", "digest",
	"weight", "bytes_per_item", "by_key", "alone", "risk", NULL };
static const char *const stage[] = { "type", "stage", "seconds", "launcher",
	"by_rank", NULL };
static const char *const launcher[] = { "type", "link", "speed", "capacity",
	"latency_s", "seconds_per_item", "points", "beyond", "workload",
	"begin_s", "finish_s", "divide_seconds_per_item", "batch_begin_s",
	"batch_finish_s", NULL };

static const struct {
	const char *type;
	const char *const *member;
} types[] = { { "node", node }, { "share", share }, { "plan", plan },
	{ "stage", stage }, { "launcher", launcher } };

static const char *const *
members_of(const char *type)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(type, types[i].type) == 0)
			return types[i].member;
	return NULL;
}

static bool
known(const char *const *member, const char *name)
{
	for (; *member != NULL; member++)
		if (strcmp(*member, name) == 0)
			return true;
	return false;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Returns the edit distance of two names: how many letters must be inserted,
 * deleted, replaced or swapped with their neighbour (Damerau 1964). Case is
 * ignored.
 */
static unsigned
distance(const char *a, const char *b)
{
	unsigned d[NAME_MOST + 1][NAME_MOST + 1];
	size_t m = strlen(a), n = strlen(b);

	for (unsigned i = 0; i <= m; i++)
		d[i][0] = i;
	for (unsigned j = 0; j <= n; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= m; i++)
		for (size_t j = 1; j <= n; j++) {
			int x = tolower((unsigned char)a[i - 1]);
			int y = tolower((unsigned char)b[j - 1]);

			d[i][j] = least(d[i - 1][j - 1] + (x != y),
			    least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 &&
			    x == tolower((unsigned char)b[j - 2]) &&
			    tolower((unsigned char)a[i - 2]) == y)
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[m][n];
}

/*
 * Returns the maximum edit distance at which a name counts as misspelt: 0 for a
 * very short name, else 1 or 2.
 */
static unsigned
slips(const char *name)
{
	size_t len = strlen(name);

	return len < 3 ? 0 : len < 6 ? 1 : 2;
}

/*
 * Returns the known member that the misspelt name resembles most. Returns NULL
 * if the name resembles none of them.
 */
static const char *
meant(const char *const *member, const char *name, const json_t *object)
{
	const char *nearest = NULL;
	unsigned found = NAME_MOST, d;

	if (strlen(name) > NAME_MOST)
		return NULL;
	for (; *member != NULL; member++) {
		if (json_object_get(object, *member) != NULL)
			continue;
		d = distance(*member, name);
		if (d <= slips(*member) && d < found) {
			found = d;
			nearest = *member;
		}
	}
	return nearest;
}

void
doc_hint(struct doc_in *d, const struct hp_err *e)
{
	const char *const *member, *name, *nearest;
	json_t *value;

	if (e->note == NULL || (member = members_of(d->type)) == NULL)
		return;
	json_object_foreach(d->object, name, value)
	{
		if (known(member, name) ||
		    json_object_get(d->hinted, name) != NULL ||
		    (nearest = meant(member, name, d->object)) == NULL)
			continue;
		hp_tell(e,
		    "%.256s: line %zu: the member '%s' is ignored; did you "
		    "mean '%s'?",
		    d->name, d->line, name, nearest);
		/*
		 * Remember the name, so that the note about it is printed only
		 * once. If there is no memory for the name, the next line with
		 * this name prints the note again.
		 */
		if (d->hinted == NULL)
			d->hinted = json_object();
		json_object_set_new(d->hinted, name, json_true());
	}
}
