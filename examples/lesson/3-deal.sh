#!/bin/sh
# Step 3: deal the words to the nodes, in the order of the file.
. "$(dirname "$0")/start.sh"
need plan.jsonl 2-plan.sh

# An extent says where a chunk begins in the file, and how many bytes it has.
hpsplit deal -P plan.jsonl words >deal.jsonl
for i in $nodes; do
	offset=$(jq "select(.rank == $i).offset" deal.jsonl)
	bytes=$(jq "select(.rank == $i).bytes" deal.jsonl)
	tail -c "+$((offset + 1))" words | head -c "$bytes" >"chunk.$i"
	show "chunk.$i"
done
ask 'Why is it not enough that each node sorts its own chunk?' \
	'Each chunk already has as many words as its node should get.'
