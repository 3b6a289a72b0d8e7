#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "profile_links.h"
#include "profile_steps.h"

enum {
	/* number of transfers of one byte; the fastest counts */
	SHORT_TRIES = 3,
	/*
	 * number of transfers of the last size; the fastest counts. A pause of
	 * the host would otherwise end the growth too early, with too low a
	 * rate.
	 */
	LONG_TRIES = 3,
	GROWTH = 4,
	/*
	 * The longest transfers of all hosts together take about 1/90 of the
	 * time of --profile.
	 */
	PARTS_OF_TIME = 90
};

#define FIRST_BYTES ((uint64_t)64 << 10)
#define MOST_BYTES ((uint64_t)1 << 30)
/* In a shorter transfer, the start takes more time than the bytes. */
#define LEAST_S 0.01
#define MOST_S 0.5

/* Measurements of one direction of all links, by rank. */
struct way_moved {
	bool back;	 /* the direction from the hosts to this machine */
	uint64_t *bytes; /* bytes of the longest transfer; 0: not measured */
	double *rate;	 /* bytes per second */
	double *short_s; /* seconds of a transfer of one byte */
	double together; /* bytes per second of all hosts at the same time */
};

/*
 * Adds a step that moves zeros between this machine and a host.  It uses no
 * disks.
 */
static void
move_step(struct stage *s, size_t rank, bool back, uint64_t bytes)
{
	struct step *step = stage_step(s, (int)rank, "profile");
	struct words w = words_of(s);

	if (back) {
		WORDS_ADD(&w, "head", "-c");
		words_addf(&w, "%" PRIu64, bytes);
		words_add(&w, "/dev/zero");
		stage_run(s, step, port_none(), port_file("/dev/null"), &w);
	} else {
		words_add(&w, "cat");
		stage_run(
		    s, step, port_part("/dev/zero", 0, bytes), port_none(), &w);
	}
}

/*
 * Moves bytes[i] bytes to or from each node i, all at the same time.  Stores
 * the seconds that this took.
 */
static int
move(struct run *run, const uint64_t *bytes, bool back, double *seconds,
    struct hp_err *e)
{
	double start_s = INFINITY, end_s = 0;
	struct stage s;
	int rc;

	stage_init(&s);
	s.passing = true;
	for (size_t i = 0; i < run->nodes; i++)
		if (bytes[i] > 0)
			move_step(&s, i, back, bytes[i]);
	rc = run_and_keep(run, &s, e);
	for (size_t i = 0; rc == 0 && i < s.n; i++) {
		start_s = fmin(start_s, s.step[i]->start_s);
		end_s = fmax(end_s, s.step[i]->end_s);
	}
	*seconds = end_s - start_s;
	stage_fini(&s);
	return rc;
}

/*
 * Moves the bytes LONG_TRIES times.  Stops earlier if a transfer takes less
 * than least_s seconds, because the caller then tries a larger size.  Stores
 * the seconds of the fastest transfer, minus the seconds of a transfer of one
 * byte.
 */
static int
move_again(struct run *run, const uint64_t *bytes, bool back, double least_s,
    double short_s, double *seconds, struct hp_err *e)
{
	double took_s;

	*seconds = INFINITY;
	for (int i = 0; i < LONG_TRIES; i++) {
		if (move(run, bytes, back, &took_s, e) == -1)
			return -1;
		took_s = fmax(took_s - short_s, LEAST_S / 10);
		*seconds = fmin(*seconds, took_s);
		if (*seconds < least_s)
			break;
	}
	return 0;
}

/* Measures the link of one host alone, by transfers of increasing size. */
static int
measure_host(struct run *run, struct way_moved *m, size_t rank, double least_s,
    struct hp_err *e)
{
	uint64_t *bytes = calloc(run->nodes, sizeof *bytes);
	double took_s = 0, short_s = INFINITY;
	int rc = bytes == NULL ? hp_fail_errno(e, HP_NOMEM, "links") : 0;

	for (int i = 0; rc == 0 && i < SHORT_TRIES; i++) {
		bytes[rank] = 1;
		rc = move(run, bytes, m->back, &took_s, e);
		short_s = fmin(short_s, took_s);
	}
	for (uint64_t n = FIRST_BYTES; rc == 0 && n <= MOST_BYTES;
	     n *= GROWTH) {
		bytes[rank] = n;
		if ((rc = move_again(run, bytes, m->back, least_s, short_s,
			 &took_s, e)) == -1)
			break;
		m->bytes[rank] = n;
		m->rate[rank] = (double)n / took_s;
		if (took_s >= least_s)
			break;
	}
	m->short_s[rank] = fmax(short_s, 0);
	free(bytes);
	return rc;
}

