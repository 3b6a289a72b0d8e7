#include <string.h>

#include "quote.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+-";

void
quote(FILE *f, const char *word)
{
	if (*word != '\0' && word[strspn(word, plain)] == '\0') {
		fputs(word, f);
		return;
	}
	putc('\'', f);
	for (; *word != '\0'; word++)
		if (*word == '\'')
			fputs("'\\''", f);
		else
			putc(*word, f);
	putc('\'', f);
}

void
quote_words(const char *text, struct words *w)
{
	while (*(text += strspn(text, " ")) != '\0') {
		size_t len = strcspn(text, " ");

		words_addf(w, "%.*s", (int)len, text);
		text += len;
	}
}

void
quote_split(FILE *f, const char *text)
{
	struct stage s;
	struct words w;

	stage_init(&s);
	w = words_of(&s);
	quote_words(text, &w);
	for (size_t i = 0; i < w.n; i++) {
		if (i > 0)
			putc(' ', f);
		quote(f, w.v[i]);
	}
	stage_fini(&s);
}
