#ifndef HP_CMD_HPRUN_RUN_H
#define HP_CMD_HPRUN_RUN_H

/*
 * A run: the options, the nodes, the places of files, and the launcher.  The
 * methods (exact.c, psrs.c, pss.c, psop.c) describe stages; run_stage has the
 * launcher do them, or prints their commands for --dry-run.
 */

#include "job/launcher.h"
#include "job/stage.h"
#include "opts.h"

struct run_node {
	char *name, *host, *dir_base; /* of the cluster; NULL: not given */
	char *dir;		      /* the node's work directory */
	char *in, *leave, *beside;    /* paths there, or NULL */
	bool measured;		      /* has points */
	size_t machine;		      /* rank of the first node of its machine */
	size_t neighbours;	      /* nodes of its machine, itself included */
	uint64_t part;		      /* its part of -S, in run.memory_unit */
	uint64_t share;		      /* records of the plan */
	uint64_t bytes;		      /* of its part of the input */
	uint64_t offset;	      /* of that in the input; in place: 0 or header */
};

struct run {
	struct opts o;
	struct run_node *node;
	size_t nodes;
	struct node_facts *facts;
	bool remote;	      /* some node has a host */
	bool stored;	      /* what nodes send each other is stored */
	const char *transport;
	const char *rsh;

	char *cwd;	      /* where hprun was started */
	char *home;	      /* directory of the programs; NULL: unknown */
	char *work;	      /* the work directory */
	char *tag;	      /* of the names of the nodes' directories */
	char *output;	      /* absolute, links resolved; NULL: stdout */
	char *beside;	      /* the result before it has its name */
	bool output_exists;
	char *trace;	      /* absolute; NULL: none */
	const char *input;    /* absolute, or a name in the work directory */
	bool from_store;      /* input is stored first */
	uint64_t header_bytes;

	char memory_unit;
	uint64_t memory;      /* -S in that unit */

	struct launcher *launcher;
	bool given;	      /* output was written that cannot be taken back */
	bool naming;	      /* parts are getting their names */
	bool passing;	      /* stages are done each time, also when resumed */
	struct outcome outcome;
	struct guard *guard;
};

/* All of these return -1 with the error set, 0, or what they say. */

/* run.c: has the stage done, or prints it; then frees it. */
int run_stage(struct run *, struct stage *, struct hp_err *);
/* A step of the launcher alone. */
int run_alone(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, struct hp_err *);
/* The same of a command that may answer no: *yes. */
int run_ask(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, bool *yes, struct hp_err *);

/* nodes.c: from -C, -j or --speeds, without those of --without. */
int nodes_read(struct run *, struct hp_err *);
/* places.c: paths of --in-place and --leave on each node. */
int places_find(struct run *, struct hp_err *);
/* memory.c */
int memory_parse(struct run *, struct hp_err *);
void memory_share(struct run *);
/* Adds -S and --parallel of the node. */
void memory_words(const struct run *, size_t rank, struct words *);

/* methods */
int exact(struct run *, struct hp_err *);
int psrs(struct run *, struct hp_err *);
int pss(struct run *, struct hp_err *);
int psop(struct run *, struct hp_err *);

#endif
