/*
 * Which nodes a run drops: situations that nodes report, and the expected
 * decision.
 */

#include "job/votes.h"
#include "job/votes_cover.h"
#include "job/votes_text.h"
#include "test.h"

enum {
	NODES = 16
};

/*
 * Nodes are letters, starting with a.
 *   machines  the machine of each node, by letter
 *   states    of each node's machine: h heard, l lost, b back
 *   reports   words such as "b>d" (b misses d), "b<d" (b missed d, which came
 *             back), "b>d:ended" with a reason other than "silent", and "-b"
 *             (no report of node b)
 *   shares    a digit for each node; "": all equal
 */
struct situation {
	const char *what, *machines, *states, *shares, *reports;
	bool last;
	enum votes_verdict verdict;
	const char *gone; /* nodes to drop: letters, ascending */
};

static const struct situation table[] = {
	{ "all is well", "abcd", "hhhh", "", "", false, VOTES_NOBODY, "" },
	{ "one link is cut: one of its ends, never a third", "abcd", "hhhh", "",
	    "b>d d>b", false, VOTES_DROP, "d" },
	{ "the same link, but the other end has the smaller share", "abcd",
	    "hhhh", "4134", "b>d d>b", false, VOTES_DROP, "b" },
	{ "the end with more troubled links goes, whatever its share", "abcd",
	    "hhhh", "4431", "b>d d>b a>b", false, VOTES_DROP, "b" },
	{ "one link is cut from the start", "abcd", "hhhh", "",
	    "b>d:never d>b:never", false, VOTES_DROP, "d" },
	{ "one link is cut, each end sees it in another way", "abcd", "hhhh",
	    "", "b>d:no_route d>b:broken", false, VOTES_DROP, "d" },
	{ "a link is cut, a is told of it and reports nothing", "abcd", "hhhh",
	    "", "-a b>d d>b", false, VOTES_DROP, "d" },
	{ "of two nodes, one goes", "ab", "hh", "", "a>b b>a", false,
	    VOTES_DROP, "b" },
	{ "of two nodes, the slower one goes", "ab", "hh", "19", "a>b b>a",
	    false, VOTES_DROP, "a" },
	{ "a node is cut from all but the launcher", "abcd", "hhhh", "",
	    "a>d b>d c>d d>a d>b d>c", false, VOTES_DROP, "d" },
	{ "the same, and that is the fastest", "abcd", "hhhh", "9111",
	    "b>a c>a d>a a>b a>c a>d", false, VOTES_DROP, "a" },
	{ "cut from two of three", "abcd", "hhhh", "", "a>d b>d d>a d>b", false,
	    VOTES_DROP, "d" },
	{ "two links of one node", "abcd", "hhhh", "1999", "a>c c>a b>c c>b",
	    false, VOTES_DROP, "c" },
	{ "two links without a common end", "abcd", "hhhh", "",
	    "a>b b>a c>d d>c", false, VOTES_DROP, "bd" },
	{ "two links without a common end, by share", "abcd", "hhhh", "1213",
	    "a>b b>a c>d d>c", false, VOTES_DROP, "ac" },
	{ "the launcher does not hear a machine", "abcd", "hhhl", "",
	    "a>d b>d c>d", false, VOTES_DROP, "d" },
	{ "the launcher does not hear a machine, its peers do", "abcd", "hlhh",
	    "", "", false, VOTES_DROP, "b" },
	{ "two faults: a machine is lost, and a link of others is cut", "abcd",
	    "lhhh", "", "b>a c>a d>a b>c c>b", false, VOTES_DROP, "ac" },
	{ "two machines are lost", "abcd", "hlhl", "", "a>b c>b a>d c>d", false,
	    VOTES_DROP, "bd" },
	{ "a lost machine explains its link", "abc", "hhl", "", "a>c c>a",
	    false, VOTES_DROP, "c" },
	{ "a machine was lost and is back: nobody", "abcd", "hhhb", "",
	    "a>d b>d c>d", false, VOTES_NOBODY, "" },
	{ "one machine is back, another one is not", "abcd", "hhbl", "",
	    "a>c b>c a>d b>d", false, VOTES_DROP, "d" },
	{ "a machine is back, a link of others is cut", "abcd", "hhhb", "",
	    "a>d b>d a>b b>a", false, VOTES_DROP, "b" },
	{ "a freeze shorter than the timeout: it came back", "abcd", "hhhh", "",
	    "a<b c<b d<b", false, VOTES_NOBODY, "" },
	{ "the same, when there is no other try", "abcd", "hhhh", "",
	    "a<b c<b d<b", true, VOTES_NOBODY, "" },
	{ "a link has recovered at both ends", "abcd", "hhhh", "", "b<d d<b",
	    true, VOTES_NOBODY, "" },
	{ "one end gave up just before the other one heard it again", "abcd",
	    "hhhh", "", "b>d d<b", true, VOTES_NOBODY, "" },
	{ "a link has recovered, another one is cut", "abcd", "hhhh", "",
	    "b<d d<b a>c c>a", false, VOTES_DROP, "c" },
	{ "a process stands still, its agent does not: a new one may be well",
	    "abcd", "hhhh", "", "a>b c>b d>b", false, VOTES_NOBODY, "" },
	{ "a process stands still at every try", "abcd", "hhhh", "",
	    "a>b c>b -b d>b", true, VOTES_DROP, "b" },
	{ "a node ten times slower is silent for some", "abcd", "hhhh", "9991",
	    "a>d", false, VOTES_NOBODY, "" },
	{ "a node ten times slower is silent for one at every try", "abcd",
	    "hhhh", "9991", "a>d", true, VOTES_NOBODY, "" },
	{ "a slow node is no reason to take the end of a cut link", "abcd",
	    "hhhh", "4431", "a>b b>a c<d", false, VOTES_DROP, "b" },
	{ "a node ended since its peer did: no evidence against the peer",
	    "abcd", "hhhh", "", "a>c:ended b>c:ended", true, VOTES_NOBODY, "" },
	{ "nor against both", "abcd", "hhhh", "", "a>c:ended c>a:ended", true,
	    VOTES_NOBODY, "" },
	{ "a link is cut, and others saw the processes end", "abcd", "hhhh", "",
	    "b>d d>b a>b:ended c>b:ended", false, VOTES_DROP, "d" },
	{ "one liar accuses all: nobody believes it", "abcd", "hhhh", "",
	    "d>a d>b d>c", true, VOTES_NOBODY, "" },
	{ "one liar accuses one", "abcd", "hhhh", "", "d>a", true, VOTES_NOBODY,
	    "" },
	{ "half of the others miss a node: not enough", "abcde", "hhhhh", "",
	    "a>e b>e", true, VOTES_NOBODY, "" },
	{ "most miss a node, but something else is missed, too", "abcd", "hhhh",
	    "", "a>d b>d c>d a>b", true, VOTES_NOBODY, "" },
	{ "of two nodes one misses the other at every try", "ab", "hh", "",
	    "a>b", true, VOTES_NOBODY, "" },
	{ "no port is open: that is the network", "abcd", "hhhh", "",
	    "a>b a>c a>d b>a b>c b>d c>a c>b c>d d>a d>b d>c", false,
	    VOTES_NETWORK, "" },
	{ "the network is cut in halves", "abcd", "hhhh", "",
	    "a>c a>d b>c b>d c>a c>b d>a d>b", false, VOTES_DROP, "cd" },
	{ "nodes of a machine that is cut from a node: that node", "aabc",
	    "hhhh", "1191", "a>c b>c c>a c>b", false, VOTES_DROP, "c" },
	{ "nodes of a machine that is cut from two: the machine", "aabc",
	    "hhhh", "9911", "a>c b>c a>d b>d c>a c>b d>a d>b", false,
	    VOTES_DROP, "ab" },
	{ "of a machine only the node goes that is cut off", "aabc", "hhhh", "",
	    "b>c c>b b>d d>b", false, VOTES_DROP, "b" },
	{ "nodes of one machine miss each other: no link is between them",
	    "aab", "hhh", "", "a>b b>a", false, VOTES_NOBODY, "" },
	{ "a machine of two nodes is lost", "aabc", "llhh", "",
	    "c>a c>b d>a d>b", false, VOTES_DROP, "ab" },
	{ "another key on one node", "abcd", "hhhh", "",
	    "a>c:key b>c:key d>c:key c>a:key c>b:key c>d:key", false,
	    VOTES_DROP, "c" },
	{ "a report that cannot be read is none", "abc", "hhh", "", "a>b -b",
	    false, VOTES_NOBODY, "" },
};

