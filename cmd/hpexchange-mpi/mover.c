#include <stdlib.h>

#include "mover.h"

enum {
	TAG_DATA = 1
};

/*
 * The messages of one direction between two nodes.  MPI completes them in any
 * order; they leave the window in the order in which they were started.
 */
struct side {
	uint64_t started, ended;
	/* per place in the window: MPI has completed the message */
	bool *complete;
	size_t *len; /* lengths of received messages */
};

struct lane {
	struct side send, receive;
};

int
mover_failed(int code, const char *what, struct hp_err *e)
{
	char text[MPI_MAX_ERROR_STRING];
	int len = 0;

	if (MPI_Error_string(code, text, &len) != MPI_SUCCESS)
		len = 0;
	return hp_fail(e, HP_LOST, "%s: %.*s", what, len, text);
}

static int
side_init(struct side *s, uint32_t window)
{
	s->complete = calloc(window, sizeof *s->complete);
	s->len = calloc(window, sizeof *s->len);
	return s->complete == NULL || s->len == NULL ? -1 : 0;
}

static void
side_fini(struct side *s)
{
	free(s->complete);
	free(s->len);
}

int
mover_init(struct mover *m, const struct mover_ends *ends, uint32_t nodes,
    uint32_t me, uint32_t window, struct hp_err *e)
{
	size_t n = (size_t)nodes * 2 * window;

	*m = (struct mover){
		.nodes = nodes, .me = me, .window = window, .ends = ends
	};
	m->lane = calloc(nodes, sizeof *m->lane);
	m->request = calloc(n, sizeof *m->request);
	m->status = calloc(n, sizeof *m->status);
	m->done = calloc(n, sizeof *m->done);
	if (m->lane == NULL || m->request == NULL || m->status == NULL ||
	    m->done == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	for (size_t i = 0; i < n; i++)
		m->request[i] = MPI_REQUEST_NULL;
	for (uint32_t i = 0; i < nodes; i++)
		if (side_init(&m->lane[i].send, window) == -1 ||
		    side_init(&m->lane[i].receive, window) == -1)
			return hp_fail_errno(e, HP_NOMEM, "%u nodes", nodes);
	return 0;
}

void
mover_fini(struct mover *m)
{
	for (uint32_t i = 0; m->lane != NULL && i < m->nodes; i++) {
		side_fini(&m->lane[i].send);
		side_fini(&m->lane[i].receive);
	}
	free(m->lane);
	free(m->request);
	free(m->status);
	free(m->done);
	*m = (struct mover){ 0 };
}

/*
 * Returns the first of the MPI requests that send to a node.  The requests that
 * receive from that node follow.
 */
static MPI_Request *
requests(const struct mover *m, uint32_t node)
{
	return m->request + (size_t)node * 2 * m->window;
}

static int
start_sends(struct mover *m, uint32_t to)
{
	struct side *s = &m->lane[to].send;
	const void *buf;
	size_t len;
	int rc = MPI_SUCCESS;

	while (rc == MPI_SUCCESS && s->started - s->ended < m->window &&
	    m->ends->next(m->ends->context, to, &buf, &len))
		rc = MPI_Issend(buf, (int)len, MPI_BYTE, (int)to, TAG_DATA,
		    MPI_COMM_WORLD, requests(m, to) + s->started++ % m->window);
	return rc;
}

static int
start_receives(struct mover *m, uint32_t from)
{
	struct side *s = &m->lane[from].receive;
	void *buf;
	size_t size;
	int rc = MPI_SUCCESS;

	while (rc == MPI_SUCCESS && s->started - s->ended < m->window &&
	    m->ends->room(m->ends->context, from, &buf, &size))
		rc = MPI_Irecv(buf, (int)size, MPI_BYTE, (int)from, TAG_DATA,
		    MPI_COMM_WORLD,
		    requests(m, from) + m->window + s->started++ % m->window);
	return rc;
}

/* Marks the message of a completed MPI request as complete. */
static void
complete(struct mover *m, int request, const MPI_Status *status)
{
	uint32_t at = (uint32_t)request % (2 * m->window);
	struct lane *l = &m->lane[(uint32_t)request / (2 * m->window)];
	int len = 0;

	if (at < m->window) {
		l->send.complete[at] = true;
		return;
	}
	at -= m->window;
	MPI_Get_count(status, MPI_BYTE, &len);
	l->receive.len[at] = (size_t)len;
	l->receive.complete[at] = true;
}

/*
 * Removes completed messages of a node from the window, up to the first that is
 * incomplete, and reports each.
 */
static void
pass_on(struct mover *m, uint32_t node)
{
	struct side *s = &m->lane[node].send, *r = &m->lane[node].receive;
	uint32_t at;

	while (s->ended < s->started && s->complete[s->ended % m->window]) {
		s->complete[s->ended++ % m->window] = false;
		m->ends->sent(m->ends->context, node);
	}
	while (r->ended < r->started && r->complete[r->ended % m->window]) {
		at = (uint32_t)(r->ended++ % m->window);
		r->complete[at] = false;
		m->ends->came(m->ends->context, node, r->len[at]);
	}
}

static int
failed(const struct mover *m, int rc, int n, uint32_t *rank, struct hp_err *e)
{
	if (rc == MPI_ERR_IN_STATUS)
		for (int i = 0; i < n; i++)
			if (m->status[i].MPI_ERROR != MPI_SUCCESS &&
			    m->status[i].MPI_ERROR != MPI_ERR_PENDING) {
				*rank = (uint32_t)m->done[i] / (2 * m->window);
				rc = m->status[i].MPI_ERROR;
				break;
			}
	return mover_failed(rc, "MPI", e);
}

int
mover_step(struct mover *m, uint32_t *rank, struct hp_err *e)
{
	int rc, n = 0;

	*rank = m->me;
	for (uint32_t k = 1; k < m->nodes; k++) {
		uint32_t peer = (m->me + k) % m->nodes;

		if ((rc = start_receives(m, peer)) != MPI_SUCCESS ||
		    (rc = start_sends(m, peer)) != MPI_SUCCESS) {
			*rank = peer;
			return mover_failed(rc, "MPI", e);
		}
	}
	rc = MPI_Testsome((int)(m->nodes * 2 * m->window), m->request, &n,
	    m->done, m->status);
	if (n == MPI_UNDEFINED)
		n = 0;
	if (rc != MPI_SUCCESS)
		return failed(m, rc, n, rank, e);
	for (int i = 0; i < n; i++)
		complete(m, m->done[i], &m->status[i]);
	for (int i = 0; i < n; i++)
		pass_on(m, (uint32_t)m->done[i] / (2 * m->window));
	return n;
}

bool
mover_sent(const struct mover *m, uint32_t to)
{
	const struct side *s = &m->lane[to].send;

	return s->started == s->ended;
}

void
mover_cancel(struct mover *m)
{
	for (uint32_t i = 0; i < m->nodes * 2 * m->window; i++)
		if (m->request[i] != MPI_REQUEST_NULL) {
			MPI_Cancel(&m->request[i]);
			MPI_Wait(&m->request[i], MPI_STATUS_IGNORE);
		}
}
