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
	/* command to measure; NULL: hpsort with the ordering options */
	char **command;
	const char *name;
	struct param param[PARAMS];
	size_t nparams;
	uint64_t size[SIZES];
	struct profile_opts profile;
	bool progress;
	bool profile_key;
	/* measure the link to this host; NULL: measure work */
	const char *link;
	/* command that logs in to the host of --link, such as ssh */
	const char *rsh;
	/* seconds for which each direction of the link is measured */
	double link_s;
	const char *step; /* argument of --step: the step to learn from */
	bool whole;
};

/*
 * Parses the options of a measurement.  Exits 2 if the command line is wrong.
 */
void opts_parse(struct opts *, int argc, char *argv[]);

/*
 * Parses the options of `hpprofile learn`.  Returns the index of the argument
 * that names the cluster file.  At least one trace follows it.  Exits 2 if the
 * command line is wrong.
 */
int opts_parse_learn(struct opts *, int argc, char *argv[]);

#endif
