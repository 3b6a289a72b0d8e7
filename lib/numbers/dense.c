#include "numbers/dense.h"

enum {
	VALUES_LEAST = 256
};

/*
 * Slides a window of `most` successive integers over the n sorted keys, to find
 * where it contains the most keys. Returns the index of the first key in this
 * window. Stores the number of keys in it in *held.
 */
static size_t
fullest(const uint64_t *key, size_t n, uint64_t most, size_t *held)
{
	size_t at = 0, end = 0;

	*held = 0;
	for (size_t i = 0; i < n; i++) {
		while (end < n && key[end] - key[i] < most)
			end++;
		if (end - i > *held) {
			*held = end - i;
			at = i;
		}
	}
	return at;
}

struct dense
dense_choose(const uint64_t *sample, size_t n, size_t most)
{
	struct dense d = { .values = VALUES_LEAST };
	uint64_t span, room, high;
	size_t held, at;

	if (n == 0 || most < VALUES_LEAST)
		return (struct dense){ 0 };
	at = fullest(sample, n, most, &held);
	if (held < n / 2)
		return (struct dense){ 0 };
	span = sample[at + held - 1] - sample[at];
	while (d.values < most && d.values < 3 * span)
		d.values *= 2;
	room = (d.values - span) / 2;
	high = UINT64_MAX - (d.values - 1);
	d.low = sample[at] < room ? 0 : sample[at] - room;
	d.low = d.low < high ? d.low : high;
	return d;
}
