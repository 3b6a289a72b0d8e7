#!/bin/bash
# What hprun itself costs, with so few records that all else takes no time:
#
#	tests/bench/hprun.sh [RUNS [OTHER]]
#
# 1,000 lines are sorted RUNS times (5), after each other: on 4, 16, 64 and 256
# nodes of this machine, on 4 and 16 of them by hpexchange, and on 16 hosts by tcp,
# which an --rsh reaches by sh -c.  Then 125 to 1,000 agents get documents and
# return them.  Each line has the median of the seconds that passed, and of those
# of the processors, of all processes together.  Since these differ from machine
# to machine, it also has ratios of the same run:
#
#	sorts	processor time, in starts of hpsort with the same lines
#	growth	the power of the number of nodes that the processor time has grown
#		by since the line above: 1 is linear
#	other	seconds and processor time of OTHER, the directory of another hprun
#		with its programs, as a multiple of ours
#
# HPBIN: the directory of the programs (build/bin).

set -euo pipefail
runs=${1:-5} other=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
HPBIN=$(cd "${HPBIN:-$top/build/bin}" && pwd)
build=$(dirname "$HPBIN")
[ -z "$other" ] || other=$(cd "$other" && pwd)
path=$PATH
dir=$(mktemp -d "/dev/shm/hpbench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export LC_ALL=C TMPDIR=$dir
TIMEFORMAT='%R %U %S'
cd "$dir"

# timed COMMAND...: appends seconds and processor time to ./all.times.
timed() {
	{ time "$@" >/dev/null 2>errors; } 2>took || {
		cat errors >&2
		return 1
	}
	awk '{ print $1, $2 + $3 }' took >>all.times
}

# median COLUMN: of ./all.times.
median() {
	cut -d " " -f "$1" all.times | sort -n | awk '{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# measure PROGRAMS WORD...: hprun of that directory, RUNS times; $seconds, $cpu.
measure() {
	local i

	PATH=$1:$path
	rm -f all.times
	hash -r
	for ((i = 0; i < runs; i++)); do
		timed hprun "${@:2}" -o out lines
		cmp out sorted
	done
	seconds=$(median 1) cpu=$(median 2)
}

# row NAME NODES WORD...: one line of the table.  With - for NODES nothing is said
# of growth.
row() {
	local ours_s ours_cpu beside=

	measure "$HPBIN" "${@:3}"
	ours_s=$seconds ours_cpu=$cpu
	if [ -n "$other" ] && measure "$other" "${@:3}"; then
		beside="$seconds $cpu"
	fi
	awk -v name="$1" -v nodes="$2" -v s="$ours_s" -v cpu="$ours_cpu" \
		-v sort="$sort_cpu" -v before="$before" -v beside="$beside" 'BEGIN {
		growth = ""
		split(before, b, " ")
		if (nodes != "-" && b[1] > 0)
			growth = sprintf("%.2f", log(cpu / b[2]) / log(nodes / b[1]))
		if (split(beside, o, " ") == 2)
			told = sprintf("%.1f %.1f", o[1] / s, o[2] / cpu)
		printf "%-24s %8.3f s %8.3f s %7.0f %7s  %s\n", name, s, cpu,
			cpu / sort, growth, told
	}'
	[ "$2" = - ] || before="$2 $ours_cpu"
}

# nodes N: a cluster of so many here.
nodes() {
	seq "$1" | sed 's/.*/{"type":"node","node":"n&","speed":1}/'
}

# hosts N: of so many hosts, which are this machine under as many addresses.
hosts() {
	local i

	for ((i = 1; i <= $1; i++)); do
		mkdir -p "host.$i"
		printf '{"type":"node","node":"h%d","host":"127.0.0.%d","dir":"%s","speed":1}\n' \
			"$i" "$i" "$dir/host.$i"
	done
}

seq 1000 | shuf --random-source=<(yes) >lines
sort lines >sorted
cat >reach <<'END'
#!/bin/sh
shift
exec sh -c "$*"
END
chmod +x reach

# Too short for the clock: a hundred starts.
hundred() {
	for ((i = 0; i < 100; i++)); do
		"$HPBIN/hpsort" lines
	done
}
rm -f all.times
timed hundred
sort_cpu=$(awk '{ print $2 / 100 }' all.times)
echo "1,000 lines; a start of hpsort takes $sort_cpu s of the processors"
echo "nodes                     seconds      cpu   sorts  growth  other"
before=
for n in 4 16 64 256; do
	nodes $n >cluster
	row "$n here" $n -C cluster
done
before=
for n in 4 16; do
	nodes $n >cluster
	row "$n here, hpexchange" $n -C cluster --transport unix
done
hosts 16 >cluster
row '16 hosts, tcp' - -C cluster --rsh "$dir/reach" --transport tcp

[ -x "$build/tests/unit/job/launcher_many_test" ] || {
	echo 'agents: make tests first'
	exit
}
echo
echo 'agents    seconds   launcher, cpu  growth  launcher, peak'
before=
for n in 125 250 500 1000; do
	"$build/tests/unit/job/launcher_many_test" $n >agents
	awk -v before="$before" '{
		growth = ""
		if (split(before, b, " ") == 2)
			growth = sprintf("%.2f", log($3 / b[2]) / log($1 / b[1]))
		printf "%6d %8.3f s      %8.3f s %7s  %8.1f MiB\n", $1, $2, $3, growth,
			$4 / 1024
	}' agents
	before=$(awk '{ print $1, $3 }' agents)
done