/* Reads the reports of a situation. Returns the number of nodes. */
static size_t
set_up(const struct situation *s, struct votes_node *node, struct misses *list)
{
	static struct miss miss[NODES][NODES];
	size_t n = strlen(s->machines);
	char text[256], *word, *rest;

	for (size_t i = 0; i < n; i++) {
		list[i] = (struct misses){ .v = miss[i] };
		node[i] = (struct votes_node){
			.machine = (size_t)s->machines[i] * 1000,
			.state = s->states[i] == 'h' ? VOTES_HEARD
			    : s->states[i] == 'l'    ? VOTES_LOST
						     : VOTES_BACK,
			.report = s->states[i] == 'h' ? &list[i] : NULL,
			.share = *s->shares == '\0' ? 1 : s->shares[i] - '0',
		};
	}
	snprintf(text, sizeof text, "%s", s->reports);
	for (word = strtok_r(text, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		struct misses *l = &list[word[0] - 'a'];
		struct miss m = { .peer = (uint64_t)(word[2] - 'a'),
			.seconds = 7,
			.back = word[1] == '<' };
		size_t at = l->n++;

		if (word[0] == '-') {
			node[word[1] - 'a'].report = NULL;
			continue;
		}
		for (char *p = word; *p != '\0'; p++)
			*p = *p == '_' ? ' ' : *p;
		if (word[3] == ':' && miss_parse(word + 4, &m.why) == -1)
			test_bad(__FILE__, __LINE__, "%s", word);
		for (; at > 0 && l->v[at - 1].peer > m.peer; at--)
			l->v[at] = l->v[at - 1];
		l->v[at] = m;
	}
	return n;
}

static void
the_smallest_set_that_explains_all(void)
{
	struct votes_node node[NODES];
	struct misses list[NODES];
	struct votes_fate fate[NODES];
	struct hp_err e = { 0 };

	CHECK(sizeof table / sizeof *table >= 30);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct situation *s = &table[i];
		size_t n = set_up(s, node, list), at = 0;
		enum votes_verdict got = votes_decide(
		    node, n, s->last, fate, &e);
		char gone[NODES + 1];

		for (size_t k = 0; k < n; k++)
			if (fate[k].why != VOTES_STAYS)
				gone[at++] = (char)('a' + k);
		gone[at] = '\0';
		if (got != s->verdict || strcmp(gone, s->gone) != 0)
			test_bad(__FILE__, __LINE__,
			    "%s: verdict %d, '%s' goes, not '%s'", s->what, got,
			    gone, s->gone);
	}
}

