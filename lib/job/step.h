#ifndef HP_JOB_STEP_H
#define HP_JOB_STEP_H

/*
 * A step is the unit of work of one node: a sequence of actions, most often one
 * command of the toolkit.  The node reports when the step has ended.  A stage
 * (stage.h) is a set of steps that run at the same time.
 *
 * A step only describes work.  The launcher (launcher.h) sends it to the agent
 * of the node's machine; `hprun --dry-run` prints it.  All strings of a step
 * belong to its stage.
 *
 * File names of a node are relative to the node's directory, or absolute on its
 * machine.  File names of the launcher are relative to the work directory of
 * the run, or absolute on the launcher's machine.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Rank of a step that runs on the launcher's machine, in the work directory,
 * and not on a node.
 */
#define STEP_LAUNCHER (-1)

/* Source of a command's standard input, or target of its standard output. */
enum port_kind {
	PORT_NONE, /* /dev/null */
	/*
	 * a file of the launcher, such as a document or the result of the run
	 */
	PORT_FILE,
	PORT_NODE,    /* a file of the node */
	PORT_STANDARD /* the standard input or output of the process hprun */
};

/*
 * Functions that see the bytes of a command's standard input or output, in
 * order, while the launcher passes them on. On the launcher's machine, unless
 * the output is a part of a file, a step opens the file itself, and the
 * functions see no bytes.
 */
struct tap {
	void (*begin)(void *context); /* also when a step is repeated */
	int (*pass)(
	    void *context, const unsigned char *, size_t, struct hp_err *);
	int (*end)(void *context, struct hp_err *); /* all bytes have passed */
	void *context;
};

struct port {
	enum port_kind kind;
	const char *file; /* name of the file; for PORT_FILE and PORT_NODE */
	bool append;	  /* output is appended to the file */
	/*
	 * The command reads or writes only a part of the launcher's file,
	 * `bytes` bytes from `offset` on. Only commands on hosts can read one.
	 * An output file must already exist. The launcher treats a machine that
	 * sends more bytes as failed. Fewer bytes are allowed, because a
	 * command may fail.
	 */
	bool part;
	uint64_t offset, bytes;
	/*
	 * `bytes` comes from reports of other machines, which may be wrong. So
	 * if the output is longer, only the step fails, and its machine does
	 * not count as lost.
	 */
	bool claimed;
	/*
	 * For the input of commands on hosts: the parts of all hosts in a stage
	 * arrive at the same time (pace.h).
	 */
	bool paced;
	/*
	 * functions that see the bytes of this output, or of this input if
	 * `part` is set; NULL: none
	 */
	const struct tap *tap;
};

enum action_kind {
	/*
	 * Run a program. The step ends early if the program does not exit with
	 * 0. It then has failed, unless exit status 1 is an answer (step.asks).
	 */
	ACT_RUN,
	/* Copy bytes of a launcher's file into a new file of the node. */
	ACT_PUT,
	/* Copy bytes of a file of the node into a launcher's file. */
	ACT_GET,
	/* Remove files of the node; missing files are no error. */
	ACT_REMOVE,
	/* Rename a file of the node; an existing file is replaced. */
	ACT_RENAME,
	/* Make FIFOs on the node; existing files of these names are removed. */
	ACT_FIFO,
	/* Report the size of a file of the node; the result is action.size. */
	ACT_SIZE,
	/*
	 * Skip the next action if an earlier attempt has already done it. This
	 * is so if words[0] exists, and words[1] does not exist or is "".  An
	 * empty directory words[1] is removed first.
	 */
	ACT_SKIP_IF
};

#define ACTION_TO_END UINT64_MAX

struct action {
	enum action_kind kind;
	/*
	 * For RUN: the program and its arguments. For REMOVE and FIFO: names of
	 * files. For RENAME: the old and the new name. For SKIP_IF: the names
	 * that ACT_SKIP_IF explains. The list ends with NULL.
	 */
	const char **words;
	struct port in, out;  /* RUN */
	const char *node;     /* PUT, GET, SIZE: file of the node */
	struct port launcher; /* PUT: source, PORT_FILE; GET: target */
	/*
	 * For PUT: the part of the source to copy. For GET: the part of the
	 * node's file to copy.
	 */
	uint64_t offset, bytes; /* ACTION_TO_END: up to the end */
	/*
	 * For GET: offset in the target. Other GETs may write other parts of
	 * the target at the same time. So only a GET of a whole file to offset
	 * 0 truncates the target. Not used with PORT_STANDARD or `append`.
	 */
	uint64_t at;
	uint64_t size; /* SIZE: the result */
	/*
	 * For a dry run of PUT, or of RUN with a part of a file as its input: a
	 * shell command that writes the bytes to its standard output. NULL:
	 * print the action itself.
	 */
	const char *shell;
};

struct step {
	int rank;	  /* rank of the node, or STEP_LAUNCHER */
	const char *name; /* "sort": for messages, trace and journal */
	/*
	 * Name in messages, trace and journal for the transfer of the input to
	 * the step's command. NULL: the transfer has no name, and its time
	 * counts as part of the step.
	 */
	const char *sending;
	/*
	 * Name in messages, trace and journal for the transfer of the command's
	 * output to the launcher. Used if the output goes to a part of a file.
	 * NULL: the transfer has no name, and its time counts as part of the
	 * step.
	 */
	const char *returning;
	struct action *action;
	size_t nactions, cap;
	/*
	 * The exit status 1 of the command is the answer no, and not a failure.
	 */
	bool asks;
	/*
	 * The commands come from the user. Every exit status except 0 is a
	 * failure of the command itself, and no retry helps.
	 */
	bool foreign;
	/*
	 * How often to restart only this step if a signal ends its command. The
	 * other steps of the stage go on meanwhile.
	 */
	unsigned restarts;
	/* Results, once the stage has ended. */
	int answer;	       /* exit status, 0 or 1 */
	double start_s, end_s; /* since 1970, by the launcher's clock */
};

#endif
