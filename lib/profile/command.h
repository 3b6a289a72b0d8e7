#ifndef HP_PROFILE_COMMAND_H
#define HP_PROFILE_COMMAND_H

/*
 * A command as the work that is measured.  In its words {n} stands for the
 * size, {in} for a file of n records, {NAME} for the value of a parameter.
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
	char *const *argv;	/* to be timed; ends with NULL */
	char *const *generator; /* writes n records; or NULL: none are used */
	const struct param *param;
	size_t nparams;
	/* The rest is command_open's. */
	int in, out;
	uint64_t made; /* records that are in the file now */
	char in_path[32];
};

/*
 * Opens the file for records, when a generator is given, and what the command
 * writes to: a temporary file with to_file, else /dev/null.
 */
int command_open(struct command *, bool to_file, struct hp_err *);
void command_close(struct command *);

/* Does any word have the placeholder, as "{in}"? */
bool command_uses(char *const argv[], const char *placeholder);

/* A profile_run; the context is the command. */
int command_run(void *command, uint64_t n, double *seconds, struct hp_err *);

#endif
