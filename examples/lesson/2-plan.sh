#!/bin/sh
# Step 2: plan how many words each node gets.
. "$(dirname "$0")/start.sh"
need cluster.jsonl 1-measure.sh

cp "$lesson/words" words
hpsolve -n "$(wc -l <words)" cluster.jsonl >plan.jsonl

echo 'plan.jsonl says how many words each node gets:'
jq -r 'select(.type == "share") | "share of node \(.rank): \(.n) words"' plan.jsonl
ask 'Move one word from the share of node 0 to the share of node 1.' \
	'Which node finishes last then, and how much later?'
