#!/bin/bash
# Cérin, Koskas, Jemni, Fkaier, "Improving parallel execution time of sorting on
# heterogeneous clusters" (2004): its numeric examples, and the two processors
# of its section 6.  The script prints the paper's figures, the correct ones
# where the paper has misprints, and ours, as Markdown.
#
#	examples/papers/sbac.sh [RUNS]

set -euo pipefail
runs=${1:-35}
# shellcheck source=examples/papers/common.bash
. "$(dirname "$0")/common.bash"

# shares N METHOD: the two nodes' shares for speeds 1,6 and the makespan.
shares() {
	hpsolve -n "$1" -k 1,6 -c 'n*log2(n)' -m "$2" | jq -r -s \
		'"\(.[0].n) / \(.[1].n), makespan \(.[2].makespan * 10 | round / 10)"'
}

echo '## SBAC: numeric examples, speeds {1,6}, cost n log2 n'
echo
echo '| N | | paper | right | ours |'
echo '|---|---|---|---|---|'
echo "| 321 | proportional | 46 / 275 | 46 / 275 | $(shares 321 proportional) |"
echo "| 321 | new method | 64 / 257, which is later: it took log2 257 for 9 |" \
	"59 / 262 | $(shares 321 taylor) |"
echo "| 321 | equation (6) | - | 59 / 262 | $(shares 321 newton) |"
echo "| 321 | optimum | - | 59 / 262 | $(shares 321 auto) |"
giga=$((1 << 30))
for method in proportional taylor newton auto; do
	case $method in
	proportional) paper='60 G / 359 G' right='59.857 G / 359.143 G' ;;
	taylor) paper='64 G / 355 G' right='63.283 G / 355.717 G' ;;
	newton) paper=- right='63.374 G / 355.626 G' ;;
	auto) paper=- right='63.370 G / 355.630 G' ;;
	esac
	echo "| 419 G | $method | $paper | $right |" \
		"$(hpsolve -n $((419 * giga)) -k 1,6 -m $method |
			jq -r -s --argjson g $giga 'map(select(.type=="share").n
				/ $g * 1000 | round / 1000) |
				"\(.[0]) G / \(.[1]) G"') |"
done

# sharper N SPEEDS: the share of the first node by equations (6) and (8), and by
# how many percent the real shares exceed the optimum.  The first form is right:
# one step of Newton's method.  The others take the logarithms to base 2, as the
# examples of the paper do, and sum the corrections from j = 2, as printed.
sharper() {
	local optimum

	for form in taylor right 'base 2' 'sum from 2'; do
		optimum=$(hpsolve -n "$1" -k "$2" | jq -r 'select(.bound).bound')
		awk -v N="$1" -v speeds="$2" -v T="$optimum" -v form="$form" '
		BEGIN {
			p = split(speeds, k, ",")
			base = form == "base 2" ? log(2) : 1
			for (i = 1; i <= p; i++)
				K += k[i]
			for (i = 1; i <= p; i++) {
				x[i] = N * k[i] / K
				L[i] = form == "taylor" ? log(N) : 1 + log(x[i]) / base
			}
			# The correction of node 1, from the sum of equation (8) over j.
			for (j = form == "sum from 2" ? 2 : 1; j <= p; j++) {
				a += k[j] * L[1] / (k[1] * L[j])
				b += k[j] * log(k[1] / k[j]) / base / L[j]
			}
			e[1] = -N / K * b / a
			for (j = 2; j <= p; j++) # equation (8)
				e[j] = k[j] * (N / K * log(k[1] / k[j]) / base \
					+ e[1] * L[1] / k[1]) / L[j]
			for (i = 1; i <= p; i++) {
				x[i] += e[i]
				sum += x[i]
				t = x[i] * log(x[i]) / k[i]
				if (t > last) last = t
			}
			all = 100 * sum / N
			off = all < 99.9 || all > 100.1
			printf " %.4g%s |", 100 * (last / T - 1),
				off ? sprintf(" (sum %.1f %%)", all) : ""
		}'
	done
}

cat <<'END'

## SBAC: the sharper equations (6) and (8)

Equation (8) is one step of Newton's method from the proportional shares.  Its sum
has the closed form n_i = N (k_i/L_i) / sum_j (k_j/L_j) with L_i = 1 + ln(k_i N/K),
the method `newton` of hpsolve; for two nodes this is equation (6).  Theorem 3
follows if ln N replaces each 1 + ln(k_i N/K) in (8).  Corrections:

- The 1 in the denominators comes from ln(1 + x) = x + ..., so the logarithms must
  be natural.  The examples of the paper take them to base 2.
- In the sum of (8) over all j, the term of node 1 itself is 1 and is missing:
  the sums start at j = 1, not at 2.  As printed, the shares do not add up to N.
- The proof of (6) has two misprints: `alpha log(...)` for `alpha n log(...)`, and
  `k1 log(alpha1 n)` for `k2 log(alpha1 n)`.  Equation (6) itself is right.

The table gives the makespan above the optimum in percent, for shares that are not
rounded.  The sum of the shares is given in percent of N if it is not N.

| speeds, N | Theorem 3 | (6), (8) | (6), (8) with log2 | (8) summed as printed |
|---|---|---|---|---|
END
while read -r n speeds; do
	echo "| $speeds, $n |$(sharper "$n" "$speeds")"
done <<END
10000 1,6
1000000000 1,6
$((419 * giga)) 1,6
1048576 1,3
10000 8,5,3,1
1000000 8,5,3,1
1000000 1,1000
END

# six METHOD: sampling with an oversampling ratio of 6, which is 6 P'.
six() {
	local i

	for i in $ranks; do
		hpsplit sample -a pss -c $((i == 0 ? 6 : 18)) -N "$i" -F u64 \
			--seed "$1" --extent "$(chunk "$i")" data
	done | hpsplit pivots -a pss -P plan >sublists
	counts | sums sublist
}

# row WHAT PAPER METHOD: how far the nodes are from the best shares.
row() {
	measure "$3" 1048576 1,3 | paste -s | awk -v what="$1" -v paper="$2" '{
		printf "| %s | %s | %+.1f %% / %+.1f %% | %.1f %% / %.1f %% |\n",
			what, paper, 100 * $1 / 277725 - 100,
			100 * $7 / 770851 - 100, $4, $10
	}'
}

cat <<END

## SBAC section 6: speeds {1,3}, N = 1048576, $runs runs

The table gives the means of the nodes' sizes, relative to the shares 277725 and
770851 of the paper's Taylor expansion, and their standard deviations.

| method, plan | paper | ours | ours: sd |
|---|---|---|---|
END
model='-m taylor'
row 'sampling, oversampling 6, taylor' '+6.7 % / -2.6 %' six
row "sampling, 6 P' log2 P', taylor" - pss
row 'exact, taylor' - exact
model='-c n'
row 'sampling, oversampling 6, proportional' '-13.4 % / -1.5 %' six
row 'exact, proportional' - exact
