#!/bin/bash
# Compares sorts on nodes of unknown and of known speed.  Needs root:
#
#	tests/bench/batches.sh [RECORDS [ROUNDS]]
#
# Four hosts of the lab (tests/lab/lab) with 0.8, 0.5, 0.3 and 0.1 of a processor
# sort RECORDS of gensort (6000000) by tcp, ROUNDS times (3), in turn:
#
#	known	the cluster has a measured profile (hprun --profile)
#	unknown	the cluster has no speeds: hprun deals the input in batches
#	slow	host a has a tenth of its processor, and the profile was measured so
#	slowed	no speeds; host a loses nine tenths of its processor after a quarter
#		of the time that an unknown run needs
#
# The table has the median seconds of each, and the ratios of the same round:
# unknown to known (target: 1.10) and slowed to slow (target: 1.3).

set -euo pipefail
records=${1:-6000000} rounds=${2:-3}
top=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "${HPBIN:-$top/build/bin}" && pwd):$PATH
export PATH LC_ALL=C LAB=hpbatches$$ LAB_DIR
names=(a b c d) shares=(0.8 0.5 0.3 0.1) slow=0.08
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
specs=()
for i in "${!names[@]}"; do
	specs+=("${names[i]}:cpu=${shares[i]},rate=1gbit")
done
lab up "${specs[@]}"
cd "$dir"
hpgen -F gensort "$records" >in

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
		hprun -C "$dir/$cluster" --transport tcp -F gensort "$@" \
		-o "$dir/out" "$dir/in" >&2; } 2>&1 | tail -n 1
}

# is_right: the result is in order and complete.
is_right() {
	[ "$(hpcheck -F gensort out | jq -c '[.sorted, .records]')" = \
		"[true,$records]" ]
}

lose() {
	sleep "$1"
	lab set a cpu=$slow
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

cluster unknown
cluster known
cluster slow
sorts known --profile=20 >/dev/null
lab set a cpu=$slow
sorts slow --profile=20 >/dev/null
lab set a cpu="${shares[0]}"
for ((round = 0; round < rounds; round++)); do
	for kind in known unknown; do
		sorts $kind >>$kind.s
		is_right
	done
	lab set a cpu=$slow
	sorts slow >>slow.s
	is_right
	lab set a cpu="${shares[0]}"
	lose "$(awk '{ print $1 / 4 }' < <(tail -n 1 unknown.s))" &
	sorts unknown >>slowed.s
	is_right
	wait $!
	lab set a cpu="${shares[0]}"
done
for kind in known unknown slow slowed; do
	printf '%-8s %6.2f s\n' $kind "$(median <$kind.s)"
done
printf 'unknown to known  %.2f\n' "$(paste unknown.s known.s | awk '{ print $1 / $2 }' | median)"
printf 'slowed to slow    %.2f\n' "$(paste slowed.s slow.s | awk '{ print $1 / $2 }' | median)"
