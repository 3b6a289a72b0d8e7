# The nodes: of a cluster file, or processes of this machine.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

case ${nodes:+j}${speeds:+k}${cluster:+C} in
?) ;;
'') nodes=$(nproc) ;;
*) bad_usage 'only one of -j, --speeds and -C' ;;
esac

# -j and --speeds make a cluster of this machine's processes.
if [ -z "$cluster" ]; then
	case $nodes in
	*[!0-9]*) die "'$nodes' is not a number of nodes" ;;
	?????*) die "'$nodes' nodes: no more than 9999 can be had" ;;
	esac
	case $speeds in
	,* | *,) die "'$speeds' is not a list of speeds" ;;
	esac
	while [ "${nodes:-0}" -gt 0 ]; do
		speeds=$speeds,1 nodes=$((nodes - 1))
	done
	case $speeds in
	'') die 'there must be at least one node' ;;
	*[!0-9.,]*) die "'$speeds' is not a list of speeds" ;;
	esac
	nodes=0 lines=''
	IFS=,
	for speed in ${speeds#,}; do
		number=${speed#"${speed%%[!0]*}"} # no leading zeros in JSON
		case $number in
		*.*.*) die "'$speed' is not a speed" ;;
		.*[1-9]*) number=0$number ;;
		*[1-9]*.) number=${number%.} ;;
		*[1-9]*) ;;
		*) die "'$speed' is not a speed" ;;
		esac
		lines="$lines '{\"type\":\"node\",\"node\":\"node$nodes\",\"speed\":$number}'"
		nodes=$((nodes + 1))
	done
	unset IFS
	assignments='' # below, of names that need no quotes
	for i in $(seq 0 $((nodes - 1))); do
		assignments="$assignments name_$i=node$i host_$i='' base_$i=''
			machine_$i=0 measured_$i='' neighbours_$i=$nodes"
	done
	cluster_line="printf '%s\\n'$lines |"
	eval "$cluster_line" hpsolve -n 0 -m "$method" - >/dev/null || exit 2
else
	absolute "$cluster"
	cluster=$absolute
	[ ! -p "$cluster" ] || die "$cluster: is a pipe, and must be a file"
	[ -z "$profile" ] || {
		cluster=$(readlink -nf -- "$cluster" && echo .)
		cluster=${cluster%.}
		new_cluster=${cluster%/*}/.hprun.$$ # of a dry run; watch_here
		may_write "${cluster%/*}/" "$cluster: cannot be written anew"
	}
	case $profile in
	'') hpsolve -n 0 -m "$method" -- "$cluster" >/dev/null ;;
	*)
		jq -c 'del(.speed, .points)' "$cluster" |
			hpsolve -n 0 -m equal - >/dev/null
		;;
	esac || exit 2
	cluster_line="cat $(quote "$cluster") |"
fi

# Those that were lost before are not there when a run is taken up again.
[ -z "$taken" ] || {
	share=$taken
	take_names
}
lost_before=${taken:+$work}
lost_before=${lost_before:-$resume}/without.jsonl
[ ! -f "$lost_before" ] ||
	without="$without $(jq -rs 'map(@sh) | join(" ")' "$lost_before")"
[ -z "$without" ] || {
	unknown=$(eval "$cluster_line" jq -nr \''$ARGS.positional - [inputs.node] |
		.[0] // ""'\' --args -- "$without") || exit 2
	[ -z "$unknown" ] || die "--without: no node is named '$unknown'"
	cluster_line="$cluster_line jq -c '
	select(.node as \$n | \$ARGS.positional | index(\$n) | not)' --args --$without |"
}

# Names, hosts and directories come out of jq quoted for the shell.  Where a
# node has several lines, the first one tells.
[ -z "$cluster$without" ] || assignments=$(
	eval "$cluster_line" jq -nr --arg file "$(quote "$cluster")" \''[inputs | select(.type == "node")] |
		reduce .[] as $n ([]; if any(.node == $n.node) then . else . + [$n] end) |
		. as $all | "nodes=\(length)", (to_entries[] | .key as $i | .value |
		.host as $h | (select($h and (.dir // "/" | startswith("/") | not)) |
			"die \("\($file): \(.node): dir \(.dir) on a host must be absolute" | @sh)"),
		"name_\($i)=\(.node | @sh)",
		"host_\($i)=\($h // "" | @sh)", "base_\($i)=\(.dir // "" | @sh)",
		"machine_\($i)=\([$all[].host == $h] | index(true))",
		"measured_\($i)=\(if .points then 1 else "" end)",
		"neighbours_\($i)=\([$all[] | select(.host == $h)] | length)")'\'
) || exit 2
eval "$assignments"
[ "$nodes" -gt 0 ] || die 'there must be at least one node'
ranks=$(seq 0 $((nodes - 1)))

# How hosts are reached, each over one connection where that can be.  A dead one
# is known of soon after the timeout, and not before it.
[ -z "$rsh" ] || exchange_options=" --rsh $(quote "$rsh")"
connect=10
[ "$timeout" -gt "$connect" ] || connect=$timeout
: "${rsh:=ssh -T -o BatchMode=yes -o ConnectTimeout=$connect \
-o ServerAliveInterval=1 -o ServerAliveCountMax=$timeout}"
case ${rsh%% *} in
[!/]*/*) die "--rsh: '${rsh%% *}' must be absolute, or found by PATH" ;;
esac
rsh_words=''
for word in $rsh; do
	rsh_words="$rsh_words$(quote "$word") "
done

# reach: puts into rsh_RANK the words that run a line on the node, and into
# hold_RANK those for the one that lasts longest.  The address of a socket has at
# most 107 bytes, of which ssh needs 17 for a name that it makes first; and ssh
# expands some characters.
reach() {
	shared=''
	case ${rsh%% *} in
	*ssh) [ ${#share} -gt 85 ] || shared=$share ;;
	esac
	case $shared in
	*[!A-Za-z0-9_./,:@+-]*) shared='' ;;
	esac
	for i in $ranks; do
		eval "set -- \"\$host_$i\""
		path=${shared:+"-o ControlPath=$share/$i "}
		case $1 in
		'') set -- 'sh -c' 'sh -c' ;;
		*) set -- "$rsh_words$path$(quote "$1")" \
			"$rsh_words${path:+$path-o ControlMaster=yes }$(quote "$1")" ;;
		esac
		eval "rsh_$i=\$1 hold_$i=\$2"
	done
}
