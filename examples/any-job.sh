#!/bin/bash
# Divides work that is not sorting: compresses all files of a tree on several
# machines, so that all machines finish together.
#
#	any-job.sh TREE NODE...
#
# A NODE is a prefix that runs a command on that node: `ssh lab1` (where the tree
# must be the same), `nice`, `taskset -c 0`, or `env` for this machine itself.
# JOB=COMMAND sets the command that reads a file from standard input (gzip -c).
set -eu -o pipefail
export LC_ALL=C
[ $# -ge 2 ] || {
	echo "usage: $0 TREE NODE..." >&2
	exit 2
}
here=$(cd "${0%/*}/.." && pwd)
PATH=${HPBIN:-$here/build/bin}:$PATH
tree=$1
shift
job=${JOB:-gzip -c}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The files in an order that has nothing to do with what is in them, and the
# KiB up to and with each.
find "$tree" -type f -readable -size +0 ! -name '*
*' -printf '%s\t%p\n' | shuf --random-source=<(yes) |
	awk -F '\t' '{ sum += $1 / 1024; printf "%.3f\t%s\n", sum, $2 }' \
		>"$dir/files"
[ -s "$dir/files" ] || {
	echo "$0: $tree: no files" >&2
	exit 2
}
total=$(tail -n 1 "$dir/files" | awk '{ printf "%.0f", $1 + 0.5 }')

# Some of them, over and over, to measure with.
head -n 100 "$dir/files" | cut -f 2 | tr '\n' '\0' | xargs -0 cat >"$dir/some"
(while cat "$dir/some" 2>/dev/null; do :; done) | head -c 4M >"$dir/sample" ||
	[ -s "$dir/sample" ]

# Each node by itself: KiB and seconds.
rank=0
for node; do
	# shellcheck disable=SC2016 # for the shell that is measured
	hpprofile -N "$node #$rank" --sizes 256,1k,4k -- \
		sh -c 'head -c {n}K "$1" | $2 sh -c "$3"' \
		sh "$dir/sample" "$node" "$job"
	rank=$((rank + 1))
done >"$dir/cluster"
hpsolve -n "$total" "$dir/cluster" >"$dir/plan"

# A node takes the files that begin within its share.
rank=0
for node; do
	jq -r "select(.rank == $rank) | .offset, .n" "$dir/plan" |
		paste - - >"$dir/share"
	awk -F '\t' 'NR == FNR { lo = $1; hi = $1 + $2; next }
		{ if (at >= lo && at < hi) print $2; at = $1 }' \
		"$dir/share" "$dir/files" >"$dir/list.$rank"
	{
		begin=$(date +%s.%N)
		tr '\n' '\0' <"$dir/list.$rank" | xargs -0r cat |
			$node sh -c "$job" >/dev/null
		echo "$begin $(date +%s.%N)" >"$dir/time.$rank"
	} &
	rank=$((rank + 1))
done
wait

printf '%-20s %9s %12s %9s\n' node files 'planned s' 'took s'
rank=0
for node; do
	jq -r "select(.rank == $rank) | .seconds" "$dir/plan" |
		awk -v node="$node #$rank" -v files="$(wc -l <"$dir/list.$rank")" '
		NR == FNR { planned = $1; next }
		{ printf "%-20s %9d %12.2f %9.2f\n", node, files, planned,
		    $2 - $1 }' - "$dir/time.$rank"
	rank=$((rank + 1))
done
