#!/bin/bash
# Compares sorts on nodes of unknown and of known speed.  Needs root:
#
#	tests/bench/batches.sh [RECORDS [SEEDS [SPEEDS...]]]
#
# Four hosts of the lab (tests/lab/lab) sort RECORDS of gensort (3000000) by tcp.
# SPEEDS are the relative speeds of the hosts; several may be given, one after
# the other (4:2:1:1 8:5:3:1 5:5:5:1).  The hosts together have 1.7 processors.
# For each of SEEDS seeds (3) there is an input, which is sorted in turn by:
#
#	known	the cluster has a measured profile (hprun --profile)
#	unknown	the cluster has no speeds: hprun deals the input in batches
#	slow	the first host has a tenth of its processor, and the profile was
#		measured so
#	slowed	no speeds; the first host loses nine tenths of its processor after
#		a quarter of the time that an unknown run needs
#
# The table has the median seconds of each, and the median and the worst ratio of
# the runs of one input: unknown to known (target: 1.10) and slowed to slow
# (target: 1.3).  HP_BENCH_FIRST is the first seed (1).  HP_BENCH_KEEP is a directory
# for the traces and clusters.

set -euo pipefail
records=${1:-3000000} seeds=${2:-3} first=${HP_BENCH_FIRST:-1}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 4:2:1:1 8:5:3:1 5:5:5:1
clusters=("$@")
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "${HPBIN:-$top/build/bin}" && pwd):$PATH
export PATH LC_ALL=C LAB=hpbatches$$ LAB_DIR
names=(a b c d)
TIMEFORMAT=%R

lab() {
	"$top/tests/lab/lab" "$@"
}

why=$(lab check 2>&1) || {
	echo "batches: $why" >&2
	exit 2
}
dir=$(mktemp -d "/dev/shm/hpbatches.XXXXXX")
LAB_DIR=$dir/lab
trap 'lab down; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir"

# cluster FILE: the hosts, without speeds.
cluster() {
	jq -nc --arg dir "$LAB_DIR/home" \
		'$ARGS.positional[] | {type: "node", node: ., host: ., $dir}' \
		--args -- "${names[@]}" >"$1"
}

# sorts CLUSTER WORD...: a run that begins at the hub; prints its seconds.
sorts() {
	local cluster=$1

	shift
	{ time lab exec hub env PATH="$LAB_DIR/bin:$PATH" TMPDIR="$dir" \
		hprun -C "$dir/cluster.$cluster" --transport tcp -F gensort "$@" \
		-o "$dir/out" "$dir/in" >&2; } 2>&1 | tail -n 1
}

# on_hub WORD...: runs the command before all else that this machine does.
on_hub() {
	lab exec hub env PATH="$PATH" "$@"
}

# is_right: the result is in order and complete.
is_right() {
	[ "$(on_hub hpcheck -F gensort "$dir/out" | jq -c '[.sorted, .records, .checksum]')" = \
		"[true,$records,\"$(<checksum)\"]" ]
}

# run NAME CLUSTER: a timed run, its seconds in NAME.s.
run() {
	rm -f trace
	sorts "$2" --trace "$dir/trace" >>"$1.s"
	is_right
	[ -z "${HP_BENCH_KEEP-}" ] || {
		cp trace "$HP_BENCH_KEEP/$speeds.$seed.$1"
		cp "cluster.$2" "$HP_BENCH_KEEP/$speeds.$seed.$1.cluster"
	}
}

lose() {
	sleep "$1"
	lab set a cpu="$slow"
}

median() {
	sort -n | awk '{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

generate() {
	on_hub hpgen -c --seed "$1" -F gensort "$records" "$dir/in" 2>checksum
}

# ratio TITLE A B: the median and the largest ratio of the seconds.
ratio() {
	paste "$2.s" "$3.s" | awk '{ print $1 / $2 }' >ratios
	printf '%-17s %5.2f  worst %5.2f\n' "$1" "$(median <ratios)" \
		"$(sort -n ratios | tail -n 1)"
}

# compare: all runs on the hosts of these speeds.
compare() {
	local i specs=() share

	read -r -a share < <(awk -v s="$speeds" 'BEGIN {
		n = split(s, v, ":")
		for (i = 1; i <= n; i++)
			sum += v[i]
		for (i = 1; i <= n; i++)
			printf "%.3f ", v[i] / sum * 1.7
		print ""
	}')
	slow=$(awk "BEGIN { print ${share[0]} / 10 }")
	for i in "${!names[@]}"; do
		specs+=("${names[i]}:cpu=${share[i]},rate=1gbit")
	done
	lab up "${specs[@]}"
	rm -f ./*.s
	cluster cluster.unknown
	cluster cluster.known
	cluster cluster.slow
	generate "$first"
	sorts known --profile=10 >/dev/null
	lab set a cpu="$slow"
	sorts slow --profile=10 >/dev/null
	lab set a cpu="${share[0]}"
	for ((seed = first; seed < first + seeds; seed++)); do
		generate "$seed"
		run known known
		run unknown unknown
		lab set a cpu="$slow"
		run slow slow
		lab set a cpu="${share[0]}"
		lose "$(awk '{ print $1 / 4 }' < <(tail -n 1 unknown.s))" &
		run slowed unknown
		wait $!
		lab set a cpu="${share[0]}"
	done
	lab down
	echo "speeds $speeds, $records records, $seeds seeds from $first, load $(cut -d ' ' -f 1 /proc/loadavg)"
	for i in known unknown slow slowed; do
		printf '%-8s %6.2f s\n' $i "$(median <$i.s)"
	done
	ratio 'unknown to known' unknown known
	ratio 'slowed to slow' slowed slow
}

for speeds in "${clusters[@]}"; do
	compare
done
