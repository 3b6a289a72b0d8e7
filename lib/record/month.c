/*
 * Keys for -M: names of months, as sort(1) reads them in the C locale. A key is
 * one byte, the number of the month. It is 0 if the text is no month.
 */
#include "record/chars.h"
#include "record/month.h"
#include "record/part.h"

int
month_at(const unsigned char *s, const unsigned char *end)
{
	static const char names[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";

	for (size_t i = 0; end - s >= 3 && i < sizeof names - 1; i += 3)
		if (to_upper(s[0]) == names[i] &&
		    to_upper(s[1]) == names[i + 1] &&
		    to_upper(s[2]) == names[i + 2])
			return (int)(i / 3 + 1);
	return 0;
}

void
month_begin(struct part *p, const unsigned char *s, size_t n)
{
	const unsigned char *end = s + n;

	p->head[0] = (unsigned char)month_at(skip_blanks(s, end), end);
	p->nhead = 1;
}
