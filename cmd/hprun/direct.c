#include <sys/stat.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "direct.h"
#include "words.h"

/*
 * Returns the extent of a sublist in the sorted file of a node.  The extent has
 * 0 bytes if the node has no records of this sublist.
 */
static struct extent
part_of(const struct node_runs *r, size_t node, uint64_t sublist)
{
	const struct extents *l = &r->node[node];

	/*
	 * Usually line i of the document describes sublist i, which saves a
	 * search.
	 */
	if (sublist < l->n && l->v[sublist].sublist == sublist)
		return l->v[sublist];
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].sublist == sublist)
			return l->v[i];
	return (struct extent){ .bytes = 0 };
}

void
direct_received(
    const struct node_runs *r, size_t rank, uint64_t *records, uint64_t *bytes)
{
	*records = *bytes = 0;
	for (size_t i = 0; i < r->n; i++) {
		struct extent x = part_of(r, i, rank);

		*records += x.records;
		*bytes += x.bytes;
	}
}

static int
read_all(struct node_runs *r, size_t nodes, struct hp_err *e)
{
	char name[64];

	r->node = calloc(nodes, sizeof *r->node);
	r->at = calloc(nodes, sizeof *r->at);
	if (r->node == NULL || r->at == NULL)
		return hp_fail_errno(e, HP_NOMEM, "extents");
	r->n = nodes;
	for (size_t i = 0; i < nodes; i++) {
		snprintf(name, sizeof name, "extents.%zu", i);
		if (doc_extents_read(name, i, nodes, &r->node[i], e) == -1)
			return -1;
	}
	for (size_t i = 0; i + 1 < nodes; i++) {
		uint64_t records, bytes;

		direct_received(r, i, &records, &bytes);
		r->at[i + 1] = r->at[i] + bytes;
	}
	return 0;
}

int
direct_read(struct run *run, struct node_runs *r, struct hp_err *e)
{
	return run->o.dry ? 0 : read_all(r, run->nodes, e);
}

void
direct_fini(struct node_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		extents_fini(&r->node[i]);
	free(r->node);
	free(r->at);
	*r = (struct node_runs){ 0 };
}

void
direct_words(struct run *run, struct stage *s, const struct node_runs *r,
    size_t rank, struct words *w)
{
	if (run->o.dry)
		words_add(w,
		    late(run, s, NULL,
			stage_text(s,
			    "$(cd \"$work\" && hprun --do extents %zu %zu)",
			    rank, run->nodes)));
	for (size_t i = 0; i < r->n; i++) {
		struct extent x = part_of(r, i, rank);

		if (x.bytes == 0)
			continue;
		words_add(w, "--extent");
		words_addf(w, "%" PRIu64 ":%" PRIu64, x.offset, x.bytes);
	}
	for (size_t i = 0; i < run->nodes; i++)
		if (run->o.dry || part_of(r, i, rank).bytes > 0)
			words_addf(w, "%s/run", run->node[i].dir);
}

void
direct_place(struct run *run, struct stage *s, const struct node_runs *r,
    size_t rank, struct words *w)
{
	WORDS_ADD(w, "-o", run->beside, "--at");
	words_add(w,
	    late(run, s,
		stage_text(s, "%" PRIu64,
		    run->header_bytes + (run->o.dry ? 0 : r->at[rank])),
		stage_text(s,
		    "\"$(cd \"$work\" && hprun --do offset %zu %zu)\"", rank,
		    run->nodes)));
}

/*
 * Parses the words RANK NODES, and reads the extents documents of all these
 * nodes.
 */
static int
read_words(char *words[], struct node_runs *r, uint64_t *rank, struct hp_err *e)
{
	uint64_t nodes;

	if (words[0] == NULL || words[1] == NULL)
		return hp_fail(e, HP_USAGE, "RANK NODES");
	if (int_parse(words[0], 0, UINT32_MAX, rank, "rank", e) == -1 ||
	    int_parse(words[1], 1, UINT32_MAX, &nodes, "nodes", e) == -1)
		return -1;
	if (*rank >= nodes)
		return hp_fail(
		    e, HP_USAGE, "rank '%s': no such node", words[0]);
	return read_all(r, (size_t)nodes, e);
}

int
offset_do(char *words[], struct hp_err *e)
{
	struct node_runs r = { 0 };
	uint64_t rank, header;
	struct stat st;
	int rc = read_words(words, &r, &rank, e);

	header = stat("header", &st) == 0 ? (uint64_t)st.st_size : 0;
	if (rc == 0)
		printf("%" PRIu64 "\n", header + r.at[rank]);
	direct_fini(&r);
	return rc;
}

int
direct_do(char *words[], struct hp_err *e)
{
	struct node_runs r = { 0 };
	uint64_t rank;
	int rc = read_words(words, &r, &rank, e);

	for (size_t i = 0; rc == 0 && i < r.n; i++) {
		struct extent x = part_of(&r, i, rank);

		printf("--extent %" PRIu64 ":%" PRIu64 "\n", x.offset, x.bytes);
	}
	direct_fini(&r);
	return rc;
}
