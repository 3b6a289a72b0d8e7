#ifndef HP_COST_SURFACE_H
#define HP_COST_SURFACE_H

/*
 * Speed as a function of the number of items and of other parameters of the
 * work, as of the width of a matrix of which the items are rows: measured in
 * sections, each a line of points at fixed values of the other parameters
 * (Lastovetsky and Reddy 2007, section 3.2).
 */

#include "cost/curve.h"

struct setting {
	char *name;
	double value;
};

struct section {
	struct setting *setting;
	size_t nsettings;
	struct point *point; /* NULL as long as a curve has them */
	uint32_t npoints;
	uint64_t capacity;
};

struct surface {
	struct section *section;
	size_t n;
};

/* Harmless on zeroed structs. */
void section_fini(struct section *);
void surface_fini(struct surface *);

/* Takes over what the section points to, also when it fails. */
int surface_add(struct surface *, struct section *, struct hp_err *);

/* Have the two the same settings? */
bool section_same(const struct section *, const struct section *);

/* Is any section's setting of that name? */
bool surface_has(const struct surface *, const char *name);

/*
 * Fixes a parameter: sections that differ in it alone become one, their speeds
 * interpolated linearly between the two values next to it; one that stops does
 * so where the first of the two does.  HP_USAGE when a section has no such
 * parameter or the value is outside of what was measured.
 */
int surface_cut(struct surface *, enum beyond, const char *name, double value,
    struct hp_err *);

/* A parameter in which the sections differ, or NULL. */
const char *surface_open(const struct surface *);

#endif
