#!/bin/bash
# Cutting beside cat and cp of the same bytes: 100-byte records and lines into
# 16 sublists, to a pipe and to a file, and the ends of sublists in sorted files.
#
#	tests/bench/split.sh [RECORDS]

set -eu
records=${1:-5000000}
HPBIN=$(cd "${HPBIN:-$(dirname "$0")/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH
dir=$(mktemp -d "${TMPDIR:-/var/tmp}/hpbench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# The processor time of a command, user and system, in milliseconds.
cpu() {
	local TIMEFORMAT='%U %S'

	{ time "$@" >"${out:-/dev/null}" 2>/dev/null; } 2>&1 |
		awk '{ printf "%.0f\n", ($1 + $2) * 1000 }'
}

# row NAME FILE COMMAND...: median of five, and how fast that is.
row() {
	local name=$1 bytes ms

	bytes=$(stat -L -c %s "$2")
	shift 2
	ms=$(for _ in 1 2 3 4 5; do cpu "$@"; done | sort -n | sed -n 3p)
	awk -v n="$name" -v b="$bytes" -v t="$ms" 'BEGIN {
		printf "%-44s %6d ms %9.2f GB/s\n", n, t, b / 1e6 / (t + 0.5) }'
}

to_pipe() {
	"$@" | cat >/dev/null
}

hpgen "$records" gensort
hpgen -F line "$records" line
hpsolve -n "$records" -c n -k 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 >plan
echo "processor time, median of 5, $records records, 16 sublists"
for format in gensort line; do
	hpsplit sample -a pss -P plan -N 0 -F $format $format |
		hpsplit pivots -a pss -P plan >sublists
	cut=(hpsplit cut -L sublists -N 0 -F "$format" "$format")
	row "$format: cat to /dev/null" $format cat $format
	row "$format: cut to /dev/null" $format "${cut[@]}"
	row "$format: cat | cat" $format to_pipe cat $format
	row "$format: cut | cat" $format to_pipe "${cut[@]}"
	row "$format: cp" $format cp $format copy
	out=copy row "$format: cut to a file" $format "${cut[@]}"
	rm copy
	row "$format: count" $format hpsplit count -N 0 -F $format $format
	row "$format: count -L" $format \
		hpsplit count -L sublists -N 0 -F $format $format
	hpsort -F $format -o sorted $format
	row "$format: cut --extents, sorted" sorted \
		hpsplit cut -L sublists -N 0 -F $format --extents sorted
done
