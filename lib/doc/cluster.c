#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc/cluster.h"
#include "doc/links.h"
#include "doc/lines.h"
#include "doc/overheads.h"
#include "doc/values.h"

/*
 * Maximum time in seconds of a measured point of a node. The sum of 2^53 such
 * times is still finite.
 */
#define SECONDS_MOST 1e290
/* Most power of a node. */
#define WATTS_MOST 1e9

static int
check_name(
    const struct doc_in *d, const char *member, const char *s, struct hp_err *e)
{
	const char *fault = s == NULL ? NULL : doc_name_fault(s);

	return fault == NULL ? 0 : doc_fail(d, e, "'%s' %s", member, fault);
}

static int
read_names(const struct doc_in *d, struct node *n, struct hp_err *e)
{
	uint64_t port = 0;
	int there;

	if (doc_string(d, "node", DOC_REQUIRED, &n->name, e) == -1 ||
	    doc_string(d, "host", DOC_OPTIONAL, &n->host, e) == -1 ||
	    doc_string(d, "dir", DOC_OPTIONAL, &n->dir, e) == -1 ||
	    doc_string(d, "workload", DOC_OPTIONAL, &n->workload, e) == -1 ||
	    (there = doc_u64(d, "port", DOC_OPTIONAL, &port, e)) == -1)
		return -1;
	if (there && (port == 0 || port > UINT16_MAX))
		return doc_fail(d, e, "'port' must be 1 to 65535");
	n->port = (uint16_t)port;
	if (check_name(d, "node", n->name, e) == -1 ||
	    check_name(d, "host", n->host, e) == -1)
		return -1;
	if (n->host != NULL && n->host[0] == '-')
		return doc_fail(d, e, "'host' must not begin with '-'");
	if (n->dir != NULL && n->dir[0] == '\0')
		return doc_fail(d, e, "'dir' is empty");
	return 0;
}

static int
read_power(const struct doc_in *d, struct power *p, struct hp_err *e)
{
	struct doc_in in;
	int rc = doc_inner(d, "power_w", &in, e);

	if (rc != 1)
		return rc;
	if (doc_number(&in, "idle", DOC_REQUIRED, &p->idle, e) == -1 ||
	    doc_number(&in, "busy", DOC_REQUIRED, &p->busy, e) == -1)
		return -1;
	if (p->idle < 0 || p->busy < p->idle || p->busy > WATTS_MOST)
		return doc_fail(d, e,
		    "'power_w' must have 0 <= idle <= busy <= %g", WATTS_MOST);
	p->known = true;
	return 0;
}

static int
read_beyond(const struct doc_in *d, struct curve *c, struct hp_err *e)
{
	char *s = NULL;
	int rc = doc_string(d, "beyond", DOC_OPTIONAL, &s, e);

	if (rc != 1)
		return rc;
	rc = beyond_parse(s, &c->beyond);
	free(s);
	if (rc == -1)
		return doc_fail(d, e, "'beyond' must be const, linear or stop");
	return 0;
}

static bool
is_time(const json_t *v)
{
	double x = json_number_value(v);

	return json_is_number(v) && x > 0 && x <= SECONDS_MOST;
}

/*
 * Checks the optional members that describe the runs of a point: their number,
 * the extreme times and the confidence interval. Only learning from further
 * runs uses these members.
 */
static int
read_spread(const struct doc_in *d, size_t i, json_t *o, struct hp_err *e)
{
	static const char *const members[] = { "low", "high" };
	const json_t *runs = json_object_get(o, "runs");
	const json_t *interval = json_object_get(o, "interval_s");
	double width = json_number_value(interval);
	double range[] = { 0, SECONDS_MOST };
	uint64_t n = 1;

	if (runs != NULL && !json_is_null(runs) &&
	    (!doc_is_count(runs, &n) || n == 0))
		return doc_fail(d, e,
		    "point %zu: 'runs' must be an integer from 1 to 2^53", i);
	for (size_t m = 0; m < sizeof members / sizeof members[0]; m++) {
		const json_t *v = json_object_get(o, members[m]);

		if (v == NULL || json_is_null(v))
			continue;
		if (!is_time(v))
			return doc_fail(d, e,
			    "point %zu: '%s' must be above 0, up to %g", i,
			    members[m], SECONDS_MOST);
		range[m] = json_number_value(v);
	}
	if (range[0] > range[1])
		return doc_fail(
		    d, e, "point %zu: 'low' must not exceed 'high'", i);
	if (interval != NULL && !json_is_null(interval) &&
	    !(json_is_number(interval) && width >= 0 && width <= SECONDS_MOST))
		return doc_fail(d, e,
		    "point %zu: 'interval_s' must be from 0 to %g", i,
		    SECONDS_MOST);
	return 0;
}

static int
read_point(const struct doc_in *d, size_t i, json_t *o, struct point *p,
    struct hp_err *e)
{
	json_t *n = json_object_get(o, "n");
	json_t *s = json_object_get(o, "seconds");
	uint64_t items;

	if (!doc_is_count(n, &items) || items == 0)
		return doc_fail(d, e,
		    "point %zu: 'n' must be an integer from 1 to 2^53", i);
	p->n = (double)items;
	p->seconds = json_number_value(s);
	if (!is_time(s))
		return doc_fail(d, e,
		    "point %zu: 'seconds' must be above 0, up to %g", i,
		    SECONDS_MOST);
	p->low = json_number_value(json_object_get(o, "low"));
	p->high = json_number_value(json_object_get(o, "high"));
	return read_spread(d, i, o, e);
}

int
doc_points_read(const struct doc_in *d, const json_t *array, struct curve *c,
    struct hp_err *e)
{
	size_t n = json_array_size(array);
	struct point *p;

