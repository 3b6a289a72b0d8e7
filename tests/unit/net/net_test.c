/*
 * An exchange with peers that break the protocol.  Node 0 of two nodes runs in
 * a thread; the test plays node 1.
 */

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include <xxhash.h>

#include "link/unix.h"
#include "net/backlog.h"
#include "net/exchange.h"
#include "net/wire.h"
#include "test.h"

enum {
	/* number of silent connections: more than node 0 accepts */
	SILENT = BACKLOG_STRANGERS + 2 + 8
};

struct bench {
	char dir[2][64];
	struct address node[2];
	struct exchange x;
	pthread_t thread;
	bool joined;
	struct exchange_totals totals;
	struct hp_err e;
	int rc;
	int listener;	      /* listener of node 1 */
	int in, out;	      /* connections from and to node 0 */
	unsigned descriptors; /* open before the exchange began */
};

/* notices of node 0; read once the thread has ended */
static char noticed[2048];
static bool to_fifo; /* the output of node 1's records is a FIFO */
static _Atomic unsigned polls;

int
poll(struct pollfd *set, nfds_t n, int wait_ms)
{
	struct timespec wait = { .tv_sec = wait_ms / 1000,
		.tv_nsec = wait_ms % 1000 * 1000000L };

	polls++;
	return ppoll(set, n, wait_ms < 0 ? NULL : &wait, NULL);
}

static void
notice(const char *text)
{
	strlcat(noticed, text, sizeof noticed);
	strlcat(noticed, "\n", sizeof noticed);
}

static void *
run(void *arg)
{
	struct bench *b = arg;

	b->rc = exchange_run(&b->x, &b->totals, &b->e);
	return NULL;
}

static struct sockaddr_un
address(const struct bench *b, int node)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(
	    a.sun_path, sizeof a.sun_path, "%s/exchange.sock", b->dir[node]);
	return a;
}

/* Connects to node 0, which may not be listening yet. */
static int
reach(const struct bench *b)
{
	struct sockaddr_un a = address(b, 0);
	struct timespec nap = { .tv_nsec = 1000000 };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	while (connect(fd, (struct sockaddr *)&a, sizeof a) == -1)
		nanosleep(&nap, NULL);
	return fd;
}

static void
start(struct bench *b, double timeout_s)
{
	struct sockaddr_un a;
	char path[128];
	int fd;

	*b = (struct bench){
		.in = -1, .out = -1, .descriptors = test_descriptors()
	};
	for (int i = 0; i < 2; i++) {
		strcpy(b->dir[i], "hpnet.XXXXXX");
		if (mkdtemp(b->dir[i]) == NULL)
			abort();
		b->node[i] = (struct address){ .name = i == 0 ? "zero" : "one",
			.dir = b->dir[i] };
	}
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	a = address(b, 1);
	if (bind(fd, (struct sockaddr *)&a, sizeof a) == -1 ||
	    listen(fd, 8) == -1)
		abort();
	b->listener = fd;
	b->x = (struct exchange){ .transport = &transport_unix,
		.node = b->node,
		.nodes = 2,
		.options = { .timeout_s = timeout_s },
		/* any readable file: none of it is sent */
		.path = "/proc/self/exe",
		.prefix = b->dir[0],
		.notice = notice };
	noticed[0] = '\0';
	snprintf(path, sizeof path, "%s.1", b->dir[0]);
	if (to_fifo && mkfifo(path, 0600) == -1)
		abort();
	pthread_create(&b->thread, NULL, run, b);
}

static void
join(struct bench *b)
{
	if (!b->joined)
		pthread_join(b->thread, NULL);
	b->joined = true;
}

static void
finish(struct bench *b)
{
	char path[128];

	join(b);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/exchange.sock", b->dir[i]);
		unlink(path);
		snprintf(path, sizeof path, "%s.%d", b->dir[0], i);
		unlink(path);
		rmdir(b->dir[i]);
	}
	close(b->listener);
	if (b->in != -1)
		close(b->in);
	if (b->out != -1)
		close(b->out);
	/*
	 * However the exchange ended, node 0 has closed all descriptors that it
	 * opened.
	 */
	CHECK_EQ_U64(test_descriptors(), b->descriptors);
}

