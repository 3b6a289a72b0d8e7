# shellcheck shell=bash
# What the tests of hpsort(1) share.

# as_sort FILE OPTION...: from the file and from a pipe, with one thread and
# with several, in memory and out of it, the same as sort.
as_sort() {
	local file=$1 way

	shift
	sort "$@" "$file" >expected
	for way in "" "--parallel 1" "--parallel 3 -S 7M"; do
		[ "${HP_SANITIZER-}$way" != "thread--parallel 1" ] || continue
		# shellcheck disable=SC2086 # words
		hpsort "$@" $way "$file" >actual
		same actual expected
		# shellcheck disable=SC2002,SC2086 # a pipe is meant
		cat "$file" | hpsort "$@" $way >actual
		same actual expected
	done
}

# Words of few letters: repeated, and prefixes of each other.
words() { # COUNT
	hpgen -F u32 --seed 7 "$1" | od -An -v -tu4 -w4 |
		awk '{ printf "%s %d %s\n", substr("abbabaab", 1 + $1 % 5,
			$1 % 7 % 5), $1 % 1000 - 500, substr($1, 1, 2) }'
}

# peak BYTES COMMAND...: resident memory, seen from outside.
peak() {
	local most=$1

	shift
	/usr/bin/time -f %M -o peak "$@" >/dev/null
	[ $(($(tail -n 1 peak) * 1024)) -le "$most" ] ||
		fail "peak $(tail -n 1 peak) KiB, at most $most bytes asked for"
}
