/*
 * Normalized keys order records like sort(1). For random options and lines,
 * sorting by memcmp of the keys and LC_ALL=C sort must agree byte for byte. If
 * one rejects the options, the other must too. Comparing lines directly gives
 * the order of their keys. A key can be truncated at any byte. The words from
 * order_words make the same order again. A key can be decoded: to the line
 * itself, or to a text that has the same key.
 */

#include <sys/mman.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include "base/io.h"
#include "record/decode.h"
#include "record/key.h"
#include "record/keybuf.h"
#include "record/order.h"
#include "record/words.h"
#include "test.h"

enum {
	ROUNDS = 400,
	LINES = 60,
	LONGEST = 24,
	/* most bytes added before a line: several blocks of a key */
	STRETCH = 1200,
	ARGS = 16
};

/* A command line for sort, and the same options as letters and arguments for
 * us. */
struct options {
	char *argv[ARGS + 2];
	int argc;
	char text[ARGS][64];
};

struct line {
	unsigned char bytes[STRETCH + LONGEST];
	size_t len, index;
	struct keybuf buf;
	struct key key;
};

static void
add(struct options *o, const char *text)
{
	snprintf(o->text[o->argc], sizeof o->text[0], "%s", text);
	o->argv[o->argc + 1] = o->text[o->argc];
	o->argc++;
	o->argv[o->argc + 1] = NULL;
}

static void
letters(char *to, const char *from, unsigned chance)
{
	for (; *from != '\0'; from++)
		if (test_below(chance) == 0)
			*to++ = *from;
	*to = '\0';
}

static void
random_key(struct options *o)
{
	char text[64] = "-k", some[16];
	int n = 2;

	n += snprintf(text + n, sizeof text - (size_t)n, "%u",
	    1 + (unsigned)test_below(4));
	if (test_below(3) == 0)
		n += snprintf(text + n, sizeof text - (size_t)n, ".%u",
		    1 + (unsigned)test_below(5));
	letters(some, "bdfghiMnrV", 9);
	n += snprintf(text + n, sizeof text - (size_t)n, "%s", some);
	if (test_below(2) == 0) {
		n += snprintf(text + n, sizeof text - (size_t)n, ",%u",
		    1 + (unsigned)test_below(4));
		if (test_below(3) == 0)
			n += snprintf(text + n, sizeof text - (size_t)n, ".%u",
			    (unsigned)test_below(5));
		letters(some, "br", 4);
		snprintf(text + n, sizeof text - (size_t)n, "%s", some);
	}
	add(o, text);
}

static void
random_options(struct options *o)
{
	static const char *tab[] = { "-t,", "-t ", "-t.", "-t\\0", "-tb" };
	char some[16], text[20];

	*o = (struct options){ .argv = { "sort" } };
	letters(some, "bdfghiMnrsuVz", 12);
	for (const char *s = some; *s != '\0'; s++) {
		snprintf(text, sizeof text, "-%c", *s);
		add(o, text);
	}
	if (test_below(3) == 0)
		add(o, tab[test_below(5)]);
	for (size_t n = test_below(4); n > 0; n--)
		random_key(o);
}

/*
 * Makes lines of few letters, so that many keys are equal or nearly so. The
 * last letters are 0 to 2, which keys escape. Three things are left out,
 * because versions of GNU sort differ. The byte 0x80: for -n in the C locale
 * GNU sort 9.1 skips it like a thousands separator, because CHAR_MAX + 1, its
 * "no such character", has that value. Q and R: they are units of -h only since
 * 9.2. NaNs: sort compares register contents beyond the value.
 */
static void
random_line(struct line *l, unsigned char delim)
{
	static const char *alphabet[] = { "ab \t,", "aAbB01.-, ",
		"0123456789.-", "01 -.\t\n", "01eE+-.xp in", "JANjanFEBfeb ",
		"0129KMGkm-.", "a1.~-0Z/_+", "", "\1\2\3" };
	const char *from = alphabet[test_below(10)];

	l->len = test_below(LONGEST);
	for (size_t i = 0; i < l->len; i++)
		do
			l->bytes[i] = (unsigned char)(*from == '\0'
				? test_random()
				: (uint64_t)from[test_below(strlen(from))] -
				    (*from == '\1'));
		while (l->bytes[i] == delim || l->bytes[i] == 0x80 ||
		    (l->bytes[i] != '\0' &&
			strchr("QRqr", l->bytes[i]) != NULL) ||
		    (i > 1 &&
			strncasecmp((char *)l->bytes + i - 2, "nan", 3) == 0));
}