/* Returns the hello of node 1. */
static struct hello
hello_of_one(void)
{
	const char *names[] = { "zero", "one" };
	struct hello h = { .version = HELLO_VERSION,
		.nodes = 2,
		.from = 1,
		.attempt = 1,
		.run = 4711 };

	cluster_digest(names, 2, h.cluster);
	return h;
}

static void
say_hello(int fd, const struct hello *h)
{
	unsigned char bytes[HELLO_SIZE];

	hello_encode(h, bytes);
	CHECK(send(fd, bytes, sizeof bytes, MSG_NOSIGNAL) == sizeof bytes);
}

/* Reads a hello. Returns false at the end of the file. */
static bool
hear_hello(int fd, struct hello *h)
{
	unsigned char bytes[HELLO_SIZE];

	return recv(fd, bytes, sizeof bytes, MSG_WAITALL) == sizeof bytes &&
	    hello_decode(bytes, sizeof bytes, h) == 1;
}

/* Connects to node 0 and sends a hello. Returns the verdict, or 99 if node 0
 * closes the connection without one. */
static enum verdict
call(struct bench *b, uint32_t number, uint64_t run, uint64_t *frames)
{
	struct hello h = hello_of_one(), answer;

	h.attempt = number;
	h.run = run;
	b->out = reach(b);
	say_hello(b->out, &h);
	if (!hear_hello(b->out, &answer))
		return 99;
	CHECK_EQ_U64(answer.attempt, number);
	*frames = answer.frames;
	return answer.verdict;
}

/* Accepts the next connection from node 0. Returns -1 if there is none. */
static int
accept_call(const struct bench *b)
{
	struct pollfd p = { .fd = b->listener, .events = POLLIN };

	CHECK_EQ_I64(poll(&p, 1, 60000), 1);
	return p.revents == 0 ? -1 : accept(b->listener, NULL, NULL);
}

/* Accepts a connection from node 0 and asks it to continue with this frame. */
static void
be_called(struct bench *b, uint32_t number, uint64_t frames)
{
	struct hello h = hello_of_one(), theirs;

	b->in = accept_call(b);
	CHECK(hear_hello(b->in, &theirs));
	CHECK_EQ_U64(theirs.from, 0);
	CHECK_EQ_U64(theirs.to, 1);
	CHECK_EQ_U64(theirs.attempt, number);
	h.attempt = number;
	h.frames = frames;
	say_hello(b->in, &h);
}

/* Sets up both connections correctly. */
static void
connect_both(struct bench *b)
{
	uint64_t frames = 99;

	CHECK(call(b, 1, 4711, &frames) == VERDICT_WELCOME);
	CHECK_EQ_U64(frames, 0);
	be_called(b, 1, 0);
}

static void
hang_up(int *fd)
{
	close(*fd);
	*fd = -1;
}

static void
send_frame(int fd, const struct frame *f, const char *payload)
{
	unsigned char head[FRAME_HEAD];

	frame_encode(f, payload, head);
	CHECK(send(fd, head, sizeof head, MSG_NOSIGNAL) == sizeof head);
	CHECK(send(fd, payload, f->length, MSG_NOSIGNAL) == f->length);
}

static void
send_end(int fd, uint64_t frames, uint64_t records, uint64_t bytes)
{
	struct frame_totals t = { frames, records, bytes };
	unsigned char end[FRAME_HEAD + FRAME_END_PAYLOAD];

	frame_end(&t, end);
	CHECK(send(fd, end, sizeof end, MSG_NOSIGNAL) == sizeof end);
}

static void
say_note(int fd, enum note_type type, uint64_t value, const char *text)
{
	unsigned char bytes[NOTE_MAX];
	uint32_t len = note_encode(type, value, text, bytes);

	CHECK(send(fd, bytes, len, MSG_NOSIGNAL) == len);
}

