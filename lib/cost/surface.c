#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/surface.h"

void
section_fini(struct section *s)
{
	for (size_t i = 0; i < s->nsettings; i++)
		free(s->setting[i].name);
	free(s->setting);
	free(s->point);
	*s = (struct section){ 0 };
}

void
surface_fini(struct surface *f)
{
	for (size_t i = 0; i < f->n; i++)
		section_fini(&f->section[i]);
	free(f->section);
	*f = (struct surface){ 0 };
}

int
surface_add(struct surface *f, struct section *s, struct hp_err *e)
{
	struct section *section = reallocarray(
	    f->section, f->n + 1, sizeof *section);

	if (section == NULL) {
		section_fini(s);
		return hp_fail(e, HP_NOMEM, "sections");
	}
	f->section = section;
	f->section[f->n++] = *s;
	*s = (struct section){ 0 };
	return 0;
}

static struct setting *
find(const struct section *s, const char *name)
{
	for (size_t i = 0; i < s->nsettings; i++)
		if (strcmp(s->setting[i].name, name) == 0)
			return &s->setting[i];
	return NULL;
}

bool
surface_has(const struct surface *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (find(&f->section[i], name) != NULL)
			return true;
	return false;
}

/*
 * Returns whether the points of both sections were measured at the same values
 * of all parameters except `name`.
 */
static bool
same_but(const struct section *a, const struct section *b, const char *name)
{
	if (a->nsettings != b->nsettings)
		return false;
	for (size_t i = 0; i < a->nsettings; i++) {
		const struct setting *x = &a->setting[i];
		const struct setting *y = find(b, x->name);

		if (strcmp(x->name, name) != 0 &&
		    (y == NULL || y->value != x->value))
			return false;
	}
	return true;
}

bool
section_same(const struct section *a, const struct section *b)
{
	return same_but(a, b, "");
}

const char *
surface_open(const struct surface *f)
{
	for (size_t i = 1; i < f->n; i++)
		for (size_t j = 0; j < f->section[i].nsettings; j++) {
			const struct setting *x = &f->section[i].setting[j];
			const struct setting *y = find(&f->section[0], x->name);

			if (y == NULL || y->value != x->value)
				return x->name;
		}
	return NULL;
}

static double
speed_of(const struct section *s, double n)
{
	const struct curve c = { .point = s->point,
		.npoints = s->npoints,
		.beyond = BEYOND_CONST,
		.capacity = CURVE_MOST };

	return curve_speed(&c, n);
}

/*
 * A section is a list of speeds, measured at fixed values of the parameters.
 * Interpolates linearly between the speeds of sections a and b: a + u (b - a).
 * The result has a point for each size that was measured in a or b.
 */
static int
between(const struct section *a, const struct section *b, double u,
    enum beyond beyond, struct section *out, struct hp_err *e)
{
	double last = fmin(
	    a->point[a->npoints - 1].n, b->point[b->npoints - 1].n);
	uint32_t i = 0, j = 0;

	out->point = reallocarray(
	    NULL, (size_t)a->npoints + b->npoints, sizeof *out->point);
	if (out->point == NULL)
		return hp_fail(e, HP_NOMEM, "sections");
	while (i < a->npoints || j < b->npoints) {
		double x = i < a->npoints ? a->point[i].n : INFINITY;
		double y = j < b->npoints ? b->point[j].n : INFINITY;
		double n = fmin(x, y), speed;

		i += x == n;
		j += y == n;
		if (beyond == BEYOND_STOP && n > last)
			break;
		speed = (1 - u) * speed_of(a, n) + u * speed_of(b, n);
		out->point[out->npoints++] = (struct point){ n, n / speed };
	}
	out->capacity = a->capacity < b->capacity ? a->capacity : b->capacity;
	return 0;
}

/* Copies all parameter values of s except that of `name`. */
static int
copy_but(const struct section *s, const char *name, struct section *out,
    struct hp_err *e)
{
	out->setting = calloc(s->nsettings, sizeof *out->setting);
	for (size_t i = 0; out->setting != NULL && i < s->nsettings; i++) {
		struct setting *x = &out->setting[out->nsettings];

		if (strcmp(s->setting[i].name, name) == 0)
			continue;
		x->value = s->setting[i].value;
		if ((x->name = strdup(s->setting[i].name)) == NULL)
			break;
		out->nsettings++;
	}
	if (out->nsettings + 1 == s->nsettings)
		return 0;
	return hp_fail(e, HP_NOMEM, "sections");
}

/*
 * A section is a list of speeds, measured at fixed values of the parameters.
 * Considers only sections that agree with s in all parameters except `name`.
 * Among these, finds the one with the largest value of `name` up to `value`,
 * and the one with the smallest value from `value` on.
 */
static int
neighbours(const struct surface *f, const struct section *s, const char *name,
    double value, const struct section **below, const struct section **above,
    struct hp_err *e)
{
	double least = INFINITY, most = -INFINITY, lo = -INFINITY,
	       hi = INFINITY;

	*below = *above = NULL;
	for (size_t i = 0; i < f->n; i++) {
		const struct section *t = &f->section[i];
		const struct setting *x = find(t, name);

		if (x == NULL)
			return hp_fail(e, HP_USAGE,
			    "some points were measured without a value of "
			    "'%.64s'",
			    name);
		if (!same_but(s, t, name))
			continue;
		least = fmin(least, x->value);
		most = fmax(most, x->value);
		if (x->value <= value && x->value > lo) {
			lo = x->value;
			*below = t;
		}
		if (x->value >= value && x->value < hi) {
			hi = x->value;
			*above = t;
		}
	}
	if (*below == NULL || *above == NULL)
		return hp_fail(e, HP_USAGE,
		    "%.64s = %.15g: must be in the measured range, %.15g to "
		    "%.15g",
		    name, value, least, most);
	return 0;
}

/*
 * Some sections (lists of measured speeds) differ from s only in the parameter
 * `name`. Interpolates between them to compute one section at the given value
 * of `name`.
 */
static int
cut_group(const struct surface *f, const struct section *s, enum beyond beyond,
    const char *name, double value, struct section *out, struct hp_err *e)
{
	const struct section *below, *above;
	double lo, hi;

	if (neighbours(f, s, name, value, &below, &above, e) == -1)
		return -1;
	lo = find(below, name)->value;
	hi = find(above, name)->value;
	*out = (struct section){ 0 };
	if (between(below, above, hi > lo ? (value - lo) / (hi - lo) : 0,
		beyond, out, e) == 0 &&
	    copy_but(s, name, out, e) == 0)
		return 0;
	section_fini(out);
	return -1;
}

int
surface_cut(struct surface *f, enum beyond beyond, const char *name,
    double value, struct hp_err *e)
{
	struct surface left = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		struct section *s = &f->section[i], out;
		size_t first = 0;

		/*
		 * A section is a list of points that were measured at the same
		 * parameter values. Sections that differ only in the parameter
		 * `name` are merged when the loop reaches the first of them. So
		 * skip the others.
		 */
		while (!same_but(&f->section[first], s, name))
			first++;
		if (first < i)
			continue;
		if (cut_group(f, s, beyond, name, value, &out, e) == -1 ||
		    surface_add(&left, &out, e) == -1) {
			surface_fini(&left);
			return -1;
		}
	}
	surface_fini(f);
	*f = left;
	return 0;
}
