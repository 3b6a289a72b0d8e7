#!/bin/bash
# The demonstration of `make demo`.  Four nodes of speeds 8, 5, 3 and 1, all on
# this machine, sort a listing of its files and ten million records, and prove
# the results.  HP_DEMO_RECORDS sets another number of records, and HP_DEMO_TREE
# lists the files of another directory than /.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
! bin=$(cd "${HPBIN:-$here/../../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
export PATH LC_ALL=C
records=${HP_DEMO_RECORDS:-10000000}
AT_SPEED=
umask 077

clean() {
	cd /
	rm -rf "$scratch"
	[ -z "$AT_SPEED" ] || "$here/at-speed" --down
}
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/hpdemo.XXXXXX")
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$scratch"

say() { printf '\n== %s\n' "$*"; }
seconds() { date +%s.%N; }

# since START: the time that has gone by.
since() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f s", b - a }'; }

# Input, runs, parts and result are on the disk at once: 400 bytes a record.
free=$(df -Pk . | awk 'NR == 2 { print $4 }')
if [ "$free" -lt $((records * 45 / 100)) ]; then
	records=$((free * 2))
	echo "demo: only $free KiB are free: sorting $records records instead"
fi

# ---- four nodes -------------------------------------------------------------

# 85 % of the machine, so that no node waits for another's processor.
mapfile -t cores < <(awk -v n="$(nproc)" 'BEGIN {
	split("8 5 3 1", k, " ")
	for (i = 1; i <= 4; i++)
		printf "%.3f\n", n * 0.85 * k[i] / 17
}')
names=(a b c d) speeds=(8 5 3 1) hosts=()
for i in 0 1 2 3; do
	printf '{"type":"node","node":"%s","host":"%s","speed":%s}\n' \
		"${names[i]}" "${names[i]}" "${speeds[i]}" >>cluster.jsonl
	hosts+=("${names[i]}=${cores[i]}")
done
say 'Four nodes on this machine'
rsh=()
if AT_SPEED=$("$here/at-speed" --up "${hosts[@]}"); then
	export AT_SPEED
	rsh=(--rsh at-speed --transport unix)
	PATH=$here:$PATH
	echo "cores: ${hosts[*]}"
else
	AT_SPEED=
	jq -c 'del(.host)' cluster.jsonl >local.jsonl
	mv local.jsonl cluster.jsonl
	echo 'demo: all nodes run at the speed of the machine; only the plan' \
		'knows of speeds'
fi

# table: each node's share against the plan, and the seconds of its steps.  A node
# sorts its share in several steps if hprun sends batches: the node then exchanges
# and merges nothing.
table() {
	jq -rn --slurpfile plan plan.jsonl --slurpfile trace trace '
		def steps($step; $rank): [$trace[] |
			select(.step == $step and .rank == $rank)];
		def spent($step; $rank): steps($step; $rank) |
			map(.end_s - .start_s) | add // 0;
		def sorted($rank): [("exchange", "merge", "sort") as $step |
			steps($step; $rank) | select(. != []) |
			map(.records) | add][0] // 0;
		($trace | map(select(.rank != null).step) |
			reduce .[] as $s ([]; if index([$s]) then . else . + [$s] end)
		) as $steps |
		["node", "planned", "sorted", "of plan"] + $steps,
		($plan[] | select(.type == "share") | .rank as $r |
			sorted($r) as $got |
			[.node, .n, $got, (if .n == 0 then "-" else
				"\(10000 * $got / .n | round / 100) %" end)] +
			[$steps[] as $s | spent($s; $r)]) | @tsv' |
		awk -F '\t' '{
			printf "%-6s%11s%11s%10s", $1, $2, $3, $4
			for (i = 5; i <= NF; i++)
				printf(NR == 1 ? "%10s" : "%8.2f s", $i)
			print ""
		}'
	jq -rn '[inputs | select(.rank == null)] | group_by(.step) |
		sort_by(.[0].start_s) | "launcher: " + (map("\(.[0].step) \(
			(map(.end_s - .start_s) | add) * 100 | round / 100) s") |
			join(", "))' trace
	# Several steps of a node are several batches.
	! jq -se 'map(select(.step == "sort").rank) | length > (unique | length)' \
		trace >/dev/null ||
		echo 'hprun sent batches: a node that returns them faster than planned' \
			'gets more'
}

# sorted_by_nodes INPUT WORD...: by hprun, from INPUT to `sorted`, with a table.
sorted_by_nodes() {
	local input=$1 start

	shift
	printf '$ hprun -C cluster.jsonl %s%s%s-o sorted %s\n' \
		"${rsh[*]}" "${rsh:+ }" "${*:+$* }" "$input"
	rm -f trace # else the lines are added to it
	start=$(seconds)
	hprun -C cluster.jsonl "${rsh[@]}" -S 20% "$@" \
		--trace trace -o sorted "$input"
	echo "sorted in $(since "$start")"
	hpsolve -n "$(jq 'select(.step == "plan").records' trace)" \
		cluster.jsonl >plan.jsonl
	table
}

# as_sort INPUT WORD...: `sorted` holds what sort(1) makes of INPUT.
as_sort() {
	local input=$1 start

	shift
	start=$(seconds)
	sort "$@" "$input" | cmp - sorted
	echo "the same bytes as LC_ALL=C sort${*:+ }$* (which took $(
		since "$start"
	))"
}

say "The files of this machine, by size and name"
find "${HP_DEMO_TREE:-/}" -xdev -printf '%s %p\n' >listing 2>/dev/null || true
echo "$(wc -l <listing) files; the largest:"
sorted_by_nodes listing -k 1,1nr -k 2
head -n 3 sorted
as_sort listing -k 1,1nr -k 2

say "$records records of gensort, 100 bytes each"
hpgen -a -c "$records" records 2>checksum
sorted_by_nodes records -F gensort
hpcheck -F gensort sorted >summary
jq -re --arg want "$(cat checksum)" --argjson n "$records" '
	if .sorted and .records == $n and .checksum == $want
	then "hpcheck: \(.records) records, in order, checksum \(.checksum), " +
		"as generated"
	else "hpcheck: WRONG: \(.)" | halt_error end' summary
as_sort records --parallel="$(nproc)"
say 'All results are right'