/*
 * Reads the next note that is not a sign of life.  Returns false if there is
 * none.
 */
static bool
hear_note(int fd, struct note *note)
{
	unsigned char bytes[NOTE_MAX];
	uint32_t have = 0;

	for (;;) {
		int n = note_decode(bytes, have, note);

		if (n > 0 && note->type != NOTE_ALIVE)
			return true;
		if (n > 0)
			have = 0;
		if (n == -1 || recv(fd, bytes + have, 1, 0) != 1)
			return false;
		have++;
	}
}

static const struct frame good = {
	.type = FRAME_DATA, .sublist = 0, .source = 1, .length = 4, .records = 2
};

static void
notes_round_trip(void)
{
	unsigned char bytes[NOTE_MAX];
	struct note n;
	char text[NOTE_TEXT + 11];
	uint32_t len = note_encode(
	    NOTE_QUIT, 1234567890123, "tab\there", bytes);

	for (uint32_t i = 0; i < len; i++)
		CHECK_EQ_I64(note_decode(bytes, i, &n), 0);
	CHECK_EQ_I64(note_decode(bytes, len, &n), len);
	CHECK(n.type == NOTE_QUIT);
	CHECK_EQ_U64(n.value, 1234567890123);
	CHECK_EQ_STR(n.text, "tab?here");
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	CHECK_EQ_U64(note_encode(NOTE_QUIT, 0, text, bytes), NOTE_MAX);
	bytes[4]++;
	CHECK_EQ_I64(note_decode(bytes, NOTE_MAX, &n), -1);
	len = note_encode(NOTE_ALIVE, 5, "", bytes);
	CHECK_EQ_I64(note_decode(bytes, len, &n), NOTE_HEAD);
	/* Damage of any byte of a note is detected. */
	for (uint32_t i = 0; i < len; i++) {
		bytes[i] ^= 0x10;
		CHECK_EQ_I64(note_decode(bytes, len, &n), -1);
		bytes[i] ^= 0x10;
	}
}

static void
hellos_round_trip(void)
{
	struct hello h = hello_of_one(), got;
	unsigned char bytes[HELLO_SIZE];

	h.to = 7;
	h.verdict = VERDICT_LATE;
	h.frames = 1234567890123;
	h.records = 2345678901234;
	h.bytes = 3456789012345;
	h.flags = HELLO_ENDED;
	hello_encode(&h, bytes);
	for (uint32_t i = 0; i < sizeof bytes; i++)
		CHECK_EQ_I64(hello_decode(bytes, i, &got), 0);
	CHECK_EQ_I64(hello_decode(bytes, sizeof bytes, &got), 1);
	CHECK(memcmp(&h, &got, sizeof h) == 0);
	for (uint32_t i = 0; i < sizeof bytes; i++) {
		/* Of a hello with another version, only the version is read. */
		int want = i >= 8 && i < 12 ? 1 : -1;

		bytes[i] ^= 0x10;
		CHECK_EQ_I64(hello_decode(bytes, sizeof bytes, &got), want);
		bytes[i] ^= 0x10;
	}
	/* A hello of protocol version 1 was shorter. */
	bytes[8] = 1;
	CHECK_EQ_I64(hello_decode(bytes, 16, &got), 1);
	CHECK_EQ_U64(got.version, 1);
	CHECK(hello_judge(&got, &h) == VERDICT_VERSION);
	CHECK_EQ_I64(hello_decode((const unsigned char *)"hp?", 3, &got), -1);
}

