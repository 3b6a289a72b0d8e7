#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sha2.h>

#include "doc/digest.h"

static void
put_text(SHA2_CTX *c, const char *s)
{
	SHA256Update(c, (const uint8_t *)s, strlen(s));
}

/* Adds an integer and a tab to the hashed text. A tab follows every value. */
static void
put_count(SHA2_CTX *c, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof text, "%ju\t", (uintmax_t)n);
	put_text(c, text);
}

/*
 * Adds a number to the hashed text in the form MpE, which means M * 2^E. M and
 * E are integers, and M has 53 bits. Decimal numbers are not used, because
 * programs round and print them differently.
 */
static void
put_number(SHA2_CTX *c, double x)
{
	char text[64] = "0\t";
	int exponent;
	double m = frexp(x, &exponent);

	if (x != 0)
		snprintf(text, sizeof text, "%jdp%d\t", (intmax_t)ldexp(m, 53),
		    exponent - 53);
	put_text(c, text);
}

static void
put_link(SHA2_CTX *c, const struct link *l)
{
	put_number(c, l->send);
	put_number(c, l->receive);
	put_number(c, l->latency_s);
}

/*
 * Adds the n numbers to the hashed text, unless all of them are 0. A member
 * that is missing in a document counts as 0. So a document of an older program,
 * which has none of these members, keeps its digest.
 */
static void
put_new(SHA2_CTX *c, const double *amount, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || amount[i] != 0;
	for (size_t i = 0; any && i < n; i++)
		put_number(c, amount[i]);
}

/*
 * Adds to the hashed text the data for the stages of a run besides the nodes'
 * own work: link rates, merging speed, times of a login and of an empty step,
 * and which nodes have a host.
 */
static void
put_stages(SHA2_CTX *sum, const struct cluster *c, double item_bytes)
{
	put_number(sum, item_bytes);
	put_link(sum, &c->launcher.link);
	put_new(sum,
	    (const double[]){ c->launcher.begin_s, c->launcher.finish_s }, 2);
	put_new(sum, &c->launcher.divide_s_per_item, 1);
	/*
	 * put_new writes nothing if all its numbers are 0. So without this
	 * word, the next two times could be mistaken for begin_s and finish_s.
	 */
	if (c->launcher.batch_begin_s != 0 || c->launcher.batch_finish_s != 0)
		put_text(sum, "batches\t");
	put_new(sum,
	    (const double[]){
		c->launcher.batch_begin_s, c->launcher.batch_finish_s },
	    2);
	put_text(sum, "\n");
	for (size_t i = 0; i < c->n; i++) {
		const struct node *node = &c->node[i];

		put_text(sum, node->host == NULL ? "here\t" : "host\t");
		put_text(sum, node->link.known ? "link\t" : "\t");
		put_link(sum, &node->link);
		put_number(sum, node->merge_s_per_item);
		put_number(sum, node->login_s);
		put_number(sum, node->step_s);
		put_new(sum,
		    (const double[]){ node->arrive_s_per_item,
			node->exchange_s_per_item, node->return_s_per_item,
			node->sort_rest, node->candidate_s },
		    5);
		put_new(sum, &node->batch_s_per_item, 1);
		put_text(sum, "\n");
	}
}

static void
put_node(SHA2_CTX *c, const struct curve *t)
{
	put_count(c, t->capacity);
	put_number(c, t->latency_s);
	put_number(c, t->seconds_per_item);
	put_number(c, t->speed);
	put_text(c, beyond_text(t->beyond));
	put_text(c, "\t");
	for (uint32_t i = 0; i < t->npoints; i++) {
		put_count(c, (uint64_t)t->point[i].n);
		put_number(c, t->point[i].seconds);
	}
	put_text(c, "\n");
}

void
doc_digest(const struct cluster *c, const char *cost, double item_bytes,
    char digest[DIGEST_HEX + 1])
{
	SHA2_CTX sum;

	SHA256Init(&sum);
	put_text(&sum, cost);
	put_text(&sum, "\n");
	for (size_t i = 0; i < c->n; i++)
		put_node(&sum, &c->node[i].curve);
	if (item_bytes > 0)
		put_stages(&sum, c, item_bytes);
	SHA256End(&sum, digest);
}
