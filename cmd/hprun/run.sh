# The run: from the nodes and the input to the result.

# put FILE: a copy of a file of hprun's for every node.
put() {
	file=$1
	each setup put_line '' "$file"
	join
}
put_line() {
	say "cat >$file"
}

# make_cluster: the nodes, with the directories that they work in, and where the
# hosts find those that are here.
make_cluster() {
	dirs='' here='' address=''
	for i in $ranks; do
		eval "dirs=\"\$dirs \$(quote \"\$dir_$i\")\" address=\${address_$i-}"
		case $address in
		*.* | *:*) here=$address ;;
		esac
	done
	alone setup "$cluster_line jq -nc --arg here '$here' '
	[inputs | select(.type == \"node\")] | (reduce .[].node as \$n
	([]; if index(\$n) then . else . + [\$n] end)) as \$names | .[] |
	.dir = \$ARGS.positional[.node as \$n | \$names | index(\$n)] |
	if .host or \$here == \"\" then . else .host = \$here end' \\
	--args$dirs >cluster.jsonl"
}

# send_parts: to the hosts, what they were dealt.
send_parts() {
	for i in $ranks; do
		eval "host=\$host_$i"
		[ -z "$host" ] || on "$i" send 'cat >in' "{ dd if=$input \\
	bs=1M iflag=skip_bytes,count_bytes status=none \$(jq -r 'select(.rank == $i) |
	\"skip=\\(.offset) count=\\(.bytes)\"' deal.jsonl); echo \$? >sent.$i; } |" \
			"&& (exit \"\$(cat sent.$i)\")"
	done
	join
}

# on_each_directory COMMAND: a line of the dry run for each.
on_each_directory() {
	for i in $ranks; do
		eval "dir=\$dir_$i"
		over "$i" "$1 $(quote "$dir")"
	done
}

if [ -n "$dry" ]; then
	on_each_directory 'mkdir -m 700'
else
	greet_nodes
fi
make_cluster
put cluster.jsonl
# A random order must be the same on all nodes.
if [ -n "$random" ]; then
	case $source in
	'') alone setup 'head -c 16 /dev/urandom >random' ;;
	*) alone setup "cat $(quote "$source") >random" ;;
	esac
	put random
	order="$order --random-source random"
fi
[ -z "$store_line" ] || {
	alone store "$store_line"
	input=$(quote "$work/input")
}
alone count "hpsplit count$order -N 0 $input >count.jsonl"
alone plan "hpsolve -n \"\$(jq .records count.jsonl)\" -m $(
	quote "$method"
) cluster.jsonl >plan.jsonl"
[ -n "$dry" ] || share_memory
alone deal "hpsplit deal$order -P plan.jsonl $input >deal.jsonl"
send_parts
"$algorithm"
gather

if [ -n "$dry" ]; then
	[ -n "$keep" ] || on_each_directory 'rm -r'
	echo 'cd "$OLDPWD"'
	[ -n "$keep" ] || say "rm -r $(quote "$work")"
	exit
fi
[ -z "$trace" ] || write_trace || finish 2
finish 0
