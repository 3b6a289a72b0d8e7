#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "base/team.h"
#include "input/blocks.h"
#include "input/budget.h"
#include "numbers/leaves.h"
#include "numbers/phase.h"
#include "run/delivery.h"

enum {
	/*
	 * Small adjacent bins are combined into one task for a thread, as long
	 * as their numbers have at most this many bytes.
	 */
	TOGETHER = 1 << 18
};

struct task {
	size_t from, to; /* range of bins */
};

struct emission {
	struct numbers *s;
	struct delivery to;
	/*
	 * temporary memory for sorting, `size` bytes for each thread that
	 * writes
	 */
	unsigned char *tmp;
	struct task *task;
	/*
	 * `cap` is the maximum number of numbers to sort that a thread holds at
	 * a time.
	 */
	size_t ntasks, cap;
	size_t size; /* cap numbers in bytes */
	_Atomic size_t next;
	_Atomic uint64_t records;
	pthread_mutex_t lock; /* protects batch.dropped */
};

/* The state of one thread. */
struct emitter {
	struct emission *m;
	struct numbers *s;
	unsigned w;
	struct dropped dropped;
	unsigned char *tmp;
};

/*
 * Returns how many numbers of the bin are written to the output: with -u, only
 * one of equal numbers.
 */
static size_t
bin_writes(const struct numbers *s, const struct bin *b)
{
	return b->values == 1 && s->unique && b->n > 0 ? 1 : b->n;
}

/*
 * Divides the bins into tasks for the threads. A task is one large bin, or
 * several small adjacent bins.
 */
static void
make_tasks(struct emission *m)
{
	struct numbers *s = m->s;
	size_t most = TOGETHER / s->number.element, held = 0, n;

	most = most < s->leaf ? most : s->leaf;
	m->cap = most;
	for (size_t i = 0; i < s->nbins; i++) {
		n = bin_writes(s, &s->bin[i]);
		if (m->ntasks == 0 || held + n > most) {
			m->task[m->ntasks++] = (struct task){ i, i };
			held = 0;
		}
		m->task[m->ntasks - 1].to = i + 1;
		held += n;
		if (s->bin[i].values == 0 && held > m->cap)
			m->cap = held;
	}
}

void
numbers_drop(
    const struct numbers *s, struct dropped *d, uint64_t key, uint64_t n)
{
	_Alignas(LINE) unsigned char x[2 * NUMBER_BEHIND];
	const uint64_t one = 1;

	if (!s->sum_dropped || n == 0)
		return;
	number_fill(&s->number, x, key, &one, 1);
	dropped_records(d, s->in->format, (struct span){ NULL, 0 },
	    (struct span){ x, number_restore(&s->number, x, 1) }, n);
}

/*
 * Finds the numbers that number_unique will remove from n sorted keys. Adds
 * them to the count and checksum of omitted records.
 */
static void
drop_repeats(struct emitter *t, const unsigned char *x, size_t n)
{
	size_t element = t->s->number.element, j;
	uint64_t key;

	for (size_t i = 0; i < n; i = j) {
		for (j = i + 1; j < n &&
		     memcmp(x + i * element, x + j * element, element) == 0;
		     j++)
			continue;
		key = number_stored(&t->s->number, x + i * element);
		numbers_drop(t->s, &t->dropped, key, j - i - 1);
	}
}

/*
 * Writes the keys of a bin to x in sorted order, at most cap of them. Returns
 * how many it wrote.
 */
static size_t
sort_bin(struct emitter *t, const struct bin *b, unsigned char *x)
{
	const struct numbers *s = t->s;
	size_t element = s->number.element, each = numbers_in_sheet(s);
	uint64_t most = bin_writes(s, b);
	size_t n = 0, k;

	if (b->values == 1 && b->n > most)
		numbers_drop(s, &t->dropped, b->key, b->n - most);
	if (b->values > 0)
		return number_fill(&s->number, x, b->key,
		    b->values > 1 ? b->count : &most, b->values);
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
	if (s->sum_dropped)
		drop_repeats(t, x, n);
	return s->unique ? number_unique(&s->number, x, n) : n;
}

static int
emit_task(struct emitter *t, size_t i)
{
	struct emission *m = t->m;
	const struct task *task = &m->task[i];
	const struct number *as = &t->s->number;
	const struct bin *b = &t->s->bin[task->from];
	unsigned char *x = delivery_buffer(&m->to, i);
	const uint64_t cap = m->cap;
	size_t n = 0, total;

	if (x == NULL)
		return -1;
	if ((total = bin_writes(t->s, b)) > cap)
		n = number_fill(as, x, b->key, &cap, 1);
	else {
		for (; b < &t->s->bin[task->to]; b++)
			n += sort_bin(t, b, x + n * as->element);
		total = n;
	}
	m->records += total;
	return delivery_send(&m->to, i, x, number_restore(as, x, n),
	    total * as->size, &t->s->err[t->w]);
}

static int
emit_worker(void *ctx, unsigned w)
{
	struct emission *m = ctx;
	struct emitter t = { .m = m, .s = m->s, .w = w };
	size_t i;

	t.tmp = m->tmp + w * m->size;
	while ((i = atomic_fetch_add(&m->next, 1)) < m->ntasks)
		if (emit_task(&t, i) == -1) {
			output_fail(m->to.out);
			return -1;
		}
	pthread_mutex_lock(&m->lock);
	dropped_add(&m->s->batch.dropped, &t.dropped);
	pthread_mutex_unlock(&m->lock);
	return 0;
}

int
numbers_emit(
    struct numbers *s, struct output *out, uint64_t *records, struct hp_err *e)
{
	struct emission m = { .s = s, .lock = PTHREAD_MUTEX_INITIALIZER };
	/*
	 * Let many threads write if the output is a temporary file: they also
	 * compress the data, and a disk is faster with several requests at
	 * once.
	 */
	bool many = out->tape != NULL && out->seekable;
	unsigned threads = out->tape != NULL ? s->threads
					     : input_worth(s->in, s->threads);
	unsigned workers = out->tape != NULL ? s->writers : threads;
	size_t buffers = budget_buffers(workers), bytes;
	int rc = -1;

	if ((m.task = calloc(s->nbins + 1, sizeof *m.task)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	make_tasks(&m);
	m.size = m.cap * s->number.element + NUMBER_BEHIND;
	m.size = (m.size + LINE - 1) / LINE * LINE;
	bytes = (workers + buffers) * m.size;
	if ((m.tmp = space_take(bytes)) == NULL)
		hp_fail_errno(e, HP_NOMEM, "sort");
	else if (delivery_init(&m.to, out, many ? workers : 1,
		     m.tmp + workers * m.size, buffers, m.size, e) == 0)
		rc = (out->tape != NULL ? team_run_spare : team_run)(
			 threads, emit_worker, &m, e) == 0
		    ? 0
		    : numbers_error(s, e);
	*records = m.records;
	delivery_fini(&m.to);
	space_give(m.tmp, bytes);
	free(m.task);
	return rc;
}
