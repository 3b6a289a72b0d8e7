#!/bin/sh
# Step 1: measure how fast the nodes are.
. "$(dirname "$0")/start.sh"

# hpprofile sorts 20000 lines several times and prints the mean time.
hpprofile --sizes 20k --seconds 1 --precision 50% >machine.jsonl

# This machine plays three nodes.  Node 0 is as fast as the machine.  Nodes 1
# and 2 take twice as long.
for i in $nodes; do
	mkdir -p "dir.$i"
	jq -c --argjson rank "$i" '{type, node: "node\($rank)", dir: "dir.\($rank)",
		points: [.points[] | {n, seconds: (if $rank == 0
			then .seconds else .seconds * 2 end)}]}' machine.jsonl
done >cluster.jsonl

echo 'cluster.jsonl describes the nodes, one in each line:'
cat cluster.jsonl
ask 'How many lines does each node sort per second?'
