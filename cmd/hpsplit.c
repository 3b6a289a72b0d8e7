#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "cmd.h"
#include "doc/extents.h"
#include "doc/plan.h"
#include "doc/sublists.h"
#include "split/cut.h"
#include "split/demand.h"
#include "split/sample.h"

static const char usage[] =
    "hpsplit deal -P PLAN [ordering] [FILE]\n"
    "       hpsplit sample -a random|regular|pss|psrs (-c COUNT | -P PLAN) "
    "-N NODE\n"
    "           [--seed N] [--extent OFFSET:BYTES] [ordering] [FILE]\n"
    "       hpsplit pivots -P PLAN -a pss|psrs [ordering] CANDIDATES...\n"
    "       hpsplit count [-L SUBLISTS] -N NODE [--sorted] "
    "[--extent OFFSET:BYTES]\n"
    "           [ordering] [FILE]\n"
    "       hpsplit cut -L SUBLISTS -N NODE [--extents] "
    "[--extent OFFSET:BYTES]\n"
    "           [ordering] [FILE]";

enum {
	OPT_EXTENT = CMD_OWN,
	OPT_EXTENTS,
	OPT_SEED,
	OPT_SORTED
};

/* clang-format off */
static const struct option long_options[] = {
	CMD_ORDER_LONG,
	{ "algorithm", required_argument, NULL, 'a' },
	{ "count", required_argument, NULL, 'c' },
	{ "extent", required_argument, NULL, OPT_EXTENT },
	{ "extents", no_argument, NULL, OPT_EXTENTS },
	{ "node", required_argument, NULL, 'N' },
	{ "plan", required_argument, NULL, 'P' },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "sorted", no_argument, NULL, OPT_SORTED },
	{ "sublists", required_argument, NULL, 'L' },
	CMD_COMMON_LONG,
	{ NULL, 0, NULL, 0 }
};
/* clang-format on */

struct opts {
	const char *algorithm, *node, *plan_path, *sublists_path;
	bool count_given, extents, sorted;
	uint64_t count, seed;
	struct range range;
	struct order order;
	char **file;
	int nfiles;
};

/* What an action reads besides its input. */
struct job {
	const struct opts *o;
	struct plan plan;
	struct sublists sublists;
	uint64_t rank;
};

static void
parse_extent(const char *arg, struct range *r)
{
	unsigned long long offset, bytes;
	struct hp_err e;
	int end = 0;

	if (sscanf(arg, "%llu:%llu%n", &offset, &bytes, &end) != 2 ||
	    arg[end] != '\0' || strchr(arg, '-') != NULL ||
	    offset > INT64_MAX || bytes > INT64_MAX) {
		hp_fail(&e, HP_USAGE, "extent '%s': not OFFSET:BYTES", arg);
		cmd_bad(&e);
	}
	*r = (struct range){ offset, bytes };
}

static void
parse(struct opts *o, int argc, char *argv[])
{
	struct hp_err e = { 0 };
	int ch;

	*o = (struct opts){ .range = { 0, UINT64_MAX } };
	order_init(&o->order);
	while ((ch = getopt_long(argc, argv, "a:c:L:N:P:" CMD_ORDER_SHORT,
		    long_options, NULL)) != -1) {
		if (cmd_order_option(&o->order, ch, optarg))
			continue;
		switch (ch) {
		case 'L':
			o->sublists_path = optarg;
			break;
		case 'N':
			o->node = optarg;
			break;
		case 'P':
			o->plan_path = optarg;
			break;
		case 'a':
			o->algorithm = optarg;
			break;
		case 'c':
			if (count_parse(optarg, &o->count, &e) == -1)
				cmd_bad(&e);
			o->count_given = true;
			break;
		case OPT_EXTENT:
			parse_extent(optarg, &o->range);
			break;
		case OPT_EXTENTS:
			o->extents = true;
			break;
		case OPT_SEED:
			if (int_parse(optarg, 0, UINT64_MAX, &o->seed, "seed",
				&e) == -1)
				cmd_bad(&e);
			break;
		case OPT_SORTED:
			o->sorted = true;
			break;
		case CMD_HELP:
			cmd_help(usage);
		case CMD_VERSION:
			cmd_version();
		default:
			cmd_usage(usage);
		}
	}
	cmd_order_done(&o->order);
	o->file = argv + optind;
	o->nfiles = argc - optind;
}

