#!/bin/sh
# Step 5: sample the sorted runs, and choose pivots among the samples.
. "$(dirname "$0")/start.sh"
need run.0 4-sort.sh

# Each node prints candidates, which are words at regular distances of its run.
for i in $nodes; do
	hpsplit sample -a psrs -P plan.jsonl -N "$i" "run.$i" >"candidates.$i"
	jq -r '"node \(.rank) offers \(.text), its word \(.index)"' "candidates.$i"
done

# The pivots are the candidates nearest to the ends of the shares.
hpsplit pivots -a psrs -P plan.jsonl candidates.* >sublists.jsonl
echo
jq -r '"node \(.rank) gets the words before " + if .until then
	"\(.until.text) of node \(.until.rank)" else "the end" end' sublists.jsonl
ask 'How many words of its run lie between two candidates of a node?' \
	'How many words of node 2 come before the pivot "plum" of node 0?' \
	'Can you tell this from the candidates alone?'
