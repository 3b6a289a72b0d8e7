#ifndef HP_CMD_HPGEN_OPTS_H
#define HP_CMD_HPGEN_OPTS_H

/* The command line of hpgen. */

#include <stdbool.h>
#include <stdint.h>

#include "gen/gen.h"
#include "gen/gensort.h"

struct opts {
	bool ascii, checksum, skewed;
	/* write the records of the program gensort, without a distribution */
	bool gensort;
	gensort_number start;
	uint64_t count;
	struct gen_options gen;
	bool seeded;
	const char *format; /* or NULL */
	const char *file;
};

/* Parses and checks the command line. Exits 2 if it is wrong. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
