#!/bin/bash
# Simulates with hpsim(1) the experiments A.1 to A.3 of Cérin, Dubacq, Roch (2006),
# Figure 2, on the 96 nodes of the paper, and the cost of the methods on 2 to
# 10,000 such nodes.  The script prints tables, as Markdown.
#
#	examples/papers/sim.sh [--lab] [DIRECTORY]
#
# With DIRECTORY, it also draws there trace.svg (A.1 to A.3) and nodes.svg.  With
# --lab, it compares predictions with runs on 4 and 8 hosts of the lab instead;
# sim-lab.bash describes that.  HP_SIM_NODES: the numbers of nodes.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
! bin=$(cd "${HPBIN:-$here/../../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
export PATH LC_ALL=C
command -v hpsim >/dev/null || {
	echo 'sim.sh: no hpsim: in the sources, run make deps WITH=simgrid all' >&2
	exit 0
}
if [ "${1-}" = --lab ]; then
	# shellcheck source=examples/papers/sim-lab.bash
	. "$here/sim-lab.bash"
	exit
fi
pictures=${1-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
read -r -a counts <<<"${HP_SIM_NODES:-2 8 32 96 300 1000 3000 10000}"
records=541623000
size=100

# The paper's A.3 takes 69.4 s, of which the exchange takes 33 %.  So the nodes
# sort their parts in 46.5 s, and the exchange of the larger parts, of 0.6 / 48 of
# all records, takes 22.9 s.
compute=46.5
exchange=22.9

# nodes N SPEED RATE: half of them at that speed, half at 1 / 1.5 of it.
nodes() {
	echo '{"type":"launcher","link":{"send":118e6,"receive":118e6}}'
	awk -v n="$1" -v speed="$2" -v rate="$3" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "{\"type\":\"node\",\"node\":\"n%d\",\"host\":\"n%d\"," \
				"\"speed\":%.10g,\"link\":{\"send\":%d,\"receive\":%d}}\n",
				i, i, i % 2 ? speed / 1.5 : speed, rate, rate }'
}

# seconds STAGE, makespan: of the simulation in $scratch/result.
seconds() {
	jq --arg s "$1" 'select(.stage == $s).seconds' "$scratch/result"
}

makespan() {
	jq 'select(.makespan).makespan' "$scratch/result"
}

# simulate OPTION...: with the nodes and the plan of the scratch directory.
simulate() {
	hpsim -C "$scratch/nodes" -P "$scratch/plan" --bytes-per-item $size \
		"$@" >"$scratch/result"
}

nodes 96 1 1 >"$scratch/nodes"
speed=$(hpsolve -n $records "$scratch/nodes" |
	jq --argjson s $compute 'select(.makespan).makespan / $s')
rate=$(hpsolve -n $records "$scratch/nodes" |
	jq -s --argjson s $exchange --argjson n $records --argjson b $size \
		'.[0].n as $x | $x * ($n - $x) / $n * $b / $s | round')

# row NAME PAPER RUN METHOD OPTION...
row() {
	local name=$1 paper=$2 run=$3 method=$4

	shift 4
	hpsolve -n $records -m "$method" "$scratch/nodes" >"$scratch/plan"
	simulate -a psrs --in-place --leave --groups 96 --run "$run" \
		--trace "$scratch/trace" "$@"
	printf '| %s | %s s | %.1f s | %.1f s | %.1f s | %.1f s |\n' "$name" "$paper" \
		"$(makespan)" "$(seconds sort)" "$(seconds pivots)" \
		"$(seconds exchange)"
}

cat <<END2
### A.1 to A.3 on 96 nodes

$records records of $size bytes; 48 nodes are 1.5 times as fast as the others.
The speed of the nodes and the rate of the links, $((rate / 1000000)) MB/s, are those for
which A.3 takes as long as in the paper, and its exchange 33 % of that.  A.1 and
A.2 are predictions.  \`psrs\`, on the nodes from start to end.

| | paper | simulated | sort | pivots | exchange |
|---|---|---|---|---|---|
END2
nodes 96 "$speed" "$rate" >"$scratch/nodes"
row 'A.1: equal shares, sending or receiving' 125.4 A.1 equal --half-duplex
row 'A.2: planned shares, sending or receiving' 112.7 A.2 auto --half-duplex
row 'A.3: planned shares, sending and receiving' 69.4 A.3 auto

# costs NODES: a line of the table of costs.
costs() {
	nodes "$1" "$speed" "$rate" >"$scratch/nodes"
	hpsolve -n $records "$scratch/nodes" >"$scratch/plan"
	printf '%d' "$1"
	simulate -a exact --in-place --leave --step-seconds 0.05
	printf ' %.3f %.3f %.3f %.3f' "$(makespan)" "$(seconds sort)" \
		"$(seconds exchange)" "$(seconds pivots)"
	for method in psrs pss psop; do
		simulate -a $method --in-place --leave --step-seconds 0.05
		printf ' %.3f' "$(makespan)"
	done
	simulate -a pss --step-seconds 0.05
	printf ' %.3f\n' "$(makespan)"
}

cat <<'END2'

### Cost against the number of nodes

The same records and kinds of nodes.  The launcher's link has 118 MB/s, and each
step takes 0.05 s to start.  Seconds; sort, exchange and pivots are those of
`exact`.  In the last column the launcher sends the input and gathers the result.

| nodes | sort | exchange | pivots | exact | psrs | pss | psop | pss, from and to the launcher |
|---|---|---|---|---|---|---|---|---|
END2
for n in "${counts[@]}"; do costs "$n"; done | tee "$scratch/costs" |
	awk '{ printf "| %d | %.3g | %.3g | %.3g | %.4g | %.4g | %.4g | %.4g | %.4g |\n",
		$1, $3, $4, $5, $2, $6, $7, $8, $9; fflush() }'

[ -n "$pictures" ] || exit 0
mkdir -p "$pictures"
cp "$scratch/costs" "$pictures/costs"
hpplot trace -o "$pictures/trace.svg" "$scratch/trace"
gnuplot -e "data='$scratch/costs'; picture='$pictures/nodes.svg'" - <<'END2'
set terminal svg size 800,500 dynamic background "white" font "sans,13"
set output picture
set logscale xy
set xlabel "nodes"
set ylabel "seconds"
set grid
set key outside right
plot data using 1:3 with lines dt 2 lc rgb "gray40" title "sort", \
	"" using 1:4 with lines dt 3 lc rgb "gray40" title "exchange", \
	"" using 1:2 with linespoints pt 7 title "exact", \
	"" using 1:6 with linespoints pt 5 title "psrs", \
	"" using 1:7 with linespoints pt 9 title "pss", \
	"" using 1:8 with linespoints pt 11 title "psop", \
	"" using 1:9 with linespoints pt 13 title "pss, from launcher"
END2