/*
 * Returns whether to measure the link of this node.  The nodes of a machine
 * share its link, so only the first of them is measured.
 */
static bool
is_measured(const struct run *run, size_t rank)
{
	const struct run_node *n = &run->node[rank];

	return n->host != NULL && !n->linked && n->machine == rank;
}

static int
measure_way(
    struct run *run, struct way_moved *m, double least_s, struct hp_err *e)
{
	double all = 0, took_s, short_s = 0, longest_s = 0;

	m->bytes = calloc(run->nodes, sizeof *m->bytes);
	m->rate = calloc(run->nodes, sizeof *m->rate);
	m->short_s = calloc(run->nodes, sizeof *m->short_s);
	if (m->bytes == NULL || m->rate == NULL || m->short_s == NULL)
		return hp_fail_errno(e, HP_NOMEM, "links");
	for (size_t i = 0; i < run->nodes; i++) {
		if (!is_measured(run, i))
			continue;
		if (measure_host(run, m, i, least_s, e) == -1)
			return -1;
		longest_s = fmax(longest_s, (double)m->bytes[i] / m->rate[i]);
		short_s = fmax(short_s, m->short_s[i]);
	}
	/* All hosts are to end at the same time. */
	for (size_t i = 0; i < run->nodes; i++) {
		m->bytes[i] = (uint64_t)ceil(m->rate[i] * longest_s);
		all += (double)m->bytes[i];
	}
	if (move(run, m->bytes, m->back, &took_s, e) == -1)
		return -1;
	m->together = all / fmax(took_s - short_s, LEAST_S / 10);
	return 0;
}

/* Stores what was measured of the nodes and of the launcher. */
static void
note_links(const struct run *run, const struct way_moved *to,
    const struct way_moved *from, const double *step_s, struct node *v,
    struct launcher *launcher)
{
	launcher->link = (struct link){ .known = true,
		.send = round(to->together),
		.receive = round(from->together) };
	for (size_t i = 0; i < run->nodes; i++) {
		size_t m = run->node[i].machine;

		if (run->node[i].host == NULL || to->bytes[m] == 0)
			continue;
		/*
		 * The latency is the time of a step that moves one byte, minus
		 * the time of an empty step.
		 */
		v[i].link = (struct link){ .known = true,
			.send = round(from->rate[m]),
			.receive = round(to->rate[m]),
			.latency_s = fmax(0,
			    fmax(to->short_s[m], from->short_s[m]) -
				step_s[m]) };
		v[i].login_s = run->facts[i].login_s;
		v[i].step_s = step_s[m];
	}
}

/* Measures empty steps on the first node of each machine. */
static int
measure_steps(struct run *run, double *step_s, struct hp_err *e)
{
	for (size_t i = 0; i < run->nodes; i++)
		if (is_measured(run, i) &&
		    profile_start(run, i, &step_s[i], e) == -1)
			return -1;
	return 0;
}

static void
moved_fini(struct way_moved *m)
{
	free(m->bytes);
	free(m->rate);
	free(m->short_s);
}

bool
profile_lacks_links(const struct run *run)
{
	for (size_t i = 0; i < run->nodes; i++)
		if (is_measured(run, i))
			return true;
	return false;
}

int
profile_links(struct run *run, struct node *v, struct launcher *launcher,
    struct hp_err *e)
{
	struct way_moved to = { 0 }, from = { .back = true };
	double least_s = (double)run->o.profile_s / PARTS_OF_TIME;
	double *step_s = calloc(run->nodes, sizeof *step_s);
	size_t hosts = 0;
	int rc;

	if (step_s == NULL)
		return hp_fail_errno(e, HP_NOMEM, "links");
	for (size_t i = 0; i < run->nodes; i++)
		hosts += is_measured(run, i);
	least_s = fmin(fmax(least_s / (double)hosts, LEAST_S), MOST_S);
	rc = measure_steps(run, step_s, e);
	if (rc == 0)
		rc = measure_way(run, &to, least_s, e);
	if (rc == 0)
		rc = measure_way(run, &from, least_s, e);
	if (rc == 0)
		note_links(run, &to, &from, step_s, v, launcher);
	moved_fini(&to);
	moved_fini(&from);
	free(step_s);
	return rc;
}
