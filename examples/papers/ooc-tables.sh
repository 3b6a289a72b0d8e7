#!/bin/bash
# Tables 1 to 7 of Cérin, Fkaier, Jemni, "Out-of-core sorting on heterogeneous
# clusters": how evenly sampling and over-partitioning load nodes of different
# speeds.  The script prints the paper's figures and ours side by side, as
# Markdown.
#
#	examples/papers/ooc-tables.sh [RUNS]
#
# 35 runs of each, as in the paper, on its generator, x' = a x mod 2^46.

set -euo pipefail
runs=${1:-35}
# shellcheck source=examples/papers/common.bash
. "$(dirname "$0")/common.bash"

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

# over TITLE N PERF PAPER: over-partitioning as published, and with exchanges.
over() {
	local title=$1

	shift
	printf '\n### %s\n\n' "$title"
	echo '| node | paper: mean/opt | published method | ours | paper: sd/mean |' \
		'published method | ours | ours: max | min |'
	echo '|---|---|---|---|---|---|---|---|---|'
	measure psop "$1" "$2" >ours
	paste -d ' ' <(seq 0 3) <(printf '%s\n' "$3") \
		<(same=yes measure psop_published "$1" "$2") ours |
		awk '{ printf "| PID%d | %s %% | %.2f %% | %.2f %% | %s %% | %.2f %% | %.2f %% | %d | %d |\n",
			$1, $2, $6, $12, $3, $7, $13, $14, $15 }'
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
over 'Table 5: over-partitioning, {8,5,3,1}, n = 1973785' 1973785 \
	8,5,3,1 $'100.059 0.02\n100.027 0.04\n99.85 0.04\n99.84 0.16'
over 'Table 6: over-partitioning, {8,5,3,1}, n = 16777215' 16777215 \
	8,5,3,1 $'100.04 0.02\n100.05 0.03\n99.84 0.05\n99.89 0.11'
cat <<'END'

### Table 5: the published method with other numbers of candidates

The means and the standard deviations, as in Table 5.  There are 273 sublists.

| candidates for each pivot | mean/opt of the nodes | sd/mean of the nodes |
|---|---|---|
| paper | 100.06 100.03 99.85 99.84 % | 0.02 0.04 0.04 0.16 % |
END
for oversampling in 1 2 4 17; do
	measure psop_oversampled 1973785 8,5,3,1 | awk -v s=$oversampling '
		{ means = means $3 " "; sds = sds $4 " " }
		END { printf "| %d | %s%% | %s%% |\n", s, means, sds }'
done
cat <<'END'

### Table 7: candidates of the methods, and the effect of duplicates

P' = 17, {8,5,3,1}, n = 1973785.  The table gives the smallest and the largest
size of any node in any run, in percent of its optimal size.  For duplicates, the
paper has question marks for H-PSS and H-PSOP, and "until a bound of n/p'
duplicates" for H-PSRS.

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
	cut -d '|' -f $((n - 1)) columns | paste -s -d '|' | sed 's/$/|/'
	n=$((n + 1))
done
