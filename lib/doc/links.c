#include <math.h>
#include <string.h>

#include "doc/links.h"
#include "doc/overheads.h"

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

static const struct node *
node_named(const struct node *v, size_t n, const json_t *line)
{
	const char *name = json_string_value(json_object_get(line, "node"));

	for (size_t i = 0; name != NULL && i < n; i++)
		if (strcmp(v[i].name, name) == 0)
			return &v[i];
	return NULL;
}

/* Takes the reference to `value`. Returns -1 if memory is short. */
static int
add_missing(json_t *line, const char *member, json_t *value)
{
	json_t *has = json_object_get(line, member);

	if (value != NULL && has != NULL && !json_is_null(has)) {
		json_decref(value);
		return 0;
	}
	return json_object_set_new(line, member, value);
}

static int
put_node(FILE *out, json_t *line, const struct node *node, struct hp_err *e)
{
	json_t *copy = json_copy(line);
	bool bad = node != NULL && doc_overheads_add(copy, node) == -1;

	if (node != NULL && node->link.known)
		bad = add_missing(copy, "link", doc_link_new(&node->link)) ==
			-1 ||
		    bad;
	return doc_put_unless(out, bad, copy, e);
}

/* `points` may be NULL. */
static int
put_launcher(FILE *out, json_t *line, const struct launcher *l, json_t *points,
    struct hp_err *e)
{
	json_t *copy = json_copy(line);
	bool bad = doc_launcher_overheads_add(copy, l) == -1;

	if (l->link.known)
		bad = add_missing(copy, "link", doc_link_new(&l->link)) == -1 ||
		    bad;
	if (points != NULL && json_object_get(copy, "speed") == NULL)
		bad = bad ||
		    add_missing(copy, "points", json_incref(points)) == -1;
	return doc_put_unless(out, bad, copy, e);
}

/*
 * Reads the array `points` of the first line of the file `profile`. Returns -1
 * if it has none.
 */
static int
read_points(const char *profile, json_t **points, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	*points = NULL;
	if (doc_open(&d, profile, e) == -1)
		return -1;
	if ((rc = doc_next(&d, e)) == 1) {
		*points = json_incref(json_object_get(d.object, "points"));
		rc = *points == NULL ? doc_fail(&d, e, "no points") : 0;
	} else if (rc == 0)
		rc = hp_fail(e, HP_INPUT, "%s: no points", d.name);
	doc_close(&d);
	return rc;
}

int
doc_links_write(const char *cluster, const struct node *v, size_t n,
    const struct launcher *launcher, const char *profile, FILE *out,
    struct hp_err *e)
{
	json_t *points = NULL, *line;
	struct doc_in d;
	bool there = false;
	int rc;

	if (profile != NULL && read_points(profile, &points, e) == -1)
		return -1;
	if (doc_open(&d, cluster, e) == -1) {
		json_decref(points);
		return -1;
	}
	while ((rc = doc_next(&d, e)) == 1) {
		bool is = doc_is_launcher(&d);

		there = there || is;
		if ((is ? put_launcher(out, d.object, launcher, points, e)
			: put_node(out, d.object, node_named(v, n, d.object),
			      e)) == -1) {
			rc = -1;
			break;
		}
	}
	doc_close(&d);
	if (rc == 0 && !there) {
		line = json_pack("{s:s}", "type", "launcher");
		rc = line == NULL
		    ? hp_fail_errno(e, HP_NOMEM, "links")
		    : put_launcher(out, line, launcher, points, e);
		json_decref(line);
	}
	json_decref(points);
	return rc;
}
