/* Node lists of Slurm, and the allocation that its environment describes. */

#include <stdlib.h>

#include "job/allocation.h"
#include "job/nodelist.h"
#include "test.h"

/* Joins the names by blanks; the result lives until the next call. */
static const char *
joined(const char *list)
{
	static char text[4096];
	struct nodelist l = { 0 };
	struct hp_err e = { 0 };
	bool good = nodelist_add(&l, list, &e) == 0;
	size_t n = 0;

	snprintf(text, sizeof text, "%s", good ? "" : "refused");
	for (size_t i = 0; good && i < l.n; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
		    i > 0 ? " " : "", l.name[i]);
	nodelist_fini(&l);
	return text;
}

/*
 * For each of these lists, `scontrol show hostnames` of Slurm 22.05 prints the
 * same names.
 */
static void
lists_are_expanded_as_by_scontrol(void)
{
	CHECK_EQ_STR(joined("a"), "a");
	CHECK_EQ_STR(joined("a,b-1,c.d_e"), "a b-1 c.d_e");
	CHECK_EQ_STR(joined("n[8-11]"), "n8 n9 n10 n11");
	CHECK_EQ_STR(joined("n[08-11,20]"), "n08 n09 n10 n11 n20");
	CHECK_EQ_STR(joined("n[099-101]x"), "n099x n100x n101x");
	CHECK_EQ_STR(joined("a[1,3],b,c[2]"), "a1 a3 b c2");
	CHECK_EQ_STR(joined("r[1-2]n[08-09]"), "r1n08 r1n09 r2n08 r2n09");
}

static void
anything_else_is_refused(void)
{
	static const char *const bad[] = { "", ",", "a,", ",a", "a,,b", "n[",
		"n[1", "n[]", "n[1-]", "n[-1]", "n[2-1]", "n[1,]", "n[,1]",
		"n[1-2-3]", "n[a]", "n]", "n[1]]", "n[1[2]]", "a b", "a;b",
		"$(x)", "a\"b", "a/b", "-a", "a\nb", "n[1234567890]",
		"n[1-999999999]", "r[1-999]n[1-999]" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (strcmp(joined(bad[i]), "refused") != 0)
			test_bad(__FILE__, __LINE__, "'%s' gives '%s'", bad[i],
			    joined(bad[i]));
}

static void
a_name_has_a_limit(void)
{
	char name[NODELIST_NAME + 8];

	memset(name, 'a', sizeof name);
	name[NODELIST_NAME] = '\0';
	CHECK_EQ_STR(joined(name), name);
	name[NODELIST_NAME] = 'a';
	name[NODELIST_NAME + 1] = '\0';
	CHECK_EQ_STR(joined(name), "refused");
	snprintf(name + NODELIST_NAME - 1, 6, "[10]");
	CHECK_EQ_STR(joined(name), "refused");
}

static void
clear(void)
{
	static const char *const all[] = { "SLURM_JOB_ID", "SLURM_JOB_NODELIST",
		"SLURM_JOB_CPUS_PER_NODE", "SLURM_HET_SIZE",
		"SLURM_JOB_NODELIST_HET_GROUP_0",
		"SLURM_JOB_NODELIST_HET_GROUP_1",
		"SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1" };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		unsetenv(all[i]);
}

/* Describes the allocation as words `name:processors:component`. */
static const char *
described(void)
{
	static char text[HP_ERR_TEXT];
	struct allocation a;
	struct hp_err e = { 0 };
	size_t n = 0;

	if (allocation_read(&a, &e) == -1)
		snprintf(text, sizeof text, "%s", e.text);
	for (size_t i = 0; e.kind == HP_NONE && i < a.n; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s:%u:%d",
		    i > 0 ? " " : "", a.node[i].name,
		    (unsigned)a.node[i].processors, a.node[i].component);
	allocation_fini(&a);
	return text;
}

static void
nodes_come_with_their_processors(void)
{
	clear();
	setenv("SLURM_JOB_ID", "7", 1);
	setenv("SLURM_JOB_NODELIST", "a[1-3],b", 1);
	CHECK_EQ_STR(described(), "a1:0:-1 a2:0:-1 a3:0:-1 b:0:-1");
	setenv("SLURM_JOB_CPUS_PER_NODE", "16(x3),8", 1);
	CHECK_EQ_STR(described(), "a1:16:-1 a2:16:-1 a3:16:-1 b:8:-1");
	setenv("SLURM_JOB_CPUS_PER_NODE", "1,2,3,4", 1);
	CHECK_EQ_STR(described(), "a1:1:-1 a2:2:-1 a3:3:-1 b:4:-1");
}

static void
processors_must_fit_the_nodes(void)
{
	static const char *const bad[] = { "", "16", "16(x3)", "16(x5)",
		"16(x3),8,8", "16(x3),0", "16(x3),-1", "16(x3", "16(3),8", "a",
		"16(x3),8,", "16(x3)8", "16(x0),8(x4)" };

	clear();
	setenv("SLURM_JOB_ID", "7", 1);
	setenv("SLURM_JOB_NODELIST", "a[1-3],b", 1);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		setenv("SLURM_JOB_CPUS_PER_NODE", bad[i], 1);
		if (strstr(described(), "SLURM_JOB_CPUS_PER_NODE") == NULL)
			test_bad(__FILE__, __LINE__, "'%s' gives %s", bad[i],
			    described());
	}
}

static void
components_of_a_job_are_all_taken(void)
{
	clear();
	setenv("SLURM_JOB_ID", "7", 1);
	setenv("SLURM_HET_SIZE", "2", 1);
	setenv("SLURM_JOB_NODELIST_HET_GROUP_0", "a", 1);
	setenv("SLURM_JOB_NODELIST_HET_GROUP_1", "b[1-2],a", 1);
	setenv("SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1", "4(x2),2", 1);
	CHECK_EQ_STR(described(), "a:0:0 b1:4:1 b2:4:1");
	unsetenv("SLURM_JOB_NODELIST_HET_GROUP_1");
	CHECK_EQ_STR(
	    described(), "job 7: SLURM_JOB_NODELIST_HET_GROUP_1 is not set");
	setenv("SLURM_JOB_NODELIST_HET_GROUP_1", "a, b", 1);
	CHECK_EQ_STR(described(),
	    "SLURM_JOB_NODELIST_HET_GROUP_1: ' b' is not a list of nodes");
	unsetenv("SLURM_JOB_NODELIST_HET_GROUP_1");
	setenv("SLURM_HET_SIZE", "x", 1);
	CHECK_EQ_STR(described(), "SLURM_HET_SIZE 'x': must be a number");
}

static void
without_an_allocation_the_error_says_what_to_do(void)
{
	clear();
	CHECK_EQ_STR(described(),
	    "--launch slurm: there is no allocation (SLURM_JOB_ID is not set); "
	    "use salloc or sbatch");
	setenv("SLURM_JOB_ID", "7", 1);
	CHECK_EQ_STR(described(), "job 7: SLURM_JOB_NODELIST is not set");
}

int
main(void)
{
	RUN(lists_are_expanded_as_by_scontrol);
	RUN(anything_else_is_refused);
	RUN(a_name_has_a_limit);
	RUN(nodes_come_with_their_processors);
	RUN(processors_must_fit_the_nodes);
	RUN(components_of_a_job_are_all_taken);
	RUN(without_an_allocation_the_error_says_what_to_do);
	return test_done();
}
