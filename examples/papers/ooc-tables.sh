#!/bin/bash
# Tables 1 to 7 of Cerin, Fkaier, Jemni, "Out-of-core sorting on heterogeneous
# clusters": how evenly sampling and over-partitioning load nodes of unlike
# speed.  The paper's figure and ours, side by side, as Markdown.
#
#	examples/papers/ooc-tables.sh [RUNS]
#
# 35 runs of each, as in the paper, on its generator, x' = a x mod 2^46.

set -euo pipefail
runs=${1:-35}
HPBIN=$(cd "${HPBIN:-$(dirname "$0")/../../build/bin}" && pwd)
PATH=$HPBIN:$PATH
LC_ALL=C
export PATH LC_ALL
dir=$(mktemp -d "${TMPDIR:-/var/tmp}/hpooc.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# machines PERF: ./cluster for a vector such as 1,3,5,8; $ranks.
machines() {
	local n=0 k

	rm -f cluster
	for k in ${1//,/ }; do
		echo '{"type":"node","node":"PID'$n'","speed":'"$k"'}'
		n=$((n + 1))
	done >cluster
	ranks=$(seq 0 $((n - 1)))
}

# numbers N SEED [DISTRIBUTION]: ./data, and the extents of the chunks.
numbers() {
	hpgen -F u64 -d "${3-lcg46}" --seed "$2" "$1" data
	[ -f chunks ] || hpsplit deal -P plan -F u64 data >chunks
}

chunk() {
	sed -nE 's/.*"rank":'"$1"',"offset":([0-9]+),"bytes":([0-9]+),.*/\1:\2/p' \
		chunks
}

# by_sampling METHOD TIMES SEED: sublists from TIMES the candidates of METHOD.
by_sampling() {
	local i

	for i in $ranks; do
		for ((t = 0; t < $2; t++)); do
			hpsplit sample -a "$1" -P plan -N "$i" -F u64 \
				--seed $(($3 * $2 + t)) --extent "$(chunk "$i")" data
		done
	done | hpsplit pivots -a "$1" -P plan >sublists
}

counts() {
	local i

	for i in $ranks; do
		hpsplit count -L sublists -N "$i" -F u64 \
			--extent "$(chunk "$i")" data
	done
}

# The number of records of each node, one a line.
sums() {
	sed -E 's/.*"'"$1"'":([0-9]+).*"records":([0-9]+).*/\1 \2/' |
		awk '{ n[$1] += $2; if ($1 > last) last = $1 }
			END { for (i = 0; i <= last; i++) print n[i] + 0 }'
}

# Each prints the nodes' sizes.
pss() {
	by_sampling pss "${times:-1}" "$1"
	counts | sums sublist
}

psop() {
	by_sampling psop 1 "$1"
	counts | hpsplit assign -C cluster --cost n -L sublists >assigned
	sed -E 's/"until":\{[^}]*\}//' assigned | sums rank
}

sort_chunks() {
	local i

	for i in $ranks; do
		hpsort -F u64 --extent "$(chunk "$i")" -o run."$i" data
	done
}

count_runs() {
	local i

	for i in $ranks; do
		hpsplit count --sorted -L "$1" -N "$i" -F u64 run."$i"
	done
}

psrs() {
	local i

	sort_chunks
	for i in $ranks; do
		hpsplit sample -a psrs -P plan -N "$i" -F u64 run."$i"
	done | hpsplit pivots -a psrs -P plan >sublists
	count_runs sublists | sums sublist
}

exact() {
	local i refine=()

	sort_chunks
	for i in $ranks; do
		hpsplit sample -a exact -P plan -N "$i" -F u64 run."$i"
	done >probes
	until count_runs probes | hpsplit pivots -a exact -P plan \
		"${refine[@]}" probes - >next; do
		mv next sublists
		refine=(--refine sublists)
		for i in $ranks; do
			hpsplit sample -a exact -L sublists -N "$i" -F u64 run."$i"
		done >probes
	done
	count_runs next | sums sublist
}

# measure METHOD N PERF [DISTRIBUTION]: $runs runs, a line for each node:
# mean, standard deviation, mean/optimal in %, sd/mean in %, max, min.
measure() {
	local seed

	machines "$3"
	rm -f chunks
	hpsolve -n "$2" -c n cluster >plan
	for ((seed = 1; seed <= runs; seed++)); do
		numbers "$2" $((2 * seed + 1)) "${4-lcg46}"
		"$1" "$seed" | paste -s
	done | awk -v n="$2" -v perf="$3" '
		BEGIN { p = split(perf, k, ","); for (i in k) sum += k[i] }
		{
			for (i = 1; i <= p; i++) {
				s[i] += $i
				q[i] += $i * $i
				if (NR == 1 || $i > max[i]) max[i] = $i
				if (NR == 1 || $i < min[i]) min[i] = $i
			}
		}
		END {
			for (i = 1; i <= p; i++) {
				mean = s[i] / NR
				v = q[i] / NR - mean * mean
				sd = v > 0 ? sqrt(v * NR / (NR > 1 ? NR - 1 : 1)) : 0
				printf "%.0f %.0f %.2f %.2f %d %d\n", mean, sd,
					100 * mean / (n * k[i] / sum),
					100 * sd / mean, max[i], min[i]
			}
		}'
}

# table TITLE METHOD N PERF PAPER: PAPER has a line for each node, mean/optimal
# and sd/mean in %.
table() {
	local title=$1

	shift
	printf '\n### %s\n\n' "$title"
	echo '| node | paper: mean/opt | ours | paper: sd/mean | ours | ours: max | min |'
	echo '|---|---|---|---|---|---|---|'
	paste -d ' ' <(seq 0 3) <(printf '%s\n' "$4") <(measure "$1" "$2" "$3") |
		awk '{ printf "| PID%d | %s %% | %.2f %% | %s %% | %.2f %% | %d | %d |\n",
			$1, $2, $6, $3, $7, $8, $9 }'
}

pss4() {
	times=4 pss "$1"
}

# sensitivity METHOD: the worst share of the optimum, over all nodes and runs.
sensitivity() {
	local d

	for d in lcg46 zipf few:16 equal; do
		measure "$1" 1973785 8,5,3,1 $d |
			awk -v d=$d 'BEGIN {
				split("928840 580525 348315 116105", o)
				low = 1e9
			}
			{
				if ($5 / o[NR] > high) high = $5 / o[NR]
				if ($6 / o[NR] < low) low = $6 / o[NR]
			}
			END { printf " %.2f to %.2f %% |", 100 * low, 100 * high }'
	done
}

