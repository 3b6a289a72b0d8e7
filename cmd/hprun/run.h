#ifndef HP_CMD_HPRUN_RUN_H
#define HP_CMD_HPRUN_RUN_H

/*
 * A run: the options, the nodes, the places of files, and the launcher.  The
 * methods (exact.c, psrs.c, pss.c, psop.c) describe stages; run_stage has the
 * launcher do them, or prints their commands for --dry-run.
 *
 * The work directory is the current directory of hprun during a run: names of
 * documents count from there.
 *
 * Functions return 0, or -1 with the error set.
 */

#include "job/guard.h"
#include "job/launcher.h"
#include "job/stage.h"
#include "opts.h"

struct run_node {
	char *name, *host, *dir_base; /* of the cluster; NULL: not given */
	char *dir;		      /* the node's work directory */
	char *in, *leave, *beside;    /* paths there, or NULL */
	bool measured;		      /* the cluster has points of it */
	size_t machine;		/* rank of the first node of its machine */
	size_t neighbours;	/* nodes of its machine, itself included */
	uint64_t part;		/* of -S, in run.memory_unit */
	uint64_t share;		/* records of the plan */
	uint64_t offset, bytes; /* its part of the input */
	char *lost_why;		/* why the run goes on without it; NULL: lost */
};

/* progress.c */
struct progress_state {
	bool terminal; /* one line, written over and over */
	int columns;
	uint64_t records, bytes;  /* of the plan, and the input */
	uint64_t all, done, told; /* bytes that go through a step */
	double began_s;
};

struct run {
	struct opts o;
	char *cwd;  /* where hprun was started */
	char *home; /* directory of the programs */
	struct guard *guard;

	/* The nodes: nodes.c */
	char *cluster;	  /* file of -C, links resolved; NULL: none */
	char *node_lines; /* its lines otherwise */
	struct list lost; /* names of nodes that were lost */
	struct run_node *node;
	struct node_facts *facts;
	size_t nodes;
	bool remote; /* some node has a host */

	/* Files: files.c, work.c */
	char *work;	     /* the work directory, absolute */
	char *tag;	     /* in the names of the nodes' directories */
	char **operand;	     /* input files, absolute or "-"; NULL at the end */
	char *input;	     /* the one that is dealt, absolute */
	bool from_store;     /* it is made from the operands first */
	char *output;	     /* absolute, links resolved; NULL: stdout */
	char *beside;	     /* the result before it has its name */
	char *trace;	     /* absolute; NULL: none */
	char *random_source; /* absolute; NULL: none */
	uint64_t header_bytes;

	/* Words that many steps have: words.c */
	char **order_words;  /* the order */
	char **format_words; /* only what records are */
	const char *format_name;
	const char *transport, *rsh;
	char *rsh_default;
	char memory_unit; /* b K M G % */
	uint64_t memory;  /* -S in that unit */

	uint64_t records; /* of the input */
	bool began;	  /* the work directory is there */
	bool stored;	  /* what nodes send each other is stored */
	bool direct;	  /* nodes read the sorted runs of the others */
	bool resumed;	  /* steps that are done are not done again */
	bool given;	  /* output was written that cannot be taken back */
	bool naming;	  /* parts of the result are getting their names */
	size_t broken;	  /* times that only a connection broke */
	bool suggested;	  /* another transport */
	bool unproven;	  /* files have changed: nothing kept can be used */
	struct progress_state progress;
	struct launcher *launcher;
	struct job_node *job_node; /* the nodes, as the launcher knows them */
	struct outcome outcome;	   /* of the last stage */
};

/* Has the stage done, or prints it; then frees it. */
int run_stage(struct run *, struct stage *, struct hp_err *);
/* The same, and notes the sizes of the nodes' results. */
int run_result_stage(struct run *, struct stage *, struct hp_err *);
/* A stage of one command of the launcher. */
int run_alone(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, struct hp_err *);
/* The same of a command that may answer no: *yes. */
int run_ask(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, bool *yes, struct hp_err *);

/* The file that a node's part of the result is in. */
const char *run_result(const struct run *, size_t rank);
/* A message of hprun. */
void run_say(const struct run *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Once, a transport that may do where nodes have not reached each other. */
void run_suggest_transport(struct run *);
/* Fails since the proof did; what is kept is of no use. */
int run_not_proven(struct run *, struct hp_err *);
/* Notes how long the file `header` is. */
int run_header_size(struct run *, struct hp_err *);

#endif
