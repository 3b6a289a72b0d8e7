/*
 * The direct connection between launcher and agent: both real ends, strangers
 * at the agent's port, and what happens when a connection ends.
 */

#include <sys/resource.h>
#include <sys/syscall.h>

#include <netinet/in.h>

#include "agent_frame.h"
#include "job/dial.h"

#define ADDRESS "127.0.0.1"

static struct tls_party tls; /* of all connections of the launcher */

/* The connection that the launcher is given: its name in the agent's process.
 */
static void
as_of_ssh(const char *connection)
{
	setenv("SSH_CONNECTION", connection, 1);
}

/* If set, a read from a TCP socket that has no data takes its time. */
static bool slow;

/* OpenSSL calls this function in place of that of libc. */
ssize_t read(int, void *, size_t);

ssize_t
read(int fd, void *buf, size_t n)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof at;
	ssize_t got = syscall(SYS_read, fd, buf, n);

	if (!slow || got != -1 || errno != EAGAIN)
		return got;
	if (getsockname(fd, (struct sockaddr *)&at, &len) == 0 &&
	    at.ss_family == AF_INET)
		usleep(50000);
	errno = EAGAIN;
	return -1;
}

/* Receives `hello` and sends `listen`.  Returns the agent's port. */
static uint16_t
ask(struct talk *t, const struct dial *d)
{
	char key[MESSAGE_KEY + 1] = "";
	struct message m = { .type = MESSAGE_LISTEN, .key = key };

	memcpy(key, d->key.bytes, MESSAGE_KEY);
	CHECK_EQ_I64(talk_hear(t), MESSAGE_HELLO);
	talk_send(t, &m);
	CHECK_EQ_I64(talk_hear(t), MESSAGE_LISTENING);
	return (uint16_t)t->last.port;
}

/* Connects to the port.  Returns 1, or -1 if that cannot be. */
static int
connect_to(struct dial *d, uint16_t port)
{
	double until_s = clock_now_s() + PATIENCE_S;
	struct hp_err e = { 0 };
	struct pollfd p;
	bool write;
	int rc = dial_begin(d, ADDRESS, port, &e);

	while (rc == 0 && clock_now_s() < until_s) {
		p.fd = dial_waits(d, &write);
		p.events = write ? POLLOUT : POLLIN;
		poll(&p, 1, 1000);
		rc = dial_go_on(d, &e);
	}
	if (rc == -1)
		CHECK_EQ_U64(e.kind, HP_LOST);
	return rc;
}

/* Talks over the direct connection from now on.  Returns that of the login. */
static int
switch_to(struct talk *t, struct dial *d)
{
	int login = t->fd;

	wire_fini(&t->wire);
	t->wire = d->wire;
	d->wire = (struct wire){ 0 };
	t->fd = dup(d->channel.fd); /* talk_end closes it */
	return login;
}

/* Opens a node, without waiting for `hello`. */
static void
open_node(struct talk *t)
{
	char none[] = "";
	struct message_node n = { .rank = 0,
		.dir = t->dir,
		.input = none,
		.leave = none,
		.beside = none };
	struct message m = {
		.type = MESSAGE_OPEN, .node = &n, .nnodes = 1, .timeout_s = 30
	};

	talk_send(t, &m);
	CHECK_EQ_I64(talk_hear(t), MESSAGE_OPENED);
}

