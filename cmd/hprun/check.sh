# The check: everything that is wrong with the nodes, before the run begins.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# greet_nodes: has all nodes watched, and hears what they tell of themselves.
greet_nodes() {
	exec 7<>ends
	set_clock
	clock
	trouble=0 seconds=0 since=${time%.*}
	watch_nodes
	[ -z "$remote" ] || tell_seconds
	while [ -n "$waiting" ]; do
		read -r rank what code text <&8
		label "$rank"
		case $what/$text in
		report/fault) [ "$trouble" -gt 0 ] || trouble=2 ;; # it has been told
		report/'processors '*) eval "processors_$rank=\${text#* }" ;;
		report/'address '*) eval "address_$rank=\${text#* }" ;;
		report/'room '*) eval "room_$rank=\${text#* }" ;;
		report/'size '*) eval "size_$rank=\${text#* }" ;;
		report/ready)
			waiting=$(without "$rank" "$waiting")
			logged_in "$rank"
			;;
		gone/*) removed ;;
		late/*)
			seconds=$((seconds + 1))
			give_up_silent
			;;
		hold/*)
			case " $waiting" in
			*" $rank "*) ;;
			*) continue ;; # was given up
			esac
			held=$(without "$rank" "$held")
			clock
			unreached "$code" $((${time%.*} - since)) || continue
			waiting=$(without "$rank" "$waiting")
			logged_in "$rank"
			;;
		esac
	done
	[ -z "$remote" ] || rm -f greeting
	exec 7>&-
	clock
	now=$time
	[ -z "$store_line" ] || room_here=$(room_of .)
	check_room
	known=$bytes
	[ "$trouble" = 0 ] || finish "$trouble"
}

# tell_seconds: says `late` each second until all nodes have been heard.
tell_seconds() {
	: >greeting
	setsid sh -c "$wrap" hprun \
		'while sleep 1 || :; [ -e greeting ]; do echo "- late 0" 1<>ends; done' \
		holds </dev/null >/dev/null 2>&1 7>&- 8<&- 9>&- &
}

# give_up_silent: of those whose login began so long ago nothing more is waited
# for, whatever has become of it; nor of those who were to log in there after them.
give_up_silent() {
	host='' other='' began=''
	for i in $waiting; do
		eval "began=\${began_$i-} host=\$host_$i"
		[ -n "$host" ] || continue
		[ $((seconds - ${began:-$seconds})) -gt $((timeout + 2)) ] || continue
		for j in $waiting; do
			eval "other=\$host_$j"
			[ "$other" = "$host" ] || continue
			label "$j"
			complain "$label: cannot be reached"
			trouble=3
			waiting=$(without "$j" "$waiting")
			held=$(without "$j" "$held") unwatched=$(without "$j" "$unwatched")
		done
	done
}

# unreached CODE SECONDS: the watch of $rank ended so, after so many seconds;
# fails when the host is tried once more.  A refusal comes at once, and once
# more, unless only a login broke; silence may be over before the timeout.  On
# a slow machine nothing is at once: there the words tell.
unreached() {
	case $1 in
	2) return ;;
	esac
	eval "tried=\${tried_$rank-} tried_$rank=yes"
	if [ "$2" -lt "$timeout" ] && { [ -z "$tried" ] ||
		{ [ "$2" -gt 1 ] && ! hopeless "$1"; }; }; then
		sleep 1
		watch_node "$rank"
		return 1
	fi
	complain "$label: cannot be reached"
	trouble=3
}

# hopeless CODE: another login would end in the same way (lib/net/login.c).
hopeless() {
	[ "$1" = 126 ] || [ "$1" = 127 ] ||
		grep -qsF -e 'Host key verification failed' -e 'Permission denied (' \
			-e 'Too many authentication failures' \
			-e 'Unable to negotiate with ' "$share/said.$rank"
}

# check_room: for the run and the output of each node, or what hpsort puts aside;
# on a host also for the input that it is sent.  Here the input or the result may
# be whole beside one of these, or both where the input is not thrown away.  What
# comes from a pipe is not known before it is stored.
check_room() {
	machines='' host='' room='' size='' bytes=0 least=''
	for i in $ranks; do
		eval "host=\$host_$i room=\${room_$i-} size=\${size_$i:-0}"
		[ -n "$room" ] || return 0
		machines="$machines $(quote "$host") $room $size"
		bytes=$((bytes + size))
		[ "${least:-${room#* }}" -lt "${room#* }" ] || least=${room#* }
	done
	[ -n "$in_place" ] || bytes=$(input_bytes)
	[ "$bytes" -gt 0 ] || return 0
	whole='' copies=2 sent=1
	# What arrives is a file, and where that is sorted what was cut was one.
	case ${keep:+kept}/${stored:+stored}/$algorithm in
	*//*) ;;
	kept/*/ps[so]*) copies=4 ;;
	*/ps[so]*) copies=3 sent=0 ;; # which was removed, and what was sent
	kept/*) copies=3 ;;
	esac
	[ -z "$store_line" ] || whole=$room_here
	[ -z "$beside" ] || whole="$whole $(room_of "$directory")"
	# Nothing needs so much, however it is shared.
	# shellcheck disable=SC2086 # pairs of words
	set -- $whole
	while [ $# -gt 0 ]; do
		[ "$least" -lt "$2" ] || least=$2
		shift 2
	done
	[ "$least" -lt $((6 * bytes)) ] || return 0
	# The share of the bytes hardly depends on how many records they are.
	set -- "$(record_bytes)"
	short=$(
		eval "$cluster_line" hpsolve -n $((bytes / ${1:-100} + 1)) \
			-m "$(quote "$method")" - 2>/dev/null |
			eval jq -nr --argjson bytes "$bytes" --arg both "'$stored'" \
				--arg whole "'$whole'" "'
			\$ARGS.positional as \$p | [range(0; \$p | length; 4) as \$i |
				{host: \$p[\$i], device: \$p[\$i + 1],
				free: (\$p[\$i + 2] | tonumber), own: (\$p[\$i + 3] | tonumber)}
			] as \$room | (\$whole | split(\" \") | map(select(. != \"\"))) as \$w |
			[range(0; \$w | length; 2) as \$i | {host: \"\", device: \$w[\$i],
				free: (\$w[\$i + 1] | tonumber), rank: \"-\", need: 0,
				beside: \$bytes, share: 0}] as \$here |
			[inputs] | last.n as \$n |
			[.[] | select(.type == \"share\") | (.n / \$n * \$bytes) as \$share |
				\$room[.rank] + {rank, \$share} | .need = \$share * $copies +
				(if .own > \$share then .own - \$share
				elif .own == 0 and .host != \"\" then \$share * $sent else 0 end)] + \$here |
			group_by([.host, .device])[] |
			([(map(.need) | add), (map(.share) | add) +
				(map(.beside) | if \$both == \"\" then max else add end // 0)] | max) as \$need |
			select(\$need > .[0].free) | unique_by(.rank)[] |
			\"\(.rank) \(\$need / 1048576 | ceil) \(.free / 1048576 | floor)\"' \
			--args $machines"
	)
	while read -r rank need free; do
		[ -n "$rank" ] || continue
		label "$rank"
		case $rank in
		-) dir=${directory:-$work/} ;;
		*) eval "dir=\$dir_$rank" ;;
		esac
		complain "$label: ${dir%/*}: $need MiB are needed, $free MiB are free"
		[ "$trouble" -gt 0 ] || trouble=2
	done <<-EOF
		$short
	EOF
}

# room_of DIRECTORY: its device, and the bytes that are free there.
room_of() {
	# shellcheck disable=SC2046 # three words
	set -- $(stat -c %d -- "$1") $(stat -f -c '%a %S' -- "$1")
	say "$1 $(($2 * $3))"
}

# input_bytes: 0 when that is not known.
input_bytes() {
	case $input in
	input)
		eval "set -- $operands"
		for file; do
			[ -f "$file" ] || set -- -
		done
		case $1 in
		-) say 0 ;;
		*)
			set -- "$(stat -Lc %s+ -- "$@")0"
			say "$(($1))"
			;;
		esac
		;;
	*) eval "stat -Lc %s -- $input" ;;
	esac
}
