#ifndef HP_PROFILE_COMMAND_H
#define HP_PROFILE_COMMAND_H

/*
 * A command whose time is measured. In its words, {n} stands for the size, {in}
 * for a file of n records, and {NAME} for the value of a parameter.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct param {
	const char *name;
	double value;
};

struct command {
	char *const *argv;	/* command to measure; ends with NULL */
	char *const *generator; /* command that writes n records, or NULL */
	const struct param *param;
	size_t nparams;
	/* command_open sets the fields below. */
	int in, out;
	uint64_t made; /* records that the file contains now */
	char in_path[32];
};

/*
 * Opens the files that the command uses. If `generator` is set, the input is a
 * temporary file for the records that it writes. The output is a temporary file
 * if `to_file` is set, otherwise /dev/null.
 */
int command_open(struct command *, bool to_file, struct hp_err *);
void command_close(struct command *);

/* Returns true if any word contains the placeholder, for example "{in}". */
bool command_uses(char *const argv[], const char *placeholder);

/*
 * Runs the command once for n items. The function has the type profile_run, and
 * its context `command` is a struct command.
 */
int command_run(void *command, uint64_t n, double *seconds, struct hp_err *);

#endif
