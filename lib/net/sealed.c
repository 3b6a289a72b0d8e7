#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "net/sealed.h"

enum {
	RECORD = SEAL_HEAD + SEAL_TEXT + SEAL_TAIL,
	BATCH = 8, /* records: few enough to stay in the cache */
	/* Besides a batch there is room for a KeyUpdate and an alert. */
	OUT_BUFFER = BATCH * RECORD + 2 * (SEAL_HEAD + 8 + SEAL_TAIL),
	IN_BUFFER = BATCH * RECORD
};

int
sealed_init(struct sealed *s, int fd, const unsigned char in[SEAL_SECRET],
    const unsigned char out[SEAL_SECRET], uint64_t rekey_bytes)
{
	*s = (struct sealed){ .fd = fd, .rekey_bytes = rekey_bytes };
	s->sealed = malloc(OUT_BUFFER);
	s->came = malloc(IN_BUFFER);
	return s->sealed != NULL && s->came != NULL &&
		seal_init(&s->in, in, false) == 0 &&
		seal_init(&s->out, out, true) == 0
	    ? 0
	    : -1;
}

void
sealed_fini(struct sealed *s)
{
	seal_fini(&s->in);
	seal_fini(&s->out);
	free(s->sealed);
	free(s->came);
	*s = (struct sealed){ 0 };
}

static const char odd[] = "does not speak TLS as it should";

/* One direction is of no use any more. */
static int
breaks(const char **direction, const char *why)
{
	*direction = why;
	errno = ECONNRESET;
	return -1;
}

static int
breaks_errno(const char **direction)
{
	if (errno == EAGAIN || errno == EINTR)
		return -1;
	return breaks(direction,
	    errno == EPIPE || errno == ECONNRESET ? "closed the connection"
						  : strerrordesc_np(errno));
}

static int
append(struct sealed *s, enum seal_type type, const void *text, size_t n)
{
	if (seal_close(&s->out, type, text, n, s->sealed + s->sealed_len) == -1)
		return breaks(&s->no_more_out, "a record cannot be sealed");
	s->sealed_len += SEAL_HEAD + n + SEAL_TAIL;
	return 0;
}

/* Returns 0 once all that was sealed is out. */
static int
flush(struct sealed *s)
{
	ssize_t n;

	while (s->sealed_at < s->sealed_len) {
		n = write(s->fd, s->sealed + s->sealed_at,
		    s->sealed_len - s->sealed_at);
		if (n == -1)
			return breaks_errno(&s->no_more_out);
		s->sealed_at += (size_t)n;
	}
	s->sealed_at = s->sealed_len = 0;
	return 0;
}

/* What follows is under another key (RFC 8446, 4.6.3). */
static int
update_key(struct sealed *s)
{
	static const unsigned char message[] = { SSL3_MT_KEY_UPDATE, 0, 0, 1,
		SSL_KEY_UPDATE_NOT_REQUESTED };

	s->under_key = 0;
	s->asked = false;
	if (append(s, SEAL_HANDSHAKE, message, sizeof message) == -1)
		return -1;
	return seal_update(&s->out) == -1
	    ? breaks(&s->no_more_out, "has no new key")
	    : 0;
}

/* The next batch of a text. */
static int
seal_some(struct sealed *s, const unsigned char *text, size_t n)
{
	size_t k;

	if ((s->asked || s->under_key >= s->rekey_bytes) && update_key(s) == -1)
		return -1;
	for (int i = 0; i < BATCH && n > 0; i++, text += k, n -= k) {
		k = n < SEAL_TEXT ? n : SEAL_TEXT;
		if (append(s, SEAL_DATA, text, k) == -1)
			return -1;
		s->stands_for += k;
		s->under_key += k;
	}
	return 0;
}

ssize_t
sealed_write(struct sealed *s, const void *buf, size_t n)
{
	size_t done = 0;

	if (s->no_more_out != NULL)
		return breaks(&s->no_more_out, s->no_more_out);
	for (;;) {
		/* What was sealed is taken once all of it is out. */
		if (flush(s) == -1)
			return done > 0 ? (ssize_t)done : -1;
		done += s->stands_for;
		s->stands_for = 0;
		if (done >= n)
			return (ssize_t)done;
		if (seal_some(s, (const unsigned char *)buf + done, n - done) ==
		    -1)
			return -1;
	}
}