/* The decision is the same for every order of the nodes. */
static void
the_dropped_node_does_not_depend_on_ranks(void)
{
	struct situation s = { "", "abcd", "hhhh", "", NULL, false, VOTES_DROP,
		"" };
	struct votes_node node[NODES];
	struct misses list[NODES];
	struct votes_fate fate[NODES];
	struct hp_err e = { 0 };
	char reports[64];

	for (char x = 'a'; x <= 'd'; x++) {
		size_t n, at = 0;

		reports[0] = '\0';
		for (char y = 'a'; y <= 'd'; y++)
			if (y != x)
				at += (size_t)snprintf(reports + at,
				    sizeof reports - at, "%c>%c %c>%c ", x, y,
				    y, x);
		s.reports = reports;
		n = set_up(&s, node, list);
		CHECK(votes_decide(node, n, false, fate, &e) == VOTES_DROP);
		for (size_t k = 0; k < n; k++)
			CHECK((fate[k].why == VOTES_CUT) ==
			    (k == (size_t)(x - 'a')));
		CHECK_EQ_U64(fate[x - 'a'].links, 3);
	}
}

static void
said(const struct situation *s, size_t who, const char *want)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct votes_node node[NODES];
	struct misses list[NODES];
	struct votes_fate fate[NODES];
	struct hp_err e = { 0 };
	char text[128];
	size_t n = set_up(s, node, list);

	votes_decide(node, n, s->last, fate, &e);
	votes_text(&fate[who], names[fate[who].peer], text, sizeof text);
	CHECK_EQ_STR(text, want);
}

