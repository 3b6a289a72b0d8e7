#ifndef HP_COST_SURFACE_H
#define HP_COST_SURFACE_H

/*
 * A node's speed as a function of the number of items and of other parameters.
 * For example, items are the rows of a matrix and the parameter is their
 * length. The speed is measured in sections: lists of points, each for fixed
 * values of the other parameters (Lastovetsky and Reddy 2007, section 3.2).
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

/*
 * Adds a section (points measured at fixed parameter values) to the surface,
 * which then owns its memory. If this fails, the section is freed.
 */
int surface_add(struct surface *, struct section *, struct hp_err *);

/*
 * Returns whether the points of both sections were measured at the same values
 * of all parameters.
 */
bool section_same(const struct section *, const struct section *);

/* Returns whether any section has a parameter of that name. */
bool surface_has(const struct surface *, const char *name);

/*
 * Fixes the value of one parameter. Sections (lists of measured points) that
 * differ only in this parameter become one section. Its speeds are interpolated
 * linearly between the two sections with the nearest values. With BEYOND_STOP
 * the new section ends at the smaller of their largest sizes. Fails with
 * HP_USAGE if a section lacks the parameter, or if the value is outside the
 * measured range.
 */
int surface_cut(struct surface *, enum beyond, const char *name, double value,
    struct hp_err *);

/*
 * Returns the name of a parameter that does not have the same value in all
 * measurements. Returns NULL if there is none.
 */
const char *surface_open(const struct surface *);

#endif
