#ifndef HP_CMD_HPRUN_RUN_H
#define HP_CMD_HPRUN_RUN_H

/*
 * The state of a run: options, nodes, file names and the launcher.  The methods
 * (exact.c, psrs.c, pss.c, psop.c, range.c) describe stages.  run_stage makes
 * the launcher execute a stage, or prints its commands for --dry-run.
 * | During a run the work directory is hprun's current directory.  Relative
 * names of documents refer to it.
 * | Functions return 0, or -1 with the error set.
 */

#include "check/summary.h"
#include "doc/extents.h"
#include "job/allocation.h"
#include "job/guard.h"
#include "job/launcher.h"
#include "job/stage.h"
#include "opts.h"
#include "ways.h"

struct run_node {
	/* as the cluster file gives them; NULL: not given */
	char *name, *host, *dir_base;
	char *dir; /* the node's work directory */
	/* paths of --in-place, of --leave, and temporary; or NULL */
	char *in, *leave, *beside;
	/* the cluster file has points of this node */
	bool measured;
	/* the cluster file has the link of this node */
	bool linked;
	size_t machine;	   /* rank of the first node on the same machine */
	size_t neighbours; /* number of nodes on the same machine */
	/* the node's amount of memory, in units of memory_unit */
	uint64_t part;
	uint64_t share;		/* planned records */
	uint64_t offset, bytes; /* the node's part of the input */
	/* the last finished step sent the node its part of the input */
	bool sent;
	/* why the node is left out; NULL: its machine was lost */
	char *lost_why;
};

/* progress.c */
struct progress_state {
	/* the terminal shows progress as one line, which is overwritten */
	bool terminal;
	int columns;
	uint64_t records, bytes;  /* planned records, and bytes of the input */
	uint64_t all, done, told; /* bytes of work: total, done, shown */
	double began_s;
};

/*
 * Batches by key that have returned, and what was sent as each of them
 * (returned.h).
 */
struct returned {
	struct extent *batch;
	struct summary *sent, *sorted;
	size_t n;
};

struct run {
	struct opts o;
	char *cwd;  /* directory where hprun was started */
	char *home; /* directory of hptools' programs */
	struct guard *guard;

	/* Data about the nodes, set by nodes.c. */
	/* path of the cluster file, links resolved; NULL: none */
	char *cluster;
	/* lines of generated nodes, if there is no cluster file */
	char *node_lines;
	struct list lost; /* names of nodes that were lost */
	struct run_node *node;
	struct node_facts *facts;
	size_t nodes;
	bool remote; /* some node is on another host */
	/* method of --launch; NULL: the launcher's default */
	const char *launch;
	struct allocation allocation; /* allocation of Slurm; empty: not used */
	bool linked;		      /* the cluster file has rates of links */
	bool unknown; /* no node has a speed, points or a capacity */
	bool limited; /* some node has a capacity */

	/* Names of files, set by files.c and work.c. */
	char *work; /* absolute path of the work directory */
	/* random text in the names of the nodes' directories */
	char *tag;
	char **operand; /* input files, absolute or "-"; NULL at the end */
	/* absolute path of the input that is dealt to the nodes */
	char *input;
	bool from_store; /* `input` is a copy of the input files */
	/* absolute path of the copy of the input that is divided by key */
	char *ranges;
	/* absolute path of the output, links resolved; NULL: stdout */
	char *output;
	char *beside; /* temporary name of the result */
	char *trace;  /* absolute path of --trace; NULL: none */
	/* absolute path of --weights, or "-"; NULL: none */
	char *weights;
	char *random_source; /* absolute path of --random-source; NULL: none */
	uint64_t header_bytes;

	/* Words of command lines that several steps share (words.c). */
	char **order_words;  /* ordering options */
	char **format_words; /* options of the record format only */
	const char *format_name;
	const struct way *transport;
	const char *rsh;
	char *rsh_default;
	char memory_unit; /* unit of `memory`: b K M G % */
	uint64_t memory;  /* memory for all nodes of a machine (-S) */

	uint64_t records;     /* number of records in the input */
	bool counted;	      /* `records` is known before the run begins */
	uint64_t input_bytes; /* size of the input; set if batched or probed */
	bool batched;	      /* the input is dealt in batches */
	bool divided; /* `ranges` has the input, divided by key into units */
	struct returned returned; /* batches of earlier attempts */
	/* sorting batches of the input's start showed the speeds */
	bool probed;
	bool began;	   /* --keep has something that --resume can take up */
	bool pipe_ignored; /* SIGPIPE was ignored when hprun began */
	bool unpaced;	   /* parts need not arrive at the same time */
	/* sender and receiver of the exchange store files */
	bool stored;
	/* no exchange: each node reads all nodes' sorted files */
	bool direct;
	/* each merge writes its part directly into the result */
	bool placed;
	/* the launcher collects the output of merges (collect.h) */
	bool collected;
	/* --resume: steps that are in the journal are skipped */
	bool resumed;
	/* the nodes were asked whether they have the kept files */
	bool checked;
	bool vanished;	/* kept files are gone, so the run begins again */
	bool renewed;	/* kept files were damaged, so the run began again */
	bool given;	/* output was delivered, so no step may be repeated */
	bool naming;	/* parts of the result are being renamed (--leave) */
	size_t broken;	/* attempts that failed because a connection broke */
	bool suggested; /* --transport ssh was suggested */
	bool unproven;	/* the proof failed, so kept files cannot be used */
	struct progress_state progress;
	struct launcher *launcher;
	struct job_node *job_node; /* the nodes, as the launcher knows them */
	struct outcome outcome;	   /* how the last stage ended */
};

/* Executes the stage, or prints it for --dry-run.  Frees the stage. */
int run_stage(struct run *, struct stage *, struct hp_err *);
/*
 * Executes or prints a stage like run_stage, but does not free it, because the
 * caller reads results of its steps.
 */
int run_and_keep(struct run *, struct stage *, struct hp_err *);
/*
 * Does a small step of hprun itself.  `w` is the command `hprun --do NAME
 * WORD...`.  Calls the function, which does the step, with the words after
 * NAME.  A dry run prints the command instead.  Frees the stage.
 */
int
run_do(struct run *, struct stage *, const char *step, const struct words *w,
    int (*function)(const char *const *word, struct hp_err *), struct hp_err *);
/* Runs one command on the launcher's machine as a stage. */
int run_alone(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, struct hp_err *);
/*
 * Runs one command like run_alone.  Exit status 1 means the answer no, and 0
 * yes; *yes receives the answer.
 */
int run_ask(struct run *, struct stage *, const char *step, struct port out,
    const struct words *, bool *yes, struct hp_err *);

/* Prints a message on standard error, without disturbing the progress line. */
void run_say(const struct run *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/*
 * Suggests the option --transport ssh after nodes could not reach each other.
 * Does so only once.
 */
void run_suggest_transport(struct run *);
/*
 * Fails because the proof of the result failed, and marks kept files as
 * unusable for --resume.
 */
int run_not_proven(struct run *, struct hp_err *);
/*
 * Returns the tag of this run: hex digits that no other run has.  Names of
 * directories on nodes contain it.
 */
const char *run_tag(struct run *);
/* Sets run.header_bytes to the size of the file `header`. */
int run_header_size(struct run *, struct hp_err *);

#endif
