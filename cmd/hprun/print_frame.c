/*
 * Prints the beginning and the end of the script of --dry-run.  They define
 * functions, and make and remove the directories.
 */

#include <stdio.h>

#include "print_frame.h"
#include "quote.h"
#include "words.h"

/*
 * Prints the command once for each node, with the node's work directory as its
 * last word.
 */
static int
on_each_directory(struct run *run, const char *command, struct hp_err *e)
{
	struct stage s;
	struct words w;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < run->nodes; i++) {
		struct run_node *n = &run->node[i];
		char *dir = n->dir, slash[] = "/";

		stage_init(&s);
		w = words_of(&s);
		quote_words(command, &w);
		words_add(&w, dir);
		/*
		 * The command runs in /, because the node's directory does not
		 * exist yet, or is being removed.
		 */
		n->dir = slash;
		stage_run(&s, stage_step(&s, (int)i, "setup"), port_none(),
		    port_none(), &w);
		rc = print_bare(run, &s, e);
		putchar('\n');
		n->dir = dir;
		stage_fini(&s);
	}
	return rc;
}

int
print_begin(struct run *run, struct hp_err *e)
{
	/* If a step fails, the script ends after the other steps have ended. */
	puts("set -e\n"
	     "pids=\n"
	     "wait_all() {\n"
	     "\tcode=0\n"
	     "\tfor pid in $pids; do wait \"$pid\" || code=$?; done\n"
	     "\tpids=\n"
	     "\t[ $code -eq 0 ] || exit $code\n"
	     "}");
	if (run->home != NULL) {
		fputs("PATH=", stdout);
		quote(stdout, run->home);
		puts(":$PATH");
	}
	fputs("work=", stdout);
	quote(stdout, run->work);
	/*
	 * Without --keep, mkdir fails if the directory exists, because it may
	 * belong to somebody else.
	 */
	printf("\nmkdir %s-m 700 \"$work\"\ncd \"$work\"\n",
	    run->o.keep != NULL ? "-p " : "");
	return on_each_directory(run, "mkdir -m 700", e);
}

int
print_end(struct run *run, struct hp_err *e)
{
	if (run->o.keep == NULL && on_each_directory(run, "rm -r", e) == -1)
		return -1;
	puts("cd \"$OLDPWD\"");
	if (run->o.keep == NULL)
		puts("rm -r \"$work\"");
	return 0;
}
