#ifndef HP_CMD_HPRUN_OPTS_H
#define HP_CMD_HPRUN_OPTS_H

/*
 * The command line of hprun.
 */

#include <stdbool.h>
#include <stdint.h>

#include "cmd.h"
#include "record/order.h"
#include "split/demand.h"

/* A growing array of words, for command lines.  It ends with NULL. */
struct list {
	const char **v;
	size_t n, cap;
};

/* The kind of work that hprun is asked to do.  mode_find chooses it. */
enum mode {
	MODE_SORT,
	MODE_COUNT, /* a job on numbered items */
	MODE_MAP,   /* a job on records */
	MODE_FILES  /* a job on files; the names of the files are the records */
};

struct opts {
	enum mode mode;
	char **command;	  /* command of a job; NULL at the end */
	uint64_t count;	  /* -n: items */
	bool counted;	  /* -n was given */
	const char *cost; /* -c: cost function of n items */
	bool map, files;
	const char *weights;	      /* --weights; NULL: each item weighs 1 */
	enum demand_method algorithm; /* -a */
	bool algorithm_given;	      /* otherwise a plan may change it */
	const char *cluster;	      /* -C; NULL: none */
	uint64_t nodes;		      /* -j; 0: not given */
	const char *speeds;	      /* --speeds */
	const char *method;	      /* --method */
	const char *output;	      /* -o; NULL: standard output */
	const char *in_place, *leave;
	const char *keep; /* directory of --keep or --resume */
	const char *rsh, *transport, *launch;
	const char *tmpdir, *trace, *random_source;
	const char *budget;	 /* -S */
	uint64_t header;	 /* records */
	uint64_t profile_s;	 /* --profile; 0: not given */
	bool learn;		 /* --profile=learn */
	const char *profile_key; /* file of profiles; NULL: none */
	int threads;		 /* threads of hpexchange; -1: not given */
	uint64_t timeout_s;
	bool estimate, fewer; /* --estimate, --use-fewer */
	bool dry, progress, resume, agent, random;
	bool agent_calls; /* --agent=call */
	/* all nodes see the same files under the same paths */
	bool shared;
	struct order order;
	struct list without; /* names of nodes that are not used */
	char **file;	     /* operands; NULL at the end */
	int nfiles;
};

/* Parses the command line.  Exits with 2 on a usage error. */
void opts_parse(struct opts *, int argc, char *argv[]);

#endif
