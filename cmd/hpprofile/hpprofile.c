#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "doc/learn.h"
#include "doc/profile.h"
#include "opts.h"
#include "profile/key.h"
#include "tell.h"
#include "words.h"

static int
measure(struct opts *o, struct command *c, struct profile *p, struct hp_err *e)
{
	bool progress = tell_wanted(o);
	int rc;

	o->profile.run = command_run;
	o->profile.context = c;
	if (progress)
		o->profile.progress = tell_progress;
	rc = command_open(c, o->command == NULL, e);
	if (rc == 0)
		rc = profile_measure(&o->profile, p, e);
	command_close(c);
	if (progress && isatty(STDERR_FILENO)) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	return rc;
}

/*
 * hpprofile learn: computes speeds of nodes from the traces of finished runs.
 */
static int
learn(int argc, char *argv[])
{
	struct opts *o = calloc(1, sizeof *o);
	struct hp_err e = { .note = cmd_note };
	int first, rc;

	if (o == NULL)
		err(EXIT_TROUBLE, "options");
	first = opts_parse_learn(o, argc, argv);
	rc = doc_learn(argv[first], argv + first + 1,
	    (size_t)(argc - first - 1), o->step, o->whole, stdout, &e);
	free(o);
	return cmd_finish(rc, &e);
}

/* hpprofile key: prints the profile key of this machine. */
static int
print_key(void)
{
	char key[KEY_BYTES];
	struct hp_err e = { 0 };
	int rc = key_make(key, &e);

	if (rc == 0)
		puts(key);
	return cmd_finish(rc, &e);
}

/* hpprofile --link: measures the rates of the link to a host. */
static int
measure_link(const struct opts *o)
{
	const char *name = o->name != NULL ? o->name : o->link;
	struct hp_err e = { 0 };
	struct link_rates rates;
	int rc = doc_link_check(name, o->link, &e);

	/*
	 * If the login ends early, writing to it must fail and not end this
	 * process by SIGPIPE.
	 */
	signal(SIGPIPE, SIG_IGN);
	if (rc == 0)
		rc = link_measure(o->rsh, o->link, o->link_s, &rates, &e);
	signal(SIGPIPE, SIG_DFL);
	if (rc == 0)
		rc = doc_link_write(stdout, name, o->link, &rates, &e);
	return cmd_finish(rc, &e);
}

int
main(int argc, char *argv[])
{
	static struct opts o;
	struct profile p = { 0 };
	struct hp_err e = { 0 };
	char host[256] = "localhost";
	char **generator, **sort;
	struct command c = { 0 };
	struct profile_node node = { .profile = &p };
	char *text = NULL, key[KEY_BYTES], name[] = "hpprofile: learn";
	int rc;

	if (argc > 1 && strcmp(argv[1], "learn") == 0) {
		argv[1] = name; /* in the messages of getopt(3) */
		return learn(argc - 1, argv + 1);
	}
	if (argc == 2 && strcmp(argv[1], "key") == 0)
		return print_key();
	opts_parse(&o, argc, argv);
	if (o.link != NULL)
		return measure_link(&o);
	gethostname(host, sizeof host - 1);
	sort = words_sort(&o.order);
	generator = words_generator(sort);
	c = (struct command){ .argv = o.command != NULL ? o.command : sort,
		.param = o.param,
		.nparams = o.nparams };
	if (command_uses(c.argv, "{in}"))
		c.generator = generator;
	node.name = o.name != NULL ? o.name : host;
	node.param = o.param;
	node.nparams = o.nparams;
	node.workload = text = words_text(
	    o.command != NULL ? o.command[0] : "hpsort", c.argv);
	if (o.command == NULL && isatty(STDIN_FILENO))
		warnx("measuring %s for about %.0f s; --help lists the options",
		    text, o.profile.seconds);
	rc = doc_profile_check(&node, &e);
	if (rc == 0 && o.profile_key) {
		rc = key_make(key, &e);
		node.key = key;
	}
	if (rc == 0 && (rc = measure(&o, &c, &p, &e)) == 0) {
		rc = doc_profile_write(stdout, &node, &e);
		tell_precision(&p, &o.profile);
		tell_end(&p);
	}
	free(text);
	words_free(sort);
	words_free(generator);
	profile_fini(&p);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
