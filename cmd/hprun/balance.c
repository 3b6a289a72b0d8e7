#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "balance.h"
#include "base/size.h"
#include "cmd.h"
#include "doc/parts.h"

/*
 * Counts and checksums of the two sides that are compared, for one node or for
 * all nodes together.  The numbers of bytes are compared, too: the launcher
 * computes the offsets in the result from the bytes that nodes report, and the
 * checksum does not cover these numbers.
 */
struct pair {
	uint64_t records[2], bytes[2];
	struct sum checksum[2];
};

enum by {
	BY_FROM, /* group sums by the node that sent the records */
	BY_TO,	 /* group sums by the node that receives the records */
	BY_ALL
};

static bool
even(const struct pair *p)
{
	return p->records[0] == p->records[1] && p->bytes[0] == p->bytes[1] &&
	    memcmp(&p->checksum[0], &p->checksum[1], sizeof p->checksum[0]) ==
	    0;
}

static int
weigh(struct pair *pairs, size_t nodes, int side, enum by by,
    const struct part_sums *l, struct hp_err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct part_sum *s = &l->v[i];
		uint64_t rank = by == BY_ALL ? 0
		    : by == BY_TO	     ? s->to
					     : s->from;

		if (rank >= nodes)
			return hp_fail(e, HP_INPUT,
			    "a checksum belongs to no node of this run");
		if (__builtin_add_overflow(pairs[rank].bytes[side], s->bytes,
			&pairs[rank].bytes[side]))
			return hp_fail(
			    e, HP_INPUT, "a checksum is of too many bytes");
		pairs[rank].records[side] += s->records;
		sum_add(&pairs[rank].checksum[side], &s->checksum);
	}
	return 0;
}

/*
 * Parses the rank at the end of a file name, as in `sums.3`.  Returns false if
 * there is none.
 */
static bool
rank_of(const char *file, uint64_t *rank)
{
	const char *dot = strrchr(file, '.');

	return dot != NULL &&
	    int_parse(dot + 1, 0, UINT32_MAX, rank, "rank",
		&(struct hp_err){ 0 }) == 0;
}

static int
weigh_file(struct pair *pairs, size_t nodes, int side, enum by by,
    const char *file, struct hp_err *e)
{
	struct part_sums l = { 0 };
	uint64_t rank = UINT64_MAX;
	bool ranked = rank_of(file, &rank);
	int rc = doc_sums_read(file, rank, &l, e);

	for (size_t i = 0; i < l.n && !ranked; i++)
		l.v[i].from = l.v[i].to;
	if (rc == 0)
		rc = weigh(pairs, nodes, side, by, &l, e);
	part_sums_fini(&l);
	return rc;
}

/* Returns the words after the next "--", or NULL if there is no "--". */
static const char *const *
behind(const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcmp(*words, "--") == 0)
			return words + 1;
	return NULL;
}

static int
tell(const struct pair *pairs, size_t nodes, enum by by, const char *text,
    const char *const *name, void (*say)(void *, const char *), void *context)
{
	char line[HP_ERR_TEXT];
	int differs = 0;

	for (size_t i = 0; i < nodes; i++) {
		if (even(&pairs[i]))
			continue;
		differs = 1;
		snprintf(line, sizeof line, "%s: %s",
		    by == BY_ALL ? "all nodes" : name[i], text);
		say(context, line);
	}
	return differs;
}

int
balance(const char *const *words, void (*say)(void *, const char *),
    void *context, struct hp_err *e)
{
	const char *const *side[2] = { words + 2, NULL }, *const * name;
	struct pair *pairs;
	size_t nodes = 0;
	enum by by;
	int rc = 0;

	if (words[0] == NULL || words[1] == NULL ||
	    (side[1] = behind(side[0])) == NULL ||
	    (name = behind(side[1])) == NULL)
		return hp_fail(e, HP_USAGE,
		    "compare from|to|all TEXT LEFT... -- RIGHT... -- NODE...");
	by = strcmp(words[0], "from") == 0 ? BY_FROM
	    : strcmp(words[0], "to") == 0  ? BY_TO
					   : BY_ALL;
	while (name[nodes] != NULL)
		nodes++;
	if ((pairs = calloc(nodes + 1, sizeof *pairs)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sums");
	for (int i = 0; i < 2; i++)
		for (const char *const *file = side[i];
		     rc == 0 && strcmp(*file, "--") != 0; file++)
			rc = weigh_file(pairs, nodes, i, by, *file, e);
	if (rc == 0)
		rc = tell(pairs, nodes, by, words[1], name, say, context);
	free(pairs);
	return rc;
}

static void
say_alone(void *context, const char *line)
{
	(void)context;
	fprintf(stderr, "hprun: %s\n", line);
}

int
compare_do(char *words[], struct hp_err *e)
{
	int rc = balance((const char *const *)words, say_alone, NULL, e);

	return rc == 1 ? hp_fail(e, HP_INPUT, "prove: failed") : rc;
}