static void
hellos_are_judged(void)
{
	struct hello mine = hello_of_one(), h = hello_of_one();
	const char *names[] = { "zer", "oone" };

	mine.from = 0;
	CHECK(hello_judge(&h, &mine) == VERDICT_WELCOME);
	h.version++;
	CHECK(hello_judge(&h, &mine) == VERDICT_VERSION);
	h = hello_of_one();
	h.nodes = 3;
	CHECK(hello_judge(&h, &mine) == VERDICT_CLUSTER);
	h = hello_of_one();
	cluster_digest(names, 2, h.cluster);
	CHECK(hello_judge(&h, &mine) == VERDICT_CLUSTER);
	h = hello_of_one();
	h.from = 0;
	CHECK(hello_judge(&h, &mine) == VERDICT_ADDRESS);
	h.from = 2;
	CHECK(hello_judge(&h, &mine) == VERDICT_ADDRESS);
	h = hello_of_one();
	h.to = 1;
	CHECK(hello_judge(&h, &mine) == VERDICT_ADDRESS);
}

/* Each verdict has its own text, which the message shows. */
static void
verdicts_are_told_apart(void)
{
	CHECK_EQ_STR(verdict_text(VERDICT_LATE),
	    "a later connection attempt was answered already");
	for (int i = VERDICT_WELCOME; i <= VERDICT_GONE; i++) {
		CHECK(strlen(verdict_text((enum verdict)i)) > 5);
		for (int k = VERDICT_WELCOME; k < i; k++)
			CHECK(strcmp(verdict_text((enum verdict)i),
				  verdict_text((enum verdict)k)) != 0);
	}
	CHECK_EQ_STR(
	    verdict_text((enum verdict)(VERDICT_GONE + 1)), "unknown reason");
}

static void
a_good_peer(void)
{
	struct bench b;
	struct note note;
	struct frame f = good;
	unsigned char bytes[FRAME_HEAD + FRAME_END_PAYLOAD], end[sizeof bytes];
	struct frame_totals none = { 0 };
	char path[128], got[16] = "";
	int fd;

	start(&b, 20);
	connect_both(&b);
	send_frame(b.out, &f, "a\nb\n");
	f.number = 1;
	f.length = 0;
	f.records = 0;
	send_frame(b.out, &f, ""); /* a sign of life */
	send_end(b.out, 2, 2, 4);
	frame_end(&none, end);
	CHECK(recv(b.in, bytes, sizeof bytes, MSG_WAITALL) == sizeof bytes);
	CHECK_BYTES(bytes, sizeof bytes, end, sizeof end);
	CHECK(hear_note(b.out, &note));
	CHECK(note.type == NOTE_STORED);
	CHECK_EQ_U64(note.value, 3);
	/* The output must not appear before all nodes are done. */
	snprintf(path, sizeof path, "%s.1", b.dir[0]);
	CHECK_EQ_I64(access(path, F_OK), -1);
	say_note(b.in, NOTE_STORED, 1, "");
	CHECK(hear_note(b.in, &note));
	CHECK(note.type == NOTE_BYE);
	say_note(b.out, NOTE_BYE, 3, "");
	join(&b);
	CHECK_EQ_I64(b.rc, 0);
	fd = open(path, O_RDONLY);
	CHECK_EQ_I64(read(fd, got, sizeof got), 4);
	close(fd);
	CHECK_EQ_STR(got, "a\nb\n");
	CHECK_EQ_U64(b.totals.records, 2);
	CHECK_EQ_U64(b.totals.bytes, 4);
	CHECK_EQ_STR(noticed, "");
	finish(&b);
}

/*
 * Node 1 refuses a call of node 0 as late.  Node 0 then connects again, and no
 * node is blamed.
 */
static void
a_refused_late_attempt_is_followed_by_another(void)
{
	unsigned char end[FRAME_HEAD + FRAME_END_PAYLOAD];
	struct hello h = hello_of_one(), theirs;
	struct bench b;
	struct note note;
	uint64_t frames = 99;

	start(&b, 20);
	CHECK(call(&b, 1, 4711, &frames) == VERDICT_WELCOME);
	b.in = accept_call(&b);
	CHECK(hear_hello(b.in, &theirs));
	h.attempt = theirs.attempt;
	h.verdict = VERDICT_LATE;
	say_hello(b.in, &h);
	CHECK_EQ_I64(read(b.in, end, 1), 0);
	hang_up(&b.in);
	be_called(&b, 2, 0);
	CHECK(recv(b.in, end, sizeof end, MSG_WAITALL) == sizeof end);
	say_note(b.in, NOTE_STORED, 1, "");
	send_end(b.out, 0, 0, 0);
	CHECK(hear_note(b.out, &note) && note.type == NOTE_STORED);
	say_note(b.out, NOTE_BYE, 1, "");
	join(&b);
	CHECK_EQ_I64(b.rc, 0);
	CHECK_EQ_STR(noticed, "");
	finish(&b);
}

