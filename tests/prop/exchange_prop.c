/*
 * An exchange over unreliable connections. Whatever a proxy between the nodes
 * does, all nodes succeed, and each gets every byte that belongs to it. The
 * nodes are threads, the faults are random.
 */

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "link/unix.h"
#include "net/exchange.h"
#include "test.h"

enum {
	NODES_MOST = 4,
	LINES = 64, /* most connections, including those that have ended */
	CHUNK = 1 << 14,
	PART_MOST = 3 << 20,
	FAULTS_MOST = 8
};

static const double TIMEOUT_S = 10;

enum fault {
	FLIP,	/* flip a bit anywhere */
	EARLY,	/* flip a bit in the first bytes of a connection */
	CUT,	/* end a connection */
	SILENT, /* pass no more data on this connection */
	STALL,	/* pass no data on any connection for a while */
	FAULTS
};

static const char *const fault_name[] = { "flip", "early flip", "cut", "silent",
	"stall" };

struct flow {
	int from, to;
	unsigned char buf[CHUNK];
	size_t pos, len;
	bool done;
};

struct line {
	struct flow flow[2];
	bool used, silent, early;
};

struct proxy {
	uint32_t nodes;
	char dir[NODES_MOST][80], target[NODES_MOST][80];
	int listener[NODES_MOST];
	struct line line[LINES];
	uint64_t seed, fault_at, carried;
	int faults; /* faults still to inject */
	char done[256];
	pthread_t thread;
	atomic_bool stop;
};

struct node {
	struct exchange x;
	struct address address[NODES_MOST];
	struct exchange_part part[NODES_MOST];
	char path[80], prefix[80];
	unsigned char *bytes;
	pthread_t thread;
	int rc;
	struct hp_err e;
};

/* The proxy has its own random numbers, apart from those of the test. */
static uint64_t
draw(struct proxy *p, uint64_t n)
{
	p->seed ^= p->seed << 13;
	p->seed ^= p->seed >> 7;
	p->seed ^= p->seed << 17;
	return p->seed % n;
}

static struct sockaddr_un
address_in(const char *dir)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof a.sun_path, "%.80s/exchange.sock", dir);
	return a;
}

static void
line_close(struct line *l)
{
	close(l->flow[0].from);
	close(l->flow[1].from);
	l->used = false;
}

static void
come_in(struct proxy *p, uint32_t to)
{
	struct sockaddr_un a = address_in(p->target[to]);
	int in = accept(p->listener[to], NULL, NULL);
	int out = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	struct line *l = NULL;

	for (int i = 0; i < LINES && l == NULL; i++)
		if (!p->line[i].used)
			l = &p->line[i];
	if (in == -1 || l == NULL ||
	    connect(out, (struct sockaddr *)&a, sizeof a) == -1) {
		close(in);
		close(out);
		return;
	}
	fcntl(in, F_SETFL, O_NONBLOCK);
	*l = (struct line){ .used = true };
	l->flow[0].from = l->flow[1].to = in;
	l->flow[0].to = l->flow[1].from = out;
	if (p->faults > 0 && draw(p, 6) == 0)
		l->early = true;
}

/* Changes a byte in transit, between two unchanged bytes. */
static void
flip(struct proxy *p, struct flow *f, size_t most)
{
	size_t n = f->len < most ? f->len : most;

	f->buf[draw(p, n)] ^= (unsigned char)(1 << draw(p, 8));
}

static void
strike(struct proxy *p, struct line *l, struct flow *f)
{
	enum fault fault;
	struct timespec nap = { .tv_nsec = (long)draw(p, 900) * 1000000 };

	if (l->early) {
		l->early = false;
		fault = EARLY;
	} else if (p->carried < p->fault_at)
		return;
	else
		fault = (enum fault)draw(p, FAULTS);
	if (p->faults-- <= 0)
		return;
	p->fault_at = p->carried + draw(p, 3 << 20);
	snprintf(p->done + strlen(p->done), sizeof p->done - strlen(p->done),
	    "%s, ", fault_name[fault]);
	switch (fault) {
	case FLIP:
		flip(p, f, f->len);
		break;
	case EARLY:
		flip(p, f, 100);
		break;
	case CUT:
		line_close(l);
		break;
	case SILENT:
		l->silent = true;
		break;
	default:
		nanosleep(&nap, NULL);
		break;
	}
}

