#include <sys/random.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "doc/nodes.h"
#include "address.h"
#include "file.h"
#include "links.h"
#include "print.h"
#include "printed.h"
#include "words.h"

enum {
	KEY_BYTES = 32
};

static bool
takes_part(const void *context, const char *name)
{
	const struct run *run = context;

	for (size_t i = 0; i < run->nodes; i++)
		if (strcmp(run->node[i].name, name) == 0)
			return true;
	return false;
}

int
links_source(struct run *run, struct hp_err *e)
{
	struct file_out f;

	if (run->o.dry)
		return print_source(run, e);
	if (file_begin(&f, "nodes.jsonl", e) == -1)
		return -1;
	return file_end(&f,
	    doc_nodes_copy(
		run->cluster, run->node_lines, takes_part, run, f.file, e),
	    e);
}

int
put_everywhere(struct run *run, const char *file, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++)
		stage_put(&s, stage_step(&s, (int)i, "setup"), file, 0,
		    ACTION_TO_END, file);
	return run_stage(run, &s, e);
}

/*
 * Asks the first node of each machine for as many free ports as the machine has
 * nodes.  A single command for each machine ensures that its ports differ.
 */
static int
ask_ports(struct run *run, struct hp_err *e)
{
	struct stage s;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++) {
		struct words w = words_of(&s);

		if (run->node[i].machine != i)
			continue;
		words_add(&w, "hpexchange");
		words_addf(&w, "--free-port=%zu", run->node[i].neighbours);
		stage_run(&s, stage_step(&s, (int)i, "setup"), port_none(),
		    port_file(nth(&s, "ports", i)), &w);
	}
	return run_stage(run, &s, e);
}

/* Assigns a port to each node of a machine.  The caller frees the texts. */
static int
read_ports(struct run *run, size_t machine, char **port, struct hp_err *e)
{
	char name[64], line[32];
	uint64_t number;
	FILE *f;
	int rc = 0;

	snprintf(name, sizeof name, "ports.%zu", machine);
	if ((f = fopen(name, "re")) == NULL)
		return hp_fail_errno(e, HP_IO, "%s", name);
	for (size_t i = machine; rc == 0 && i < run->nodes; i++) {
		if (run->node[i].machine != machine)
			continue;
		if (fgets(line, sizeof line, f) != NULL)
			line[strcspn(line, "\n")] = '\0';
		else
			line[0] = '\0';
		if (int_parse(line, 1, 65535, &number, "port", e) == -1)
			rc = hp_fail(e, HP_INPUT, "%s: no free port was found",
			    run->node[i].name);
		else if ((port[i] = strdup(line)) == NULL)
			rc = hp_fail_errno(e, HP_NOMEM, "ports");
	}
	fclose(f);
	return rc;
}

static int
make_cluster(struct run *run, bool ports, struct hp_err *e)
{
	struct run_place *place = calloc(run->nodes, sizeof *place);
	char **port = calloc(run->nodes, sizeof *port);
	const char *here;
	struct file_out f;
	int rc = -1;

	if (place == NULL || port == NULL) {
		hp_fail_errno(e, HP_NOMEM, "nodes");
		goto out;
	}
	for (size_t i = 0; i < run->nodes; i++)
		if (ports && run->node[i].machine == i &&
		    read_ports(run, i, port, e) == -1)
			goto out;
	for (size_t i = 0; i < run->nodes; i++)
		place[i] = (struct run_place){ run->node[i].dir, port[i] };
	if (address_find(run, &here, e) == -1)
		goto out;
	if (file_begin(&f, "cluster.jsonl", e) == 0)
		rc = file_end(&f,
		    doc_nodes_place(
			"nodes.jsonl", place, run->nodes, here, f.file, e),
		    e);
out:
	for (size_t i = 0; port != NULL && i < run->nodes; i++)
		free(port[i]);
	free(port);
	free(place);
	return rc;
}

/* Creates a file that only its owner can read. */
static int
secret_file(const char *name, const void *bytes, size_t n, struct hp_err *e)
{
	int fd, rc;

	unlink(name);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd == -1)
		return hp_fail_errno(e, HP_IO, "%s", name);
	rc = io_write(fd, bytes, n);
	if (close(fd) == -1 || rc == -1)
		return hp_fail_errno(e, HP_IO, "%s", name);
	return 0;
}

static int
new_key(struct hp_err *e)
{
	char bytes[KEY_BYTES];
	int rc;

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return hp_fail_errno(e, HP_IO, "random bytes");
	rc = secret_file("key", bytes, sizeof bytes, e);
	explicit_bzero(bytes, sizeof bytes);
	return rc;
}

/* Prints how the file of random bytes is made. */
static int
print_salt(struct run *run, struct hp_err *e)
{
	struct stage s;
	struct words w;

	if (run->o.random_source == NULL) {
		print_random("random", ORDER_SALT);
		return 0;
	}
	stage_init(&s);
	w = cat_words(run, &s);
	words_add(&w, named_file(run, &s, run->random_source));
	return run_alone(run, &s, "setup", port_file("random"), &w, e);
}

/*
 * The random bytes were read with the options, because --random-source may be a
 * pipe.  A resumed run goes on with those of the earlier run.
 */
static int
make_salt(struct run *run, struct hp_err *e)
{
	struct order *o = &run->o.order;

	if (run->resumed && access("random", F_OK) == 0) {
		o->random_source = "random";
		return order_read_salt(o, e);
	}
	return secret_file("random", o->salt, sizeof o->salt, e);
}

int
links_random(struct run *run, struct hp_err *e)
{
	if (!run->o.random)
		return 0;
	if ((run->o.dry ? print_salt(run, e) : make_salt(run, e)) == -1)
		return -1;
	return put_everywhere(run, "random", e);
}

int
make_links(struct run *run, struct hp_err *e)
{
	bool exchange = !run->direct && !divides_by_key(run);
	bool tcp = run->transport->ports && !divides_by_key(run);

	if (tcp && ask_ports(run, e) == -1)
		return -1;
	if (run->o.dry ? print_cluster(run, tcp, e) == -1
		       : make_cluster(run, tcp, e) == -1)
		return -1;
	/* Nodes need cluster.jsonl only to run hpexchange. */
	if (exchange && put_everywhere(run, "cluster.jsonl", e) == -1)
		return -1;
	if (tcp) {
		if (run->o.dry)
			print_random("key", KEY_BYTES);
		else if (new_key(e) == -1)
			return -1;
		if (put_everywhere(run, "key", e) == -1)
			return -1;
	}
	return 0;
}