/* Frames that do not arrive whole, or are damaged, are requested again. */
static void
break_frames(struct bench *b, struct frame *f)
{
	unsigned char bytes[FRAME_HEAD];
	uint64_t frames;

	/* The connection breaks within the first frame. */
	frame_encode(f, "a\nb\n", bytes);
	CHECK(send(b->out, bytes, 30, 0) == 30);
	hang_up(&b->out);
	CHECK(call(b, 2, 4711, &frames) == VERDICT_WELCOME);
	CHECK_EQ_U64(frames, 0);
	send_frame(b->out, f, "a\nb\n");
	/* The second frame is damaged. */
	f->number = 1;
	frame_encode(f, "c\nd\n", bytes);
	CHECK(send(b->out, bytes, FRAME_HEAD, 0) == FRAME_HEAD);
	CHECK(send(b->out, "c\nx\n", 4, 0) == 4);
	while (read(b->out, bytes, sizeof bytes) > 0)
		;
	hang_up(&b->out);
}

/*
 * A hello of another process, or of an earlier attempt, is refused. A new
 * connection replaces the existing one, which is closed.
 */
static void
replace_connection(struct bench *b)
{
	unsigned char byte;
	uint64_t frames;
	int fd;

	CHECK(call(b, 3, 815, &frames) == VERDICT_TWICE);
	hang_up(&b->out);
	CHECK(call(b, 2, 4711, &frames) == VERDICT_LATE);
	hang_up(&b->out);
	CHECK(call(b, 3, 4711, &frames) == VERDICT_WELCOME);
	CHECK_EQ_U64(frames, 1);
	fd = b->out;
	CHECK(call(b, 4, 4711, &frames) == VERDICT_WELCOME);
	while (read(fd, &byte, 1) > 0)
		;
	close(fd);
}

/* A sender that missed the verdict connects again. */
static void
miss_the_verdict(struct bench *b)
{
	struct note note;
	uint64_t frames;

	CHECK(hear_note(b->out, &note) && note.type == NOTE_STORED);
	hang_up(&b->out);
	CHECK(call(b, 5, 4711, &frames) == VERDICT_WELCOME);
	CHECK_EQ_U64(frames, 3);
	CHECK(hear_note(b->out, &note) && note.type == NOTE_STORED);
	CHECK_EQ_U64(note.value, 3);
	say_note(b->out, NOTE_BYE, 3, "");
}

/* In the other direction, the end is sent again on request. */
static void
ask_for_the_end(struct bench *b)
{
	unsigned char end[FRAME_HEAD + FRAME_END_PAYLOAD];
	struct note note;

	hang_up(&b->in);
	be_called(b, 2, 0);
	CHECK(recv(b->in, end, sizeof end, MSG_WAITALL) == sizeof end);
	hang_up(&b->in);
	be_called(b, 3, 1);
	say_note(b->in, NOTE_STORED, 1, "");
	CHECK(hear_note(b->in, &note) && note.type == NOTE_BYE);
}

