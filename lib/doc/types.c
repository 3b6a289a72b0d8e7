#include <string.h>

#include "doc/cluster.h"
#include "doc/links.h"
#include "doc/types.h"

/*
 * Members of a node line that depend only on the type of the machine: its times
 * and power.
 */
static const char *const of_type[] = { "key", "points", "capacity", "beyond",
	"latency_s", "seconds_per_item", "workload", "params", "power_w" };

/*
 * If the line describes a node, checks it and adds it to the array of machine
 * types.
 */
static int
add_type(struct doc_in *d, void *types, struct hp_err *e)
{
	struct cluster c = { 0 };
	int rc;

	if (strcmp(d->type, "node") != 0)
		return 0;
	rc = doc_node_read(d, &c, e);
	cluster_fini(&c);
	if (rc != -1 && json_array_append(types, d->object) == -1)
		return hp_fail(e, HP_NOMEM, "%s", d->name);
	return rc == -1 ? -1 : 0;
}

static json_t *
read_types(const char *path, struct hp_err *e)
{
	json_t *types = json_array();

	if (types == NULL) {
		hp_fail(e, HP_NOMEM, "%s", path);
		return NULL;
	}
	if (doc_each(path, add_type, types, e) == 0)
		return types;
	json_decref(types);
	return NULL;
}

/*
 * Returns the first line in the array that has this key and has points. Returns
 * NULL if there is none.
 */
static const json_t *
find(const json_t *types, const char *key)
{
	for (size_t i = 0; i < json_array_size(types); i++) {
		const json_t *o = json_array_get(types, i);
		const char *s = json_string_value(json_object_get(o, "key"));

		if (s != NULL && strcmp(s, key) == 0 &&
		    json_object_get(o, "points") != NULL)
			return o;
	}
	return NULL;
}

static int
apply(const struct doc_in *d, const char *path, const json_t *types,
    const char *key, FILE *out, struct hp_err *e)
{
	json_t *o = json_copy(d->object);
	const json_t *type;
	int bad = o == NULL;

	if (o != NULL && json_object_get(o, "points") == NULL) {
		type = find(types, key);
		if (type == NULL) {
			hp_fail(e, HP_INPUT,
			    "%s: no line has the key '%s' of node %s; measure "
			    "the node with hpprofile --profile-key",
			    path, key,
			    json_string_value(json_object_get(o, "node")));
			json_decref(o);
			return -1;
		}
		json_object_del(o, "speed");
		for (size_t i = 0; i < sizeof of_type / sizeof *of_type; i++) {
			json_t *v = json_object_get(type, of_type[i]);

			if (v != NULL)
				bad |= json_object_set(o, of_type[i], v) == -1;
		}
	}
	return doc_put_unless(out, bad, o, e);
}

int
doc_types_apply(const char *cluster, const char *path, char *const *key,
    size_t n, FILE *out, struct hp_err *e)
{
	json_t *types = read_types(path, e);
	struct doc_in d;
	size_t rank = 0;
	int rc = -1;

	if (types == NULL)
		return -1;
	if (doc_open(&d, cluster, e) == -1)
		goto out;
	while ((rc = doc_next(&d, e)) == 1) {
		if (doc_is_launcher(&d))
			rc = doc_put(out, json_incref(d.object), e);
		else if (rank == n)
			rc = doc_fail(&d, e, "more nodes than keys");
		else
			rc = apply(&d, path, types, key[rank++], out, e);
		if (rc == -1)
			break;
	}
	doc_close(&d);
out:
	json_decref(types);
	return rc;
}
