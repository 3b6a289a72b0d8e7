#include "base/size.h"
#include "base/space.h"
#include "base/team.h"
#include "input/budget.h"
#include "kernel/pile.h"
#include "kernel/spread.h"

#define K ((size_t)1 << 10)
#define M ((size_t)1 << 20)

/*
 * Memory in bytes that is not for data. The program itself takes 4 MiB. A
 * thread takes 256 KiB for its stack and malloc's caches. LEAST is the memory
 * for data that a sort gets even if the limit is lower.
 */
#define PROCESS (4 * M)
#define THREAD (M / 4)
#define LEAST (2 * M)

/*
 * n threads need n * n times this memory in bytes. Each thread has its own list
 * in every bucket, and each list wastes half a chunk (block of a list) on
 * average. More threads fill more lists and get less data for each.
 */
#define THREAD_SHARE M

/*
 * A sort uses one thread per this many bytes of input. With less input per
 * thread, starting the thread and its memory would cost more time than it
 * saves.
 */
#define SHARE_OF_RECORDS (4 * M)
#define SHARE_OF_NUMBERS (40 * M)

/*
 * The buffers are planned for half of the size of the input, but for at least
 * this many bytes.
 */
#define ROOM_LEAST (8 * M)

/*
 * The parts of a batch. The size of a part is the smaller of two sizes: 1 /
 * of_memory of a thread's share of the memory, and 1 / of_room of a thread's
 * share of the size planned for the input (room_for). If one of the two members
 * is 0, only the other one is used. The result is limited to the range from
 * `least` to `most`.
 *
 *   slab    The rest of a thread's last slab is wasted: 1/64 of its memory.
 *   leaf    A thread sorts a leaf with a second buffer of the same size. For
 *           records, both fit into an L2 cache of 1 MiB. For numbers, a leaf
 *           is only the size above which a bin is divided again; bins are
 *           planned to have at most a quarter of it.
 *   lines   The lines of a bucket and their entries fit into the L2 cache.
 *   gather  Output is fastest in pieces of 1 MiB. A thread has one buffer.
 *   block   A thread may have read one block when the memory is found full.
 *           Blocks of numbers have the size of a huge page.
 *   copy    Like gather. Copying backwards needs two buffers per thread.
 */
struct fraction {
	unsigned of_memory, of_room;
	size_t least, most;
};

static const struct fraction slab = { 0, 64, 16 * K, 256 * K };
static const struct fraction leaf_of_records = { 32, 16, 8 * K, 512 * K };
static const struct fraction leaf_of_numbers = { 32, 0, 8 * K, 4 * M };
static const struct fraction lines = { 0, 32, 8 * K, 384 * K };
static const struct fraction gather = { 0, 32, 64 * K, M };
static const struct fraction block_of_records = { 64, 32, 64 * K, M };
static const struct fraction block_of_numbers = { 0, 128, 64 * K, HUGE_PAGE };
static const struct fraction copy = { 32, 0, 64 * K, M };

/*
 * Target size in bytes of the elements in a bucket, which represent its
 * records. The elements and the records should fit into the L2 cache together.
 */
#define BUCKET_OF_ELEMENTS (64 * K)

/*
 * Target size of a bucket of numbers: 1/96 of the memory planned for all
 * threads together, but from 128 KiB to 512 KiB. An L2 cache of 2 MiB holds
 * four of the largest buckets.
 */
static const struct fraction bucket_of_numbers = { 0, 96, 128 * K, 512 * K };

/*
 * At most 1/16 of the memory may be wasted in list blocks (chunks or sheets)
 * that are not full.
 */
#define WASTE_PART 16

/*
 * Each thread stores numbers in linked lists of blocks, called sheets. A sheet
 * has 4 KiB, or 1 KiB if memory is short. Memory is short if it is less than 64
 * MiB, or if it holds less than 1024 * (number of threads)^2 sheets of 4 KiB.
 */
#define SHEET (4 * K)
#define SHEET_SMALL K
#define SHEET_MEMORY (64 * M)
#define SHEETS_OF_PAIR 1024

/*
 * The arena reserves addresses for 1.5 times its planned size, plus this many
 * bytes. The last blocks of a batch may need more than planned, because the
 * memory for the elements of a block is only estimated.
 */
#define MORE_ADDRESSES (64 * M)

/*
 * Huge pages are used only if each thread has at least this much memory,
 * because they round up the memory that a thread takes.
 */
#define HUGE_EACH (16 * M)

/*
 * The size of a pipe is unknown, so one more thread starts after each g->share
 * bytes that were read. g->share is at most 1/8 of the memory, divided by the
 * number of threads.
 */
#define SHARES 8

/*
 * Mapped records may take 3/4 of the memory; the rest is for the elements that
 * represent them. Numbers are mapped only if the budget has at least
 * MAPPED_NUMBERS_LEAST bytes, because huge pages of mapped files may stay in
 * memory after use.
 */
#define MAPPED_PART(memory) ((memory) / 4 * 3)
#define MAPPED_NUMBERS_LEAST (128 * M)

static size_t
size_of(const struct fraction *p, uint64_t memory, uint64_t room)
{
	size_t n = p->most;

	if (p->of_memory > 0)
		n = size_clamp(memory / p->of_memory, p->least, n);
	if (p->of_room > 0)
		n = size_clamp(room / p->of_room, p->least, n);
	return n;
}

static uint64_t
beside_process(uint64_t all, unsigned threads)
{
	uint64_t taken = PROCESS + (uint64_t)threads * THREAD;

	return all > taken + LEAST ? all - taken : LEAST;
}

