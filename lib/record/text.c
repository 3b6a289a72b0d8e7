/*
 * Keys for text, also with -d, -f and -i. If the text is reversed, or if the
 * key has more parts, the text ends with a byte 0x00, so that a shorter text
 * comes first. Then 0x00 in the text becomes 0x01 0x01, and 0x01 becomes 0x01
 * 0x02.
 */
#include <pthread.h>

#include "base/bytes.h"
#include "record/chars.h"
#include "record/part.h"
#include "record/text.h"
#include "record/version.h"

struct letters letter_tables[2][3];

static bool
ignored(int how, unsigned char c)
{
	if (how == IGNORE_NONDICTIONARY)
		return !is_blank(c) && !is_alpha(c) && !is_digit(c);
	return how == IGNORE_NONPRINTING && (c < ' ' || c > '~');
}

static void
fill_letters(void)
{
	for (int c = 0; c < 256; c++)
		for (int how = 0; how < 3; how++)
			for (int fold = 0; fold < 2; fold++) {
				struct letters *l = &letter_tables[fold][how];

				l->to[c] = fold ? to_upper((unsigned char)c)
						: (unsigned char)c;
				l->kept[c] = !ignored(how, (unsigned char)c);
				l->place[c] = l->kept[c]
				    ? version_place(l->to[c])
				    : 0;
			}
	letter_tables[0][IGNORE_NOTHING].plain = true;
}

void
letters_ready(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill_letters);
}

size_t
text_fill(struct part *p, unsigned char *to, size_t room)
{
	struct text t = p->text;
	size_t left = (size_t)(t.end - t.at), n = 0;

	if (t.letters->plain) {
		n = left < room ? left : room;
		if (n > 0)
			memcpy(to, t.at, n);
		t.at += n;
	} else
		for (; t.at < t.end && n < room; t.at++) {
			to[n] = t.letters->to[*t.at];
			n += t.letters->kept[*t.at];
		}
	p->text.at = t.at;
	if (t.at == t.end)
		p->body = BODY_NONE;
	return n;
}

/* Copies the bytes before the first one that needs an escape. */
static size_t
fill_unescaped(struct text *t, unsigned char *to, size_t room)
{
	const struct letters *l = t->letters;
	const unsigned char *s = t->at, *end = t->end;
	size_t n = 0, left = (size_t)(end - s);

	if (l->plain) {
		left = left < room ? left : room;
		for (; n + 8 <= left && bytes_below(get64(s + n), 2) == 0;
		     n += 8)
			memcpy(to + n, s + n, 8);
		for (; n < left && s[n] > 1; n++)
			to[n] = s[n];
		t->at = s + n;
		return n;
	}
	for (; s < end && n < room; s++) {
		to[n] = l->to[*s];
		if (to[n] <= 1 && l->kept[*s])
			break;
		n += l->kept[*s];
	}
	t->at = s;
	return n;
}

size_t
escaped_fill(struct part *p, unsigned char *to, size_t room)
{
	struct text *t = &p->text;
	size_t n = fill_unescaped(t, to, room);

	if (room - n < 2)
		return n;
	if (t->at == t->end) {
		p->body = BODY_NONE;
		to[n++] = 0;
		return n;
	}
	to[n++] = 1;
	to[n++] = (unsigned char)(t->letters->to[*t->at++] + 1);
	return n;
}

void
text_skip_common(struct text *a, struct text *b)
{
	enum {
		SOME = 256
	};

	while (a->end - a->at >= SOME && b->end - b->at >= SOME &&
	    memcmp(a->at, b->at, SOME) == 0) {
		a->at += SOME;
		b->at += SOME;
	}
	while (a->end - a->at >= 8 && b->end - b->at >= 8 &&
	    get64(a->at) == get64(b->at)) {
		a->at += 8;
		b->at += 8;
	}
}
