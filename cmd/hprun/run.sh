# The run: from the nodes and the input to the result.

alone setup "$cluster_line"
alone setup "mkdir$(across node)"
# A random order must be the same on all nodes.
if [ -n "$random" ] && [ -z "$source" ]; then
	alone setup 'head -c 16 /dev/urandom >random'
	source=random
fi
[ -z "$source" ] || order="$order --random-source $(quote "$source")"
[ -z "$store_line" ] || alone store "$store_line"
alone count "hpsplit count$order -N 0 $input >count.jsonl"
alone plan "hpsolve -n \"\$(jq .records count.jsonl)\" -m $(
	quote "$method"
) cluster.jsonl >plan.jsonl"
alone deal "hpsplit deal$order -P plan.jsonl $input >deal.jsonl"
"$algorithm"
gather

if [ -n "$dry" ]; then
	echo 'cd "$OLDPWD"'
	[ -n "$keep" ] || say "rm -r $(quote "$work")"
	exit
fi
[ -z "$trace" ] || write_trace || finish 2
finish 0
