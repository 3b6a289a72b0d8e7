#!/bin/bash
# Plans for a thousand to a million nodes: how the time grows with the nodes,
# reading the cluster and writing the plan included.  The time for one item more
# or less per node is the same: 1e15 items each time.
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
				n = int(1000 * 3 ^ j)
				printf "%s{\"n\":%d,\"seconds\":%.9g}",
				    j ? "," : "", n, n / s
				s *= 1 - 0.01 * j * rand()
			}
			print "]}"
		}
	}'
}

# row KIND NODES
row() {
	local TIMEFORMAT='%R %U'
	local t

	"by_$1" "$2" >"$dir/cluster"
	t=$({ time "$HPBIN/hpsolve" -n 1000000000000000 "$dir/cluster" \
		>"$dir/plan"; } 2>&1)
	tail -n 1 "$dir/plan" | grep -q '"optimal":true'
	echo "$1 $2 $t" | awk '{
		printf "%-8s %8d %9.2f %9.2f %12.2f\n", $1, $2, $3, $4,
		    $4 / $2 * 1e6
	}'
}

echo 'hpsolve: 1e15 items, 20 points a node where measured'
printf '%-8s %8s %9s %9s %12s\n' model nodes seconds cpu_s 'cpu_us/node'
for p in 1000 10000 100000 1000000; do
	row speed "$p"
done
for p in 1000 10000 100000; do
	row points "$p"
done
