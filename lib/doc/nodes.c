#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "doc/cluster.h"
#include "doc/links.h"
#include "doc/lines.h"
#include "doc/nodes.h"
#include "doc/values.h"

static int
open_text(struct doc_in *d, const char *lines, struct hp_err *e)
{
	*d = (struct doc_in){ .name = "nodes" };
	/* fmemopen rejects an empty buffer. */
	if (*lines == '\0')
		return hp_fail(e, HP_INPUT, "there must be at least one node");
	/*
	 * The parameter of fmemopen is not const, because a stream may also be
	 * written. Casting const away is safe: this stream is only read.
	 */
	if ((d->file = fmemopen(
		 (void *)(uintptr_t)lines, strlen(lines), "r")) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "nodes");
	return 0;
}

int
doc_cluster_parse(const char *lines, struct cluster *c, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	*c = (struct cluster){ 0 };
	if (open_text(&d, lines, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1)
		if ((rc = doc_node_read(&d, c, e)) == -1)
			break;
	if (rc == -1)
		cluster_fini(c);
	doc_close(&d);
	return rc;
}

int
doc_nodes_copy(const char *path, const char *text, doc_takes_part *takes_part,
    const void *context, FILE *out, struct hp_err *e)
{
	struct doc_in d;
	char *name;
	int rc;

	if ((text != NULL ? open_text(&d, text, e) : doc_open(&d, path, e)) ==
	    -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1) {
		if (doc_is_launcher(&d) &&
		    (rc = doc_put(out, json_incref(d.object), e)) == -1)
			break;
		if (strcmp(d.type, "node") != 0)
			continue;
		if (doc_string(&d, "node", DOC_REQUIRED, &name, e) == -1) {
			rc = -1;
			break;
		}
		if (takes_part(context, name) &&
		    doc_put(out, json_incref(d.object), e) == -1)
			rc = -1;
		free(name);
		if (rc == -1)
			break;
	}
	doc_close(&d);
	return rc;
}

static int
place(const struct doc_in *d, const struct run_place *p, const char *here,
    FILE *out, struct hp_err *e)
{
	json_t *o = json_copy(d->object);
	uint64_t port;
	int bad = o == NULL ||
	    json_object_set_new(o, "dir", json_string(p->dir)) == -1;

	if (p->port != NULL && *p->port != '\0') {
		if (int_parse(p->port, 1, UINT16_MAX, &port, "port", e) == -1) {
			json_decref(o);
			return -1;
		}
		bad |= json_object_set_new(
			   o, "port", json_integer((json_int_t)port)) == -1;
	}
	if (here != NULL && *here != '\0' && json_object_get(o, "host") == NULL)
		bad |= json_object_set_new(o, "host", json_string(here)) == -1;
	return doc_put_unless(out, bad, o, e);
}

/*
 * Stores the rank of the node that the current line describes. Ranks follow the
 * order in which the nodes first occur. Further lines of a node may stand
 * anywhere below its first line.
 */
static int
rank_of(char **name, size_t *n, size_t most, const struct doc_in *d,
    size_t *rank, struct hp_err *e)
{
	char *s;

	if (doc_string(d, "node", DOC_REQUIRED, &s, e) == -1)
		return -1;
	for (*rank = 0; *rank < *n && strcmp(name[*rank], s) != 0;)
		(*rank)++;
	if (*rank < *n) {
		free(s);
		return 0;
	}
	if (*n == most) {
		free(s);
		return doc_fail(d, e, "more nodes than places");
	}
	name[(*n)++] = s;
	return 0;
}

int
doc_nodes_place(const char *path, const struct run_place *p, size_t n,
    const char *here, FILE *out, struct hp_err *e)
{
	char **name = calloc(n + 1, sizeof *name);
	size_t names = 0, rank;
	struct doc_in d = { 0 };
	int rc = -1;

	if (name == NULL) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		goto out;
	}
	if (doc_open(&d, path, e) == -1)
		goto out;
	while ((rc = doc_next(&d, e)) == 1)
		if (doc_is_launcher(&d)) {
			if ((rc = doc_put(out, json_incref(d.object), e)) == -1)
				break;
		} else if (rank_of(name, &names, n, &d, &rank, e) == -1 ||
		    place(&d, &p[rank], here, out, e) == -1) {
			rc = -1;
			break;
		}
out:
	while (names > 0)
		free(name[--names]);
	free(name);
	doc_close(&d);
	return rc;
}

int
doc_nodes_write(FILE *f, const struct cluster *c, struct hp_err *e)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct node *node = &c->node[i];

		if (doc_put(f,
			json_pack("{s:s, s:s, s:s*, s:s*}", "type", "node",
			    "node", node->name, "host", node->host, "dir",
			    node->dir),
			e) == -1)
			return -1;
	}
	return 0;
}
