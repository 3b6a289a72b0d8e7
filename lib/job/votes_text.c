#include <stdio.h>

#include "job/votes_text.h"

static void
say_miss(const struct votes_fate *f, char *text, size_t size)
{
	switch (f->miss) {
	case MISS_SILENT:
		snprintf(text, size, "silent for %.0f s", f->seconds);
		break;
	case MISS_BROKEN:
		snprintf(text, size, "broken for %.0f s", f->seconds);
		break;
	case MISS_NEVER:
		snprintf(text, size, "no connection in %.0f s", f->seconds);
		break;
	case MISS_REFUSED:
		snprintf(text, size, "connections are refused");
		break;
	case MISS_NO_ROUTE:
		snprintf(text, size, "no route for %.0f s", f->seconds);
		break;
	case MISS_ENDED:
		snprintf(text, size, "the process there has ended");
		break;
	case MISS_DAMAGED:
		snprintf(text, size, "all received data is damaged");
		break;
	case MISS_KEY:
		snprintf(text, size, "the keys differ");
		break;
	}
}

void
votes_text(
    const struct votes_fate *f, const char *peer, char *text, size_t size)
{
	char why[64] = "", others[64] = "";

	say_miss(f, why, sizeof why);
	if (f->links > 1)
		snprintf(others, sizeof others, " and %zu other%s",
		    f->links - 1, f->links > 2 ? "s" : "");
	switch (f->why) {
	case VOTES_STAYS:
		snprintf(text, size, "stays");
		break;
	case VOTES_GONE:
		snprintf(text, size, "lost");
		break;
	case VOTES_CUT:
		snprintf(text, size, "no link to %s%s (%s)", peer, others, why);
		break;
	case VOTES_MISSED:
		snprintf(
		    text, size, "not heard by %s%s (%s)", peer, others, why);
		break;
	}
}