void
budget_init(struct budget *g, uint64_t all, unsigned threads)
{
	*g = (struct budget){ beside_process(all, threads), threads };
	while (g->threads > 1 &&
	    g->memory / g->threads < (uint64_t)g->threads * THREAD_SHARE)
		g->memory = beside_process(all, --g->threads);
}

/*
 * Subtracts the buffers for writing temporary files from the memory: `each`
 * bytes per thread. Reduces the number of threads until the buffers take at
 * most half of the memory.
 */
void
budget_spill(struct budget *g, uint64_t each)
{
	while (
	    g->threads > 1 && (g->threads + TEAM_SPARE) * each > g->memory / 2)
		g->threads--;
	g->memory -= (g->threads + TEAM_SPARE) * each;
}

/*
 * Returns the amount of input, in bytes, for which the buffers and lists must
 * be large enough.
 */
static size_t
room_for(const struct input *in, uint64_t memory)
{
	size_t asked = size_clamp(in->total / 2, ROOM_LEAST, SIZE_MAX);

	return in->total == 0 || asked > memory ? (size_t)memory : asked;
}

/*
 * Limits the number of threads to those useful for the input. If the size of
 * the input is unknown, more threads start while data arrives.
 */
static void
limit_threads(struct budget *g, const struct input *in, size_t share)
{
	size_t room = room_for(in, g->memory);

	g->share = size_clamp(g->memory / SHARES / g->threads, 1, share);
	if (g->threads > INPUT_FEW_THREADS && room != g->memory)
		g->threads = (unsigned)size_clamp(
		    room / share, INPUT_FEW_THREADS, g->threads);
}

static size_t
huge_pages(const struct budget *g, const struct input *in)
{
	if (g->memory / g->threads < HUGE_EACH)
		return 0;
	return in->total > 0 && in->total < g->memory ? (size_t)in->total
						      : (size_t)g->memory;
}

/*
 * Sets g->cap to the memory that remains for the input text and for the
 * elements that represent its records.
 */
static void
set_cap(struct budget *g, const struct input *in, size_t each_writer)
{
	g->cap = (size_t)g->memory - g->threads * g->slab -
	    g->writers * each_writer - g->buffers * g->leaf;
	/* Input that is not mapped is read into buffers, one per thread. */
	if (!in->mapped)
		g->cap -= g->threads * (g->block + 1);
	g->addresses = g->cap + g->cap / 2 + MORE_ADDRESSES;
}

void
budget_records(struct budget *g, const struct input *in)
{
	uint64_t memory, room;

	g->huge = huge_pages(g, in);
	limit_threads(g, in, SHARE_OF_RECORDS);
	memory = g->memory / g->threads;
	room = room_for(in, g->memory) / g->threads;
	g->writers = g->threads + TEAM_SPARE;
	g->leaf = size_of(&leaf_of_records, memory, room);
	g->part = size_clamp(BUCKET_OF_ELEMENTS, 1, g->leaf);
	g->lines = size_of(&lines, memory, room);
	g->gather = size_of(&gather, memory, room);
	if (in->mapped)
		g->gather = size_clamp(in->total, 4 * K, g->gather);
	g->block = size_of(&block_of_records, memory, room);
	g->slab = size_of(&slab, memory, room) / CHUNK * CHUNK;
	set_cap(g, in, 2 * g->leaf + g->gather);
	g->buckets = size_clamp(
	    g->cap / WASTE_PART / CHUNK / g->threads, 1, SPREAD_MOST);
}

/*
 * A sheet is a memory block of a list; `sheet` is its size in bytes. Returns
 * whether the memory can hold SHEETS_OF_PAIR sheets for each pair of threads.
 */
static bool
fits_sheets(const struct budget *g, size_t sheet)
{
	return (uint64_t)g->threads * g->threads <=
	    g->memory / sheet / SHEETS_OF_PAIR;
}

void
budget_numbers(
    struct budget *g, const struct input *in, size_t list, size_t most)
{
	uint64_t memory, room, all;

	g->sheet = SHEET;
	if (g->memory < SHEET_MEMORY || !fits_sheets(g, SHEET))
		g->sheet = SHEET_SMALL;
	while (g->threads > 1 && !fits_sheets(g, g->sheet))
		g->threads--;
	g->huge = huge_pages(g, in);
	limit_threads(g, in, SHARE_OF_NUMBERS);
	all = room_for(in, g->memory);
	memory = g->memory / g->threads;
	room = all / g->threads;
	g->writers = g->threads + TEAM_SPARE;
	g->buffers = budget_buffers(g->writers);
	g->leaf = size_of(&leaf_of_numbers, memory, room);
	g->part = size_of(&bucket_of_numbers, memory, all);
	g->part = size_clamp(g->leaf / 4, 1, g->part);
	g->block = size_of(&block_of_numbers, memory, room);
	g->slab = size_of(&slab, memory, room) / g->sheet * g->sheet;
	set_cap(g, in, g->leaf);
	g->buckets = size_clamp(
	    g->cap / WASTE_PART / g->sheet / g->threads, 1, most);
	g->cap -= g->buckets * g->threads * list;
}

void
budget_input(const struct budget *g, struct input *in)
{
	in->block = g->block;
	in->cap = g->cap;
	if (in->total == 0)
		in->share = g->share;
}

size_t
budget_copy(const struct budget *g)
{
	return size_of(&copy, g->memory / g->threads, 0);
}

uint64_t
budget_mapped(const struct budget *g, bool numbers)
{
	if (numbers && g->memory < MAPPED_NUMBERS_LEAST)
		return 0;
	return MAPPED_PART(g->memory);
}
