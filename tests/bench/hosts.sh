#!/bin/bash
# What plans foresee beside what comes, over four hosts of the lab (tests/lab),
# which have 0.9 processors together and a network of 1 Gbit/s:
#
#	tests/bench/hosts.sh [RECORDS]
#
# Of RECORDS lines (1800000) by version:
#
# - the sort of each host, by the profile that `hprun --profile` takes before the
#   first run, against the step "sort" of three runs, which also is the start of a
#   process by ssh;
# - the same, and when each host is done, from the first step of a host to the last
#   of its own, as `hpprofile learn --whole` knows it from those three runs and two
#   of half as many records, against three runs of three quarters.
#
# What is measured is the median of three runs, which are the same: the least and
# the most of them, beside it, are what nothing can foresee.  So that it is little
# the sort has work to do and 16 MiB of memory for it.  The machine below virtual
# ones may take 0.1 to 2 s of processor time to find 1 GB of memory that was not
# used just before, more than it takes to sort as many records of gensort: of
# these the very same sort took 1.2 to 3.3 s, all nodes at once, with the same
# time of its own.  And its processors are not always as fast: the same sort
# between all runs tells by how much.

set -euo pipefail
records=${1:-1800000} rounds=3
here=$(cd "$(dirname "$0")" && pwd)
HPBIN=$(cd "${HPBIN:-$here/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH
dir=$(mktemp -d "/dev/shm/hphosts.XXXXXX")
export PATH LC_ALL=C LAB=hph$$ LAB_DIR=$dir/lab
trap '"$here/../lab/lab" down; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
names=(a b c d) shares=(0.4 0.25 0.15 0.1)

lab() {
	"$here/../lab/lab" "$@"
}

hub() {
	lab exec hub "$@"
}

# again PHASE: the very same sort, alone on the machine and without a limit.
again() {
	local start=${EPOCHREALTIME/./}

	hub hpsort -V -S 16M --parallel 1 -o again lines.again
	echo $(((${EPOCHREALTIME/./} - start) / 1000)) >>"$dir/again.$1"
}

# drift PHASE...: how fast the machine was in each, which no plan can foresee.
drift() {
	local phase

	echo 'One same sort meanwhile, alone: median, least to most'
	for phase; do
		sort -n "$dir/again.$phase" | awk -v name="$phase" '{ v[NR] = $1 }
			END { printf "%-9s %4d ms, %4d to %4d ms\n", name,
				v[int((NR + 1) / 2)], v[1], v[NR] }'
	done | awk '
		{ print }
		NR == 1 || $2 < least { least = $2 }
		$2 > most { most = $2 }
		END { printf "So the machine itself differed by %.0f %%\n",
			100 * (most / least - 1) }'
}

# sorted SIZE TIMES TRACE OPTION...: so many lines so often.
sorted() {
	local i size=$1 times=$2 trace=$3

	shift 3
	for ((i = 0; i < times; i++)); do
		again "$trace"
		again "$trace"
		hub hprun -C cluster.jsonl --transport tcp -V -S 16M \
			--trace "$trace" -o sorted "$@" "lines.$size"
	done
	hub hpcheck -V sorted | jq -e --argjson n "$size" \
		'.sorted and .records == $n' >/dev/null
}

# runs TRACE: of each host in each run, when it was done and how long it sorted.
# shellcheck disable=SC2016 # of jq
runs='[inputs | select(.rank != null)] | group_by(.run)[] |
	(map(.start_s) | min) as $begin | group_by(.rank)[] | {rank: .[0].rank,
	done: ((map(.end_s) | max) - $begin),
	sort: (map(select(.step == "sort"))[0] | .end_s - .start_s)}'

# table SIZE TRACE done|sort: of each host what the plan foresees, of the sort
# without what whole runs take beside it, and what came.
table() {
	hub hpsolve -n "$1" cluster.jsonl >"$dir/plan"
	hub cat cluster.jsonl >"$dir/cluster"
	hub jq -nc "$runs" "$2" | jq -sr --arg what "$3" --slurpfile plan "$dir/plan" \
		--slurpfile node "$dir/cluster" '
		def median: sort | .[(length - 1) / 2 | floor];
		group_by(.rank)[] | map(.[$what]) as $s | .[0].rank as $rank |
		$node[$rank] as $node | $plan[] |
		select(.type == "share" and .rank == $rank) | [.node, .n,
			.seconds - if $what == "done" then 0 else ($node.latency_s // 0) +
				.n * ($node.seconds_per_item // 0) end,
			($s | median), ($s | min), ($s | max)] | @tsv' |
		awk '
		function off(x, y) { return 100 * (x / y - 1) }
		function size(x) { return x < 0 ? -x : x }
		NR == 1 { printf "%-4s %9s %10s %10s %10s %19s\n", "host", "lines",
			"foreseen", "measured", "off", "least to most" }
		{
			printf "%-4s %9d %8.2f s %8.2f s %+8.1f %% %+8.1f to %+5.1f %%\n",
				$1, $2, $3, $4, off($4, $3), off($5, $4), off($6, $4)
			if (size(off($4, $3)) > size(worst))
				worst = off($4, $3)
			if (size(off($5, $4)) > noise)
				noise = size(off($5, $4))
			if (size(off($6, $4)) > noise)
				noise = size(off($6, $4))
		}
		END { printf "worst %+40.1f %% %12.1f %%\n", worst, noise }'
}

specs=()
for i in "${!names[@]}"; do
	specs+=("${names[i]}:cpu=${shares[i]},rate=1gbit,disk=3G")
done
lab up "${specs[@]}"
lab set hub disk=3G
hub true
for size in "$records" $((records / 2)) $((records * 3 / 4)); do
	hub hpgen -F line "$size" "lines.$size"
done
hub hpgen -F line 300000 lines.again
for i in "${!names[@]}"; do
	jq -nc --arg node "${names[i]}" --arg dir "$LAB_DIR/home" \
		'{type: "node", $node, host: $node, $dir}'
done >"$LAB_DIR/nodes/hub/home/cluster.jsonl"

echo "Hosts, $records lines by version: the sort, by the profile;" \
	"median of $rounds"
sorted "$records" $rounds all --profile=30
table "$records" all sort

sorted $((records / 2)) 2 half
hub sh -c 'hpprofile learn --whole cluster.jsonl all half >learned &&
	mv learned cluster.jsonl'
size=$((records * 3 / 4))
sorted $size $rounds more
echo "Hosts, $size lines, by $rounds runs of $records and 2 of" \
	"$((records / 2)): the sort; median of $rounds"
table $size more sort
echo 'The same, until done'
table $size more 'done'
drift all half more
