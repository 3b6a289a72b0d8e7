#!/bin/sh
# Step 4: each node sorts its chunk.
. "$(dirname "$0")/start.sh"
need chunk.0 3-deal.sh

for i in $nodes; do
	hpsort -o "run.$i" "chunk.$i"
	show "run.$i"
done
ask 'Do node 0 and node 1 finish at the same time?' \
	'Node 0 has twice as many words as node 1, and is twice as fast.' \
	'The time to sort n words grows like n log n.'
