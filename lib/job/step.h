#ifndef HP_JOB_STEP_H
#define HP_JOB_STEP_H

/*
 * A step is what one node does before it reports to the launcher: a sequence
 * of actions, most often one command line of the toolkit.  A stage (stage.h)
 * is a set of steps that run at the same time.
 *
 * A step describes work and does none.  The launcher (launcher.h) sends it to
 * the agent of the node's machine; `hprun --dry-run` prints it.  Every string
 * of a step belongs to its stage.
 *
 * File names: a name that belongs to a node is relative to the node's
 * directory on its machine, or absolute there.  A name that belongs to the
 * launcher is relative to the work directory of the run, or absolute here.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rank of steps that run beside the launcher, in the work directory. */
#define STEP_LAUNCHER (-1)

/* Where a command reads its standard input from, or writes its output to. */
enum port_kind {
	PORT_NONE,    /* /dev/null */
	PORT_FILE,    /* a file of the launcher: a document, or the result */
	PORT_NODE,    /* a file of the node */
	PORT_STANDARD /* the standard input or output of hprun itself */
};

struct port {
	enum port_kind kind;
	const char *file; /* of PORT_FILE and PORT_NODE */
	bool append;	  /* an output goes behind what the file has */
};

enum action_kind {
	/* Run a program; the step fails unless it exits with 0. */
	ACT_RUN,
	/* Copy bytes of a launcher's file into a new file of the node. */
	ACT_PUT,
	/* Copy bytes of a file of the node into a launcher's file. */
	ACT_GET,
	/* Remove files of the node; one that is missing is no error. */
	ACT_REMOVE,
	/* Rename a file of the node, replacing what has the new name. */
	ACT_RENAME,
	/* Make FIFOs on the node; what has their names is removed first. */
	ACT_FIFO,
	/* Report the size of a file of the node, in action.size. */
	ACT_SIZE,
	/*
	 * Skip the next action if words[0] exists and words[1], which may be
	 * "", does not: an earlier try has done it.
	 */
	ACT_SKIP_IF
};

#define ACTION_TO_END UINT64_MAX

struct action {
	enum action_kind kind;
	/*
	 * RUN: the program and its words.  REMOVE, FIFO: files.  RENAME: old
	 * and new name.  SKIP_IF: see there.  Ends with NULL.
	 */
	const char **words;
	struct port in, out;  /* RUN */
	const char *node;     /* PUT, GET, SIZE: file of the node */
	struct port launcher; /* PUT: source, PORT_FILE; GET: target */
	/* PUT: part of the source; GET: part of the node's file. */
	uint64_t offset, bytes; /* ACTION_TO_END: all of the rest */
	/*
	 * GET: where the bytes go in the target.  Other GETs write beside it
	 * at the same time, so the target is not truncated.  Not for
	 * PORT_STANDARD, nor with `append`.
	 */
	uint64_t at;
	uint64_t size; /* SIZE: the result */
	/*
	 * --dry-run: what a shell does in its place.  PUT: a command that
	 * writes the bytes to its standard output.  NULL: as the action itself
	 * tells.
	 */
	const char *shell;
};

struct step {
	int rank;	  /* of the node, or STEP_LAUNCHER */
	const char *name; /* "sort": for messages, trace and journal */
	struct action *action;
	size_t nactions, cap;
	/* The command may answer no: exit status 1 is no failure. */
	bool asks;
	/*
	 * How often the step alone is started again when a signal ends its
	 * command, while the other steps of its stage go on.
	 */
	unsigned restarts;
	/* Results, once the stage has ended. */
	int answer;	       /* exit status, 0 or 1 */
	double start_s, end_s; /* since 1970, by the launcher's clock */
};

#endif