static void
carry(struct proxy *p, struct line *l, struct flow *f)
{
	ssize_t n;

	if (f->pos == f->len) {
		f->pos = f->len = 0;
		n = read(f->from, f->buf, sizeof f->buf);
		if (n == -1 && errno == EAGAIN)
			return;
		if (n <= 0) {
			f->done = true;
			shutdown(f->to, SHUT_WR);
			return;
		}
		f->len = (size_t)n;
		p->carried += f->len;
		strike(p, l, f);
		if (!l->used)
			return;
	}
	n = send(f->to, f->buf + f->pos, f->len - f->pos, MSG_NOSIGNAL);
	if (n > 0)
		f->pos += (size_t)n;
	if (n == -1 && errno != EAGAIN)
		f->done = true;
}

static void *
proxy_run(void *arg)
{
	struct proxy *p = arg;
	struct pollfd set[NODES_MOST + 2 * LINES];

	while (!atomic_load(&p->stop)) {
		struct pollfd *at = set + p->nodes;

		for (uint32_t i = 0; i < p->nodes; i++)
			set[i] = (struct pollfd){ p->listener[i], POLLIN, 0 };
		for (int i = 0; i < 2 * LINES; i++) {
			const struct line *l = &p->line[i / 2];
			const struct flow *f = &l->flow[i % 2];
			bool out = f->pos < f->len;

			at[i] = (struct pollfd){ .fd = -1 };
			if (l->used && !l->silent && !f->done)
				at[i] = (struct pollfd){ out ? f->to : f->from,
					out ? POLLOUT : POLLIN, 0 };
		}
		poll(set, p->nodes + 2 * LINES, 20);
		for (int i = 0; i < 2 * LINES; i++) {
			struct line *l = &p->line[i / 2];

			if (l->used && at[i].revents != 0)
				carry(p, l, &l->flow[i % 2]);
			if (l->used && l->flow[0].done && l->flow[1].done)
				line_close(l);
		}
		for (uint32_t i = 0; i < p->nodes; i++)
			if (set[i].revents != 0)
				come_in(p, i);
	}
	for (int i = 0; i < LINES; i++)
		if (p->line[i].used)
			line_close(&p->line[i]);
	return NULL;
}

static void
proxy_start(struct proxy *p, const char *dir, uint32_t nodes)
{
	*p = (struct proxy){ .nodes = nodes,
		.seed = test_random() | 1,
		.faults = (int)test_below(FAULTS_MOST + 1) };
	p->fault_at = draw(p, 4 << 20);
	for (uint32_t i = 0; i < nodes; i++) {
		struct sockaddr_un a;

		snprintf(p->dir[i], sizeof p->dir[i], "%.60s/p%u", dir, i);
		snprintf(
		    p->target[i], sizeof p->target[i], "%.60s/d%u", dir, i);
		mkdir(p->dir[i], 0700);
		mkdir(p->target[i], 0700);
		p->listener[i] = socket(AF_UNIX, SOCK_STREAM, 0);
		a = address_in(p->dir[i]);
		if (bind(p->listener[i], (struct sockaddr *)&a, sizeof a) ==
			-1 ||
		    listen(p->listener[i], 64) == -1)
			abort();
	}
	pthread_create(&p->thread, NULL, proxy_run, p);
}

static void
proxy_stop(struct proxy *p)
{
	atomic_store(&p->stop, true);
	pthread_join(p->thread, NULL);
	for (uint32_t i = 0; i < p->nodes; i++)
		close(p->listener[i]);
}

static void
ignore(const char *text)
{
	(void)text;
}

static void
write_file(const char *path, const unsigned char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
		abort();
}