/* Connections break at various moments. No data are lost. */
static void
breaking_connections(void)
{
	struct bench b;
	struct frame f = good;
	char path[128], got[16] = "";
	int fd;

	start(&b, 20);
	connect_both(&b);
	break_frames(&b, &f);
	replace_connection(&b);
	send_frame(b.out, &f, "c\nd\n");
	send_end(b.out, 2, 4, 8);
	miss_the_verdict(&b);
	ask_for_the_end(&b);
	join(&b);
	CHECK_EQ_I64(b.rc, 0);
	snprintf(path, sizeof path, "%s.1", b.dir[0]);
	fd = open(path, O_RDONLY);
	CHECK_EQ_I64(read(fd, got, sizeof got), 8);
	close(fd);
	CHECK_EQ_STR(got, "a\nb\nc\nd\n");
	/* The user is not told about a late attempt. */
	CHECK(strstr(noticed, "refused node 1: another process runs") != NULL);
	CHECK(strstr(noticed, "a later connection") == NULL);
	finish(&b);
}

/* Node 0 looks for the reader of its output now and then, and does not spin. */
static void
an_output_without_a_reader(void)
{
	const struct timespec nap = { .tv_nsec = 300000000 };
	struct bench b;
	struct note note;
	char path[128], got[16] = "";
	unsigned before;
	int fd;

	to_fifo = true;
	start(&b, 20);
	to_fifo = false;
	connect_both(&b);
	send_frame(b.out, &good, "a\nb\n");
	before = polls;
	nanosleep(&nap, NULL);
	CHECK(polls - before < 1000);
	snprintf(path, sizeof path, "%s.1", b.dir[0]);
	fd = open(path, O_RDONLY);
	CHECK_EQ_I64(read(fd, got, 4), 4);
	CHECK_EQ_STR(got, "a\nb\n");
	send_end(b.out, 1, 2, 4);
	say_note(b.in, NOTE_STORED, 1, "");
	CHECK(hear_note(b.out, &note) && note.type == NOTE_STORED);
	say_note(b.out, NOTE_BYE, 2, "");
	CHECK_EQ_I64(read(fd, got, 1), 0);
	close(fd);
	finish(&b);
	CHECK_EQ_I64(b.rc, 0);
}

/* Strangers are disconnected, and the exchange continues. */
static void
connections_of_strangers_are_refused(void)
{
	struct hello h = hello_of_one(), answer;
	struct bench b;
	int fd[SILENT];
	struct note note;
	unsigned char bytes[NOTE_MAX];
	const char scan[64] = "GET / HTTP/1.0\r\nUser-Agent: a scanner\r\n";

	start(&b, 20);
	fd[0] = reach(&b);
	CHECK(send(fd[0], scan, sizeof scan, 0) == sizeof scan);
	CHECK(read(fd[0], bytes, 1) <= 0);
	close(fd[0]);
	fd[0] = reach(&b);
	h.nodes = 9;
	say_hello(fd[0], &h);
	CHECK(hear_hello(fd[0], &answer));
	CHECK(answer.verdict == VERDICT_CLUSTER);
	CHECK_EQ_I64(read(fd[0], bytes, 1), 0);
	close(fd[0]);
	/* Strangers open more silent connections than node 0 accepts. */
	for (int i = 0; i < SILENT; i++)
		fd[i] = reach(&b);
	connect_both(&b);
	for (int i = 0; i < SILENT; i++)
		close(fd[i]);
	send_end(b.out, 0, 0, 0);
	CHECK(recv(b.in, bytes, FRAME_HEAD + FRAME_END_PAYLOAD, MSG_WAITALL) ==
	    FRAME_HEAD + FRAME_END_PAYLOAD);
	say_note(b.in, NOTE_STORED, 1, "");
	CHECK(hear_note(b.out, &note));
	say_note(b.out, NOTE_BYE, 1, "");
	finish(&b);
	CHECK_EQ_I64(b.rc, 0);
	CHECK(strstr(noticed,
		  "refused a connection: the process is not hpexchange\n") ==
	    noticed);
	CHECK(strstr(noticed,
		  "refused node 1: another cluster: the nodes are not the "
		  "same\n") != NULL);
	CHECK(strstr(noticed, "closed the oldest\n") != NULL);
}

/* Runs an exchange in which `play` misbehaves after the hellos. Checks the
 * error of node 0. */
