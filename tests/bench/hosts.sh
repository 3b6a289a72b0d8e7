#!/bin/bash
# What plans foresee beside what comes, over four hosts of the lab (tests/lab),
# which have 0.9 processors together and a network of 1 Gbit/s:
#
#	tests/bench/hosts.sh [RECORDS [ROUNDS]]
#
# A round (of 4) sorts lines by version: RECORDS of them (1800000), half as many,
# and three quarters.  What is held against it was foreseen before:
#
# - the sort of each host, all RECORDS, by the profile that `hprun --profile` takes
#   before the first run: the step "sort", which also is the start of a process by
#   ssh;
# - when the three quarters are done, from the first step of a host to the last one's
#   end, as `hpprofile learn --whole` knows it from the runs of the two other sizes
#   in all rounds so far.  So a machine that gets slower or faster in the course of
#   minutes is learned, too.
#
# What nothing can foresee stands beside it: by how much the very same runs, and one
# same sort alone on the machine before each of them, differ from each other.  So
# that it is little the sort has work to do and 16 MiB of memory for it.  The machine
# below virtual ones may take 0.1 to 2 s of processor time to find 1 GB of memory that
# was not used just before, more than it takes to sort as many records of gensort: of
# these the very same sort took 1.2 to 3.3 s, all nodes at once, with the same time of
# its own.

set -euo pipefail
records=${1:-1800000} rounds=${2:-4}
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

# again ROUND: the very same sort, alone on the machine and without a limit.
again() {
	local start=${EPOCHREALTIME/./}

	hub hpsort -V -S 16M --parallel 1 -o again lines.again
	echo "$1 $(((${EPOCHREALTIME/./} - start) / 1000))" >>"$dir/again"
}

# sorted ROUND SIZE TRACE OPTION...: so many lines, once.
sorted() {
	again "$1"
	hub hprun -C cluster.jsonl --transport tcp -V -S 16M --trace "$3" \
		-o sorted "${@:4}" "lines.$2"
	hub hpcheck -V sorted | jq -e --argjson n "$2" \
		'.sorted and .records == $n' >/dev/null
}

# plan SIZE FILE: what the cluster as it is now foresees of so many lines.
plan() {
	hub hpsolve -n "$1" cluster.jsonl >"$dir/$2"
}

# shellcheck disable=SC2016 # of jq
# runs TRACE...: of each host in each run, when it was done and how long it sorted;
# the runs are as they came.
runs() {
	hub jq -nc '[inputs | select(.rank != null)] | group_by(.run) |
		sort_by(map(.start_s) | min) | to_entries[] | .key as $run | .value |
		(map(.start_s) | min) as $begin | group_by(.rank)[] | {$run,
		rank: .[0].rank, done: ((map(.end_s) | max) - $begin),
		sort: (map(select(.step == "sort"))[0] | .end_s - .start_s)}' "$@"
}

# off: of lines of a name, seconds foreseen and measured, and words, how far the one
# is off the other.
off() {
	awk -F '\t' '
	function size(x) { return x < 0 ? -x : x }
	{
		by = 100 * ($3 / $2 - 1)
		printf "%-14s %8.2f s %8.2f s %+7.1f %%  %s\n", $1, $2, $3, by, $4
		for (i = ++n; i > 1 && sizes[i - 1] > size(by); i--)
			sizes[i] = sizes[i - 1]
		sizes[i] = size(by)
	}
	END { printf "off by %.1f %% in the median, %.1f %% at the worst\n",
		(sizes[int((n + 1) / 2)] + sizes[int(n / 2) + 1]) / 2, sizes[n] }'
}

# by_host WHAT TRACE PLAN...: of each host the median of what the plans foresee, and
# of what came: done or sort.
by_host() {
	local what=$1 trace=$2

	shift 2
	runs "$trace" | jq -rs --arg what "$what" --slurpfile plan <(jq -sc . "$@") '
		def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
		def shown: . * 100 | round / 100;
		group_by(.rank)[] | .[0].rank as $rank | map(.[$what]) as $came |
		[$plan[][] | select(.type == "share" and .rank == $rank)] as $share |
		["\($share[0].node) \($share[0].n)", ($share | map(.seconds) | median),
			($came | median), "\($came | min | shown) to \($came | max | shown) s"] |
		@tsv' | off
}

# by_round: when three quarters were done, by round.
by_round() {
	runs quarters | jq -rs --slurpfile plan <(jq -sc 'map(select(.type == "plan"))' \
		"$dir"/quarters.*) '
		group_by(.run)[] | .[0].run as $run |
		["round \($run + 1)", $plan[0][$run].makespan, (map(.done) | max), ""] |
		@tsv' | off
}

# drift: how fast the machine was meanwhile.
drift() {
	local round

	echo 'One same sort meanwhile, alone, by round: median, least to most'
	for ((round = 1; round <= rounds; round++)); do
		sed -n "s/^$round //p" "$dir/again" | sort -n | awk -v name="$round" '
			{ v[NR] = $1 }
			END { printf "round %-8d %4d ms, %4d to %4d ms\n", name,
				v[int((NR + 1) / 2)], v[1], v[NR] }'
	done
	sort -n -k 2 "$dir/again" | awk '{ v[NR] = $2 }
		END { m = v[int((NR + 1) / 2)]
			printf "So the machine was off its median by %.0f to %+.0f %%\n",
			100 * (v[1] / m - 1), 100 * (v[NR] / m - 1) }'
}

specs=()
for i in "${!names[@]}"; do
	specs+=("${names[i]}:cpu=${shares[i]},rate=1gbit,disk=3G")
done
lab up "${specs[@]}"
lab set hub disk=3G
hub true
half=$((records / 2)) quarters=$((records * 3 / 4))
for size in "$records" $half $quarters; do
	hub hpgen -F line "$size" "lines.$size"
done
hub hpgen -F line 600000 lines.again
for i in "${!names[@]}"; do
	jq -nc --arg node "${names[i]}" --arg dir "$LAB_DIR/home" \
		'{type: "node", $node, host: $node, $dir}'
done >"$LAB_DIR/nodes/hub/home/cluster.jsonl"

for ((round = 1; round <= rounds; round++)); do
	if [ $round -eq 1 ]; then
		sorted $round "$records" all --profile=30
		hub cp cluster.jsonl profile.jsonl
		plan "$records" profiled
	else
		sorted $round "$records" all
	fi
	sorted $round $half half
	hub sh -c 'hpprofile learn --whole profile.jsonl all half >cluster.jsonl'
	plan $quarters "quarters.$(printf %03d $round)"
	sorted $round $quarters quarters
done
echo "Hosts, $records lines by version: the sort, by the profile; median of $rounds"
echo "host, lines      foreseen   measured       off  least to most"
by_host sort all "$dir/profiled"
echo "Hosts, $quarters lines, by the runs so far of $records and $half: until done"
by_round
echo 'The same by host, medians'
by_host 'done' quarters "$dir"/quarters.*
drift