	if (!json_is_array(array) || n == 0 || n > UINT32_MAX)
		return doc_fail(
		    d, e, "'points' must be an array, and not empty");
	if ((p = reallocarray(NULL, n, sizeof *p)) == NULL)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	for (size_t i = 0; i < n; i++) {
		if (read_point(d, i, json_array_get(array, i), &p[i], e) == -1)
			goto bad;
		if (i > 0 && p[i].n <= p[i - 1].n) {
			doc_fail(d, e, "point %zu: 'n' must increase", i);
			goto bad;
		}
	}
	curve_set_points(c, p, n);
	return 0;
bad:
	free(p);
	return -1;
}

static int
read_curve(const struct doc_in *d, struct curve *c, struct hp_err *e)
{
	const json_t *points = json_object_get(d->object, "points");

	if (doc_amount(d, "speed", true, &c->speed, e) == -1 ||
	    doc_amount(d, "latency_s", false, &c->latency_s, e) == -1 ||
	    doc_amount(d, "seconds_per_item", false, &c->seconds_per_item, e) ==
		-1 ||
	    doc_u64(d, "capacity", DOC_OPTIONAL, &c->capacity, e) == -1 ||
	    read_beyond(d, c, e) == -1)
		return -1;
	if (points == NULL || json_is_null(points))
		return 0;
	return doc_points_read(d, points, c, e);
}

static int
read_settings(const struct doc_in *d, struct section *s, struct hp_err *e)
{
	json_t *params = json_object_get(d->object, "params"), *value;
	const char *name;

	if (params == NULL || json_is_null(params))
		return 0;
	if (!json_is_object(params))
		return doc_fail(d, e, "'params' must be an object");
	s->setting = calloc(json_object_size(params) + 1, sizeof *s->setting);
	if (s->setting == NULL)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	json_object_foreach(params, name, value)
	{
		struct setting *x = &s->setting[s->nsettings];

		if (!json_is_number(value) ||
		    !isfinite(json_number_value(value)))
			return doc_fail(d, e, "'params' must be numbers");
		if ((x->name = strdup(name)) == NULL)
			return hp_fail(e, HP_NOMEM, "%s", d->name);
		x->value = json_number_value(value);
		s->nsettings++;
	}
	return 0;
}

static int
read_surface(const struct doc_in *d, struct node *node, struct hp_err *e)
{
	struct section s = { .capacity = node->curve.capacity };

	if (read_settings(d, &s, e) == -1) {
		section_fini(&s);
		return -1;
	}
	if (s.nsettings > 0 && node->curve.point != NULL)
		return surface_add(&node->surface, &s, e);
	section_fini(&s);
	return 0;
}

/*
 * Adds a section to the node of this rank. A section is a list of points
 * measured at the same values of the parameters.
 */
static int
add_section(const struct doc_in *d, struct cluster *c, size_t rank,
    struct node *more, struct hp_err *e)
{
	struct surface *to = &c->node[rank].surface;
	struct section *s = more->surface.section;

	for (size_t i = 0; i < to->n; i++)
		if (section_same(&to->section[i], s))
			return doc_fail(d, e,
			    "node '%s' appears twice, with the same params",
			    more->name);
	node_move_points(&c->node[rank]);
	node_move_points(more);
	return surface_add(to, s, e);
}

static int
read_launcher(const struct doc_in *d, struct cluster *c, struct hp_err *e)
{
	struct launcher *l = &c->launcher;

	if (l->known)
		return doc_fail(d, e, "a second line of type launcher");
	l->known = true;
	curve_init(&l->curve);
	if (doc_launcher_overheads_read(d, l, e) == -1 ||
	    doc_link_read(d, &l->link, e) == -1)
		return -1;
	return read_curve(d, &l->curve, e);
}

int
doc_node_read(const struct doc_in *d, struct cluster *c, struct hp_err *e)
{
	struct node node = { 0 };
	struct hp_err why = { 0 };
	size_t rank;
	int rc = -1;

	if (doc_is_launcher(d))
		return read_launcher(d, c, e);
	if (strcmp(d->type, "node") != 0)
		return doc_unexpected(d, "a node", e);
	curve_init(&node.curve);
	if (read_names(d, &node, e) == -1 ||
	    read_curve(d, &node.curve, e) == -1 ||
	    doc_link_read(d, &node.link, e) == -1 ||
	    doc_overheads_read(d, &node, e) == -1 ||
	    read_power(d, &node.power, e) == -1 ||
	    read_surface(d, &node, e) == -1)
		goto out;
	if (node.surface.n > 0 && cluster_named(c, node.name, &rank) == 0 &&
	    c->node[rank].surface.n > 0) {
		rc = add_section(d, c, rank, &node, e);
		goto out;
	}
	if ((rc = cluster_add(c, &node, &why)) == 0)
		goto out;
	if (why.kind == HP_INPUT)
		doc_fail(d, e, "%s", why.text);
	else
		*e = why;
out:
	node_fini(&node);
	return rc;
}

int
doc_cluster_read(const char *path, struct cluster *c, struct hp_err *e)
{
	struct doc_in d;
	int rc;

	*c = (struct cluster){ 0 };
	if (doc_open(&d, path, e) == -1)
		return -1;
	while ((rc = doc_next(&d, e)) == 1)
		if ((rc = doc_node_read(&d, c, e)) == -1)
			break;
	if (rc == 0 && c->n == 0)
		rc = hp_fail(e, HP_INPUT, "%s: contains no node", d.name);
	if (rc == -1)
		cluster_fini(c);
	doc_close(&d);
	return rc;
}
