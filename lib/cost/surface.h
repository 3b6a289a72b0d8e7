#ifndef HP_COST_SURFACE_H
#define HP_COST_SURFACE_H

/*
 * A node's speed as a function of the number of items and of other parameters.
 * For example, the items are rows of a matrix and the parameter is its width.
 * The speed is measured in sections. A section is a list of points measured at
 * fixed values of the other parameters (Lastovetsky and Reddy 2007, section
 * 3.2).
 */

#include "cost/curve.h"

struct setting {
	char *name;
	double value;
};

struct section {
	struct setting *setting;
	size_t nsettings;
	struct point *point; /* NULL while a curve owns the points */
	uint32_t npoints;
	uint64_t capacity;
};

struct surface {
	struct section *section;
	size_t n;
};

/* Free the members. Zeroed structs are allowed. */
void section_fini(struct section *);
void surface_fini(struct surface *);

/* Adds a section and takes ownership of what it points to, even if it fails. */
int surface_add(struct surface *, struct section *, struct hp_err *);

/* Returns whether both sections have the same parameter values. */
bool section_same(const struct section *, const struct section *);

/* Returns whether any section has a parameter of that name. */
bool surface_has(const struct surface *, const char *name);

/*
 * Fixes a parameter at a value. Sections that differ only in this parameter
 * become one: its speeds are interpolated linearly between the two nearest
 * sections. With BEYOND_STOP the new section ends at the smaller of their
 * largest sizes. Fails with HP_USAGE if a section lacks the parameter or the
 * value is outside the measured range.
 */
int surface_cut(struct surface *, enum beyond, const char *name, double value,
    struct hp_err *);

/* Returns a parameter in which sections differ, or NULL. */
const char *surface_open(const struct surface *);

#endif