void
sealed_end(struct sealed *s)
{
	static const unsigned char alert[] = { SSL3_AL_WARNING,
		SSL_AD_CLOSE_NOTIFY };

	if (s->no_more_out == NULL &&
	    append(s, SEAL_ALERT, alert, sizeof alert) == 0)
		flush(s);
}

/* Reads once, where there may be something.  Returns 0 or -1. */
static int
fetch(struct sealed *s)
{
	size_t left = s->came_len - s->came_at, room;
	ssize_t n;

	if (s->drained) {
		errno = EAGAIN;
		return -1;
	}
	if (s->came_at > 0)
		memmove(s->came, s->came + s->came_at, left);
	s->came_at = 0;
	s->came_len = left;
	room = IN_BUFFER - left;
	if ((n = read(s->fd, s->came + left, room)) == -1)
		return breaks_errno(&s->no_more_in);
	if (n == 0)
		return breaks(&s->no_more_in, "the connection was cut off");
	s->came_len += (size_t)n;
	s->drained = (size_t)n < room;
	return 0;
}

static int
take_alert(struct sealed *s, const unsigned char *text, size_t n)
{
	if (n != 2)
		return breaks(&s->no_more_in, odd);
	if (text[1] != SSL_AD_CLOSE_NOTIFY)
		return breaks(
		    &s->no_more_in, SSL_alert_desc_string_long(text[1]));
	s->ended = true;
	return 0;
}

static int
take_message(struct sealed *s, const unsigned char *text, size_t n)
{
	static const unsigned char update[] = { SSL3_MT_KEY_UPDATE, 0, 0, 1 };

	if (n != sizeof update + 1 ||
	    memcmp(text, update, sizeof update) != 0 || text[n - 1] > 1)
		return breaks(&s->no_more_in, odd);
	s->asked |= text[n - 1] == SSL_KEY_UPDATE_REQUESTED;
	return seal_update(&s->in) == -1
	    ? breaks(&s->no_more_in, "has no new key")
	    : 0;
}

/*
 * Opens the next record: straight to `buf`, where it fits, which sets `got`, or
 * where it is, to be read from there.
 */
static int
open_next(struct sealed *s, unsigned char *buf, size_t room, size_t *got)
{
	unsigned char *record, *text, type;
	size_t n, len;
	int whole;

	while ((whole = seal_look(
		    s->came + s->came_at, s->came_len - s->came_at, &n)) == 0)
		if (fetch(s) == -1)
			return -1;
	if (whole == -1)
		return breaks(&s->no_more_in, odd);
	record = s->came + s->came_at;
	len = SEAL_HEAD + n + SEAL_TAIL;
	text = n <= room ? buf : record + SEAL_HEAD;
	if (seal_open(&s->in, record, &n, text, &type) == -1)
		return breaks(
		    &s->no_more_in, "what it sent was damaged on the way");
	s->came_at += len;
	switch (type) {
	case SEAL_DATA:
		if (text == buf)
			*got = n;
		else {
			s->text = text;
			s->text_len = n;
		}
		return 0;
	case SEAL_ALERT:
		return take_alert(s, text, n);
	case SEAL_HANDSHAKE:
		return take_message(s, text, n);
	default:
		return breaks(&s->no_more_in, odd);
	}
}

ssize_t
sealed_read(struct sealed *s, void *buf, size_t n)
{
	unsigned char *to = buf;
	size_t done = 0, k;

	if (s->no_more_in != NULL)
		return breaks(&s->no_more_in, s->no_more_in);
	s->drained = false;
	while (done < n && !s->ended) {
		if (s->text_len == 0) {
			k = 0;
			if (open_next(s, to + done, n - done, &k) == -1)
				return done > 0 ? (ssize_t)done : -1;
		} else {
			k = n - done < s->text_len ? n - done : s->text_len;
			memcpy(to + done, s->text, k);
			s->text += k;
			s->text_len -= k;
		}
		done += k;
	}
	return (ssize_t)done;
}

bool
sealed_has(const struct sealed *s)
{
	size_t n;

	return s->text_len > 0 || s->ended || s->no_more_in != NULL ||
	    seal_look(s->came + s->came_at, s->came_len - s->came_at, &n) != 0;
}