static struct dial *
new_dial(void)
{
	struct hp_err e = { 0 };
	struct dial *d = NULL;

	if (tls.ctx != NULL || dial_init(&tls, &e) == 0)
		d = dial_new(&tls, "agent", &e);
	if (d == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	return d;
}

/* Begins to talk over a direct connection, with a node that is open. */
static struct dial *
begin_direct(struct talk *t, int *login)
{
	struct dial *d = new_dial();
	uint16_t port;

	talk_begin(t, true);
	port = ask(t, d);
	CHECK(port != 0);
	CHECK_EQ_I64(connect_to(d, port), 1);
	*login = switch_to(t, d);
	open_node(t);
	return d;
}

static int
stranger(uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Ends the talk after the agent has ended by itself. */
static void
it_has_ended(struct talk *t)
{
	int status;

	CHECK(comes_to_be(t->dir, false));
	CHECK_EQ_I64(waitpid(t->pid, &status, 0), t->pid);
	message_fini(&t->last);
	wire_fini(&t->wire);
	close(t->fd);
	free(t->said);
	free(t->got);
}

/* More data than any buffer holds pass in both directions. */
static void
data_pass_both_ways(void)
{
	enum {
		BYTES = 3000000,
		FRAME = 60000
	};
	struct message_action x = act_sh("cat");
	unsigned char *data = malloc(BYTES);
	struct talk t;
	int login;
	struct dial *d = begin_direct(&t, &login);

	for (size_t i = 0; i < BYTES; i++)
		data[i] = (unsigned char)(i * 7 ^ i >> 11);
	x.in_kind = x.out_kind = TEXT("stream");
	x.in_stream = 1;
	x.out_stream = 2;
	talk_start(&t, &x, 1);
	for (size_t at = 0; at < BYTES; at += FRAME)
		CHECK(wire_data(&t.wire, 1, data + at, FRAME, &t.e) == 0);
	CHECK(wire_data(&t.wire, 1, NULL, 0, &t.e) == 0);
	talk_flush(&t);
	CHECK_EQ_I64(talk_hear(&t), MESSAGE_ENDED);
	CHECK_EQ_U64(t.last.code, 0);
	CHECK_EQ_U64(t.got_len, BYTES);
	CHECK(t.got_len == BYTES && memcmp(t.got, data, BYTES) == 0);
	free(data);
	talk_end(&t, true);
	CHECK(!exists(t.dir));
	dial_free(d);
	close(login);
}

/*
 * The launcher's last bytes of the handshake arrive just after the agent has
 * tried to read them.
 */
static void
the_handshake_may_end_at_any_time(void)
{
	struct dial *d;
	struct talk t;
	int login;

	slow = true;
	d = begin_direct(&t, &login);
	slow = false;
	talk_end(&t, true);
	dial_free(d);
	close(login);
}

/* Strangers are silent, or send what is not TLS. */
static void
strangers_do_not_keep_the_launcher_away(void)
{
	struct dial *d = new_dial(), *other = new_dial();
	struct talk t;
	uint16_t port;
	int fd[3], login;

	talk_begin(&t, true);
	port = ask(&t, d);
	for (size_t i = 0; i < 3; i++)
		CHECK((fd[i] = stranger(port)) != -1);
	CHECK(write(fd[2], "GET / HTTP/1.0\r\n\r\n", 18) == 18);
	/* This stranger knows the protocol, but not the key. */
	CHECK_EQ_I64(connect_to(other, port), -1);
	CHECK_EQ_I64(connect_to(d, port), 1);
	login = switch_to(&t, d);
	open_node(&t);
	CHECK_EQ_I64(stranger(port), -1);
	for (size_t i = 0; i < 3; i++)
		close(fd[i]);
	CHECK_EQ_I64(talk_sh(&t, "exit 3"), 3);
	talk_end(&t, true);
	dial_free(d);
	dial_free(other);
	close(login);
}

/* So many strangers that the launcher cannot connect: it uses the login. */
static void
the_login_remains_if_strangers_are_many(void)
{
	struct dial *d = new_dial();
	struct talk t;
	uint16_t port;
	int fd[8];

	talk_begin(&t, true);
	port = ask(&t, d);
	for (size_t i = 0; i < 8; i++)
		CHECK((fd[i] = stranger(port)) != -1);
	CHECK_EQ_I64(connect_to(d, port), -1);
	open_node(&t);
	CHECK_EQ_I64(stranger(port), -1);
	CHECK_EQ_I64(talk_sh(&t, "exit 3"), 3);
	talk_end(&t, true);
	for (size_t i = 0; i < 8; i++)
		close(fd[i]);
	dial_free(d);
}

/* Returns the process of the agent, which is the child of its guard. */
static pid_t
agent_of(const struct talk *t)
{
	char file[64];
	FILE *f;
	int pid = 0;

	snprintf(file, sizeof file, "/proc/%d/task/%d/children", (int)t->pid,
	    (int)t->pid);
	CHECK((f = fopen(file, "r")) != NULL);
	CHECK(f != NULL && fscanf(f, "%d", &pid) == 1);
	fclose(f);
	return pid;
}

/* The agent can open no more files: the launcher uses the login. */
static void
the_login_remains_if_the_agent_has_too_many_files(void)
{
	struct rlimit few = { 0, 0 }, old;
	struct dial *d = new_dial();
	struct talk t;
	uint16_t port;
	pid_t agent;

	talk_begin(&t, true);
	port = ask(&t, d);
	agent = agent_of(&t);
	CHECK_EQ_I64(prlimit(agent, RLIMIT_NOFILE, NULL, &old), 0);
	few.rlim_max = old.rlim_max;
	CHECK_EQ_I64(prlimit(agent, RLIMIT_NOFILE, &few, NULL), 0);
	CHECK_EQ_I64(connect_to(d, port), -1);
	CHECK_EQ_I64(prlimit(agent, RLIMIT_NOFILE, &old, NULL), 0);
	open_node(&t);
	CHECK_EQ_I64(talk_sh(&t, "exit 3"), 3);
	talk_end(&t, true);
	dial_free(d);
}

/* An event that comes before the connection belongs to an older socket. */
static void
an_early_event_is_no_connection(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0), queued;
	struct dial *d = new_dial();
	struct hp_err e = { 0 };
	bool write = false;

	CHECK_EQ_I64(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
	CHECK_EQ_I64(listen(listener, 0), 0);
	CHECK_EQ_I64(getsockname(listener, (struct sockaddr *)&at, &len), 0);
	/* While one connection is not accepted, the kernel takes no other. */
	CHECK((queued = stranger(ntohs(at.sin_port))) != -1);
	CHECK_EQ_I64(dial_begin(d, ADDRESS, ntohs(at.sin_port), &e), 0);
	for (int i = 0; i < 2; i++) {
		CHECK_EQ_I64(dial_go_on(d, &e), 0);
		CHECK(dial_waits(d, &write) != -1 && write);
	}
	close(queued);
	close(listener);
	dial_free(d);
}

static void
the_end_of_the_login_ends_the_agent(void)
{
	struct talk t;
	int login;
	struct dial *d = begin_direct(&t, &login);

	close(login);
	it_has_ended(&t);
	dial_free(d);
}

/*
 * The launcher may send a beat through the login and then begin to use the
 * direct connection, which is faster: the beat arrives late.
 */
static void
a_beat_may_arrive_late_through_the_login(void)
{
	struct message beat = { .type = MESSAGE_BEAT };
	struct dial *d = new_dial();
	struct hp_err e = { 0 };
	struct wire late;
	struct talk t;
	int login;

	talk_begin(&t, true);
	CHECK_EQ_I64(connect_to(d, ask(&t, d)), 1);
	late = t.wire;
	t.wire = (struct wire){ 0 };
	login = switch_to(&t, d);
	open_node(&t);
	CHECK_EQ_I64(wire_send(&late, &beat, &e), 0);
	CHECK_EQ_I64(wire_flush(&late, &e), 0);
	CHECK_EQ_U64(wire_queued(&late), 0);
	usleep(100000);
	CHECK_EQ_I64(talk_sh(&t, "exit 3"), 3);
	close(login);
	it_has_ended(&t);
	wire_fini(&late);
	dial_free(d);
}

static void
the_end_of_the_connection_ends_the_agent(void)
{
	struct talk t;
	int login;
	struct dial *d = begin_direct(&t, &login);

	close(t.fd);
	dial_free(d);
	t.fd = -1;
	it_has_ended(&t);
	close(login);
}

/* Only ssh tells the address of the machine. */
static void
without_an_address_there_is_no_port(void)
{
	static const char *const connections[] = { NULL, "", "127.0.0.1",
		"127.0.0.1 1 localhost 22", "UNKNOWN 65535 UNKNOWN 65535",
		"127.0.0.1 1 127.0.0.1" };
	struct talk t;

	for (size_t i = 0; i < sizeof connections / sizeof *connections; i++) {
		struct dial *d = new_dial();

		if (connections[i] == NULL)
			unsetenv("SSH_CONNECTION");
		else
			as_of_ssh(connections[i]);
		talk_begin(&t, true);
		CHECK_EQ_U64(ask(&t, d), 0);
		open_node(&t);
		talk_end(&t, true);
		dial_free(d);
	}
	as_of_ssh(ADDRESS " 1 " ADDRESS " 22");
}

/* The launcher may ask for a port once, and before it opens nodes. */
static void
a_late_or_second_listen_ends_the_agent(void)
{
	char key[MESSAGE_KEY + 1];
	struct message m = { .type = MESSAGE_LISTEN, .key = key };
	struct talk t;

	memset(key, 'k', MESSAGE_KEY);
	key[MESSAGE_KEY] = '\0';
	for (int opened = 0; opened < 2; opened++) {
		talk_begin(&t, true);
		if (opened) {
			talk_open(&t, false, false, 30);
		} else {
			CHECK_EQ_I64(talk_hear(&t), MESSAGE_HELLO);
			talk_send(&t, &m);
			CHECK_EQ_I64(talk_hear(&t), MESSAGE_LISTENING);
		}
		talk_send(&t, &m);
		CHECK_EQ_I64(talk_hear(&t), -1);
		it_has_ended(&t);
	}
}

int
main(void)
{
	talk_find_programs();
	talk_own = true;
	/* The agent closes connections of strangers. */
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	as_of_ssh(ADDRESS " 1 " ADDRESS " 22");
	RUN(data_pass_both_ways);
	RUN(the_handshake_may_end_at_any_time);
	RUN(strangers_do_not_keep_the_launcher_away);
	RUN(the_login_remains_if_strangers_are_many);
	RUN(the_login_remains_if_the_agent_has_too_many_files);
	RUN(an_early_event_is_no_connection);
	RUN(the_end_of_the_login_ends_the_agent);
	RUN(a_beat_may_arrive_late_through_the_login);
	RUN(the_end_of_the_connection_ends_the_agent);
	RUN(without_an_address_there_is_no_port);
	RUN(a_late_or_second_listen_ends_the_agent);
	tls_party_fini(&tls);
	return test_done();
}
