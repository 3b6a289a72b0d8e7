#!/bin/bash
# Plans for a thousand to a million nodes: how time and memory grow with them.
set -eu -o pipefail
: "${HPBIN:=build/bin}"
export LC_ALL=C
dir=$(mktemp -d "${TMPDIR:-/tmp}/hpbench.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# by_speed NODES, by_points NODES: a cluster on standard output.
by_speed() {
	awk -v p="$1" 'BEGIN {
		srand(1)
		for (i = 0; i < p; i++)
			printf "{\"type\":\"node\",\"node\":\"n%d\",\"speed\":%.3f}\n",
			    i, 0.5 + 15 * rand()
	}'
}

by_points() {
	awk -v p="$1" 'BEGIN {
		srand(1)
		for (i = 0; i < p; i++) {
			printf "{\"type\":\"node\",\"node\":\"n%d\",\"points\":[", i
			s = 1e6 * (0.5 + 15 * rand())
			for (j = 0; j < 20; j++) {
				n = 1000 * 3 ^ j
				printf "%s{\"n\":%.0f,\"seconds\":%.9g}",
				    j ? "," : "", n, n / s
				s *= 1 - 0.01 * j * rand()
			}
			print "]}"
		}
	}'
}

# row KIND NODES
row() {
	"by_$1" "$2" >"$dir/cluster"
	"$HPBIN/hpsolve" --stats -n 1000000000000000 "$dir/cluster" \
		>"$dir/plan" 2>"$dir/stats"
	tail -n 1 "$dir/plan" | grep -q '"optimal":true'
	awk -v kind="$1" -v p="$2" -v own="$(stat -c %s "$dir/cluster")" '{
		printf "%-7s %8d %8s %8s %8s %9.0f %9.0f %8.0f\n", kind, p,
		    $2, $5, $8, $5 / p * 1e9, $12 * 1024 / p, own / p
	}' "$dir/stats"
	rm "$dir/cluster"
}

echo 'hpsolve: 1e15 items, 20 points a node where measured'
echo 'seconds of the processor to read, solve, write; bytes of peak memory and of the file'
printf '%-7s %8s %8s %8s %8s %9s %9s %8s\n' \
	model nodes read solve write ns/node mem/node file/node
for p in 1000 10000 100000 1000000; do
	row speed "$p"
done
for p in 1000 10000 100000 1000000; do
	row points "$p"
done
