#!/bin/bash
# Algorithm 1 of Lastovetsky and Reddy, "Data partitioning with a functional
# performance model of heterogeneous processors" (2007), as printed: it bisects the
# angle between two lines through the origin.  The script counts its steps, and
# compares them with the bounds of Proposition 3 and with the steps of hpsolve, as
# Markdown.
#
#	examples/papers/lr.sh

set -euo pipefail
# shellcheck source=examples/papers/common.bash
. "$(dirname "$0")/common.bash"

# nodes P: random nodes: the speed rises, falls slowly, and drops where the memory
# ends.  The fastest is up to 13.5 times as fast as the slowest.
nodes() {
	awk -v p="$1" 'BEGIN {
		srand(1)
		split("0.001 0.1 1 2 20", at, " ")
		split("0.8 1 0.95 0.3 0.2", part, " ")
		for (i = 0; i < p; i++) {
			v = 1e6 * 13.5 ^ rand()
			memory = int(10 ^ (6 + 3 * rand()))
			printf "{\"type\":\"node\",\"node\":\"n%d\",\"points\":[", i
			for (j = 1; j <= 5; j++) {
				x = int(memory * at[j])
				printf "%s{\"n\":%d,\"seconds\":%.9g}", (j == 1 ? "" : ","), x,
					x / (v * part[j])
			}
			print "]}"
		}
	}'
}

# bisect N UNIT: Algorithm 1 on ./cluster.  The angle depends on the unit of speed,
# which is UNIT items per second.  Prints steps, Delta, the two bounds, makespan.
bisect() {
	jq -r '.points | map("\(.n) \(.n / .seconds)") | join(" ")' cluster |
		awk -v N="$1" -v unit="$2" '
		{
			m[NR] = NF / 2
			for (j = 1; j <= m[NR]; j++) {
				n[NR, j] = $(2 * j - 1)
				s[NR, j] = $(2 * j) / unit
			}
		}
		# The speed at x; constant outside the points.
		function speed(i, x, j) {
			if (x <= n[i, 1]) return s[i, 1]
			for (j = 2; j <= m[i]; j++)
				if (x <= n[i, j])
					return s[i, j - 1] + (x - n[i, j - 1]) \
						* (s[i, j] - s[i, j - 1]) / (n[i, j] - n[i, j - 1])
			return s[i, m[i]]
		}
		# Where the line of the slope a crosses the curve: the only crossing.
		function crossing(i, a, j, rise) {
			if (s[i, 1] <= a * n[i, 1]) return s[i, 1] / a
			for (j = 2; j <= m[i]; j++)
				if (s[i, j] <= a * n[i, j]) {
					rise = (s[i, j] - s[i, j - 1]) / (n[i, j] - n[i, j - 1])
					return (s[i, j - 1] - rise * n[i, j - 1]) / (a - rise)
				}
			return s[i, m[i]] / a
		}
		function wide(i) {
			for (i = 1; i <= p; i++)
				if (crossing(i, low) - crossing(i, high) >= 1) return 1
			return 0
		}
		END {
			p = NR
			for (i = 1; i <= p; i++) { # step 1: the first lines
				a = speed(i, N / p) / (N / p)
				if (i == 1 || a > high) high = a
				if (i == 1 || a < low) low = a
			}
			# Lemma 3.1: c1 <= OB/OA <= c2 on each curve
			c1 = 1e300
			for (i = 1; i <= p; i++) {
				xa = crossing(i, high)
				xb = crossing(i, low)
				c = xb * sqrt(1 + low * low) / (xa * sqrt(1 + high * high))
				if (c < c1) c1 = c
				if (c > c2) c2 = c
			}
			delta = (c1 < 1 ? c1 : 1) / (c2 + 1)
			while (wide() && steps < 1000) { # steps 2 to 4
				angle = (atan2(low, 1) + atan2(high, 1)) / 2
				a = sin(angle) / cos(angle)
				sum = 0
				for (i = 1; i <= p; i++)
					sum += crossing(i, a)
				if (sum <= N) high = a
				else low = a
				steps++
			}
			for (i = 1; i <= p; i++) { # step 5, and Algorithm 1.2
				share[i] = int(crossing(i, high))
				left += share[i]
			}
			for (left = N - left; left > 0; left--) {
				best = 0
				for (i = 1; i <= p; i++) {
					t = (share[i] + 1) / speed(i, share[i] + 1)
					if (!best || t < least) { best = i; least = t }
				}
				share[best]++
			}
			for (i = 1; i <= p; i++) {
				t = share[i] > 0 ? share[i] / speed(i, share[i]) / unit : 0
				if (t > last) last = t
			}
			printf "%d %.3f %.0f %.0f %.12g\n", steps, delta,
				log(N) / log(2) / (1 - delta), log(N) / -log(1 - delta), last
		}'
}

cat <<'END'
## LR: the steps of Algorithm 1, and Proposition 3

Delta is the fraction of the possible shares that each bisection excludes at least,
from c1 and c2 of Lemma 3.1: min(c1, 1)/(c2 + 1).  The proof has c1 for min(c1, 1),
and its bound log2(N)/(1 - Delta) lacks a logarithm: (1 - Delta)^k N = 1 gives
k = log N / log(1/(1 - Delta)).  A step of either method computes one crossing for
each node.  "same" says that the makespan is that of hpsolve within 1e-9.

| nodes | N | unit of speed | Delta | bound as printed | bound | Algorithm 1 | hpsolve | makespan |
|---|---|---|---|---|---|---|---|---|
END
for p in 2 8 64; do
	nodes $p >cluster
	for n in 10000 1000000 100000000 10000000000 1000000000000; do
		hpsolve -n $n --stats cluster 2>stats >plan
		ours=$(sed -nE 's/.* ([0-9]+) steps?$/\1/p' stats)
		least=$(jq -r 'select(.type == "plan").makespan' plan)
		for unit in 1 1000000; do
			read -r steps delta printed bound makespan < <(bisect $n $unit)
			same=$(awk -v a="$makespan" -v b="$least" 'BEGIN {
				d = a / b - 1
				if (d < 0) d = -d
				print d < 1e-9 ? "same" : sprintf("%.3g %% apart", 100 * d)
			}')
			echo "| $p | $n | $unit/s | $delta | $printed | $bound |" \
				"$steps | $ours | $same |"
		done
	done
done
