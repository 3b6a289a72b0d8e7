/* Converting ordering options to words. */
#include "record/words.h"
#include "test.h"

/* Checks the words of the order that the options make, joined by spaces. */
static void
check(const char *const *option, const char *want, bool ready)
{
	struct hp_err e = { 0 };
	struct order o;
	char text[256] = "";
	char **word;
	size_t n = 99, len = 0;

	order_init(&o);
	for (; *option != NULL; option++) {
		const char *s = *option;
		int letter = s[1];

		if (strncmp(s, "--sort=", 7) == 0)
			letter = ORDER_SORT, s += 5;
		else if (strncmp(s, "--random-source=", 16) == 0)
			letter = ORDER_RANDOM_SOURCE, s += 14;
		REQUIRE(order_option(
			    &o, letter, s[2] == '\0' ? NULL : s + 2, &e) == 0);
	}
	REQUIRE(!ready || order_ready(&o, &e) == 0);
	word = order_words(&o, &n, &e);
	REQUIRE(word != NULL);
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s",
		    i > 0 ? " " : "", word[i]);
	CHECK(word[n] == NULL);
	CHECK_EQ_STR(text, want);
	free(word);
	order_fini(&o);
}

#define WORDS(want, ...) \
	check((const char *const[]){ __VA_ARGS__, NULL }, want, false)
#define READY(want, ...) \
	check((const char *const[]){ __VA_ARGS__, NULL }, want, true)

static void
default_order_has_no_words(void)
{
	WORDS("", "-Fline");
	READY("", "-Fline");
}

static void
formats(void)
{
	READY("-Fgensort", "-Frecord:100,0,10");
	READY("-Frecord:8,0,8", "-Frecord:8");
	READY("-Fu8", "-Fu8");
	READY("-Fi16be -r", "-Fi16be", "-r");
	READY("-Ff64", "-Ff64");
	READY("-z", "-z");
}

static void
keys_and_letters(void)
{
	WORDS("-t, -rsu -k2,2n -k1.3b,4.5b", "-k2,2n", "-t,", "-k1.3b,4.5b",
	    "-u", "-s", "-r");
	WORDS("-t\\0 -k1", "-t\\0", "-k1");
	WORDS("-k1", "-k1.1");
	/* Field numbers that are too large count as the largest number. */
	WORDS(
	    "-k1,18446744073709551615", "-k1,99999999999999999999999999999999");
}

static void
synonyms(void)
{
	WORDS("-n", "--sort=numeric");
	WORDS("-d", "-i", "-d");
	WORDS("-RV --random-source=a b", "-V", "-R", "--random-source=a b");
}

/* order_ready may add a key; the words must not contain it. */
static void
ready_order(void)
{
	READY("-n", "-n");
	READY("-n -k2n", "-k2", "-n");
}

int
main(void)
{
	RUN(default_order_has_no_words);
	RUN(formats);
	RUN(keys_and_letters);
	RUN(synonyms);
	RUN(ready_order);
	return test_done();
}
