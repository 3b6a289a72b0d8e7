#ifndef HP_CMD_HPPROFILE_OPTS_H
#define HP_CMD_HPPROFILE_OPTS_H

/* The command line of hpprofile. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doc/profile.h"
#include "record/order.h"

enum {
	PARAMS = 16,
	SIZES = 1000
};

struct opts {
	struct order order;
	char **command; /* NULL: hpsort with the ordering options */
	const char *name;
	struct param param[PARAMS];
	size_t nparams;
	uint64_t size[SIZES];
	struct profile_opts profile;
	bool progress;
	bool profile_key;
	const char *link; /* the host of --link; NULL: measure work */
	const char *rsh;  /* login command of --link */
	double link_s;	  /* seconds that each direction is measured */
	const char *step; /* --step of learn */
	bool whole;
};

/* Parses the command line of a measurement. Exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

/*
 * Parses the command line behind the word learn. Returns the index of the
 * cluster, which at least one trace follows. Exits 2 if it is wrong.
 */
int opts_parse_learn(struct opts *, int argc, char *argv[]);

#endif