static const char *
input(const struct opts *o)
{
	if (o->nfiles > 1)
		cmd_usage(usage);
	return o->nfiles == 0 ? "-" : o->file[0];
}

static int
missing(const char *what, struct hp_err *e)
{
	return hp_fail(e, HP_USAGE, "%s is needed", what);
}

/* The rank that -N means, by number or by a name in the plan or sublists. */
static int
resolve(struct job *j, struct hp_err *e)
{
	const char *name = j->o->node;
	const struct sublist *s;

	if (name == NULL)
		return missing("-N, the node's rank or name,", e);
	if (name[0] != '\0' && name[strspn(name, "0123456789")] == '\0')
		return int_parse(name, 0, UINT32_MAX, &j->rank, "rank", e);
	for (j->rank = 0; j->rank < j->plan.nodes; j->rank++)
		if (strcmp(j->plan.share[j->rank].node, name) == 0)
			return 0;
	for (size_t i = 0; i < j->sublists.n; i++) {
		s = &j->sublists.v[i];
		if (s->node == NULL || !s->assigned ||
		    strcmp(s->node, name) != 0)
			continue;
		j->rank = s->rank;
		return 0;
	}
	return hp_fail(e, HP_USAGE,
	    "node '%s': not a rank, and no name in the %s", name,
	    j->o->plan_path != NULL ? "plan" : "sublists");
}

static int
read_plan(struct job *j, struct hp_err *e)
{
	if (j->o->plan_path == NULL)
		return missing("-P, the plan,", e);
	return doc_plan_read(j->o->plan_path, &j->plan, e);
}

static int
read_sublists(struct job *j, struct hp_err *e)
{
	if (j->o->sublists_path == NULL)
		return missing("-L, the sublists,", e);
	return doc_sublists_read(j->o->sublists_path, &j->sublists, e);
}

static int
deal(struct job *j, struct hp_err *e)
{
	const struct opts *o = j->o;
	uint64_t from = 0, to;
	struct extent x;
	struct records r;
	int rc = 0;

	if (read_plan(j, e) == -1 ||
	    records_open(&r, input(o), &o->range, &o->order.format, e) == -1)
		return -1;
	if (r.n != j->plan.n)
		rc = hp_fail(e, HP_INPUT,
		    "%s: %" PRIu64 " records, the plan is for %" PRIu64, r.name,
		    r.n, j->plan.n);
	for (size_t i = 0; rc == 0 && i < j->plan.nodes; i++, from = to) {
		const struct share *s = &j->plan.share[i];

		to = records_offset(&r, s->offset + s->n);
		x = (struct extent){ i, i, r.offset + from, to - from, s->n };
		rc = doc_extent_write(stdout, &x, e);
	}
	records_close(&r);
	return rc;
}

struct method {
	const char *name;
	bool sorted; /* candidates at regular ranks of sorted inputs */
	enum demand_method demand;
};

static const struct method methods[] = {
	{ "pss", false, DEMAND_PSS },
	{ "psrs", true, DEMAND_PSRS },
	/* What sample calls the two ways to choose. */
	{ "random", false, DEMAND_PSS },
	{ "regular", true, DEMAND_PSRS },
};

enum {
	METHODS = sizeof methods / sizeof methods[0]
};

