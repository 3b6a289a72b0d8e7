#!/bin/bash
# Compares hprun --estimate with real runs.  Needs root:
#
#	tests/bench/estimate.sh [RECORDS [RUNS [SECONDS]]]
#
# Four hosts of the lab (tests/lab/lab) with 0.8, 0.5, 0.3 and 0.1 of a processor
# and links of 1 Gbit/s sort RECORDS of gensort (5000000) by tcp.  The first run
# measures the nodes and the links for SECONDS (40).  Its own times do not count.
# Then `hprun --estimate` predicts a run, and RUNS (10) runs follow.  Nothing is
# learned from them.  The result of a run is removed before the next one: a run that
# replaces a file waits until the system has freed it, which no plan knows.
#
# The first table has a line for each stage: the predicted seconds, the least, the
# median and the largest that the runs took, how far the median is from the
# prediction, and how many runs were within 20 %.  A stage of a run begins when the
# stage before it has ended on all machines, as in the plan.  A host that returns its
# part of the result while it merges has ended the stage merge when its step has
# begun.  The last line is for the whole run, from the start of hprun to its exit;
# there the limit is 10 %.
#
# The second table has the sort of each node, from its first batch to its last one if it
# gets batches: the predicted and the median seconds.
# The last line is the median of the time between the first and the last end of a
# sort, relative to the time from the start of the run to the last end (target 3 %).
#
# HP_BENCH_SHARES are other shares of a processor, HP_BENCH_KEEP a directory for the
# plan, the cluster and the traces.

set -euo pipefail
records=${1:-5000000} runs=${2:-10} seconds=${3:-40}
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "${HPBIN:-$top/build/bin}" && pwd):$PATH
export PATH LC_ALL=C LAB=hpestimate$$ LAB_DIR
names=(a b c d)
read -r -a shares <<<"${HP_BENCH_SHARES:-0.8 0.5 0.3 0.1}"

lab() {
	"$top/tests/lab/lab" "$@"
}

why=$(lab check 2>&1) || {
	echo "estimate: $why" >&2
	exit 2
}
dir=$(mktemp -d "/dev/shm/hpestimate.XXXXXX")
LAB_DIR=$dir/lab
trap 'lab down; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
specs=()
for i in "${!names[@]}"; do
	specs+=("${names[i]}:cpu=${shares[i]},rate=1gbit")
done
lab up "${specs[@]}"
cd "$dir"
hpgen -c -F gensort "$records" in 2>checksum
jq -nc --arg dir "$LAB_DIR/home" \
	'$ARGS.positional[] | {type: "node", node: ., host: ., $dir}' \
	--args -- "${names[@]}" >cluster

# on_hub WORD...: an hprun that begins at the hub, which has no share of the
# processors of its own.  It goes before other work on this machine.  Prints when
# it began and when it ended, if the first word is `timed`.
on_hub() {
	local timed=

	[ "$1" != timed ] || timed=yes
	[ -z "$timed" ] || shift
	# shellcheck disable=SC2016 # of the inner shell
	nice -n -20 "$top/tests/lab/lab" exec hub env PATH="$LAB_DIR/bin:$PATH" \
		TMPDIR="$dir" TIMED="$timed" bash -c '
		[ -z "$TIMED" ] || start=$(date +%s.%N)
		"$@"
		code=$?
		[ -z "$TIMED" ] || echo "$start $(date +%s.%N)"
		exit "$code"' hprun hprun -C "$dir/cluster" --transport tcp -F gensort "$@"
}

# is_right: the result is in order and complete.
is_right() {
	[ "$(hpcheck -F gensort out | jq -c '[.sorted, .records, .checksum]')" = \
		"[true,$records,\"$(<checksum)\"]" ]
}

# stages FILE: lines of the name, the seconds and the limit of each stage of a run.
# The file has the time of its start, the time of its end, and its trace.
stages() {
	jq -rs -f "$top/tests/bench/stages.jq" "$1" |
		awk '{ print $1 "\t" $2 "\t" ($1 == "run" ? 10 : 20) }'
}

# spread FILE: how far apart the sorts ended, in per cent.
spread() {
	jq -s '.[0] as $start | map(select(.step? == "sort")) | group_by(.rank) |
		map(map(.end_s) | max) | (max - min) / (max - $start) * 100' <(jq -c . "$1")
}

on_hub --profile="$seconds" -o "$dir/out" "$dir/in" 2>errors || {
	cat errors >&2
	exit 1
}
is_right
on_hub --estimate -o "$dir/out" "$dir/in" >plan 2>advice
for ((run = 0; run < runs; run++)); do
	rm -f trace out
	on_hub timed --trace "$dir/trace" -o "$dir/out" "$dir/in" >clock 2>errors
	is_right
	cat clock trace >run.$run
done
[ -z "${HP_BENCH_KEEP-}" ] || cp -t "$HP_BENCH_KEEP" plan cluster run.*

jq -rs '(map(select(.stage) | {(.stage): .seconds}) | add) as $s |
	(["start", "send", "sort", "pivots", "exchange", "merge", "gather"][] |
		[., $s[.] // 0]), ["run", .[-1].makespan] | @tsv' plan >foreseen
for ((run = 0; run < runs; run++)); do
	stages run.$run
done >measured
echo "$records records, $runs runs, load $(cut -d ' ' -f 1 /proc/loadavg)"
[ ! -s advice ] || sed 's/^/# /' advice
echo 'stage     predicted    least   median    worst   median    within'
while read -r stage predicted; do
	awk -v stage="$stage" '$1 == stage { print $2, $3 }' measured | sort -n |
		awk -v stage="$stage" -v p="$predicted" '
		{ v[NR] = $1; off = $1 - p; limit = $2
		  near += (off < 0 ? -off : off) <= p * $2 / 100 }
		END {
			m = (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2
			printf "%-8s %8.2f s %7.2f %8.2f %8.2f", stage, p, v[1], m, v[NR]
			if (p > 0)
				printf " %+7.1f %%  %d of %d (%d %%)", 100 * (m / p - 1),
					near, NR, limit
			print ""
		}'
done <foreseen
echo
echo 'node   predicted   median sort'
for i in "${!names[@]}"; do
	for ((run = 0; run < runs; run++)); do
		# A node without records does not take part.
		jq -s --arg node "${names[i]}" 'map(select(.step? == "sort" and
			.node == $node)) | select(length > 0) |
			(map(.end_s) | max) - (map(.start_s) | min)' <(sed 1d run.$run)
	done | sort -n | awk -v name="${names[i]}" -v p="$(jq -s --argjson i "$i" \
		'map(select(.stage == "send" or .stage == "sort").by_rank[$i]) |
		if .[1] > 0 then .[1] else .[0] end' plan)" '{ v[NR] = $1 }
		END { m = v[int((NR + 1) / 2)]
			if (NR == 0 || p == 0)
				print name "    takes no part"
			else
				printf "%-4s %9.2f s %9.2f s %+6.1f %%\n", name, p, m, 100 * (m / p - 1) }'
done
for ((run = 0; run < runs; run++)); do
	spread run.$run
done | sort -n | awk '{ v[NR] = $1 } END {
	printf "sorts end within %.1f %% of each other (median), %.1f %% at worst\n",
		v[int((NR + 1) / 2)], v[NR] }'
