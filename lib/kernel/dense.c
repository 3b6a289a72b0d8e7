#include "kernel/dense.h"

enum {
	VALUES_LEAST = 256,
	STRAY = 32 /* one key in so many may lie outside */
};

struct dense
dense_choose(const uint64_t *sample, size_t n, size_t most)
{
	struct dense d = { .values = VALUES_LEAST };
	size_t held = n - n / STRAY, at = 0;
	uint64_t span, room, high;

	if (n == 0 || most < VALUES_LEAST)
		return (struct dense){ 0 };
	/* The narrowest range that holds them. */
	for (size_t i = 1; i + held <= n; i++)
		if (sample[i + held - 1] - sample[i] <
		    sample[at + held - 1] - sample[at])
			at = i;
	span = sample[at + held - 1] - sample[at];
	if (span >= most)
		return (struct dense){ 0 };
	while (d.values < most && d.values < 3 * span)
		d.values *= 2;
	room = (d.values - span) / 2;
	high = UINT64_MAX - (d.values - 1);
	d.low = sample[at] < room ? 0 : sample[at] - room;
	d.low = d.low < high ? d.low : high;
	return d;
}
