#!/bin/sh
# Step 6: each node cuts its run at the pivots.
. "$(dirname "$0")/start.sh"
need sublists.jsonl 5-pivots.sh

# No word moves.  Binary search finds where each sublist begins in the run.
for i in $nodes; do
	hpsplit cut -L sublists.jsonl -N "$i" --extents "run.$i" >"extents.$i"
	jq -r '"words of node \(.rank) for node \(.sublist): \(.records)"' "extents.$i"
done
ask 'How many words will each node have after the exchange?' \
	'Is any of these numbers more than twice the share?'
