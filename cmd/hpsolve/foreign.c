#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "share/plan.h"

/*
 * State of writing a plan: the output, the format, and the number of slots that
 * each host has so far.
 */
struct output {
	FILE *f;
	const struct foreign_format *as;
	const struct cluster *c;
	uint64_t *slots; /* by the rank of the first node of a host */
};

/*
 * Writes the share of one node.  `first` is the rank of the first node on the
 * same host.
 */
typedef void
put_share(struct output *, size_t rank, size_t first, const struct share *);

static put_share put_tsv, put_xargs, put_ranks, add_slots;
/* Writes one host and its number of slots. */
typedef void put_host(struct output *, size_t first);
static put_host put_hostfile, put_parallel;

struct foreign_format {
	const char *name;
	put_share *share;
	/*
	 * writes a host after all shares; NULL: the format has no line for
	 * hosts
	 */
	put_host *host;
	bool idle; /* also write nodes whose share is 0 */
	/* the format cannot quote host names with special characters */
	bool plain;
};

static const struct foreign_format formats[] = {
	{ "hostfile", add_slots, put_hostfile, .plain = true },
	{ "parallel", add_slots, put_parallel, .plain = true },
	{ "rankfile", put_ranks, NULL, .plain = true },
	{ "tsv", put_tsv, NULL, .idle = true },
	{ "xargs", put_xargs, NULL },
};

int
foreign_parse(
    const char *name, const struct foreign_format **format, struct hp_err *e)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, name) == 0) {
			*format = &formats[i];
			return 0;
		}
	return hp_fail(e, HP_USAGE,
	    "'%.64s' is none of hostfile, parallel, rankfile, tsv, xargs",
	    name);
}

static const char *
host_of(const struct output *o, size_t rank)
{
	const char *host = o->c->node[rank].host;

	return host == NULL ? "localhost" : host;
}

/*
 * Writes a share as columns.  Names contain no control characters, so columns
 * need no quotes.
 */
static void
put_tsv(struct output *o, size_t rank, size_t first, const struct share *s)
{
	(void)first;
	fprintf(o->f, "%zu\t%s\t%" PRIu64 "\t%" PRIu64 "\t%.17g\n", rank,
	    s->node, s->n, s->offset, s->seconds);
}

/*
 * Writes a word for xargs, which splits words at blanks and interprets quotes.
 * A backslash before such a character makes it part of the word.
 */
static void
put_quoted(FILE *f, const char *s)
{
	for (; *s != '\0'; s++) {
		if (isspace((unsigned char)*s) || strchr("'\"\\", *s) != NULL)
			putc('\\', f);
		putc(*s, f);
	}
}

static void
put_xargs(struct output *o, size_t rank, size_t first, const struct share *s)
{
	(void)first;
	put_quoted(o->f, s->node);
	putc(' ', o->f);
	put_quoted(o->f, host_of(o, rank));
	fprintf(o->f, " %" PRIu64 " %" PRIu64 "\n", s->offset, s->n);
}

/*
 * Writes one line for each process.  The slots of a host are numbered across
 * all nodes of the host.
 */
static void
put_ranks(struct output *o, size_t rank, size_t first, const struct share *s)
{
	for (uint64_t i = 0; i < s->n && !ferror(o->f); i++)
		fprintf(o->f, "rank %" PRIu64 "=%s slot=%" PRIu64 "\n",
		    s->offset + i, host_of(o, rank), o->slots[first]++);
}

static void
add_slots(struct output *o, size_t rank, size_t first, const struct share *s)
{
	(void)rank;
	o->slots[first] += s->n;
}

static void
put_hostfile(struct output *o, size_t first)
{
	fprintf(
	    o->f, "%s slots=%" PRIu64 "\n", host_of(o, first), o->slots[first]);
}

/*
 * Writes a host for GNU parallel.  ":"  is the local machine, without a login.
 */
static void
put_parallel(struct output *o, size_t first)
{
	const char *host = o->c->node[first].host;

	fprintf(o->f, "%" PRIu64 "/%s\n", o->slots[first],
	    host == NULL ? ":" : host);
}

static int
check_host(const struct output *o, size_t rank, struct hp_err *e)
{
	const char *host = host_of(o, rank);

	for (const char *s = host; *s != '\0' && o->as->plain; s++)
		if (!isalnum((unsigned char)*s) &&
		    strchr("._:@%-[]", *s) == NULL)
			return hp_fail(e, HP_INPUT,
			    "%.255s: host '%.255s' cannot be written in the "
			    "format "
			    "%s",
			    o->c->node[rank].name, host, o->as->name);
	return 0;
}

struct named {
	const char *host;
	size_t rank;
};

static int
by_host(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = strcmp(x->host, y->host);

	return c != 0 ? c : (x->rank > y->rank) - (x->rank < y->rank);
}

/*
 * Sets first[i] to the rank of the first node that has the same host as node i.
 */
static int
find_hosts(const struct output *o, size_t *first, struct hp_err *e)
{
	struct named *v = reallocarray(NULL, o->c->n, sizeof *v);

	if (v == NULL)
		return hp_fail(e, HP_NOMEM, "hosts");
	for (size_t i = 0; i < o->c->n; i++)
		v[i] = (struct named){ host_of(o, i), i };
	qsort(v, o->c->n, sizeof *v, by_host);
	for (size_t i = 0, of = 0; i < o->c->n; i++) {
		if (strcmp(v[i].host, v[of].host) != 0)
			of = i;
		first[v[i].rank] = v[of].rank;
	}
	free(v);
	return 0;
}

static int
put_all(struct output *o, const struct answer *a, const size_t *first,
    struct hp_err *e)
{
	struct share s = { 0 };

	for (size_t i = 0; i < o->c->n; i++) {
		answer_share(o->c, a, i, &s);
		if (s.n == 0 && !o->as->idle)
			continue;
		if (check_host(o, i, e) == -1)
			return -1;
		o->as->share(o, i, first[i], &s);
	}
	for (size_t i = 0; i < o->c->n && o->as->host != NULL; i++)
		if (o->slots[i] > 0)
			o->as->host(o, i);
	return ferror(o->f) ? hp_fail_errno(e, HP_IO, "standard output") : 0;
}

int
foreign_write(FILE *f, const struct foreign_format *as, const struct cluster *c,
    const struct answer *a, struct hp_err *e)
{
	struct output o = { f, as, c, calloc(c->n, sizeof *o.slots) };
	size_t *first = calloc(c->n, sizeof *first);
	int rc = -1;

	if (o.slots == NULL || first == NULL)
		hp_fail(e, HP_NOMEM, "hosts");
	else if (find_hosts(&o, first, e) == 0)
		rc = put_all(&o, a, first, e);
	free(o.slots);
	free(first);
	return rc;
}
