#!/bin/sh
# Step 7: all nodes send each other the pieces, at the same time.
. "$(dirname "$0")/start.sh"
need extents.0 6-cut.sh

# The words from node 1 to node 0 arrive in the file from.0.1.
pids=
for i in $nodes; do
	hpexchange -C cluster.jsonl -N "$i" -i "run.$i" -x "extents.$i" \
		-o "from.$i" --trace trace.jsonl &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid"
done

for i in $nodes; do
	for j in $nodes; do
		show "from.$i.$j"
	done
done
ask 'Which of these nine files cross the network between three machines?'