[[ ${BASH_SOURCE[0]} == "$0" ]] || return 0
echo "## OOC: load balance, $runs runs each"
table 'Table 1: sampling, {1,3,5,8}, n = 2088960' pss 2088960 1,3,5,8 \
	$'93.88 9.38\n100.09 4.29\n100.10 3.33\n100.36 2.12'
table 'Table 1 with four times the candidates' pss4 2088960 1,3,5,8 \
	$'93.88 9.38\n100.09 4.29\n100.10 3.33\n100.36 2.12'
table 'Table 2: sampling, {1,3,5,8}, n = 16711680' pss 16711680 1,3,5,8 \
	$'94.62 9.44\n99.51 5.38\n101.2 2.82\n100.36 2.69'
table 'Table 3: sampling, {1,1,1,1}, n = 2088960' pss 2088960 1,1,1,1 \
	$'90.45 12.67\n100.79 9.95\n100.53 11.89\n108.10 8.36'
table 'Table 3 with four times the candidates' pss4 2088960 1,1,1,1 \
	$'90.45 12.67\n100.79 9.95\n100.53 11.89\n108.10 8.36'
table 'Table 4: sampling, {1,1,1,1}, n = 16711680' pss 16711680 1,1,1,1 \
	$'93.78 14.90\n99.34 15.06\n94.2 14.72\n112.65 10.75'
table 'Table 5: over-partitioning, {8,5,3,1}, n = 1973785' psop 1973785 \
	8,5,3,1 $'100.059 0.02\n100.027 0.04\n99.85 0.04\n99.84 0.16'
table 'Table 6: over-partitioning, {8,5,3,1}, n = 16777215' psop 16777215 \
	8,5,3,1 $'100.04 0.02\n100.05 0.03\n99.84 0.05\n99.89 0.11'
cat <<'END'

### Table 7: what the methods need, and what duplicates do

P' = 17, {8,5,3,1}, n = 1973785; the least and greatest size of any node in any
run, in percent of its optimal size.  The paper has question marks for the
duplicates of H-PSS and H-PSOP, and "until a bound of n/p' duplicates" for
H-PSRS.

| | H-PSS | H-PSRS | H-PSOP | exact |
|---|---|---|---|---|
| candidates: paper | 6 P' log2 P' = 416 | P'(p-1) = 51 | 4 P'^2 log2 P' = 4725 | - |
| pivots: paper | p - 1 | p - 1 | "271", which is 276 | - |
| balance: paper | +-15 % | +-0.1 % | +-0.01 % | - |
END
for method in pss psrs psop exact; do
	sensitivity $method
	echo
done >columns
n=2
for d in 'no duplicates' zipf '16 keys' 'one key'; do
	printf '| ours: %s |' "$d"
	cut -d '|' -f $((n - 1)) columns | paste -s -d '|' | sed 's/$/ |/'
	n=$((n + 1))
done