/* Makes a file of random bytes. Each node gets a part of it. */
static void
prepare(struct node *n, struct proxy *p, const char *dir, uint32_t me)
{
	uint64_t at = 0, word = 0;
	static const char *const names[] = { "zero", "one", "two", "three" };

	for (uint32_t i = 0; i < p->nodes; i++) {
		uint64_t bytes = test_below(4) == 0 ? 0 : test_below(PART_MOST);

		n->part[i] = (struct exchange_part){ i, at, bytes, bytes };
		at += bytes;
		n->address[i] = (struct address){ .name = names[i],
			.dir = i == me ? p->target[i] : p->dir[i] };
	}
	n->bytes = malloc(at + sizeof word);
	for (uint64_t i = 0; i < at; i += sizeof word) {
		word = test_random();
		memcpy(n->bytes + i, &word, sizeof word);
	}
	snprintf(n->path, sizeof n->path, "%.60s/in%u", dir, me);
	snprintf(n->prefix, sizeof n->prefix, "%.60s/out%u", dir, me);
	write_file(n->path, n->bytes, at);
	n->x = (struct exchange){ .transport = &transport_unix,
		.node = n->address,
		.nodes = p->nodes,
		.me = me,
		.options = { .timeout_s = TIMEOUT_S },
		.path = n->path,
		.part = n->part,
		.nparts = p->nodes,
		.prefix = n->prefix,
		.threads = test_below(2) == 1,
		.notice = ignore };
}

static void *
node_run(void *arg)
{
	struct node *n = arg;
	struct exchange_totals totals;

	n->rc = exchange_run(&n->x, &totals, &n->e);
	return NULL;
}

/* Returns whether the data received from a node is exactly its part for this
 * node. */
static bool
has_part(const struct node *n, const struct node *from)
{
	const struct exchange_part *part = &from->part[n->x.me];
	unsigned char *got = malloc(part->bytes + 1);
	char path[100];
	size_t len;
	FILE *f;
	bool same;

	snprintf(path, sizeof path, "%s.%u", n->prefix, from->x.me);
	if ((f = fopen(path, "rb")) == NULL) {
		free(got);
		return false;
	}
	len = fread(got, 1, part->bytes + 1, f);
	fclose(f);
	same = len == part->bytes &&
	    memcmp(got, from->bytes + part->offset, len) == 0;
	free(got);
	return same;
}

static int
unlink_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void
all_arrives(void)
{
	static struct node node[NODES_MOST];
	static struct proxy proxy;
	uint32_t nodes = (uint32_t)test_below(NODES_MOST - 1) + 2;
	char dir[] = "hpexch.XXXXXX";

	if (mkdtemp(dir) == NULL)
		abort();
	proxy_start(&proxy, dir, nodes);
	for (uint32_t i = 0; i < nodes; i++)
		prepare(&node[i], &proxy, dir, i);
	for (uint32_t i = 0; i < nodes; i++)
		pthread_create(&node[i].thread, NULL, node_run, &node[i]);
	for (uint32_t i = 0; i < nodes; i++)
		pthread_join(node[i].thread, NULL);
	proxy_stop(&proxy);
	printf("# %u nodes: %s\n", nodes, proxy.done);
	for (uint32_t i = 0; i < nodes; i++) {
		if (node[i].rc != 0)
			test_bad(__FILE__, __LINE__, "node %u: %s", i,
			    node[i].e.text);
		for (uint32_t k = 0; node[i].rc == 0 && k < nodes; k++)
			CHECK(has_part(&node[i], &node[k]));
	}
	for (uint32_t i = 0; i < nodes; i++)
		free(node[i].bytes);
	nftw(dir, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
}

int
main(void)
{
	const char *rounds = getenv("HP_ROUNDS");

	signal(SIGPIPE, SIG_IGN);
	test_scratch();
	for (int i = rounds != NULL ? atoi(rounds) : 6; i > 0; i--)
		RUN(all_arrives);
	return test_done();
}
