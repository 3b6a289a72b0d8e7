# The check: everything that is wrong with the nodes, before the run begins.

# greet_nodes: has all nodes watched, and hears what they tell of themselves.
greet_nodes() {
	exec 7<>ends
	watch_nodes
	waiting=$ranks trouble=0 since=$(date +%s)
	while [ -n "$(without '' "$waiting")" ]; do
		read -r rank what code text <&8
		label "$rank"
		case $what/$text in
		report/'fault '*)
			complain "$label: ${text#fault }"
			[ "$trouble" -gt 0 ] || trouble=2
			;;
		report/'processors '*) eval "processors_$rank=\${text#* }" ;;
		report/'address '*) eval "address_$rank=\${text#* }" ;;
		report/'room '*) eval "room_$rank=\${text#* }" ;;
		report/'size '*) eval "size_$rank=\${text#* }" ;;
		report/ready) waiting=$(without "$rank" "$waiting") ;;
		hold/*)
			held=$(without "$rank" "$held")
			unreached "$code" $(($(date +%s) - since)) || continue
			waiting=$(without "$rank" "$waiting")
			;;
		esac
	done
	exec 7>&-
	check_room
	[ "$trouble" = 0 ] || finish "$trouble"
}

# unreached CODE SECONDS: the watch of $rank ended so, after so many seconds;
# fails when the host is tried once more.  A refusal comes at once, silence may
# be over before the timeout.
unreached() {
	case $1 in
	2) return ;;
	esac
	if [ "$2" -gt 1 ] && [ "$2" -lt "$timeout" ]; then
		sleep 1
		watch_node "$rank"
		return 1
	fi
	complain "$label: cannot be reached"
	trouble=3
}

# check_room: for the run and the output, or what hpsort puts aside; on a host
# also for the input.  What comes from a pipe is not known yet.
check_room() {
	bytes=0
	machines='' host='' room='' size=''
	for i in $ranks; do
		eval "host=\$host_$i room=\${room_$i-} size=\${size_$i:-0}"
		[ -n "$room" ] || return 0
		machines="$machines $(quote "$host") $room $size"
		bytes=$((bytes + size))
	done
	[ -n "$in_place" ] || [ "$input" = input ] ||
		bytes=$(eval "stat -Lc %s -- $input")
	[ "$bytes" -gt 0 ] || return 0
	# The share of the bytes hardly depends on how many records they are.
	set -- "$(record_bytes)"
	short=$(
		eval "$cluster_line" hpsolve -n $((bytes / ${1:-100} + 1)) \
			-m "$(quote "$method")" - 2>/dev/null |
			eval jq -nr --argjson bytes "$bytes" "'
			\$ARGS.positional as \$p | [range(0; \$p | length; 4) as \$i |
				{host: \$p[\$i], device: \$p[\$i + 1],
				free: (\$p[\$i + 2] | tonumber), own: (\$p[\$i + 3] | tonumber)}
			] as \$room | [inputs] | last.n as \$n |
			[.[] | select(.type == \"share\") | (.n / \$n * \$bytes) as \$share |
				\$room[.rank] + {rank} | .need = \$share * 2 +
				(if .own > \$share then .own - \$share
				elif .own == 0 and .host != \"\" then \$share else 0 end)] |
			group_by([.host, .device])[] | (map(.need) | add) as \$need |
			select(\$need > .[0].free) | .[] |
			\"\(.rank) \(\$need / 1048576 | ceil) \(.free / 1048576 | floor)\"' \
			--args $machines"
	)
	while read -r rank need free; do
		[ -n "$rank" ] || continue
		label "$rank"
		eval "dir=\$dir_$rank"
		complain "$label: ${dir%/*}: $need MiB are needed, $free MiB are free"
		[ "$trouble" -gt 0 ] || trouble=2
	done <<-EOF
		$short
	EOF
}