static void
reasons_are_plain_words(void)
{
	struct situation s = { "", "abcd", "hhhh", "", "b>d d>b", true,
		VOTES_DROP, "" };

	said(&s, 3, "no link to b (silent for 7 s)");
	s.reports = "b>d:no_route d>b";
	said(&s, 3, "no link to b (no route for 7 s)");
	s.reports = "b>d:never d>b:never";
	said(&s, 3, "no link to b (no connection in 7 s)");
	s.reports = "a>d:key d>a:key b>d d>b";
	said(&s, 3, "no link to a and 1 other (the keys differ)");
	s.reports = "a>d d>a b>d d>b c>d d>c";
	said(&s, 3, "no link to a and 2 others (silent for 7 s)");
	s.reports = "a>d b>d c>d";
	said(&s, 3, "not heard by a and 2 others (silent for 7 s)");
	s.states = "hhhl";
	said(&s, 3, "lost");
}

/* Random graphs: the cover is as small as an exhaustive search finds, and
 * touches every edge. */
struct check {
	const struct cover_edge *edge;
	size_t edges, vertices, least;
	size_t calls;
};

static void
is_least(void *context, const bool *in)
{
	struct check *c = context;
	size_t n = 0;

	c->calls++;
	for (size_t i = 0; i < c->vertices; i++)
		n += in[i];
	CHECK_EQ_U64(n, c->least);
	for (size_t i = 0; i < c->edges; i++)
		CHECK(in[c->edge[i].a] || in[c->edge[i].b]);
}

static size_t
least_by_trying(const struct cover_edge *edge, size_t edges, size_t vertices)
{
	size_t least = vertices;

	for (uint64_t set = 0; set < (uint64_t)1 << vertices; set++) {
		size_t n = (size_t)__builtin_popcountll(set), i = 0;

		while (i < edges &&
		    ((set >> edge[i].a & 1) != 0 ||
			(set >> edge[i].b & 1) != 0))
			i++;
		if (i == edges && n < least)
			least = n;
	}
	return least;
}

static void
covers_are_minimal(void)
{
	struct cover_edge edge[64];
	struct hp_err e = { 0 };

	for (int k = 0; k < 300; k++) {
		size_t vertices = 2 + test_below(8), edges = 0;
		double part = test_unit();
		struct check c;

		for (size_t a = 0; a < vertices; a++)
			for (size_t b = a + 1; b < vertices; b++)
				if (test_unit() < part)
					edge[edges++] = (struct cover_edge){ a,
						b };
		if (edges == 0)
			continue;
		c = (struct check){ edge, edges, vertices,
			least_by_trying(edge, edges, vertices), 0 };
		CHECK_EQ_U64(cover_least(edge, edges, vertices, vertices,
				 is_least, &c, &e),
		    c.least);
		CHECK(c.calls > 0);
		CHECK_EQ_U64(cover_least(edge, edges, vertices, c.least - 1,
				 is_least, &c, &e),
		    0);
	}
}

/* A switch fails: 20 of 1000 machines are cut off from all others. */
static void
many_machines_take_little_time(void)
{
	enum {
		ALL = 1000,
		BAD = 20
	};
	struct votes_node *node = calloc(ALL, sizeof *node);
	struct misses *list = calloc(ALL, sizeof *list);
	struct votes_fate *fate = calloc(ALL, sizeof *fate);
	struct hp_err e = { 0 };

	for (size_t i = 0; i < ALL; i++) {
		list[i].v = calloc(ALL, sizeof *list[i].v);
		for (size_t k = 0; k < ALL; k++)
			if ((i < BAD) != (k < BAD))
				list[i].v[list[i].n++] = (struct miss){
					.peer = k, .seconds = 7
				};
		node[i] = (struct votes_node){
			.machine = i, .report = &list[i], .share = 1
		};
	}
	CHECK(votes_decide(node, ALL, false, fate, &e) == VOTES_DROP);
	for (size_t i = 0; i < ALL; i++) {
		CHECK((fate[i].why == VOTES_CUT) == (i < BAD));
		free(list[i].v);
	}
	free(node);
	free(list);
	free(fate);
}

int
main(void)
{
	RUN(the_smallest_set_that_explains_all);
	RUN(the_dropped_node_does_not_depend_on_ranks);
	RUN(reasons_are_plain_words);
	RUN(covers_are_minimal);
	RUN(many_machines_take_little_time);
	return test_done();
}
