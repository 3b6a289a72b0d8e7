#ifndef HP_KERNEL_LONGEST_H
#define HP_KERNEL_LONGEST_H

/*
 * Sorts strings by comparing each of them with the longest one. longest_key
 * returns the result of this comparison as a number. Strings with the same
 * number share the same number of leading bytes with the longest string.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/entry.h"

/*
 * Result of longest_key for a string that sorts before the longest string: 2 *
 * (number of leading bytes that the two share) + one of these values.
 * ENDS_IN_IT: the string is a prefix of the longest string. BELOW_IT: the first
 * byte that differs is less than that of the longest string.
 */
enum {
	ENDS_IN_IT,
	BELOW_IT
};
#define SAME_AS_IT ((uint64_t)1 << 62)
#define ABOVE_IT ((uint64_t)3 << 62)

/* Returns how many leading bytes are equal in s and t, which have n bytes. */
static inline size_t
longest_agree(const unsigned char *s, const unsigned char *t, size_t n)
{
	size_t k;

	for (k = 0; k + 8 <= n; k += 8)
		if (load_top(s + k, 8) != load_top(t + k, 8))
			break;
	while (k < n && s[k] == t[k])
		k++;
	return k;
}

/*
 * Compares s with the longest string of its group, and returns the result as a
 * number. The first `depth` bytes of s and of the longest string are known to
 * be equal.
 */
static inline uint64_t
longest_key(struct span s, struct span longest, size_t depth)
{
	size_t n = longest_agree(
	    s.at + depth, longest.at + depth, s.len - depth);
	size_t at = depth + n;

	if (at == s.len)
		return s.len == longest.len ? SAME_AS_IT : 2 * n + ENDS_IN_IT;
	return s.at[at] < longest.at[at] ? 2 * n + BELOW_IT : ABOVE_IT - 2 * n;
}

/*
 * `key` is a result of longest_key. Returns whether all strings with this
 * result are equal: either to the longest string, or to the same prefix of it.
 */
static inline bool
longest_ends(uint64_t key)
{
	return key == SAME_AS_IT || (key < SAME_AS_IT && key % 2 == ENDS_IN_IT);
}

/*
 * `key` is a result of longest_key, and longest_ends(key) is false. Returns how
 * many bytes the strings with this result share with the longest string, not
 * counting the first `depth` bytes.
 */
static inline size_t
longest_shared(uint64_t key)
{
	return (size_t)((key < SAME_AS_IT ? key : ABOVE_IT - key) / 2);
}

#endif
