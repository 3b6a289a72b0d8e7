/* Profile keys of machines. */

#include "profile/key.h"
#include "test.h"

static const char *
formed(const char *line, const char *architecture, unsigned processors)
{
	static char key[KEY_BYTES];

	key_form(key, line, architecture, processors);
	return key;
}

static void
a_key_has_model_and_processors(void)
{
	CHECK_EQ_STR(formed("model name\t: AMD EPYC 7763  64-Core \n", "x", 8),
	    "AMD EPYC 7763 64-Core, 8 processors");
	CHECK_EQ_STR(formed(NULL, "aarch64", 1), "aarch64, 1 processor");
	CHECK_EQ_STR(
	    formed("model name", "aarch64", 1), "aarch64, 1 processor");
	CHECK_EQ_STR(
	    formed("model name: a\001\377b\n", "x", 2), "a??b, 2 processors");
	CHECK_EQ_STR(formed("model name:\n", "x", 2), ", 2 processors");
}

static void
a_long_name_is_cut(void)
{
	char line[1000];

	memset(line, 'a', sizeof line);
	line[0] = ':';
	line[sizeof line - 1] = '\0';
	CHECK_EQ_U64(strlen(formed(line, "x", 4000000000U)),
	    KEY_BYTES - 32 + strlen(", 4000000000 processors"));
}

int
main(void)
{
	RUN(a_key_has_model_and_processors);
	RUN(a_long_name_is_cut);
	return test_done();
}
