#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "base/array.h"
#include "job/journal_line.h"
#include "job/step.h"

/*
 * State of the parser of a line. `bad` is set when the line does not match the
 * expected form.
 */
struct scan {
	const char *at, *end;
	bool bad;
};

static bool
take(struct scan *s, char c)
{
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static void
expect(struct scan *s, char c)
{
	if (!take(s, c))
		s->bad = true;
}

static uint64_t
scan_number(struct scan *s, uint64_t most)
{
	const char *first = s->at;
	uint64_t n = 0;

	while (s->at < s->end && *s->at >= '0' && *s->at <= '9') {
		unsigned digit = (unsigned)(*s->at++ - '0');

		if (digit > most || n > (most - digit) / 10)
			s->bad = true;
		n = n * 10 + digit;
	}
	if (s->at == first || (*first == '0' && s->at > first + 1))
		s->bad = true;
	return n;
}

/* Parses seconds with six decimals. */
static double
scan_time(struct scan *s)
{
	double seconds = (double)scan_number(s, (uint64_t)1 << 40);
	double unit = 0.1;

	expect(s, '.');
	for (int i = 0; i < 6; i++, unit /= 10) {
		if (s->at == s->end || *s->at < '0' || *s->at > '9') {
			s->bad = true;
			return 0;
		}
		seconds += unit * (*s->at++ - '0');
	}
	return seconds;
}

static bool
in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static void
scan_name(struct scan *s, char name[JOURNAL_NAME])
{
	size_t len = 0;

	while (s->at < s->end && in_name(*s->at)) {
		if (len + 1 == JOURNAL_NAME) {
			s->bad = true;
			break;
		}
		name[len++] = *s->at++;
	}
	name[len] = '\0';
	if (len == 0)
		s->bad = true;
}

int
journal_line_read(const char *line, size_t len, struct journal_entry *e)
{
	struct scan s = { .at = line, .end = line + len };
	uint64_t *size = NULL;
	size_t cap = 0;

	*e = (struct journal_entry){ 0 };
	e->passing = take(&s, '-');
	if (!e->passing)
		e->stage = scan_number(&s, UINT64_MAX);
	expect(&s, ' ');
	e->index = scan_number(&s, UINT64_MAX);
	expect(&s, ' ');
	e->rank = take(&s, '-') ? STEP_LAUNCHER
				: (int)scan_number(&s, (uint64_t)INT_MAX);
	expect(&s, ' ');
	scan_name(&s, e->name);
	expect(&s, ' ');
	e->start_s = scan_time(&s);
	expect(&s, ' ');
	e->end_s = scan_time(&s);
	expect(&s, ' ');
	e->answer = (int)scan_number(&s, 1);
	while (!s.bad && s.at < s.end) {
		expect(&s, ' ');
		if (ARRAY_ROOM(size, e->nsizes, cap) == -1) {
			free(size);
			return ENOMEM;
		}
		size[e->nsizes++] = scan_number(&s, UINT64_MAX);
	}
	e->size = size;
	if (!s.bad)
		return 0;
	free(size);
	e->size = NULL;
	return EINVAL;
}

void
journal_line_fini(struct journal_entry *e)
{
	union {
		const uint64_t *shown;
		uint64_t *owned;
	} size = { .shown = e->size };

	free(size.owned);
}

bool
journal_line_name(const char *name)
{
	size_t len = 0;

	while (len < JOURNAL_NAME && in_name(name[len]))
		len++;
	return len > 0 && len < JOURNAL_NAME && name[len] == '\0';
}

void
journal_line_write(FILE *f, const struct journal_entry *entry)
{
	if (entry->passing)
		fputs("- ", f);
	else
		fprintf(f, "%" PRIu64 " ", entry->stage);
	fprintf(f, "%" PRIu64 " ", entry->index);
	if (entry->rank == STEP_LAUNCHER)
		fputs("- ", f);
	else
		fprintf(f, "%d ", entry->rank);
	fprintf(f, "%s %.6f %.6f %d", entry->name, entry->start_s, entry->end_s,
	    entry->answer);
	for (size_t i = 0; i < entry->nsizes; i++)
		fprintf(f, " %" PRIu64, entry->size[i]);
	putc('\n', f);
}
