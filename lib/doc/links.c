#include <math.h>
#include <string.h>

#include "doc/links.h"

bool
doc_is_launcher(const struct doc_in *d)
{
	return strcmp(d->type, "launcher") == 0;
}

/* Reads an optional number of the link; a rate must be above 0. */
static int
read_member(const struct doc_in *d, const json_t *link, const char *member,
    bool rate, double *out, struct hp_err *e)
{
	const json_t *v = json_object_get(link, member);
	double x = json_number_value(v);

	if (v == NULL || json_is_null(v))
		return 0;
	if (!json_is_number(v) || !isfinite(x) || x < 0 || (rate && x == 0))
		return doc_fail(d, e, "'%s' of 'link' must be %s", member,
		    rate ? "above 0" : "a number that is not negative");
	*out = x;
	return 0;
}

int
doc_link_read(const struct doc_in *d, struct link *l, struct hp_err *e)
{
	const json_t *link = json_object_get(d->object, "link");

	*l = (struct link){ 0 };
	if (link == NULL || json_is_null(link))
		return 0;
	if (!json_is_object(link))
		return doc_fail(d, e, "'link' must be an object");
	l->known = true;
	if (read_member(d, link, "send", true, &l->send, e) == -1 ||
	    read_member(d, link, "receive", true, &l->receive, e) == -1)
		return -1;
	return read_member(d, link, "latency_s", false, &l->latency_s, e);
}

json_t *
doc_link_new(const struct link *l)
{
	return json_pack("{s:o*, s:o*, s:o}", "send",
	    l->send > 0 ? doc_number_new(l->send) : NULL, "receive",
	    l->receive > 0 ? doc_number_new(l->receive) : NULL, "latency_s",
	    doc_number_new(l->latency_s));
}

static const struct link *
link_named(const struct node_link *l, size_t n, const json_t *line)
{
	const char *node = json_string_value(json_object_get(line, "node"));

	for (size_t i = 0; node != NULL && i < n; i++)
		if (strcmp(l[i].node, node) == 0)
			return &l[i].link;
	return NULL;
}

/*
 * Writes a line and adds the link `l` to it. Adds nothing if the line already
 * has a link or if `l` is NULL.
 */
static int
put_linked(FILE *out, json_t *line, const struct link *l, struct hp_err *e)
{
	json_t *copy = json_copy(line);
	json_t *has = json_object_get(line, "link");
	bool bad = l != NULL && (has == NULL || json_is_null(has)) &&
	    json_object_set_new(copy, "link", doc_link_new(l)) == -1;

	return doc_put_unless(out, bad, copy, e);
}

int
doc_links_write(const char *cluster, const struct node_link *l, size_t n,
    const struct link *launcher, FILE *out, struct hp_err *e)
{
	struct doc_in d;
	bool there = false;
	int rc;

	if (doc_open(&d, cluster, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1) {
		there = there || doc_is_launcher(&d);
		if (put_linked(out, d.object,
			doc_is_launcher(&d) ? launcher
					    : link_named(l, n, d.object),
			e) == -1) {
			rc = -1;
			break;
		}
	}
	doc_close(&d);
	if (rc == 0 && !there)
		rc = doc_put(out,
		    json_pack("{s:s, s:o}", "type", "launcher", "link",
			doc_link_new(launcher)),
		    e);
	return rc;
}
