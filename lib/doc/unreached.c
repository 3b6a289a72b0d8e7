#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "doc/lines.h"
#include "doc/unreached.h"
#include "doc/values.h"

static const char *const words[] = { [MISS_SILENT] = "silent",
	[MISS_BROKEN] = "broken",
	[MISS_NEVER] = "never",
	[MISS_REFUSED] = "refused",
	[MISS_NO_ROUTE] = "no route",
	[MISS_ENDED] = "ended",
	[MISS_DAMAGED] = "damaged",
	[MISS_KEY] = "key" };

static const char *const known[] = { "type", "rank", "node", "peer",
	"peer_node", "why", "seconds", "back" };

enum {
	WORDS = sizeof words / sizeof *words,
	KNOWN = sizeof known / sizeof *known
};

void
misses_fini(struct misses *l)
{
	free(l->v);
	*l = (struct misses){ 0 };
}

int
miss_parse(const char *word, enum miss_why *why)
{
	for (int i = 0; i < WORDS; i++)
		if (strcmp(word, words[i]) == 0) {
			*why = (enum miss_why)i;
			return 0;
		}
	return -1;
}

static int
check_members(const struct doc_in *d, struct hp_err *e)
{
	const char *name;
	json_t *value;

	json_object_foreach(d->object, name, value)
	{
		int i = 0;

		while (i < KNOWN && strcmp(name, known[i]) != 0)
			i++;
		if (i == KNOWN)
			return doc_fail(d, e, "unknown member '%.64s'", name);
	}
	return 0;
}

/*
 * Checks that the member is a string. Its value is not used: names are only for
 * people, and programs compare ranks.
 */
static int
check_name(const struct doc_in *d, const char *member, struct hp_err *e)
{
	char *name = NULL;

	if (doc_string(d, member, DOC_REQUIRED, &name, e) == -1)
		return -1;
	free(name);
	return 0;
}

static int
read_why(const struct doc_in *d, struct miss *m, struct hp_err *e)
{
	char *word = NULL;
	int rc;

	if (doc_string(d, "why", DOC_REQUIRED, &word, e) == -1)
		return -1;
	rc = miss_parse(word, &m->why);
	free(word);
	return rc == -1 ? doc_fail(d, e, "'why' is no known reason") : 0;
}

static int
read_miss(const struct doc_in *d, uint64_t rank, uint64_t nodes, struct miss *m,
    struct hp_err *e)
{
	uint64_t of;

	if (strcmp(d->type, "unreached") != 0)
		return doc_unexpected(d, "an unreached peer", e);
	if (check_members(d, e) == -1 || check_name(d, "node", e) == -1 ||
	    check_name(d, "peer_node", e) == -1 ||
	    doc_u64(d, "rank", DOC_REQUIRED, &of, e) == -1 ||
	    doc_u64(d, "peer", DOC_REQUIRED, &m->peer, e) == -1 ||
	    doc_number(d, "seconds", DOC_REQUIRED, &m->seconds, e) == -1 ||
	    doc_bool(d, "back", DOC_REQUIRED, &m->back, e) == -1)
		return -1;
	if (of != rank)
		return doc_fail(d, e,
		    "'rank' is %" PRIu64 ", but this is node %" PRIu64, of,
		    rank);
	if (m->peer >= nodes || m->peer == rank)
		return doc_fail(
		    d, e, "'peer' must be the rank of another node");
	if (m->seconds < 0)
		return doc_fail(d, e, "'seconds' must not be negative");
	return read_why(d, m, e);
}

static int
add_miss(const struct doc_in *d, struct misses *l, const struct miss *m,
    struct hp_err *e)
{
	/* hpexchange writes the peers in ascending order. */
	if (l->n > 0 && l->v[l->n - 1].peer >= m->peer)
		return doc_fail(
		    d, e, "'peer' must be above that of the previous line");
	if (ARRAY_ROOM(l->v, l->n, l->cap) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%zu peers", l->n);
	l->v[l->n++] = *m;
	return 0;
}

int
doc_misses_read(const char *path, uint64_t rank, uint64_t nodes,
    struct misses *l, struct hp_err *e)
{
	struct doc_in d;
	struct miss m;
	int rc;

	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1)
		if (read_miss(&d, rank, nodes, &m, e) == -1 ||
		    add_miss(&d, l, &m, e) == -1) {
			rc = -1;
			break;
		}
	doc_close(&d);
	return rc;
}

static int
write_all(FILE *f, uint64_t rank, const char *const *node,
    const struct misses *l, struct hp_err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct miss *m = &l->v[i];

		if (doc_put(f,
			json_pack("{s:s, s:I, s:s, s:I, s:s, s:s, s:f, s:b}",
			    "type", "unreached", "rank", (json_int_t)rank,
			    "node", node[rank], "peer", (json_int_t)m->peer,
			    "peer_node", node[m->peer], "why", words[m->why],
			    "seconds", m->seconds, "back", m->back),
			e) == -1)
			return -1;
	}
	return 0;
}

int
doc_misses_replace(const char *path, uint64_t rank, const char *const *node,
    const struct misses *l, struct hp_err *e)
{
	char *beside;
	FILE *f;
	int rc = -1;

	if (asprintf(&beside, "%s.new", path) == -1)
		return hp_fail_errno(e, HP_NOMEM, "%s", path);
	if ((f = fopen(beside, "we")) == NULL) {
		hp_fail_errno(e, HP_IO, "%s", beside);
		free(beside);
		return -1;
	}
	rc = write_all(f, rank, node, l, e);
	if (fclose(f) == EOF && rc == 0)
		rc = hp_fail_errno(e, HP_IO, "%s", beside);
	if (rc == 0 && rename(beside, path) == -1)
		rc = hp_fail_errno(e, HP_IO, "%s", path);
	if (rc == -1)
		unlink(beside);
	free(beside);
	return rc;
}
