#include <sys/mman.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sort/numbers.h"
#include "sort/team.h"

enum {
	PART = 1 << 19, /* bytes that a bin should have: four times this fits
			   an L2 cache */
	LEAF_MOST = 8 * PART,
	TOGETHER = PART / 2, /* bytes of small bins that are written at once */
	HUGE_PAGE = 1 << 21,
	SHEET = 1 << 12,
	SHEET_SMALL = 1 << 10,
	SMALL = 64 << 20,  /* memory that asks for small sheets */
	UNKNOWN = 4000000, /* numbers expected of a pipe */
	SAMPLES = 1 << 14,
	STRETCHES = 2048,
	STRETCH_NUMBERS = SAMPLES / STRETCHES,
	SPLIT_SAMPLES = 1 << 13,
	ROUND = 1 << 30 /* bytes to count, as addresses are not endless */
};

static size_t
clamp(uint64_t x, size_t low, size_t high)
{
	return x < low ? low : x > high ? high : (size_t)x;
}

int
numbers_init(struct numbers *s, const struct order *o, struct input *in,
    unsigned threads, uint64_t memory, struct hp_err *e)
{
	size_t each = (size_t)(memory / threads), element;
	size_t sheet = memory < SMALL ? SHEET_SMALL : SHEET, slab;

	*s = (struct numbers){ .in = in,
		.unique = o->unique,
		.threads = threads,
		.writers = threads + TEAM_SPARE };
	number_init(&s->number, o);
	element = s->number.element;
	s->leaf = clamp(each / 32, 1 << 13, LEAF_MOST);
	s->part = clamp(s->leaf, 1, PART) / element;
	slab = clamp(each / 64, 1 << 14, 1 << 18) / sheet * sheet;
	in->passing = true;
	in->per_record = element + 1; /* the heads of sheets */
	in->block = clamp(each / 64, 1 << 16, 1 << 20);
	memory -= threads * slab + s->writers * 2 * s->leaf;
	s->leaf /= element;
	in->cap = (size_t)memory;
	/* No more than a sixteenth of it is lost in sheets that are not full.
	 */
	s->want = clamp(memory / 16 / sheet / threads, 1, CELLS_MOST);
	s->sheets = calloc(threads, sizeof *s->sheets);
	s->err = calloc(s->writers, sizeof *s->err);
	if (s->sheets == NULL || s->err == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (unsigned i = 0; i < threads; i++)
		s->sheets[i] = (struct sheets){ .heap.arena = &s->arena,
			.size = sheet };
	/* Room beyond the budget, for sheets that are not full. */
	return arena_init(
	    &s->arena, (size_t)memory + memory / 2 + (1 << 26), slab, e);
}

static void
forget_bins(struct numbers *s)
{
	for (size_t i = 0; i < s->nstrips; i++)
		free(s->strips[i]);
	free(s->strips);
	free(s->bin);
	s->strips = NULL;
	s->bin = NULL;
	s->nstrips = s->nbins = 0;
}

void
numbers_fini(struct numbers *s)
{
	forget_bins(s);
	cells_fini(&s->cells);
	arena_fini(&s->arena);
	free(s->sheets);
	free(s->err);
	s->sheets = NULL;
	s->err = NULL;
}

/* Keys of at most `most` numbers from the start of the text on. */
static size_t
sample_text(
    const struct numbers *s, const struct block *t, size_t most, uint64_t *key)
{
	size_t size = s->number.size, n = (size_t)(t->end - t->start) / size;

	n = n < most ? n : most;
	for (size_t i = 0; i < n; i++)
		key[i] = number_key(&s->number, t->start + i * size);
	return n;
}

/* How many numbers the input will have, by the first block. */
static uint64_t
expect(const struct numbers *s, const struct block *first)
{
	uint64_t n = (uint64_t)(first->end - first->start) / s->number.size;

	if (s->in->total > 0)
		return s->in->total / s->number.size;
	return s->in->eof ? n : UNKNOWN;
}

/* Choose the bins by a sample. */
static int
plan(struct numbers *s, struct hp_err *e)
{
	struct block *t = calloc(STRETCHES, sizeof *t), first;
	uint64_t *key = calloc(SAMPLES, sizeof *key), many;
	size_t n = 0, found = 0;
	int rc = -1;

	if (t == NULL || key == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		goto out;
	}
	if (input_peek(s->in, &first, e) == -1)
		goto out;
	many = expect(s, &first);
	s->want = clamp(many / s->part, 1, s->want);
	if (many <= s->part) {
		s->threads = 1;
		s->want = 1;
	}
	if (s->want > 1)
		found = input_sample(s->in, t, STRETCHES);
	for (size_t i = 0; i < found; i++)
		n += sample_text(s, &t[i], STRETCH_NUMBERS, key + n);
	if (s->want > 1 && n < SAMPLES / 8)
		n += sample_text(s, &first, SAMPLES - n, key + n);
	rc = cells_init(&s->cells, key, n, s->want, e);
	s->planned = rc == 0;
out:
	free(t);
	free(key);
	return rc;
}

static int
first_error(const struct numbers *s, struct hp_err *e)
{
	for (unsigned i = 0; i < s->writers && e->kind == HP_NONE; i++)
		*e = s->err[i];
	return -1;
}

static int
run_team(struct numbers *s, int (*work)(void *, unsigned), void *ctx,
    struct hp_err *e)
{
	return team_run(s->threads, work, ctx, e) == 0 ? 0 : first_error(s, e);
}

static int
out_of_memory(struct numbers *s, unsigned i)
{
	return hp_fail(&s->err[i], HP_NOMEM, "sort: out of memory");
}

struct reading {
	struct numbers *s;
	struct scatter *to; /* one for each thread */
	_Atomic int more;
};

static int
read_worker(void *ctx, unsigned i)
{
	struct reading *r = ctx;
	struct numbers *s = r->s;
	struct block t = { 0 };
	int got;

	while ((got = input_block(s->in, &s->arena, &t, &s->err[i])) ==
	    INPUT_BLOCK)
		if (number_read(
			&s->number, &s->cells, &r->to[i], t.start, t.end) == -1)
			return out_of_memory(s, i);
	if (got == -1)
		return -1;
	if (got == INPUT_FULL)
		r->more = 1;
	return scatter_close(&r->to[i], s->number.element) == -1
	    ? out_of_memory(s, i)
	    : 0;
}

static void
scatters_free(const struct numbers *s, struct scatter *to)
{
	for (unsigned i = 0; to != NULL && i < s->threads; i++)
		scatter_fini(&to[i]);
	free(to);
}

/* Lists for each thread. */
static struct scatter *
scatters_new(struct numbers *s, const struct cells *cells, struct hp_err *e)
{
	struct scatter *to = calloc(s->threads, sizeof *to);

	if (to == NULL) {
		hp_fail_errno(e, HP_NOMEM, "sort");
		return NULL;
	}
	for (unsigned i = 0; i < s->threads; i++)
		if (scatter_init(&to[i], &s->sheets[i], cells->buckets,
			cells->equal, e) == -1) {
			scatters_free(s, to);
			return NULL;
		}
	return to;
}

/* Bins of what the threads scattered, in order. */
static int
make_bins(struct numbers *s, const struct scatter *from,
    const struct cells *cells, struct bin *out, struct hp_err *e)
{
	size_t n = cells->buckets;
	struct strip *p = calloc(n * s->threads, sizeof *p), **grown;

	grown = reallocarray(s->strips, s->nstrips + 1, sizeof *grown);
	if (grown != NULL)
		s->strips = grown;
	if (p == NULL || grown == NULL) {
		free(p);
		return hp_fail_errno(e, HP_NOMEM, "%zu bins", n);
	}
	s->strips[s->nstrips++] = p;
	for (size_t i = 0; i < n; i++, p += s->threads) {
		out[i] = (struct bin){ .strip = p, .equal = cells->equal[i] };
		if (out[i].equal)
			out[i].key = cells->value[i - 1];
		for (unsigned w = 0; w < s->threads; w++) {
			p[w] = (struct strip){ from[w].first[i],
				from[w].count[i] };
			out[i].n += p[w].n;
		}
	}
	return 0;
}

/* Numbers of which there are so few that all are counted. */
struct counting {
	struct numbers *s;
	size_t keys;
	uint64_t *count; /* of each key, for each thread */
	_Atomic uint64_t taken;
	_Atomic bool more;
};

static int
count_worker(void *ctx, unsigned i)
{
	struct counting *c = ctx;
	struct numbers *s = c->s;
	struct block t = { 0 };
	uint64_t bytes;
	int got;

	while ((got = input_block(s->in, &s->arena, &t, &s->err[i])) ==
	    INPUT_BLOCK) {
		number_count(
		    &s->number, t.start, t.end, c->count + i * c->keys);
		bytes = (uint64_t)(t.end - t.start);
		if (atomic_fetch_add(&c->taken, bytes) + bytes > ROUND)
			break;
	}
	if (got == INPUT_BLOCK || got == INPUT_FULL)
		c->more = true;
	return got == -1 ? -1 : 0;
}

/* A bin for each key that there is. */
static int
count_bins(struct numbers *s, const struct counting *c, struct hp_err *e)
{
	s->nbins = 0;
	if ((s->bin = calloc(c->keys, sizeof *s->bin)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	for (size_t key = 0; key < c->keys; key++) {
		struct bin *b = &s->bin[s->nbins];

		*b = (struct bin){ .equal = true, .key = key };
		for (unsigned i = 0; i < s->threads; i++)
			b->n += c->count[i * c->keys + key];
		s->records += b->n;
		s->nbins += b->n > 0;
	}
	return 0;
}

/* All of the input, whatever its size, in rounds. */
static int
count_all(struct numbers *s, struct hp_err *e)
{
	struct counting c = { .s = s, .keys = (size_t)1 << 8 * s->number.size };
	int rc = -1;

	c.count = calloc(s->threads * c.keys, sizeof *c.count);
	if (c.count == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	s->records = s->bytes = 0;
	do {
		c.taken = 0;
		c.more = false;
		if (run_team(s, count_worker, &c, e) == -1)
			goto out;
		s->bytes += s->in->given;
		input_forget(s->in);
	} while (c.more);
	rc = count_bins(s, &c, e);
out:
	free(c.count);
	return rc;
}

static struct ordered_job
ordered_job(const struct numbers *s)
{
	return (struct ordered_job){ .number = &s->number,
		.in = s->in,
		.unique = s->unique,
		.threads = s->threads,
		.err = s->err };
}

/* Is all in order?  1 when so. */
static int
read_ordered(struct numbers *s, struct hp_err *e)
{
	struct ordered_job j = ordered_job(s);
	int how = ordered_look(&j, e);

	if (how <= 0)
		return how;
	s->ordered = (enum ordered)how;
	s->bytes = s->in->total;
	s->records = s->bytes / s->number.size;
	if (s->in->progress != NULL)
		s->in->progress->read += s->bytes;
	return 1;
}

int
numbers_read(struct numbers *s, struct hp_err *e)
{
	struct reading r = { .s = s };
	int rc = -1;

	if (s->number.size <= 2)
		return count_all(s, e);
	if (!s->planned) {
		if (plan(s, e) == -1 || (rc = read_ordered(s, e)) == -1)
			return -1;
		if (rc == 1)
			return 0;
		rc = -1;
	}
	s->nbins = s->cells.buckets;
	s->bin = calloc(s->nbins, sizeof *s->bin);
	if (s->bin == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	if ((r.to = scatters_new(s, &s->cells, e)) != NULL &&
	    run_team(s, read_worker, &r, e) == 0 &&
	    make_bins(s, r.to, &s->cells, s->bin, e) == 0)
		rc = r.more;
	scatters_free(s, r.to);
	s->records = 0;
	for (size_t i = 0; i < s->nbins; i++)
		s->records += s->bin[i].n;
	s->bytes = s->in->given;
	return rc;
}

/*
 * A bin that is too large to be sorted in one go, because the sample was not
 * fine enough, is distributed again.  The keys of its own sample span less than
 * half of the last cells, so this ends.
 */
struct split {
	struct bin *from;
	struct cells cells;
	struct scatter *to; /* one for each thread */
};

struct splitting {
	struct numbers *s;
	struct split *split;
	size_t n, bins;
};

static bool
too_large(const struct numbers *s, const struct bin *b)
{
	return !b->equal && b->n > s->leaf;
}

/* The bytes of numbers in one sheet. */
static size_t
sheet_bytes(const struct numbers *s)
{
	return s->sheets[0].size - offsetof(struct sheet, data);
}

/* Evenly from all strips; returns how many. */
static size_t
sample_bin(const struct numbers *s, const struct bin *b, uint64_t *key)
{
	size_t element = s->number.element, each = sheet_bytes(s) / element;
	size_t step = b->n / SPLIT_SAMPLES + 1, n = 0;

	for (unsigned w = 0; w < s->threads; w++) {
		const struct sheet *x = b->strip[w].first;
		size_t left = b->strip[w].n, at = 0, k;

		for (; left > 0; left -= k, x = x->next) {
			k = left < each ? left : each;
			for (; at < k && n < SPLIT_SAMPLES; at += step) {
				key[n] = 0;
				memcpy(
				    &key[n++], x->data + at * element, element);
			}
			at -= at < k ? at : k;
		}
	}
	return n;
}

/* Each thread its own strips; the sheets it empties hold what it fills. */
static int
split_worker(void *ctx, unsigned i)
{
	struct splitting *r = ctx;
	struct numbers *s = r->s;
	size_t each = sheet_bytes(s) / s->number.element;

	for (struct split *p = r->split; p < r->split + r->n; p++) {
		struct sheet *x = p->from->strip[i].first, *next;
		size_t left = p->from->strip[i].n, k;

		for (; left > 0; left -= k, x = next) {
			k = left < each ? left : each;
			if (number_split(&s->number, &p->cells, &p->to[i],
				x->data, k) == -1)
				return out_of_memory(s, i);
			next = x->next;
			sheet_give_back(&s->sheets[i], x);
		}
		if (scatter_close(&p->to[i], s->number.element) == -1)
			return out_of_memory(s, i);
	}
	return 0;
}

static int
start_splits(struct splitting *r, struct hp_err *e)
{
	struct numbers *s = r->s;
	uint64_t *key = calloc(SPLIT_SAMPLES, sizeof *key);
	struct split *p = r->split;
	int rc = 0;

	if (key == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	r->bins = s->nbins;
	for (size_t i = 0; i < s->nbins && rc == 0; i++) {
		struct bin *b = &s->bin[i];
		size_t want = 2 * (b->n / s->part + 1);

		if (!too_large(s, b))
			continue;
		p->from = b;
		want = want < s->want ? want : s->want;
		want = want < 16 ? 16 : want;
		rc = cells_init(&p->cells, key, sample_bin(s, b, key), want, e);
		if (rc == 0 && (p->to = scatters_new(s, &p->cells, e)) == NULL)
			rc = -1;
		r->bins += p++->cells.buckets;
	}
	free(key);
	return rc;
}

/* The bins again, with the new ones in the places of those that were split. */
static int
end_splits(struct splitting *r, struct hp_err *e)
{
	struct numbers *s = r->s;
	struct bin *all = calloc(r->bins, sizeof *all);
	const struct split *p = r->split;
	size_t n = 0;

	if (all == NULL)
		return hp_fail_errno(e, HP_NOMEM, "%zu bins", r->bins);
	for (size_t i = 0; i < s->nbins; i++) {
		if (p == r->split + r->n || &s->bin[i] != p->from) {
			all[n++] = s->bin[i];
			continue;
		}
		if (make_bins(s, p->to, &p->cells, all + n, e) == -1) {
			free(all);
			return -1;
		}
		n += p++->cells.buckets;
	}
	free(s->bin);
	s->bin = all;
	s->nbins = n;
	return 0;
}

static int
split_bins(struct numbers *s, struct hp_err *e)
{
	struct splitting r;
	int rc;

	do {
		r = (struct splitting){ .s = s };
		for (size_t i = 0; i < s->nbins; i++)
			r.n += too_large(s, &s->bin[i]);
		if (r.n == 0)
			return 0;
		if ((r.split = calloc(r.n, sizeof *r.split)) == NULL)
			return hp_fail_errno(e, HP_NOMEM, "sort");
		rc = start_splits(&r, e) == -1 ||
			run_team(s, split_worker, &r, e) == -1 ||
			end_splits(&r, e) == -1
		    ? -1
		    : 0;
		for (size_t i = 0; i < r.n; i++) {
			scatters_free(s, r.split[i].to);
			cells_fini(&r.split[i].cells);
		}
		free(r.split);
	} while (rc == 0);
	return rc;
}

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
	size_t element = s->number.element, each = sheet_bytes(s) / element;
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
numbers_write(
    struct numbers *s, struct output *out, uint64_t *records, struct hp_err *e)
{
	struct emission m = { .s = s, .out = out };
	struct ordered_job j = ordered_job(s);
	int rc;

	if (s->ordered != ORDERED_NOT) {
		*records = s->records;
		return ordered_write(&j, s->ordered, out, e);
	}
	if (split_bins(s, e) == -1)
		return -1;
	out->turn = 0;
	if ((m.task = calloc(s->nbins + 1, sizeof *m.task)) == NULL)
		return hp_fail_errno(e, HP_NOMEM, "sort");
	make_tasks(&m);
	rc = (out->tape != NULL ? team_run_spare : team_run)(
		 s->threads, emit_worker, &m, e) == 0
	    ? 0
	    : first_error(s, e);
	*records = m.records;
	free(m.task);
	if (rc == -1)
		return -1;
	forget_bins(s);
	arena_reset(&s->arena);
	for (unsigned i = 0; i < s->threads; i++) {
		s->sheets[i].heap = (struct heap){ .arena = &s->arena };
		s->sheets[i].spare = NULL;
	}
	input_forget(s->in);
	return 0;
}