static int
by_key(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int c = key_cmp(x->key.bytes, x->key.len, y->key.bytes, y->key.len);

	return c != 0 ? c : (x->index > y->index) - (x->index < y->index);
}

/* Runs sort on the descriptor. Returns its exit status. */
static int
sort_says(struct options *o, int in, int out)
{
	int status = -1;
	pid_t pid;

	lseek(in, 0, SEEK_SET);
	fflush(stdout);
	if ((pid = fork()) == 0) {
		setenv("LC_ALL", "C", 1);
		dup2(in, STDIN_FILENO);
		dup2(out, STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		execvp("sort", o->argv);
		_exit(127);
	}
	if (pid == -1 || waitpid(pid, &status, 0) == -1)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
compile(struct order *order, const struct options *o)
{
	struct hp_err e = { 0 };
	const char *s;

	for (int i = 0; i < o->argc; i++) {
		s = o->text[i];
		if (order_option(
			order, s[1], s[2] == '\0' ? NULL : s + 2, &e) == -1)
			return -1;
	}
	return order_ready(order, &e);
}

static size_t
print(struct line *line, const struct order *order, unsigned char *out)
{
	size_t len = 0;

	for (size_t i = 0; i < LINES; i++) {
		if (order->unique && i > 0 &&
		    key_cmp(line[i].key.bytes, line[i].key.primary,
			line[i - 1].key.bytes, line[i - 1].key.primary) == 0)
			continue;
		memcpy(out + len, line[i].bytes, line[i].len);
		len += line[i].len;
		out[len++] = order->format.delim;
	}
	return len;
}

/* Prints everything needed to reproduce a disagreement. */
static void
complain(const struct options *o, const unsigned char *got, size_t len,
    const unsigned char *want, size_t want_len)
{
	size_t at = 0;

	while (at < len && at < want_len && got[at] == want[at])
		at++;
	printf("# sort");
	for (int i = 0; i < o->argc; i++)
		printf(" '%s'", o->text[i]);
	printf(
	    ": differs at byte %zu of %zu, expected %zu\n", at, len, want_len);
	CHECK(!"sort agrees");
}

static void
one_round(struct line *line, int in, int out)
{
	static unsigned char got[LINES * (LONGEST + 1)], want[sizeof got + 1];
	struct options o;
	struct order order;
	size_t len = 0;
	ssize_t want_len;
	int status;

	random_options(&o);
	order_init(&order);
	if (compile(&order, &o) == -1) {
		CHECK_EQ_I64(sort_says(&o, in, out), 2);
		goto out;
	}
	for (size_t i = 0; i < LINES; i++) {
		line[i].index = i;
		random_line(&line[i], order.format.delim);
		memcpy(got + len, line[i].bytes, line[i].len);
		len += line[i].len;
		got[len++] = order.format.delim;
		REQUIRE(order_key(&order, line[i].bytes, line[i].len,
			    &line[i].buf, &line[i].key) == 0);
		/*
		 * If the key lies in the line, moving the line moves the key,
		 * too.
		 */
		if (line[i].key.bytes != line[i].buf.bytes) {
			size_t n = line[i].key.len;

			line[i].buf.bytes = realloc(line[i].buf.bytes, n + 1);
			line[i].buf.cap = n + 1;
			memcpy(line[i].buf.bytes, line[i].key.bytes, n);
			line[i].key.bytes = line[i].buf.bytes;
		}
	}
	CHECK(ftruncate(in, 0) == 0 && io_pwrite(in, got, len, 0) == 0);
	qsort(line, LINES, sizeof *line, by_key);
	len = print(line, &order, got);
	CHECK(ftruncate(out, 0) == 0 && lseek(out, 0, SEEK_SET) == 0);
	status = sort_says(&o, in, out);
	CHECK_EQ_I64(status, 0);
	want_len = io_pread(out, want, sizeof want, 0);
	if ((size_t)want_len != len || memcmp(got, want, len) != 0)
		complain(&o, got, len, want, (size_t)want_len);
out:
	order_fini(&order);
}

static void
as_sort(void)
{
	int in = memfd_create("in", MFD_CLOEXEC);
	int out = memfd_create("out", MFD_CLOEXEC);
	struct line *line = calloc(LINES, sizeof *line);

	REQUIRE(in != -1 && out != -1 && line != NULL);
	for (int i = 0; i < ROUNDS; i++)
		one_round(line, in, out);
	for (size_t i = 0; i < LINES; i++)
		keybuf_fini(&line[i].buf);
	free(line);
	close(in);
	close(out);
}

static int
sign(int c)
{
	return (c > 0) - (c < 0);
}

/* Checks that a truncated key equals the first bytes of the key. */
static void
check_part(const struct order *order, const struct line *l)
{
	struct keybuf buf = { .most = 1 + test_below(2 * l->len + 40) };
	struct key k;
	size_t len = l->key.len, primary = l->key.primary;

	REQUIRE(order_key(order, l->bytes, l->len, &buf, &k) == 0);
	if (!order->slice) {
		len = len < buf.most ? len : buf.most;
		primary = primary < len ? primary : len;
		CHECK_EQ_I64(k.len, len);
		CHECK_EQ_I64(k.primary, primary);
		CHECK(memcmp(k.bytes, l->key.bytes, len) == 0);
	}
	keybuf_fini(&buf);
}

static void
check_pair(
    const struct order *order, const struct line *x, const struct line *y)
{
	int whole = key_cmp(x->key.bytes, x->key.len, y->key.bytes, y->key.len);
	int primary = key_cmp(
	    x->key.bytes, x->key.primary, y->key.bytes, y->key.primary);

	CHECK_EQ_I64(sign(order_compare(
			 order, x->bytes, x->len, y->bytes, y->len, false)),
	    sign(whole));
	CHECK_EQ_I64(sign(order_compare(
			 order, x->bytes, x->len, y->bytes, y->len, true)),
	    sign(primary));
}

/* Puts n bytes of repeated text before two lines. */
static void
stretch(struct line *l, const struct line *with, size_t n)
{
	memmove(l->bytes + n, l->bytes, l->len);
	l->len += n;
	for (size_t i = 0; i < n; i++)
		l->bytes[i] = with->bytes[i % with->len];
}

static void
in_place(void)
{
	struct line *line = calloc(LINES, sizeof *line), with;
	struct options o;
	struct order order;
	size_t n;

	REQUIRE(line != NULL);
	for (int i = 0; i < ROUNDS; i++) {
		random_options(&o);
		if (test_below(8) == 0)
			add(&o, test_below(2) == 0 ? "-R" : "-k2R");
		order_init(&order);
		if (compile(&order, &o) == 0 && !order.slice) {
			random_line(&with, order.format.delim);
			n = with.len > 0 && i % 4 == 0 ? test_below(STRETCH)
						       : 0;
			for (size_t k = 0; k < LINES; k++) {
				struct line *l = &line[k];

				random_line(l, order.format.delim);
				if (n > 0)
					stretch(l, &with,
					    n - test_below(1 + n / 8));
				REQUIRE(order_key(&order, l->bytes, l->len,
					    &l->buf, &l->key) == 0);
				check_part(&order, l);
				for (size_t j = 0; j < k; j++)
					check_pair(&order, &line[j], l);
			}
		}
		order_fini(&order);
	}
	for (size_t k = 0; k < LINES; k++)
		keybuf_fini(&line[k].buf);
	free(line);
}

/* Makes an order from the words that another order returns. */
static void
from_words(struct order *order, const struct order *of, struct options *o)
{
	struct hp_err e = { 0 };
	char **word = order_words(of, NULL, &e);

	REQUIRE(word != NULL);
	*o = (struct options){ 0 };
	for (size_t i = 0; word[i] != NULL; i++) {
		char *s = word[i];

		/* Letters may be combined in one word. */
		for (; strchr("Fkt", s[1]) == NULL && s[2] != '\0'; s++) {
			char text[] = { '-', s[1], '\0' };

			add(o, text);
		}
		if (s == word[i])
			add(o, s);
		else
			add(o, (char[]){ '-', s[1], '\0' });
	}
	free(word);
	order_init(order);
	CHECK(compile(order, o) == 0);
}

/* Checks that both orders give each line the same key. */
static void
same_keys(const struct order *a, const struct order *b)
{
	struct keybuf x = { 0 }, y = { 0 };
	struct line l;
	struct key k, m;

	CHECK_EQ_I64(a->tie, b->tie);
	for (int i = 0; i < LINES; i++) {
		random_line(&l, a->format.delim);
		REQUIRE(order_key(a, l.bytes, l.len, &x, &k) == 0 &&
		    order_key(b, l.bytes, l.len, &y, &m) == 0);
		CHECK_EQ_I64(k.primary, m.primary);
		CHECK(key_cmp(k.bytes, k.len, m.bytes, m.len) == 0);
	}
	keybuf_fini(&x);
	keybuf_fini(&y);
}

/* Checks that the text of a key is its line, or has the same key. */
static void
check_decoded(const struct order *o, const struct line *l, struct keybuf *again)
{
	struct keybuf text = { 0 };
	struct key k;

	CHECK_EQ_I64(order_decode(o, l->key.bytes, l->key.len, &text), 1);
	if (o->nfields == 0 || o->tie) {
		CHECK_EQ_I64(text.len, l->len);
		CHECK(l->len == 0 || memcmp(text.bytes, l->bytes, l->len) == 0);
	} else if (o->implied) {
		const unsigned char *at = text.bytes;
		unsigned char as_line[sizeof l->bytes + 1] = { 1 };
		size_t len = text.len;

		/*
		 * With -b a line has no such key, unless characters that -d or
		 * -i ignores are before its blanks.
		 */
		if (o->field->start_skips && len > 0 &&
		    (*at == ' ' || *at == '\t')) {
			memcpy(as_line + 1, at, len++);
			at = as_line;
		}
		/* The text of -R is in the key behind its hash. */
		REQUIRE(
		    order_key(o, len == 0 ? as_line : at, len, again, &k) == 0);
		CHECK(key_cmp(k.bytes, k.len, l->key.bytes, l->key.len) == 0);
	}
	keybuf_fini(&text);
}

static void
keys_can_be_decoded(void)
{
	struct keybuf again = { 0 };
	struct options o;
	struct order order;
	struct line l = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		random_options(&o);
		if (test_below(8) == 0)
			add(&o, test_below(2) == 0 ? "-R" : "-k2R");
		order_init(&order);
		if (compile(&order, &o) == 0)
			for (int j = 0; j < LINES; j++) {
				random_line(&l, order.format.delim);
				REQUIRE(order_key(&order, l.bytes, l.len,
					    &l.buf, &l.key) == 0);
				check_decoded(&order, &l, &again);
			}
		order_fini(&order);
	}
	keybuf_fini(&l.buf);
	keybuf_fini(&again);
}

/* No bytes make the decoder read beyond the key. */
static void
other_bytes_are_no_keys(void)
{
	struct keybuf text = { 0 };
	struct options o;
	struct order order;
	unsigned char bytes[LONGEST];
	size_t n;

	for (int i = 0; i < ROUNDS; i++) {
		random_options(&o);
		order_init(&order);
		if (compile(&order, &o) == 0)
			for (int j = 0; j < LINES; j++) {
				n = test_below(LONGEST);
				for (size_t k = 0; k < n; k++)
					bytes[k] = (unsigned char)test_random();
				text.len = 0;
				CHECK(order_decode(&order, bytes, n, &text) !=
				    -1);
			}
		order_fini(&order);
	}
	keybuf_fini(&text);
}

static void
words_make_the_same_order(void)
{
	struct order order, raw, again;
	struct options o, words;
	struct hp_err e = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		random_options(&o);
		order_init(&order);
		order_init(&raw);
		if (compile(&order, &o) == 0) {
			from_words(&again, &order, &words);
			same_keys(&order, &again);
			order_fini(&again);
			for (int k = 0; k < o.argc; k++)
				order_option(&raw, o.text[k][1],
				    o.text[k][2] == '\0' ? NULL : o.text[k] + 2,
				    &e);
			from_words(&again, &raw, &words);
			same_keys(&order, &again);
			order_fini(&again);
		}
		order_fini(&order);
		order_fini(&raw);
	}
}

int
main(void)
{
	RUN(as_sort);
	RUN(in_place);
	RUN(words_make_the_same_order);
	RUN(keys_can_be_decoded);
	RUN(other_bytes_are_no_keys);
	return test_done();
}
