/*
 * hp-sublists(5): sublists that were read are the same after they are written.
 * Sublists that a classifier accepts have ascending ends. Candidates, counts
 * and extents are rejected with a reason or are in range. Keys of any order are
 * shown as text, or have none.
 */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io.h"
#include "doc/candidates.h"
#include "doc/extents.h"
#include "doc/show.h"
#include "doc/sublists.h"
#include "split/classify.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const uint64_t most = (uint64_t)1 << 53;

static int
document(const void *bytes, size_t len, char path[32])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd == -1 || io_write(fd, bytes, len) == -1)
		abort();
	snprintf(path, 32, "/dev/fd/%d", fd);
	return fd;
}

static void
refused(const struct hp_err *e)
{
	assert(e->kind == HP_INPUT && e->text[0] != '\0');
}

static void
same_edge(const struct edge *a, const struct edge *b)
{
	assert(a->bounded == b->bounded && a->below == b->below);
	assert(!a->bounded || pivot_cmp(&a->at, &b->at) == 0);
}

static void
same_sublist(const struct sublist *a, const struct sublist *b)
{
	assert(a->assigned == b->assigned && a->rank == b->rank);
	assert(a->bounded == b->bounded && a->placed == b->placed);
	assert(!a->bounded || pivot_cmp(&a->until, &b->until) == 0);
	assert(a->offset == b->offset && a->records == b->records);
	assert((a->node == NULL) == (b->node == NULL));
	assert(a->node == NULL || strcmp(a->node, b->node) == 0);
	assert((a->open == NULL) == (b->open == NULL));
	if (a->open != NULL) {
		assert(a->open->target == b->open->target);
		assert(a->open->every == b->open->every);
		same_edge(&a->open->low, &b->open->low);
		same_edge(&a->open->high, &b->open->high);
	}
}

static void
round_trip(const struct sublists *l)
{
	struct sublists_note note = { l->nodes, NULL, 0, NAN };
	struct sublists again = { 0 };
	struct hp_err e = { 0 };
	char *text = NULL, path[32];
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int fd;

	for (size_t i = 0; i < l->n; i++)
		assert(doc_sublist_write(f, i, &l->v[i], &note, &e) == 0);
	fclose(f);
	fd = document(text, len, path);
	assert(doc_sublists_read(path, &again, NULL, &e) == 0);
	assert(again.n == l->n && again.nodes == l->nodes);
	for (size_t i = 0; i < l->n; i++)
		same_sublist(&l->v[i], &again.v[i]);
	sublists_fini(&again);
	close(fd);
	free(text);
}

static void
classified(const struct sublists *l)
{
	const struct span record = { (const unsigned char *)"fuzz", 4 };
	const uint64_t index = 1;
	struct classifier by;
	struct hp_err e = { 0 };
	struct order o;
	size_t to;

	order_init(&o);
	assert(order_ready(&o, &e) == 0);
	if (classify_init(&by, l, &o, 1, &e) == 0) {
		for (size_t i = 1; i < by.n; i++)
			assert(pivot_cmp(&by.bound[i - 1].until,
				   &by.bound[i].until) <= 0);
		assert(classify(&by, &record, &index, 1, &to) == 0);
		assert(to <= by.n);
	} else
		refused(&e);
	classify_fini(&by);
	order_fini(&o);
}

static void
sublists(const char *path)
{
	struct sublists l = { 0 };
	struct hp_err e = { 0 };
	bool probes;

	if (doc_sublists_read(path, &l, &probes, &e) == 0) {
		assert(l.n > 0);
		classified(&l);
		round_trip(&l);
	} else
		refused(&e);
	sublists_fini(&l);
}

static void
candidates(const char *path)
{
	uint64_t records[3] = { 10, 0, 5 };
	struct candidates c = { .nodes = 3, .records = records };
	struct tally t = { 0 };
	struct hp_err e = { 0 };

	if (doc_candidates_read(path, &c, &t, &e) == 0) {
		for (size_t i = 0; i < c.list.n; i++)
			assert(c.list.v[i].rank < 3);
		for (size_t i = 0; i < t.sublist.n; i++)
			assert(tally_get(&t.sublist, i) <= most);
	} else
		refused(&e);
	pivots_fini(&c.list);
	tally_fini(&t);
}

static void
extents(const char *path)
{
	struct extents x = { 0 };
	struct hp_err e = { 0 };

	if (doc_extents_read(path, 0, 3, &x, &e) == 0) {
		for (size_t i = 0; i < x.n; i++)
			assert(x.v[i].offset <= most && x.v[i].bytes <= most &&
			    x.v[i].sublist < 3);
	} else
		refused(&e);
	extents_fini(&x);
}

/* Shows the keys as those of an order with this letter and argument. */
static void
shown(const char *path, int letter, const char *arg)
{
	struct hp_err e = { 0 };
	struct order o;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	order_init(&o);
	assert(
	    order_option(&o, letter, arg, &e) == 0 && order_ready(&o, &e) == 0);
	if (doc_show(f, path, &o, &e) == -1)
		refused(&e);
	fclose(f);
	/*
	 * The text has no control characters except DEL of the input, which
	 * terminals ignore.
	 */
	for (size_t i = 0; i < len; i++)
		assert(text[i] == '\n' || (text[i] >= ' ' && text[i] <= 0x7f));
	free(text);
	order_fini(&o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char path[32];
	int fd = document(bytes, len, path);

	/* Each of these functions opens the file of sublists anew. */
	sublists(path);
	candidates(path);
	extents(path);
	shown(path, 'F', len % 2 == 0 ? "f64" : "i16");
	shown(path, "nghMVRrs"[len % 8], NULL);
	close(fd);
	return 0;
}
