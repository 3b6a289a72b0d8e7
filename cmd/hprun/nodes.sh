# The nodes: of a cluster file, or processes of this machine.

case ${nodes:+j}${speeds:+k}${cluster:+C} in
?) ;;
'') nodes=$(nproc) ;;
*) bad_usage 'only one of -j, --speeds and -C' ;;
esac

# -j and --speeds make a cluster of this machine's processes.
if [ -z "$cluster" ]; then
	case $nodes in
	*[!0-9]* | ?????*) bad_usage "'$nodes' is not a number of nodes" ;;
	esac
	while [ "${nodes:-0}" -gt 0 ]; do
		speeds=$speeds,1 nodes=$((nodes - 1))
	done
	case $speeds in
	'') bad_usage 'there must be at least one node' ;;
	*[!0-9.,]*) bad_usage "'$speeds' is not a list of speeds" ;;
	esac
	nodes=0 lines=''
	IFS=,
	for speed in ${speeds#,}; do
		case $speed in
		'' | . | *.*.*) bad_usage "'$speed' is not a speed" ;;
		.*) speed=0$speed ;;
		*.) speed=${speed%.} ;;
		esac
		eval "name_$nodes=node$nodes host_$nodes="
		lines="$lines $(quote "$(
			printf '{"type":"node","node":"node%d","speed":%s,"dir":"node.%d"}' \
				"$nodes" "$speed" "$nodes"
		)")"
		nodes=$((nodes + 1))
	done
	unset IFS
	cluster_line="printf '%s\\n'$lines >cluster.jsonl"
else
	absolute "$cluster"
	cluster=$absolute
	# Names and hosts come out of jq quoted for the shell.
	assignments=$(
		hpsolve -n 0 -m equal -- "$cluster" >/dev/null &&
			jq -nr '[inputs | select(.type == "node")] as $all |
				"nodes=\($all | length)", ($all | to_entries[] |
				.key as $i | .value | .host as $h |
				"name_\($i)=\(.node | @sh)",
				"host_\($i)=\($h // "" | @sh)",
				"shared_\($i)=\([$all[] | select(.host == $h)] | length)")' \
				"$cluster"
	) || exit 2
	eval "$assignments"
	cluster_line="jq -nc '[inputs | select(.type == \"node\")] |
	to_entries[] | .value + {dir: \"node.\\(.key)\"}' $(
		quote "$cluster"
	) >cluster.jsonl"
fi
ranks=$(seq 0 $((nodes - 1)))

# Nodes that share a machine share its memory and its processors.
[ -z "$rsh" ] || {
	words=''
	for word in $rsh; do
		words="$words $(quote "$word")"
	done
	rsh=${words# }
}
