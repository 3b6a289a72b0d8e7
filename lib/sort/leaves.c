#include <sys/mman.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sort/numbers.h"
#include "sort/team.h"

enum {
	TOGETHER = 1 << 18, /* bytes of small bins that are written at once */
	HUGE_PAGE = 1 << 21
};

struct task {
	size_t from, to; /* bins */
};

struct emission {
	struct numbers *s;
	struct output *out;
	struct task *task;
	size_t ntasks, cap; /* cap: numbers that a thread holds at once */
	_Atomic size_t next;
	_Atomic uint64_t records;
};

/* One thread's part. */
struct emitter {
	struct emission *m;
	struct numbers *s;
	unsigned w;
	unsigned char *x, *tmp;
	size_t ticket;
};

/* Numbers that the bin writes. */
static size_t
bin_most(const struct numbers *s, const struct bin *b)
{
	return b->equal && s->unique && b->n > 0 ? 1 : b->n;
}

/* Neighbouring small bins make one task, a large one is one by itself. */
static void
make_tasks(struct emission *m)
{
	struct numbers *s = m->s;
	size_t most = TOGETHER / s->number.element, held = 0, n;

	most = most < s->leaf ? most : s->leaf;
	m->cap = most;
	for (size_t i = 0; i < s->nbins; i++) {
		n = bin_most(s, &s->bin[i]);
		if (m->ntasks == 0 || held + n > most) {
			m->task[m->ntasks++] = (struct task){ i, i };
			held = 0;
		}
		m->task[m->ntasks - 1].to = i + 1;
		held += n;
		if (!s->bin[i].equal && held > m->cap)
			m->cap = held;
	}
}

/* The numbers of a bin, sorted; at most cap.  Returns how many. */
static size_t
sort_bin(struct emitter *t, const struct bin *b, unsigned char *x)
{
	const struct numbers *s = t->s;
	size_t element = s->number.element, each = numbers_in_sheet(s);
	size_t n = 0, k;

	if (b->equal) {
		n = bin_most(s, b);
		number_fill(&s->number, x, b->key, n);
		return n;
	}
	for (unsigned w = 0; w < s->threads; w++) {
		const struct sheet *at = b->strip[w].first;
		size_t left = b->strip[w].n;

		for (; left > 0; left -= k, at = at->next) {
			k = left < each ? left : each;
			memcpy(x + n * element, at->data, k * element);
			n += k;
		}
	}
	number_sort(&s->number, x, t->tmp, n);
	return s->unique ? number_unique(&s->number, x, n) : n;
}

/* `times` times the numbers in x, in our turn. */
static int
put_out(struct emitter *t, size_t n, size_t times, size_t rest)
{
	struct output *o = t->m->out;
	size_t bytes = number_restore(&t->s->number, t->x, n), left;
	off_t at = output_wait(o, t->ticket);

	if (at == -1)
		return -1;
	t->m->records += n * times + rest;
	rest *= t->s->number.size;
	left = bytes * times + rest;
	if (o->seekable)
		output_pass(o, at + (off_t)left);
	for (size_t k; left > 0; left -= k, at += (off_t)k) {
		k = left < bytes ? left : bytes;
		if (output_write(o, t->x, k, at, &t->s->err[t->w]) == -1)
			return -1;
	}
	if (!o->seekable)
		output_pass(o, at);
	return 0;
}

static int
emit_task(struct emitter *t, const struct task *task)
{
	struct numbers *s = t->s;
	const struct bin *b = &s->bin[task->from];
	size_t cap = t->m->cap, n = 0;

	if (bin_most(s, b) > cap) {
		number_fill(&s->number, t->x, b->key, cap);
		return put_out(t, cap, b->n / cap, b->n % cap);
	}
	for (; b < &s->bin[task->to]; b++)
		n += sort_bin(t, b, t->x + n * s->number.element);
	return put_out(t, n, 1, 0);
}

static void *
memory(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (n >= HUGE_PAGE)
		madvise(p, n, MADV_HUGEPAGE);
	return p;
}

static int
emit_worker(void *ctx, unsigned w)
{
	struct emission *m = ctx;
	struct numbers *s = m->s;
	struct emitter t = { .m = m, .s = s, .w = w };
	size_t size = (m->cap + 1) * s->number.element;
	int rc = -1;

	t.x = memory(size);
	t.tmp = memory(size);
	if (t.x == NULL || t.tmp == NULL) {
		hp_fail_errno(&s->err[w], HP_NOMEM, "sort");
		goto out;
	}
	while ((t.ticket = atomic_fetch_add(&m->next, 1)) < m->ntasks)
		if (emit_task(&t, &m->task[t.ticket]) == -1)
			goto out;
	rc = 0;
out:
	if (rc == -1)
		output_fail(m->out);
	if (t.x != NULL)
		munmap(t.x, size);
	if (t.tmp != NULL)
		munmap(t.tmp, size);
	return rc;
}

int
numbers_emit(
    struct numbers *s, struct output *out, uint64_t *records, struct hp_err *e)
{
	struct emission m = { .s = s, .out = out };
	int rc;

	out->turn = 0;
	if ((m.task = calloc(s->nbins + 1, sizeof *m.task)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	make_tasks(&m);
	rc = (out->tape != NULL ? team_run_spare : team_run)(
	    s->threads, emit_worker, &m, e);
	*records = m.records;
	free(m.task);
	return rc == 0 ? 0 : numbers_error(s, e);
}
