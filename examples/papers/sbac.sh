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
echo "| 321 | optimum | - | 59 / 262 | $(shares 321 auto) |"
giga=$((1 << 30))
for method in proportional taylor auto; do
	case $method in
	proportional) paper='60 G / 359 G' right='59.857 G / 359.143 G' ;;
	taylor) paper='64 G / 355 G' right='63.283 G / 355.717 G' ;;
	auto) paper=- right='63.370 G / 355.630 G' ;;
	esac
	echo "| 419 G | $method | $paper | $right |" \
		"$(hpsolve -n $((419 * giga)) -k 1,6 -m $method |
			jq -r -s --argjson g $giga 'map(select(.type=="share").n
				/ $g * 1000 | round / 1000) |
				"\(.[0]) G / \(.[1]) G"') |"
done

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
