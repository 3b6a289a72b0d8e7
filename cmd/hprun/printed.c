/*
 * Prints, for --dry-run, commands for the work that hprun itself does between
 * stages.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "printed.h"
#include "quote.h"
#include "rsh.h"
#include "slurm.h"
#include "words.h"

int
print_source(struct run *run, struct hp_err *e)
{
	(void)e;
	if (run->cluster == NULL) {
		fputs("printf %s ", stdout);
		quote(stdout, run->node_lines);
		puts(" >nodes.jsonl");
		return 0;
	}
	if (run->o.without.n == 0) {
		fputs("cat ", stdout);
		quote(stdout, run->cluster);
		puts(" >nodes.jsonl");
		return 0;
	}
	fputs("hprun --do nodes ", stdout);
	quote(stdout, run->cluster);
	for (size_t i = 0; i < run->o.without.n; i++) {
		putchar(' ');
		quote(stdout, run->o.without.v[i]);
	}
	puts(" >nodes.jsonl");
	return 0;
}

/*
 * Prints a shell word for the address by which hosts reach the nodes of this
 * machine.  A host sees that address as the source of a login.
 */
static void
print_here(struct run *run, bool ports)
{
	const char *host = NULL;
	bool here = false;

	for (size_t i = 0; i < run->nodes; i++) {
		if (run->node[i].host != NULL)
			host = run->node[i].host;
		else
			here = true;
	}
	if (!ports || !here || host == NULL) {
		fputs("''", stdout);
		return;
	}
	fputs("\"$(", stdout);
	rsh_print(run, host);
	fputs(slurm_is_used(run) ? " 'echo $SLURM_LAUNCH_NODE_IPADDR')\""
				 : " 'echo ${SSH_CONNECTION%% *}')\"",
	    stdout);
}

int
print_cluster(struct run *run, bool ports, struct hp_err *e)
{
	(void)e;
	fputs("hprun --do cluster nodes.jsonl ", stdout);
	print_here(run, ports);
	for (size_t i = 0; i < run->nodes; i++) {
		size_t nth = 1;

		putchar(' ');
		quote(stdout, run->node[i].dir);
		for (size_t j = run->node[i].machine; j < i; j++)
			nth += run->node[j].machine == run->node[i].machine;
		if (ports)
			printf(" \"$(sed -n %zup ports.%zu)\"", nth,
			    run->node[i].machine);
		else
			fputs(" ''", stdout);
	}
	puts(" >cluster.jsonl");
	return 0;
}

void
print_random(const char *file, size_t bytes)
{
	printf("(umask 077 && head -c %zu /dev/urandom >%s)\n", bytes, file);
}

int
print_note_parts(struct run *run, struct hp_err *e)
{
	(void)e;
	fputs("hprun --do parts", stdout);
	for (size_t i = 0; i < run->nodes; i++)
		printf(" parts.%zu", i);
	putchar('\n');
	return 0;
}

void
print_send(struct stage *s, size_t rank, const char *file, struct action *put)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL || put == NULL)
		return;
	fprintf(f, "hprun --do part deal.jsonl %zu ", rank);
	quote(f, file);
	fclose(f);
	put->shell = stage_text(s, "%s", text);
	free(text);
}

int
print_lay_out(struct run *run, struct hp_err *e)
{
	(void)e;
	fputs("hprun --do layout", stdout);
	for (size_t i = 0; i < run->nodes; i++)
		printf(" pieces.%zu", i);
	puts(" >parts.jsonl");
	return 0;
}

/* Prints the command that writes the result of one node to standard output. */
static int
print_result(struct run *run, size_t rank, const char *end, struct hp_err *e)
{
	struct stage s;
	struct words w;
	int rc;

	stage_init(&s);
	w = words_of(&s);
	WORDS_ADD(&w, "cat", "out");
	stage_run(&s, stage_step(&s, (int)rank, "gather"), port_none(),
	    port_none(), &w);
	rc = print_bare(run, &s, e);
	stage_fini(&s);
	fputs(end, stdout);
	return rc;
}

int
print_begin_result(struct run *run, const char *result, struct hp_err *e)
{
	/*
	 * `set -C` makes the shell refuse an existing file under the temporary
	 * name of the result, because it belongs to somebody else.
	 */
	bool ours = result != run->beside;

	(void)e;
	fputs(ours ? "(" : "(set -C && ", stdout);
	fputs(run->o.header > 0 ? "cat header >" : ": >", stdout);
	quote(stdout, result);
	puts(")");
	return 0;
}

int
print_gather(struct run *run, const char *result, struct hp_err *e)
{
	for (size_t i = 0; i < run->nodes; i++) {
		if (print_result(run, i, result == NULL ? "\n" : " |\n\t", e) ==
		    -1)
			return -1;
		if (result == NULL)
			continue;
		printf("hprun --do place parts.jsonl %zu ", i);
		quote(stdout, result);
		puts(" &");
		print_started();
	}
	if (result != NULL)
		print_join();
	return 0;
}

int
print_appear(struct run *run, struct hp_err *e)
{
	(void)e;
	if (access(run->output, F_OK) == 0) {
		fputs("chmod --reference=", stdout);
		quote(stdout, run->output);
		putchar(' ');
		quote(stdout, run->beside);
		putchar('\n');
	}
	fputs("mv -f ", stdout);
	quote(stdout, run->beside);
	putchar(' ');
	quote(stdout, run->output);
	putchar('\n');
	return 0;
}
