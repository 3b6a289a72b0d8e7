#ifndef HP_KERNEL_LONGEST_H
#define HP_KERNEL_LONGEST_H

/*
 * Compares the strings of a group with the longest of them. The result of each
 * comparison is a number, the longest key. Sorting a group by these numbers
 * brings strings together that share equally many bytes with the longest one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/entry.h"

/*
 * The longest key of a string below the longest string is 2 * (number of bytes
 * that both share) plus one of these values. ENDS_IN_IT: the string is a prefix
 * of the longest string. BELOW_IT: its next byte is less.
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

/* Returns the longest key of s. Both strings share their first `depth` bytes.
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

/* Returns whether strings with this longest key are all equal. */
static inline bool
longest_ends(uint64_t key)
{
	return key == SAME_AS_IT || (key < SAME_AS_IT && key % 2 == ENDS_IN_IT);
}

/*
 * Returns how many bytes strings with this longest key share with the longest
 * string, after the first `depth` bytes. The strings must not be all equal.
 */
static inline size_t
longest_shared(uint64_t key)
{
	return (size_t)((key < SAME_AS_IT ? key : ABOVE_IT - key) / 2);
}

#endif
