#include <stdint.h>

#include <err.h>

#include "base/clock.h"
#include "notice.h"

enum {
	NOTICES = 10
};

static struct {
	double tokens, told_s;
	uintmax_t untold;
} notices = { .tokens = NOTICES };

void
notice_rest(void)
{
	if (notices.untold > 0)
		warnx("and %ju more like this", notices.untold);
	notices.untold = 0;
}

void
notice_print(const char *text)
{
	double now_s = clock_now_s();

	notices.tokens += now_s - notices.told_s;
	notices.told_s = now_s;
	if (notices.tokens > NOTICES)
		notices.tokens = NOTICES;
	if (notices.tokens < 1) {
		notices.untold++;
		return;
	}
	notices.tokens--;
	notice_rest();
	warnx("%s", text);
}
