#ifndef HP_CMD_HPRUN_RUN_H
#define HP_CMD_HPRUN_RUN_H

/*
 * The state of a run: options, nodes, file names and the launcher.  The methods
 * (exact.c, psrs.c, pss.c, psop.c) describe stages.  run_stage has the launcher
 * execute a stage, or prints its commands for --dry-run.
 *
 * During a run the work directory is hprun's current directory.  Relative names
 * of documents refer to it.
 *
 * Functions return 0, or -1 with the error set.
 */

#include "job/allocation.h"
#include "job/guard.h"
#include "job/launcher.h"
#include "job/stage.h"
#include "opts.h"
#include "ways.h"

struct run_node {
	char *name, *host, *dir_base; /* from the cluster; NULL: not given */
	char *dir;		      /* the node's work directory */
	char *in, *leave, *beside;    /* paths on the node, or NULL */
	bool measured;		      /* the cluster file has its points */
	bool linked;		      /* the cluster file has its link */
	size_t machine;		/* rank of the first node of its machine */
	size_t neighbours;	/* nodes of its machine, itself included */
	uint64_t part;		/* its part of -S, in run.memory_unit */
	uint64_t share;		/* planned records */
	uint64_t offset, bytes; /* its part of the input */
	bool sent;		/* its last finished step sent it its part */
	/* why the node is left out; NULL: its machine was lost */
	char *lost_why;
};

/* progress.c */
struct progress_state {
	bool terminal; /* progress is one line, overwritten */
	int columns;
	uint64_t records, bytes;  /* planned records, input bytes */
	uint64_t all, done, told; /* bytes of work: total, done, shown */
	double began_s;
};

struct run {
	struct opts o;
	char *cwd;  /* where hprun was started */
	char *home; /* directory of the programs */
	struct guard *guard;

	/* The nodes: nodes.c */
	char *cluster;	  /* file of -C, links resolved; NULL: none */
	char *node_lines; /* without -C: generated lines */
	struct list lost; /* names of nodes that were lost */
	struct run_node *node;
	struct node_facts *facts;
	size_t nodes;
	bool remote;	    /* some node has a host */
	const char *launch; /* method; NULL: the default of the launcher */
	struct allocation allocation; /* of Slurm; empty: not used */
	bool linked;		      /* the cluster has the rates of links */
	bool unknown; /* no node has a speed, points or a capacity */

	/* Files: files.c, work.c */
	char *work;	     /* the work directory, absolute */
	char *tag;	     /* unique part of the nodes' directory names */
	char **operand;	     /* input files, absolute or "-"; NULL at the end */
	char *input;	     /* file that is dealt, absolute */
	bool from_store;     /* `input` is a copy of the operands */
	char *output;	     /* absolute, links resolved; NULL: stdout */
	char *beside;	     /* temporary name of the result */
	char *trace;	     /* absolute; NULL: none */
	char *weights;	     /* absolute, or "-"; NULL: none */
	char *random_source; /* absolute; NULL: none */
	uint64_t header_bytes;

	/* Words that many commands share: words.c */
	char **order_words;  /* ordering options */
	char **format_words; /* options of the record format only */
	const char *format_name;
	const struct way *transport;
	const char *rsh;
	char *rsh_default;
	char memory_unit; /* b K M G % */
	uint64_t memory;  /* -S in that unit */

	uint64_t records;     /* of the input */
	uint64_t input_bytes; /* its size; set if batched or probed */
	bool batched;	      /* the input is dealt in batches */
	bool probed;	      /* batches only told the speeds */
	bool began;	      /* the work directory exists */
	bool stored;	      /* both sides of the exchange store files */
	bool direct;	      /* no exchange: nodes read each other's runs */
	bool placed;	      /* merges write their parts into the result */
	bool collected;	      /* merges of hosts send theirs: collect.h */
	bool resumed;	      /* --resume: steps in the journal are skipped */
	bool checked;	/* the nodes were asked for the files of that run */
	bool vanished;	/* such files are gone: the run begins again */
	bool given;	/* output was delivered irrevocably */
	bool naming;	/* parts of the result are being renamed */
	size_t broken;	/* attempts that failed by a broken connection */
	bool suggested; /* another transport was suggested */
	bool unproven;	/* the proof failed: kept files are unusable */
	struct progress_state progress;
	struct launcher *launcher;
	struct job_node *job_node; /* the launcher's view of the nodes */
	struct outcome outcome;	   /* of the last stage */
};

/* Executes or prints the stage, then frees it. */
int run_stage(struct run *, struct stage *, struct hp_err *);
/* Like run_stage, but the caller frees the stage: it reads results of steps. */
int run_and_keep(struct run *, struct stage *, struct hp_err *);
/*
 * Calls the function of `hprun --do NAME WORD...`, where `w` are these words,
 * or in a dry run prints the command.  Frees the stage.
 */
int
run_do(struct run *, struct stage *, const char *step, const struct words *w,
    int (*function)(const char *const *word, struct hp_err *), struct hp_err *);
/* Runs one command of the launcher as a stage. */
int run_alone(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, struct hp_err *);
/* Like run_alone, but the command may answer no by exit status 1; sets *yes. */
int run_ask(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, bool *yes, struct hp_err *);

/* Prints a message on standard error. */
void run_say(const struct run *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Suggests --transport ssh, once, after nodes could not reach each other. */
void run_suggest_transport(struct run *);
/* Fails because the proof failed, and marks kept files as unusable. */
int run_not_proven(struct run *, struct hp_err *);
/* Returns the run's tag: hex digits that no other run has. */
const char *run_tag(struct run *);
/* Sets run.header_bytes to the size of the file `header`. */
int run_header_size(struct run *, struct hp_err *);

#endif
