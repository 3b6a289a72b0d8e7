/*
 * Keys and encrypted channels: both ends of a connection in one process, over a
 * socket pair.
 */

#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "link/channel.h"
#include "link/tls.h"
#include "test.h"

enum {
	BULK = 3 << 20,
	REKEY = 1 << 20
};

struct pair {
	struct jobkey key[2];
	struct tls_party party[2];
	struct channel end[2]; /* the connecting end and the listening end */
};

static void
fill(struct jobkey *k, int byte)
{
	memset(k->bytes, byte, JOBKEY_MIN);
	k->len = JOBKEY_MIN;
}

/* number of key updates that end[0] has reported */
static int updates;

static void
count_updates(int writes, int version, int type, const void *buf, size_t len,
    SSL *ssl, void *ignored)
{
	(void)version;
	(void)ssl;
	(void)ignored;
	if (writes && type == SSL3_RT_HANDSHAKE && len > 0 &&
	    *(const unsigned char *)buf == SSL3_MT_KEY_UPDATE)
		updates++;
}

/* Node a connects to b over a socket of this type. The other end believes that
 * it is `there`. */
static void
meet_by(struct pair *p, int socket_type, const char *there, int other_key)
{
	struct hp_err e;
	int fd[2];

	CHECK(socketpair(AF_UNIX, socket_type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
		  fd) == 0);
	fill(&p->key[0], 1);
	fill(&p->key[1], other_key);
	CHECK(tls_party_init(&p->party[0], "a", &p->key[0], &e) == 0);
	CHECK(tls_party_init(&p->party[1], there, &p->key[1], &e) == 0);
	SSL_CTX_set_msg_callback(p->party[0].ctx, count_updates);
	updates = 0;
	CHECK(tls_connect(&p->party[0], fd[0], "b", &p->end[0], &e) == 0);
	CHECK(tls_accept(&p->party[1], fd[1], "there", &p->end[1], &e) == 0);
}

static void
meet(struct pair *p, const char *there, int other_key)
{
	meet_by(p, SOCK_STREAM, there, other_key);
}

static void
part(struct pair *p)
{
	for (int i = 0; i < 2; i++) {
		channel_close(&p->end[i]);
		tls_party_fini(&p->party[i]);
	}
}

/* Returns whether polling as the channel asks shows that it can be read. */
static bool
may_read(struct channel *c)
{
	struct pollfd p;
	bool now = channel_watch(c, &p, true, false);

	CHECK(poll(&p, 1, now ? 0 : 100) != -1);
	return (channel_polled(c, &p) & POLLIN) != 0;
}

