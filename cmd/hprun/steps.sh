# Steps: starting them, and waiting for them.

# label RANK: in $label, the name of the node for messages.
label() {
	case $1 in
	-) label=launcher ;;
	*) eval "label=\$name_$1" ;;
	esac
}

# on RANK STEP LINE: start a step; RANK - is hprun's own machine.
on() {
	line=$3 host=
	[ "$1" = - ] || eval "host=\$host_$1"
	[ -z "$rsh" ] || [ -z "$host" ] ||
		line="$rsh $(quote "$host") $(quote "cd $(quote "$work") && $3")"
	if [ -n "$dry" ]; then
		say "$line$background" || exit 2
		return
	fi
	label "$1"
	[ "$running" -gt 0 ] || exec 7<>ends
	running=$((running + 1))
	step "$1" "$2" "$line" | relay "$label" &
}

# The left side of the pipe: runs the step and tells how it ended.  The step
# itself gives its process group to the janitor, before anything else.
step() {
	exec 8<&-
	case $2 in
	store) exec 3>/dev/null 5>&- ;;
	gather) exec 3>&5 5>&- 6</dev/null ;;
	*) exec 3>/dev/null 5>&- 6</dev/null ;;
	esac
	start=$(date +%s.%N)
	setsid sh -c 'echo "+ $$" >&9; exec 9>&-; eval "$1"' hprun "$3" \
		<&6 2>&1 >&3 3>&- 6<&- 7>&- &
	exec 3>&- 6<&- 9>&- 2>/dev/null # where the shell says "Killed"
	wait $!
	echo "$1 $2 $? $! $start $(date +%s.%N)" >&7
}

# The right side: its messages, each line with the name of the node.
relay() {
	exec 5>&- 6<&- 7>&- 8<&- 9>&-
	while IFS= read -r text || [ -n "$text" ]; do
		printf '%s%s: %s\n' "$clear" "$1" "$text" >&2
	done
}

# join: wait for all steps that were started; the first that fails ends all.
join() {
	if [ -n "$dry" ]; then
		echo wait
		return
	fi
	exec 7>&-
	while [ "$running" -gt 0 ]; do
		read -r rank step code id start end <&8 ||
			die 'a step vanished'
		answer=$code
		case $code/$repeating in
		0/* | 1/yes) ;;
		*) failed "$rank" "$step" "$code" ;;
		esac
		echo "- $id" >&9
		steps="$steps$rank $step $start $end
"
		running=$((running - 1))
		[ -z "$clear" ] || [ "$step" = setup ] ||
			printf '%shprun: %s\r' "$clear" "$step" >&2
	done
}

# alone STEP LINE: a step of hprun's own machine, on which all others wait.
alone() {
	background=
	on - "$1" "$2"
	background=' &'
	[ -n "$dry" ] || join
}

# repeat STEP LINE FUNCTION: call the function until the step says yes.
repeat() {
	if [ -n "$dry" ]; then
		say "until $2 || [ \$? -ne 1 ]; do"
		"$3"
		say 'done'
		return
	fi
	while
		repeating=yes
		alone "$1" "$2"
		repeating=''
		[ "$answer" -eq 1 ]
	do
		"$3"
	done
}

# each STEP FUNCTION: on every node, the line that the function makes for it.
each() {
	for i in $ranks; do
		on "$i" "$1" "$($2 "$i")"
	done
}
