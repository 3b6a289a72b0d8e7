# Compares predictions of hpsim(1) with runs on 4 and on 8 hosts of the lab, half of
# which have 1.5 times the processor of the others.  Part of sim.sh; prints
# Markdown.  Needs root, and no other load: the table is worth nothing on a busy
# machine.
#
# Each host is measured alone by hpprofile(1), and the merge and the start of a
# step by a run of their own.  The runs that are predicted use none of this.
# HP_SIM_RECORDS (2000000), HP_SIM_RUNS (3), HP_SIM_PROFILE: seconds for each host
# (20), HP_SIM_HOSTS ("4 8").
# shellcheck shell=bash

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ -x "$top/tests/lab/lab" ] || {
	echo 'sim.sh: no lab, which only the sources of hptools have (tests/lab)' >&2
	exit 2
}
bin=$(command -v hpsim)
bin=${bin%/*}
export LAB=hpsim$$ LAB_DIR
records=${HP_SIM_RECORDS:-2000000}
runs=${HP_SIM_RUNS:-3}
rate=20mbit
bytes=$((20 * 1000000 * 955 / 1000 / 8)) # TCP leaves 95.5 % of the rate

lab() {
	"$top/tests/lab/lab" "$@"
}

why=$(lab check 2>&1) || {
	echo "sim.sh: $why" >&2
	exit 2
}
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/hpsim.XXXXXX")
trap 'lab down; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
LAB_DIR=$scratch/lab

# sorted TRACE INPUT OPTION...: one run from the hub.
sorted() {
	lab exec hub env PATH="$bin:$LAB_DIR/bin:$PATH" hprun -F gensort \
		-C "$scratch/cluster" --transport tcp --timeout 120 \
		--trace "$1" "${@:3}" "$2"
}

# took TRACE [STEP...]: seconds from the first start to the last end of these steps,
# or of all from `send` to `gather`.
took() {
	jq -s '
		map(select(if $ARGS.positional != [] then
			.step as $s | $ARGS.positional | index($s)
			else .step | IN("count", "plan", "deal", "prove") | not end)) |
		if . == [] then 0
		else (map(.end_s) | max) - (map(.start_s) | min) end' \
		"$1" --args "${@:2}"
}

# measure HOST...: the cluster with points, links, and the time of a merge.
measure() {
	local name

	echo "{\"type\":\"launcher\",\"link\":{\"send\":1e9,\"receive\":1e9}}"
	for name; do
		lab exec "$name" hpprofile -N "$name" -F gensort \
			--from $((records / 60)) --to $((records / 2)) \
			--seconds "${HP_SIM_PROFILE:-20}" --precision 10% |
			jq -c --arg dir "$LAB_DIR/home" --argjson rate "$bytes" \
				'. + {host: .node, $dir, link: {send: $rate,
				receive: $rate}}'
	done
}

# merges: adds merge_seconds_per_item from the merge of a run, and prints the
# cluster.
merges() {
	jq -c --slurpfile trace "$1" '
		(.node as $n | $trace | map(select(.step == "merge" and
			.node == $n)) | first) as $m |
		if .type == "node" and $m and $m.records > 0 then
			.merge_seconds_per_item = ($m.end_s - $m.start_s) / $m.records
		else . end' "$scratch/cluster"
}

echo "| hosts | run | stage | measured | predicted | difference |"
echo "|---|---|---|---|---|---|"
for hosts in ${HP_SIM_HOSTS:-4 8}; do
	names=()
	specs=()
	for ((i = 0; i < hosts; i++)); do
		names+=("n$i")
		# Together they have 1.6 processors.
		specs+=("n$i:cpu=$(awk "BEGIN { printf \"%.3f\", 1.6 * \
			($i % 2 ? 2 : 3) / (2.5 * $hosts) }"),rate=$rate")
	done
	lab up "${specs[@]}" >&2
	measure "${names[@]}" >"$scratch/cluster"
	hpgen "$records" "$scratch/records"
	hpgen 1000 "$scratch/few"
	rm -f "$scratch/trace.few" "$scratch/trace.first"
	sorted "$scratch/trace.few" "$scratch/few" -o "$scratch/result"
	# With -o, the merge would wait for the links.
	sorted "$scratch/trace.first" "$scratch/records" --leave left >&2
	# The steps that follow each other: sort, then those on all nodes.
	step=$(jq -s '(map(.end_s) | max) as $last |
		map(select(.step | IN("count", "plan", "deal", "prove") | not)) |
		($last - (map(.start_s) | min)) / ([.[] | [.step, .rank]] | group_by(.[1]) |
			map(length) | max)' "$scratch/trace.few")
	merges "$scratch/trace.first" >"$scratch/new"
	mv "$scratch/new" "$scratch/cluster"
	hpsim -C "$scratch/cluster" -n "$records" --bytes-per-item 100 \
		--step-seconds "$step" --trace "$scratch/predicted" \
		>"$scratch/stages"
	for ((run = 1; run <= runs; run++)); do
		rm -f "$scratch/trace"
		sorted "$scratch/trace" "$scratch/records" \
			-o "$scratch/result"
		# A host sorts and merges while data is under way.
		for s in 'send sort' exchange 'merge gather' ''; do
			read -r -a steps <<<"$s"
			printf '%s %s %s %s %s\n' "$hosts" "$run" \
				"$(tr ' ' + <<<"${s:-whole}")" \
				"$(took "$scratch/trace" "${steps[@]}")" \
				"$(took "$scratch/predicted" "${steps[@]}")"
		done | awk '{ printf "| %s | %s | %s | %.2f s | %.2f s | %+.1f %% |\n",
			$1, $2, $3, $4, $5, ($4 > 0 ? 100 * ($5 / $4 - 1) : 0) }'
	done
	rm -f "$scratch/predicted"
	lab down >&2
done
