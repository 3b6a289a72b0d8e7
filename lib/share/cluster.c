#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/array.h"
#include "share/cluster.h"

void
node_fini(struct node *node)
{
	free(node->name);
	free(node->host);
	free(node->dir);
	free(node->workload);
	curve_fini(&node->curve);
	surface_fini(&node->surface);
	*node = (struct node){ 0 };
}

void
node_move_points(struct node *node)
{
	struct section *s = node->surface.section;
	struct curve *c = &node->curve;

	if (c->point == NULL)
		return;
	s->point = c->point;
	s->npoints = c->npoints;
	s->capacity = c->capacity;
	c->point = NULL;
	c->npoints = 0;
	c->capacity = CURVE_MOST;
}

void
cluster_fini(struct cluster *c)
{
	for (size_t i = 0; i < c->n; i++)
		node_fini(&c->node[i]);
	curve_fini(&c->launcher.curve);
	free(c->node);
	free(c->slot);
	*c = (struct cluster){ 0 };
}

/*
 * Returns the index of the name in the hash table, or of the empty slot where
 * the name belongs.
 */
static size_t
slot_of(const struct cluster *c, const char *name)
{
	size_t mask = c->nslots - 1;
	size_t i = (size_t)XXH3_64bits(name, strlen(name)) & mask;

	while (c->slot[i] != UINT32_MAX &&
	    strcmp(c->node[c->slot[i]].name, name) != 0)
		i = (i + 1) & mask;
	return i;
}

/* Doubles the size of the hash table when it is half full. */
static int
grow_slots(struct cluster *c)
{
	size_t n = c->nslots == 0 ? 16 : 2 * c->nslots;
	uint32_t *slot = reallocarray(NULL, n, sizeof *slot);

	if (slot == NULL)
		return -1;
	memset(slot, 0xff, n * sizeof *slot);
	free(c->slot);
	c->slot = slot;
	c->nslots = n;
	for (size_t i = 0; i < c->n; i++)
		slot[slot_of(c, c->node[i].name)] = (uint32_t)i;
	return 0;
}

int
cluster_add(struct cluster *c, struct node *node, struct hp_err *e)
{
	size_t slot;

	if (c->n >= UINT32_MAX / 2)
		return hp_fail(e, HP_INPUT, "too many nodes");
	if ((2 * c->n >= c->nslots && grow_slots(c) == -1) ||
	    ARRAY_ROOM(c->node, c->n, c->cap) == -1)
		return hp_fail(e, HP_NOMEM, "cluster of %zu nodes", c->n + 1);
	slot = slot_of(c, node->name);
	if (c->slot[slot] != UINT32_MAX)
		return hp_fail(e, HP_INPUT,
		    "node '%.255s' appears twice, as ranks %u and %zu",
		    node->name, c->slot[slot], c->n);
	c->slot[slot] = (uint32_t)c->n;
	c->node[c->n++] = *node;
	*node = (struct node){ 0 };
	return 0;
}

int
cluster_named(const struct cluster *c, const char *name, size_t *rank)
{
	size_t slot;

	if (c->n == 0)
		return -1;
	slot = slot_of(c, name);
	if (c->slot[slot] == UINT32_MAX)
		return -1;
	*rank = c->slot[slot];
	return 0;
}

int
cluster_find(
    const struct cluster *c, const char *which, size_t *rank, struct hp_err *e)
{
	unsigned long long n;

	if (which[0] == '\0' || which[strspn(which, "0123456789")] != '\0') {
		if (cluster_named(c, which, rank) == 0)
			return 0;
		return hp_fail(e, HP_USAGE, "no node is named '%.255s'", which);
	}
	errno = 0;
	n = strtoull(which, NULL, 10);
	if (errno != 0 || n >= c->n)
		return hp_fail(e, HP_USAGE, "rank %.32s: must be 0 to %zu",
		    which, c->n - 1);
	*rank = (size_t)n;
	return 0;
}

void
cluster_set_cost(struct cluster *c, const struct cost *cost)
{
	bool known = false;

	for (size_t i = 0; i < c->n; i++) {
		c->node[i].curve.cost = cost;
		known = known || curve_known(&c->node[i].curve);
	}
	c->launcher.curve.cost = cost;
	for (size_t i = 0; !known && i < c->n; i++)
		c->node[i].curve.speed = 1;
}

bool
cluster_falls(const struct cluster *c, size_t *rank, size_t *point)
{
	for (size_t i = 0; i < c->n; i++) {
		size_t falls = curve_falls(&c->node[i].curve);

		if (falls == 0)
			continue;
		if (rank != NULL)
			*rank = i;
		if (point != NULL)
			*point = falls;
		return true;
	}
	return false;
}

static bool
risk_points(struct point *p, size_t n, double P)
{
	bool changed = false;

	for (size_t i = 0; i < n; i++)
		if (p[i].low > 0 && p[i].high >= p[i].low) {
			p[i].seconds = p[i].low + P * (p[i].high - p[i].low);
			changed = true;
		}
	return changed;
}

bool
cluster_risk(struct cluster *c, double P)
{
	bool changed = false;

	for (size_t i = 0; i < c->n; i++) {
		struct surface *s = &c->node[i].surface;
		struct curve *v = &c->node[i].curve;

		changed |= risk_points(v->point, v->npoints, P);
		for (size_t j = 0; j < s->n; j++)
			changed |= risk_points(
			    s->section[j].point, s->section[j].npoints, P);
	}
	risk_points(c->launcher.curve.point, c->launcher.curve.npoints, P);
	return changed;
}

bool
cluster_linked(const struct cluster *c)
{
	bool linked = c->launcher.link.known;

	for (size_t i = 0; i < c->n && !linked; i++)
		linked = c->node[i].link.known;
	return linked;
}

int
cluster_cut(struct cluster *c, const char *name, double value, struct hp_err *e)
{
	struct hp_err why = { 0 };
	bool found = false;

	for (size_t i = 0; i < c->n; i++) {
		struct node *node = &c->node[i];

		if (!surface_has(&node->surface, name))
			continue;
		found = true;
		node_move_points(node);
		if (surface_cut(&node->surface, node->curve.beyond, name, value,
			&why) == -1)
			return hp_fail(e, why.kind, "node '%s': %.600s",
			    node->name, why.text);
	}
	if (found)
		return 0;
	return hp_fail(e, HP_USAGE, "no node has a parameter '%.64s'", name);
}

int
cluster_flat(struct cluster *c, struct hp_err *e)
{
	for (size_t i = 0; i < c->n; i++) {
		struct node *node = &c->node[i];
		struct section *s = node->surface.section;
		const char *open = surface_open(&node->surface);

		if (open != NULL)
			return hp_fail(e, HP_INPUT,
			    "node '%s' was measured at several values of "
			    "'%.64s': say at which, --at %.64s=VALUE",
			    node->name, open, open);
		if (s == NULL || s->point == NULL)
			continue;
		curve_set_points(&node->curve, s->point, s->npoints);
		if (s->capacity < node->curve.capacity)
			node->curve.capacity = s->capacity;
		s->point = NULL;
		surface_fini(&node->surface);
	}
	return 0;
}
