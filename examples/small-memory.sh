#!/bin/bash
# Profiles and plans for two machines of the same speed, one of which has only a
# sixteenth of the memory.
#
#	small-memory.sh [RECORDS]
#
# The machines are control groups on this machine (see one-machine/at-speed).
# Both sort at the same speed while the records fit into memory.  With more
# records, the small machine writes temporary files.  The script sorts with two
# plans and compares the times.  One plan uses the measured curves.  The other
# one uses a single speed per machine, measured with enough memory on both.
# $TMPDIR or /var/tmp must be on a disk.
set -euo pipefail
export LC_ALL=C
here=$(cd "${0%/*}" && pwd)
! bin=$(cd "${HPBIN:-$here/../build/bin}" 2>&1 && pwd) || PATH=$bin:$PATH
PATH=$here/one-machine:$PATH
export TMPDIR=${TMPDIR:-/var/tmp}
records=${1:-2000000}
# shellcheck source=examples/one-machine/hosts.bash
. "$here/one-machine/hosts.bash"
hosts 'big=0.5,1G' 'small=0.5,64M'

for node in big small; do
	at-speed $node hpprofile -N $node -F gensort --from 50k \
		--to "$records" --seconds 20 --precision 10% >"profile.$node" &
done
wait
cat profile.big profile.small >cluster

echo 'records of 100 bytes, and millions of them a second'
for node in big small; do
	jq -r '.node, (.points[] | "\(.n) \(.n / .seconds / 1e6)")' profile.$node |
		awk 'NF == 1 { print; next } { printf "%10d %6.2f\n", $1, $2 }'
done

# sorted SHARES: both sort their shares at once; prints how long it took.
sorted() {
	local node n begin

	begin=$(date +%s.%N)
	while read -r node n; do
		at-speed "$node" hpsort -F gensort -o "$scratch/$node.sorted" \
			"$scratch/$node.$n" &
	done <"$1"
	wait
	awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f s", b - a }'
}

# One speed a machine: that of its first point.
jq -c '{type, node, speed: (.points[0] | .n / .seconds)}' cluster >single
printf '\n%s records: shares of big and small, planned and taken\n' "$records"
for model in cluster single; do
	hpsolve -n "$records" -c n $model >plan
	jq -r 'select(.type == "share") | "\(.node) \(.n)"' plan >shares
	while read -r node n; do
		at-speed "$node" hpgen -F gensort "$n" "$scratch/$node.$n"
	done <shares
	printf '%-8s %s  %.2f s  %s\n' "$([ $model = single ] && echo 'one speed' ||
		echo curves)" "$(cut -d ' ' -f 2 shares | paste -s -d ' ')" \
		"$(jq 'select(.type == "plan") | .makespan' plan)" \
		"$(sorted shares)"
	rm -f big.* small.*
done