/* Reads n bytes at end `at`, and lets the other end proceed meanwhile. */
static ssize_t
hear(struct pair *p, int at, void *buf, size_t n)
{
	char byte;
	size_t done = 0;
	ssize_t r;

	for (int i = 0; i < 10000 && done < n; i++) {
		if (channel_read(&p->end[1 - at], &byte, 0) == -1 &&
		    errno != EAGAIN)
			return -1;
		if (!may_read(&p->end[at]))
			continue;
		r = channel_read(&p->end[at], (char *)buf + done, n - done);
		if (r == -1 && errno == EAGAIN)
			continue;
		if (r <= 0)
			return r;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static void
keys_of_pairs(void)
{
	/*
	 * The expected bytes are those of RFC 5869, test case 3: the first 32
	 * bytes.
	 */
	static const unsigned char rfc[PAIR_KEY] = { 0x8d, 0xa4, 0xe7, 0x75,
		0xa5, 0x63, 0xc1, 0x8f, 0x71, 0x5f, 0x80, 0x2a, 0x06, 0x3c,
		0x5a, 0x31, 0xb8, 0xa1, 0x1f, 0x5c, 0x5e, 0xe1, 0x87, 0x9e,
		0xc3, 0x45, 0x4e, 0x5f, 0x3c, 0x73, 0x8d, 0x2d };
	struct jobkey k = { .len = 22 };
	unsigned char name[PAIR_NAME_MAX] = "", got[PAIR_KEY], other[PAIR_KEY];
	char command[512], line[256], hex[2 * PAIR_KEY + 1];
	size_t len;
	FILE *f;

	memset(k.bytes, 0x0b, k.len);
	CHECK(pair_key(&k, name, 0, got) == 0);
	CHECK_BYTES(got, sizeof got, rfc, sizeof rfc);

	len = pair_name("big", "old", name);
	CHECK_BYTES(name, len, "hp1\0big\0old\0", 12);
	fill(&k, 0xa5);
	CHECK(pair_key(&k, name, len, got) == 0);
	snprintf(command, sizeof command,
	    "openssl kdf -binary -keylen %d -kdfopt digest:SHA256 "
	    "-kdfopt hexkey:$(printf 'a5%%.0s' $(seq %d)) "
	    "-kdfopt hexinfo:68703100626967006f6c6400 HKDF | xxd -p -c 64",
	    PAIR_KEY, JOBKEY_MIN);
	f = popen(command, "r");
	CHECK(f != NULL && fgets(line, sizeof line, f) != NULL);
	pclose(f);
	for (int i = 0; i < PAIR_KEY; i++)
		snprintf(hex + 2 * i, 3, "%02x", got[i]);
	line[strcspn(line, "\n")] = '\0';
	CHECK_EQ_STR(hex, line);

	/* The opposite direction of the pair has another key. */
	len = pair_name("old", "big", name);
	CHECK(pair_key(&k, name, len, other) == 0);
	CHECK(memcmp(got, other, sizeof got) != 0);
}

static void
names_of_pairs(void)
{
	unsigned char name[PAIR_NAME_MAX];
	char long_name[256];
	size_t len = pair_name("a", "b", name);

	CHECK(pair_name_is_to(name, len, "b"));
	CHECK(!pair_name_is_to(name, len, "a"));
	CHECK(!pair_name_is_to(name, len, ""));
	for (size_t i = 0; i < len; i++) {
		CHECK(!pair_name_is_to(name, i, "b"));
		name[i] ^= 0x40;
		CHECK(pair_name_is_to(name, len, "b") == (i == 4));
		name[i] ^= 0x40;
	}
	/* No names, and three names. */
	CHECK(!pair_name_is_to((const void *)"hp1\0\0b\0", 7, "b"));
	CHECK(!pair_name_is_to((const void *)"hp1\0a\0c\0b\0", 10, "b"));
	memset(long_name, 'x', 255);
	long_name[255] = '\0';
	len = pair_name(long_name, long_name, name);
	CHECK_EQ_U64(len, PAIR_NAME_MAX);
	CHECK(pair_name_is_to(name, len, long_name));
}

/* The first bytes are accepted at once and arrive. Then both ends send data. */
static void
both_ends_read_what_the_other_wrote(void)
{
	struct pair p;
	char buf[16];

	meet(&p, "b", 1);
	CHECK(channel_write_first(&p.end[0], "good morning", 12) == 0);
	CHECK_EQ_I64(hear(&p, 1, buf, 5), 5);
	/*
	 * The rest of the message is buffered in the channel, where poll(2)
	 * cannot see it.
	 */
	CHECK(may_read(&p.end[1]));
	CHECK_EQ_I64(hear(&p, 1, buf + 5, 7), 7);
	CHECK_BYTES(buf, 12, "good morning", 12);
	CHECK(!may_read(&p.end[1]));
	CHECK(channel_write_first(&p.end[1], "hello", 5) == 0);
	CHECK_EQ_I64(hear(&p, 0, buf, 5), 5);
	CHECK_BYTES(buf, 5, "hello", 5);
	/* An announced end is read as the end of file. */
	CHECK(channel_write(&p.end[1], "bye", 3) == 3);
	channel_close(&p.end[1]);
	CHECK(may_read(&p.end[0]));
	CHECK_EQ_I64(channel_read(&p.end[0], buf, sizeof buf), 3);
	CHECK(may_read(&p.end[0]));
	CHECK_EQ_I64(channel_read(&p.end[0], buf, sizeof buf), 0);
	part(&p);
}

/* More data than the connection buffers, under several keys. */
static void
large_amounts_arrive(void)
{
	unsigned char *in = malloc(BULK), *out = malloc(BULK),
		      *copy = malloc(BULK);
	size_t sent = 0, got = 0;
	struct pair p;
	struct pollfd set;
	ssize_t n;

	for (size_t i = 0; i < BULK; i++)
		out[i] = (unsigned char)(i * 2654435761u >> 13);
	memcpy(copy, out, BULK);
	meet(&p, "b", 1);
	p.party[0].rekey_bytes = REKEY;
	CHECK(channel_write_first(&p.end[0], "x", 1) == 0);
	CHECK_EQ_I64(hear(&p, 1, in, 1), 1);
	for (int i = 0; i < 100000 && got < BULK; i++) {
		/* Bytes that were not accepted may be at another address in the
		 * next call. */
		n = channel_write(
		    &p.end[0], (i % 2 == 0 ? out : copy) + sent, BULK - sent);
		if (n == -1) {
			CHECK_EQ_I64(errno, EAGAIN);
			channel_watch(&p.end[0], &set, false, true);
			CHECK((set.events & POLLOUT) != 0);
		} else
			sent += (size_t)n;
		n = channel_read(&p.end[1], in + got,
		    BULK - got < 70000 ? BULK - got : 70000);
		CHECK(n > 0 || (n == -1 && errno == EAGAIN));
		got += n > 0 ? (size_t)n : 0;
	}
	CHECK_EQ_U64(got, BULK);
	CHECK_BYTES(in, BULK, out, BULK);
	/* The last key update would come only with the next byte. */
	CHECK_EQ_I64(updates, BULK / REKEY - 1);
	part(&p);
	free(in);
	free(out);
	free(copy);
}

/* Several records are sent with a single write(2). */
static void
records_gather(void)
{
	static unsigned char text[100000];
	struct pair p;
	char buf[1];

	meet_by(&p, SOCK_SEQPACKET, "b", 1);
	CHECK(channel_write_first(&p.end[0], "x", 1) == 0);
	CHECK_EQ_I64(hear(&p, 1, buf, 1), 1);
	CHECK_EQ_I64(channel_write(&p.end[0], text, sizeof text), sizeof text);
	CHECK(recv(p.end[1].fd, buf, 1, MSG_TRUNC | MSG_PEEK) >
	    (ssize_t)sizeof text);
	part(&p);
}

/* A connection that ends without close_notify is an error, at any byte. */
static void
a_connection_that_is_cut_off_is_an_error(void)
{
	struct pair p;
	char buf[16];
	int fd;

	meet(&p, "b", 1);
	CHECK(channel_write_first(&p.end[0], "x", 1) == 0);
	CHECK_EQ_I64(hear(&p, 1, buf, 1), 1);
	CHECK(channel_write(&p.end[0], "half", 4) == 4);
	/*
	 * shutdown(2) does what the kernel does to the connection of a killed
	 * process.
	 */
	CHECK(shutdown(p.end[0].fd, SHUT_RDWR) == 0);
	CHECK_EQ_I64(hear(&p, 1, buf, 4), 4);
	CHECK(may_read(&p.end[1]));
	CHECK_EQ_I64(channel_read(&p.end[1], buf, 4), -1);
	CHECK_EQ_I64(errno, ECONNRESET);
	CHECK_EQ_STR(channel_why(&p.end[1]), "the connection was cut off");
	part(&p);

	/*
	 * A flipped bit does not look like the end of the data, but no byte is
	 * delivered.
	 */
	meet(&p, "b", 1);
	CHECK(channel_write_first(&p.end[0], "x", 1) == 0);
	CHECK_EQ_I64(hear(&p, 1, buf, 1), 1);
	fd = p.end[0].fd;
	CHECK(write(fd,
		  "\x17\x03\x03\0\x20----------------"
		  "----------------",
		  37) == 37);
	CHECK_EQ_I64(channel_read(&p.end[1], buf, 4), -1);
	CHECK_EQ_I64(errno, ECONNRESET);
	CHECK_EQ_STR(channel_why(&p.end[1]), "sent damaged data");
	CHECK(may_read(&p.end[0]));
	CHECK_EQ_I64(channel_read(&p.end[0], buf, 4), -1);
	CHECK_EQ_I64(errno, ECONNRESET);
	CHECK_EQ_STR(channel_why(&p.end[0]), "received damaged data");
	part(&p);
}

/* Lets both ends proceed until both know that the connection is refused. */
static void
refused(struct pair *p, const char *why, const char *told)
{
	char buf[4];

	CHECK(channel_write_first(&p->end[0], "secret", 6) == 0);
	CHECK_EQ_I64(hear(p, 1, buf, 1), -1);
	CHECK_EQ_I64(channel_read(&p->end[1], buf, 1), -1);
	CHECK_EQ_STR(channel_why(&p->end[1]), why);
	channel_close(&p->end[1]);
	CHECK_EQ_I64(channel_read(&p->end[0], buf, 1), -1);
	CHECK_EQ_I64(errno, EACCES);
	CHECK_EQ_STR(channel_why(&p->end[0]), told);
	part(p);
}

static void
wrong_keys_are_refused(void)
{
	struct pair p;

	meet(&p, "b", 2);
	refused(&p, "has another key", "has another key");
	/*
	 * The key is correct but belongs to another pair, for example when a
	 * node connects to itself.
	 */
	meet(&p, "a", 1);
	refused(&p, "expects another node, or has no key",
	    "expects another node, or has no key");
}

static void
peers_that_do_not_speak_tls_are_refused(void)
{
	static const char *const say[] = { "GET / HTTP/1.0\r\n\r\n", "\n",
		"SSH-2.0-OpenSSH_9.2p1\r\n", "hpexchng\1\0\0\0" };
	struct pair p;
	char buf[4];

	for (size_t i = 0; i < sizeof say / sizeof *say; i++) {
		meet(&p, "b", 1);
		CHECK(write(p.end[0].fd, say[i], strlen(say[i])) > 0);
		CHECK(shutdown(p.end[0].fd, SHUT_WR) == 0);
		CHECK(may_read(&p.end[1]));
		CHECK_EQ_I64(channel_read(&p.end[1], buf, 1), -1);
		CHECK(errno == EACCES || errno == ECONNRESET);
		if (i == 0)
			CHECK_EQ_STR(
			    channel_why(&p.end[1]), "does not speak TLS");
		part(&p);
	}
	/* Waiting for a refused channel must not become a busy loop. */
	meet(&p, "b", 1);
	CHECK(!may_read(&p.end[1]));
	part(&p);
}

int
main(void)
{
	signal(SIGPIPE, SIG_IGN);
	RUN(keys_of_pairs);
	RUN(names_of_pairs);
	RUN(both_ends_read_what_the_other_wrote);
	RUN(large_amounts_arrive);
	RUN(records_gather);
	RUN(a_connection_that_is_cut_off_is_an_error);
	RUN(wrong_keys_are_refused);
	RUN(peers_that_do_not_speak_tls_are_refused);
	return test_done();
}