static void
expect(void (*play)(struct bench *), double timeout_s, enum hp_kind kind,
    const char *text)
{
	struct bench b;
	struct stat st;
	char path[128];

	start(&b, timeout_s);
	connect_both(&b);
	play(&b);
	join(&b);
	CHECK_EQ_I64(b.rc, -1);
	CHECK_EQ_I64(b.e.kind, kind);
	CHECK_EQ_STR(b.e.text, text);
	/* No output appeared under its final name. */
	snprintf(path, sizeof path, "%s.1", b.dir[0]);
	CHECK_EQ_I64(stat(path, &st), -1);
	finish(&b);
}

static void
wrong_number(struct bench *b)
{
	struct frame f = good;

	f.number = 1;
	send_frame(b->out, &f, "a\nb\n");
}

static void
wrong_source(struct bench *b)
{
	struct frame f = good;

	f.source = 0;
	send_frame(b->out, &f, "a\nb\n");
}

static void
wrong_sublist(struct bench *b)
{
	struct frame f = good;

	f.sublist = 1;
	send_frame(b->out, &f, "a\nb\n");
}

/* Sends the same head on every new connection. Node 0 tolerates a limited
 * number. */
static void
over_and_over(struct bench *b, const unsigned char head[FRAME_HEAD])
{
	unsigned char bytes[FRAME_HEAD + 4];
	uint64_t frames;
	char byte;

	/* The receiver closes the connection as soon as it reads the bad
	 * head. */
	memcpy(bytes, head, FRAME_HEAD);
	memcpy(bytes + FRAME_HEAD, "a\nc\n", 4);
	for (uint32_t i = 2;; i++) {
		CHECK(send(b->out, bytes, sizeof bytes, 0) == sizeof bytes);
		while (read(b->out, &byte, 1) > 0)
			;
		hang_up(&b->out);
		if (i > 5 || call(b, i, 4711, &frames) != VERDICT_WELCOME)
			break;
	}
}

static void
flipped_bits(struct bench *b)
{
	unsigned char head[FRAME_HEAD];

	frame_encode(&good, "a\nb\n", head);
	over_and_over(b, head);
}

/* Announces a payload of 4 GiB in a head with valid checksum (hp-stream(5)). */
static void
promises_too_much(struct bench *b)
{
	unsigned char head[FRAME_HEAD];
	uint64_t sum;

	frame_encode(&good, "a\nb\n", head);
	memset(head + 12, 0xff, 4);
	memset(head + 22, 0, 2);
	sum = XXH3_64bits(head, 32);
	head[22] = (unsigned char)sum;
	head[23] = (unsigned char)(sum >> 8);
	over_and_over(b, head);
}

static void
wrong_totals(struct bench *b)
{
	send_frame(b->out, &good, "a\nb\n");
	send_end(b->out, 1, 3, 4);
}

static void
open_record(struct bench *b)
{
	struct frame f = good;

	f.flags = FRAME_MORE;
	f.records = 0;
	send_frame(b->out, &f, "aaaa");
	send_end(b->out, 1, 0, 4);
}

static void
hangs_up(struct bench *b)
{
	struct timespec nap = { .tv_nsec = 50000000 };
	unsigned char bytes[NOTE_MAX];
	uint32_t len = note_encode(NOTE_ALIVE, 0, "", bytes);

	send_frame(b->out, &good, "a\nb\n");
	hang_up(&b->out);
	/* Keeps sending to node 0 until it stops receiving. */
	while (send(b->in, bytes, len, MSG_NOSIGNAL) == len)
		nanosleep(&nap, NULL);
}

/*
 * Node 1 stops listening and closes the connection from node 0, as if it had
 * ended.
 */
static void
is_gone(struct bench *b)
{
	send_frame(b->out, &good, "a\nb\n");
	shutdown(b->listener, SHUT_RDWR);
	hang_up(&b->in);
}

static void
comes_anew(struct bench *b)
{
	struct hello h = hello_of_one(), theirs;

	hang_up(&b->in);
	b->in = accept_call(b);
	CHECK(hear_hello(b->in, &theirs));
	h.attempt = theirs.attempt;
	h.run++;
	say_hello(b->in, &h);
}

