#!/bin/bash
# The application of Lastovetsky and Reddy 2007: a matrix product by horizontal
# stripes on machines of different speeds, one of which lacks memory for the
# larger matrices.  The script measures the speeds as functions of the number of
# rows and the width, plans the stripes and runs the product.  Then it does the
# same with one speed per machine, measured at a small, a medium and a large
# size.  It prints the tables of the paper's Figures 9 and 10, as Markdown.
#
#	examples/matmul/run.sh [WIDTH...]
#
# MATMUL is the program that multiplies, by default the one that `make matmul`
# compiles.  With the package libopenblas-dev, this command compiles it, too:
#
#	cc -D_GNU_SOURCE -O2 -o matmul matmul.c -lopenblas
#
# The machines are control groups on this machine (see at-speed).  Each has its
# own matrix files in $TMPDIR or /var/tmp, which must be on a disk.
#
# KERNEL=dgemm multiplies by blocks (level 3 of BLAS) instead of inner products,
# with matrices of 1.5 times the width: it is fast, and shorter runs would measure
# the periods of the processor quota.  RUNS is the number of runs of each plan (5).
set -euo pipefail
export LC_ALL=C OPENBLAS_NUM_THREADS=1
here=$(cd "$(dirname "$0")" && pwd)
! bin=$(cd "${HPBIN:-$here/../../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
PATH=$here/../one-machine:$PATH
matmul=${MATMUL:-$here/../../build/examples/matmul}
[ -x "$matmul" ] || {
	echo "run.sh: $matmul is missing: compile matmul.c, and set MATMUL" >&2
	exit 2
}
matmul=$(realpath "$matmul")

kernel=${KERNEL-ddot}
runs=${RUNS-5}
names=(X1 X2 X3 X4)
case $kernel in
dgemm) memory=72M unit=375 ;;
*) memory=32M unit=250 ;;
esac
hosts=(X1=0.6 "X2=0.3,$memory" X3=0.2 X4=0.1)
measured=($((4 * unit)) $((6 * unit)) $((7 * unit)) $((8 * unit))) # of the surfaces
single=($((4 * unit)) $((6 * unit)) $((8 * unit))) # small, medium, large
widths=("$@")
[ $# -gt 0 ] || widths=($((4 * unit)) $((5 * unit)) "${measured[@]:1}")

# shellcheck source=examples/one-machine/hosts.bash
. "$here/../one-machine/hosts.bash"
hosts "${hosts[@]}"

# Each machine has its matrices, made by itself, so that they count as its own.
fill() {
	mkdir "$1"
	for n in $(printf '%s\n' "${measured[@]}" "${widths[@]}" | sort -un); do
		at-speed "$1" "$matmul" "$scratch/$1" "$n"
	done
}

# A section for each width; all machines at once, as they would be.
profile() {
	for n in "${measured[@]}"; do
		hpprofile -N "$1" --param width="$n" --from 20 --to "$n" \
			--seconds 6 --precision 10% -- \
			at-speed "$1" "$matmul" "$scratch/$1" '{width}' 0 '{n}' "$kernel"
	done >"profile.$1"
}

# plan WIDTH CLUSTER [OPTION...]: the stripes, as "machine first rows".
plan() {
	local n=$1 cluster=$2

	shift 2
	hpsolve -n "$n" "$@" "$cluster" >plan
	jq -r 'select(.type == "share" and .n > 0) | "\(.node) \(.offset) \(.n)"' plan
}

# multiply WIDTH: the stripes on standard input, as the rows are the speeds; prints
# the seconds from the start of the first machine to the end of the last.
multiply() {
	rm -f trace
	awk '{ printf "{\"type\":\"node\",\"node\":\"%s\",\"host\":\"%s\"," \
		"\"speed\":%d}\n", $1, $1, $3 }' >nodes
	hprun -C nodes --rsh at-speed -n "$1" --trace trace -- \
		"$matmul" "$scratch/{node}" "$1" "{first}" "{count}" "$kernel"
	jq -rs 'map(select(.step == "run")) |
		(map(.end_s) | max) - (map(.start_s) | min) |
		. * 100 | round / 100' trace
}

# repeat WIDTH MODEL...: their stripes, in turn, $runs times; the seconds of each,
# in times.MODEL.  Each run is the second of two: the first one leaves in memory the
# pages that this plan needs, as the repeated runs of a profile do.  Without it,
# a machine with little memory would begin with the pages of another plan.
repeat() {
	local n=$1 model i

	shift
	rm -f times.*
	for ((i = 0; i < runs; i++)); do
		for model; do
			multiply "$n" <"stripes.$model" >cold
			multiply "$n" <"stripes.$model" >>"times.$model"
			check "$n" "$model"
		done
	done
}

# The rows of each machine, and the times of all runs.
details() {
	local n=$1 model

	shift
	for model; do
		echo "| $n | $model | $(cut -d ' ' -f 3 "stripes.$model" | paste -s -d /) |" \
			"$(sort -n "times.$model" | paste -s -d ' ') |"
	done
}

median() {
	sort -n "times.$1" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'
}

# What all machines together made is what X1 made alone.
check() {
	local node first rows row=$((8 * $1))

	while read -r node first rows; do
		cmp -n $((rows * row)) -i $((first * row)) \
			"$node/C.$1" alone
	done <"stripes.$2"
}

for name in "${names[@]}"; do fill "$name" & done
wait
for name in "${names[@]}"; do profile "$name" & done
wait
cat profile.* >surface

# One speed a machine: that of a quarter of the rows at one width.
for n in "${single[@]}"; do
	for name in "${names[@]}"; do
		hpsolve -n $((n / 4)) --at width="$n" "profile.$name" |
			jq -c 'select(.type == "share") |
			    {type: "node", node, speed: (.n / .seconds)}'
	done >"single.$n"
done

echo '## The machines'
echo
echo "Speeds for a quarter of the rows, in rows per second, from the measured surface."
echo
printf '| | cores, memory |'
printf ' width %s |' "${single[@]}"
printf '\n|---|---|'
printf -- '---|%.0s' "${single[@]}"
echo
for ((i = 0; i < ${#names[@]}; i++)); do
	printf '| %s | %s |' "${names[i]}" "${hosts[i]#*=}"
	for n in "${single[@]}"; do
		jq -r "select(.node == \"${names[i]}\") | .speed" "single.$n" |
			awk '{ printf " %.0f |", $1 }'
	done
	echo
done
printf '| fastest / slowest | |'
for n in "${single[@]}"; do
	jq -rs 'map(.speed) | max / min' "single.$n" |
		awk '{ printf " %.1f |", $1 }'
done
echo

for n in "${widths[@]}"; do
	echo "X1 0 $n" >stripes.alone
	for s in "${single[@]}"; do
		plan "$n" "single.$s" -c n >"stripes.$s"
	done
	plan "$n" surface --at width="$n" >stripes.functional
	# Once before, so that nobody's matrices are read from the disk first.
	multiply "$n" <stripes.functional >cold
	multiply "$n" <stripes.alone >cold
	mv "X1/C.$n" alone
	repeat "$n" alone functional "${single[@]}"
	echo "$n $(median alone) $(jq 'select(.type == "plan") | .makespan' plan)" \
		"$(median functional)" \
		"$(cut -d ' ' -f 3 stripes.functional | paste -s -d /)" >>nine
	details "$n" functional "${single[@]}" >>rows
	echo "$n $(for model in functional "${single[@]}"; do
		median "$model"
	done | paste -s -d ' ')" >>ten
done

cat <<'END'

## Figure 9: four machines compared with X1 alone

| width | X1 alone, s | planned, s | functional model, s | speedup | rows of X1/X2/X3/X4 |
|---|---|---|---|---|---|
END
awk '{ printf "| %d | %.2f | %.2f | %.2f | %.2f | %s |\n", $1, $2, $3, $4,
	$2 / $4, $5 }' nine
cat <<'END'

## Figure 10: the functional model compared with one speed per machine

Times in seconds, and their ratio to the time with the functional model.

END
printf '| width | functional |'
printf ' speed of width %s |' "${single[@]}"
printf '\n|---|---|'
printf -- '---|%.0s' "${single[@]}"
echo
awk '{
	printf "| %d | %.2f |", $1, $2
	for (i = 3; i <= NF; i++)
		printf " %.2f: %.2f |", $i, $i / $2
	print ""
}' ten
cat <<'END'

## The plans

Plans with nearly the same rows differ in their times only by disturbances.

| width | model | rows of the machines | seconds of all runs |
|---|---|---|---|
END
cat rows