static const struct method *
find_method(const char *name, size_t n, struct hp_err *e)
{
	for (size_t i = 0; name != NULL && i < n; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	if (name == NULL)
		missing("-a, the algorithm,", e);
	else
		hp_fail(e, HP_USAGE, "algorithm '%s': unknown", name);
	return NULL;
}

/* P' of the plan. */
static int
performance(const struct plan *plan, uint64_t *sum, struct hp_err *e)
{
	uint64_t *share = calloc(2 * plan->nodes + 1, sizeof *share);

	if (share == NULL)
		return hp_fail(e, HP_NOMEM, "%zu nodes", plan->nodes);
	for (size_t i = 0; i < plan->nodes; i++)
		share[i] = plan->share[i].n;
	*sum = demand_performance(share, plan->nodes, share + plan->nodes);
	free(share);
	return 0;
}

/* The candidates of a node with n records. */
static int
choose_count(const struct job *j, const struct method *m, uint64_t n,
    uint64_t *count, struct hp_err *e)
{
	uint64_t sum;

	*count = j->o->count;
	if (j->o->count_given)
		return 0;
	if (j->o->plan_path == NULL)
		return missing("-c, a count, or -P, a plan,", e);
	if (performance(&j->plan, &sum, e) == -1)
		return -1;
	*count = demand_part(
	    demand_candidates(m->demand, sum, j->plan.nodes), n, j->plan.n);
	return 0;
}

static int
open_reader(struct reader *r, const struct opts *o, struct hp_err *e)
{
	if (reader_open(r, input(o), &o->order.format, e) == -1)
		return -1;
	if ((o->range.offset != 0 || o->range.bytes != UINT64_MAX) &&
	    reader_extent(r, o->range.offset, o->range.bytes, e) == -1) {
		reader_close(r);
		return -1;
	}
	return 0;
}

/* From a pipe: how many records there are is not known before the end. */
static int
sample_pipe(const struct job *j, const struct method *m, struct pivots *found,
    uint64_t *n, struct hp_err *e)
{
	const struct opts *o = j->o;
	struct reader r;
	uint64_t count;
	int rc = -1;

	*n = j->rank < j->plan.nodes ? j->plan.share[j->rank].n : 0;
	if (choose_count(j, m, *n, &count, e) == -1 ||
	    open_reader(&r, o, e) == -1)
		return -1;
	rc = sample_stream(&r, &o->order, count, o->seed, j->rank, found, e);
	*n = r.nrec;
	reader_close(&r);
	return rc;
}

static int
sample_file(const struct job *j, const struct method *m,
    const struct records *r, struct pivots *found, struct hp_err *e)
{
	const struct opts *o = j->o;
	uint64_t count;

	if (choose_count(j, m, r->n, &count, e) == -1)
		return -1;
	if (m->sorted)
		return sample_regular(r, &o->order, count, j->rank, found, e);
	return sample_random(r, &o->order, count, o->seed, j->rank, found, e);
}

static int
sample(struct job *j, struct hp_err *e)
{
	const struct opts *o = j->o;
	const struct method *m = find_method(o->algorithm, METHODS, e);
	struct pivots found = { 0 };
	struct records r;
	uint64_t n = 0;
	int rc = -1;

	if (m == NULL || (o->plan_path != NULL && read_plan(j, e) == -1) ||
	    resolve(j, e) == -1)
		return -1;
	if (records_open(&r, input(o), &o->range, &o->order.format, e) == 0) {
		n = r.n;
		rc = sample_file(j, m, &r, &found, e);
		records_close(&r);
	} else if (e->kind == HP_USAGE && !m->sorted)
		rc = sample_pipe(j, m, &found, &n, e);
	for (size_t i = 0; rc == 0 && i < found.n; i++)
		rc = doc_candidate_write(stdout, &found.v[i], n, e);
	pivots_fini(&found);
	return rc;
}

static int
read_candidates(const struct job *j, struct candidates *c, struct hp_err *e)
{
	const struct opts *o = j->o;

	c->nodes = j->plan.nodes;
	c->records = calloc(c->nodes + 1, sizeof *c->records);
	if (c->records == NULL)
		return hp_fail(e, HP_NOMEM, "%zu nodes", c->nodes);
	for (size_t i = 0; i < c->nodes; i++)
		c->records[i] = j->plan.share[i].n;
	if (o->nfiles == 0 && doc_candidates_read("-", c, e) == -1)
		return -1;
	for (int i = 0; i < o->nfiles; i++)
		if (doc_candidates_read(o->file[i], c, e) == -1)
			return -1;
	pivots_sort(&c->list);
	return 0;
}

/* A sublist for each node, up to the candidate nearest to where it ends. */
static int
write_pivots(const struct job *j, const struct method *m,
    const struct candidates *c, const double *below, struct hp_err *e)
{
	const struct plan *plan = &j->plan;
	struct pivots_note note = { m->name, c->list.n, NAN };
	uint64_t sum, end;
	int rc = 0;

	if (performance(plan, &sum, e) == -1)
		return -1;
	if (!m->sorted)
		note.probability = demand_probability(sum, c->list.n);
	for (size_t i = 0; rc == 0 && i < plan->nodes; i++) {
		struct sublist s = {
			.assigned = true, .rank = i, .node = plan->share[i].node
		};

		end = plan->share[i].offset + plan->share[i].n;
		if (i + 1 < plan->nodes)
			rc = select_nearest(c, below, end, plan->n, &s, e);
		if (rc == 0)
			rc = doc_sublist_write(stdout, i, &s, &note, e);
		pivot_fini(&s.until);
	}
	return rc;
}

static int
pivots(struct job *j, struct hp_err *e)
{
	const struct method *m = find_method(j->o->algorithm, 2, e);
	struct candidates c = { 0 };
	double *below = NULL;
	int rc = -1;

	if (m == NULL || read_plan(j, e) == -1 ||
	    read_candidates(j, &c, e) == -1)
		goto out;
	below = reallocarray(NULL, c.list.n + 1, sizeof *below);
	if (below == NULL)
		hp_fail(e, HP_NOMEM, "%zu candidates", c.list.n);
	else if ((m->sorted ? select_regular(&c, below, e)
			    : select_random(&c, below, e)) == 0)
		rc = write_pivots(j, m, &c, below, e);
out:
	free(below);
	pivots_fini(&c.list);
	free(c.records);
	return rc;
}

/* end[i] bytes from the beginning of the range is where sublist i ends. */
static int
find_ends(const struct job *j, const struct records *r, uint64_t *end,
    struct hp_err *e)
{
	struct classifier by;
	int rc;

	if (classify_init(&by, &j->sublists, &j->o->order, j->rank, e) == -1)
		return -1;
	rc = cut_sorted(r, &by, j->sublists.n, end, e);
	classify_fini(&by);
	return rc;
}

/* What each sublist of a sorted file is, as extents or as counts. */
static int
cut_file(const struct job *j, bool extents, struct hp_err *e)
{
	const struct opts *o = j->o;
	uint64_t from = 0, before = 0, after, *end;
	struct records r;
	struct extent x;
	int rc = -1;

	if (records_open(&r, input(o), &o->range, &o->order.format, e) == -1)
		return -1;
	end = reallocarray(NULL, j->sublists.n, sizeof *end);
	if (end == NULL)
		hp_fail(e, HP_NOMEM, "%zu sublists", j->sublists.n);
	else
		rc = find_ends(j, &r, end, e);
	for (size_t i = 0; rc == 0 && i < j->sublists.n; i++) {
		after = records_index(&r, end[i]);
		x = (struct extent){ i, j->rank, r.offset + from, end[i] - from,
			after - before };
		rc = extents
		    ? doc_extent_write(stdout, &x, e)
		    : doc_count_write(stdout, i, j->rank, x.records, e);
		from = end[i];
		before = after;
	}
	free(end);
	records_close(&r);
	return rc;
}

static int
count_each(const struct job *j, struct hp_err *e)
{
	struct classifier by = { 0 };
	uint64_t *count = NULL;
	struct reader r;
	int rc = -1;

	if (open_reader(&r, j->o, e) == -1)
		return -1;
	if (classify_init(&by, &j->sublists, &j->o->order, j->rank, e) == -1)
		goto out;
	count = calloc(j->sublists.n, sizeof *count);
	if (count == NULL)
		hp_fail(e, HP_NOMEM, "%zu sublists", j->sublists.n);
	else
		rc = cut_count(&r, &by, j->sublists.n, count, e);
	for (size_t i = 0; rc == 0 && i < j->sublists.n; i++)
		rc = doc_count_write(stdout, i, j->rank, count[i], e);
out:
	free(count);
	classify_fini(&by);
	reader_close(&r);
	return rc;
}

static int
count(struct job *j, struct hp_err *e)
{
	const struct opts *o = j->o;
	uint64_t n;

	if ((o->plan_path != NULL && read_plan(j, e) == -1) ||
	    (o->sublists_path != NULL && read_sublists(j, e) == -1) ||
	    resolve(j, e) == -1)
		return -1;
	if (o->sublists_path != NULL)
		return o->sorted ? cut_file(j, false, e) : count_each(j, e);
	if (records_count(input(o), &o->range, &o->order.format, &n, e) == -1)
		return -1;
	return doc_count_write(stdout, 0, j->rank, n, e);
}

static int
cut_frames(const struct job *j, struct hp_err *e)
{
	const struct sublist *s = j->sublists.v;
	struct classifier by = { 0 };
	uint32_t *to = NULL;
	struct reader r;
	int rc = -1;

	if (open_reader(&r, j->o, e) == -1)
		return -1;
	if (classify_init(&by, &j->sublists, &j->o->order, j->rank, e) == -1)
		goto out;
	to = calloc(j->sublists.n, sizeof *to);
	if (to == NULL) {
		hp_fail(e, HP_NOMEM, "%zu sublists", j->sublists.n);
		goto out;
	}
	/* A frame goes to the node that the sublist was given to. */
	for (size_t i = 0; i < j->sublists.n; i++)
		to[i] = (uint32_t)(s[i].assigned ? s[i].rank : i);
	rc = cut_stream(
	    &r, &by, j->sublists.n, to, (uint32_t)j->rank, STDOUT_FILENO, e);
out:
	free(to);
	classify_fini(&by);
	reader_close(&r);
	return rc;
}

static int
cut(struct job *j, struct hp_err *e)
{
	if (read_sublists(j, e) == -1 ||
	    (j->o->plan_path != NULL && read_plan(j, e) == -1) ||
	    resolve(j, e) == -1)
		return -1;
	return j->o->extents ? cut_file(j, true, e) : cut_frames(j, e);
}

static const struct action {
	const char *name;
	int (*run)(struct job *, struct hp_err *);
} actions[] = { { "count", count }, { "cut", cut }, { "deal", deal },
	{ "pivots", pivots }, { "sample", sample } };

static const struct action *
find_action(const char *name)
{
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

int
main(int argc, char *argv[])
{
	const struct action *action = argc < 2 ? NULL : find_action(argv[1]);
	struct hp_err e = { 0 }, named;
	struct opts o;
	struct job j = { .o = &o };
	int rc;

	/* Options alone: --help and --version. */
	parse(&o, argc - (action != NULL), argv + (action != NULL));
	if (action == NULL)
		cmd_usage(usage);
	if ((rc = action->run(&j, &e)) == -1) {
		named = e;
		snprintf(named.text, sizeof named.text, "%s: %.990s",
		    action->name, e.text);
		e = named;
	}
	plan_fini(&j.plan);
	sublists_fini(&j.sublists);
	order_fini(&o.order);
	return cmd_finish(rc, &e);
}