static void
asks_for_what_was_not_sent(struct bench *b)
{
	hang_up(&b->in);
	be_called(b, 2, 2);
}

static void
stores_too_much(struct bench *b)
{
	say_note(b->in, NOTE_ALIVE, 2, "");
}

static void
stores_too_early(struct bench *b)
{
	say_note(b->in, NOTE_STORED, 0, "");
}

static void
babbles(struct bench *b)
{
	/*
	 * Node 0 gives up after ten connections on which it receives no valid
	 * note.
	 */
	for (uint32_t i = 2; i <= 10; i++) {
		CHECK(send(b->in, "good morning, zero; how are you?", 32, 0) ==
		    32);
		hang_up(&b->in);
		be_called(b, i, 0);
	}
}

static void
gives_up(struct bench *b)
{
	say_note(b->in, NOTE_QUIT, 1, "disk\33full");
}

static void
gives_up_on_us(struct bench *b)
{
	/*
	 * Node 0 first sees the end of the frames, but still reports the reason
	 * that the note gives.
	 */
	say_note(b->in, NOTE_QUIT, 0, "silent");
	hang_up(&b->out);
}

static void
says_nothing(struct bench *b)
{
	(void)b;
}

static void
stops_inside_a_frame(struct bench *b)
{
	CHECK(send(b->out, "\1\0\0\0", 4, 0) == 4);
}

static void
peers_that_send_invalid_data_are_lost(void)
{
	expect(wrong_number, 60, HP_INPUT, "one: frame 1 arrived instead of 0");
	expect(wrong_source, 60, HP_INPUT,
	    "one: frame 0 of node 0 for sublist 0 does not belong here");
	expect(wrong_sublist, 60, HP_INPUT,
	    "one: frame 0 of node 1 for sublist 1 does not belong here");
	expect(flipped_bits, 60, HP_LOST, "one: all data from it is damaged");
	expect(
	    promises_too_much, 60, HP_LOST, "one: all data from it is damaged");
	expect(wrong_totals, 60, HP_INPUT,
	    "one: 1 frames, 2 records, 4 bytes arrived, but 1, 3, 4 were sent");
	expect(open_record, 60, HP_INPUT, "one: ends inside a record");
	expect(stores_too_much, 60, HP_INPUT,
	    "one: acknowledges more than was sent");
	expect(stores_too_early, 60, HP_INPUT,
	    "one: confirmed records that were not sent yet");
	expect(asks_for_what_was_not_sent, 60, HP_INPUT,
	    "one: asks for frame 2 of 0 to 1");
	expect(babbles, 60, HP_LOST, "one: all connections to it break");
}

static void
peers_that_leave_are_lost(void)
{
	expect(hangs_up, 2, HP_LOST,
	    "one: closed the connection and did not come back for 2 s");
	expect(is_gone, 60, HP_LOST, "one: closed the connection");
	expect(comes_anew, 60, HP_LOST,
	    "one: was started again without its earlier data");
	expect(gives_up, 60, HP_LOST, "one: disk?full");
	expect(gives_up_on_us, 60, HP_LOST, "one: ended the exchange: silent");
	expect(says_nothing, 2, HP_LOST, "one: silent for 2 s");
	expect(stops_inside_a_frame, 2, HP_LOST, "one: silent for 2 s");
}

int
main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_scratch();
	RUN(notes_round_trip);
	RUN(hellos_round_trip);
	RUN(hellos_are_judged);
	RUN(verdicts_are_told_apart);
	RUN(a_good_peer);
	RUN(a_refused_late_attempt_is_followed_by_another);
	RUN(breaking_connections);
	RUN(an_output_without_a_reader);
	RUN(connections_of_strangers_are_refused);
	RUN(peers_that_send_invalid_data_are_lost);
	RUN(peers_that_leave_are_lost);
	return test_done();
}
