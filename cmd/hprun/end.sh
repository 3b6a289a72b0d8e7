# The end: of a run that is done, failed or interrupted, and of a killed one.

# Its arguments: the work directory and the output that is not yet whole.
janitor='
	trap "" HUP INT QUIT TERM
	groups=
	while read -r what id; do
		case $what in
		+) groups="$groups $id" ;;
		-)
			left=
			for g in $groups; do
				[ "$g" = "$id" ] || left="$left $g"
			done
			groups=$left
			;;
		esac
	done
	for g in $groups; do
		kill -KILL "-$g" 2>/dev/null
	done
	cd /
	[ -z "$2" ] || rm -f -- "$2"
	# A step that is being killed may still make a file.
	tries=0
	until [ -z "$1" ] || rm -rf -- "$1" 2>/dev/null || [ "$tries" -gt 99 ]
	do
		tries=$((tries + 1))
		sleep 0.1
	done
'

# finish CODE: ends what runs, removes what is left, and exits.
finish() {
	trap '' HUP INT TERM
	exec 9>&-
	# Without its janitor nobody ends the steps, whose last words are awaited.
	[ -z "$janitor_id" ] || wait "$janitor_id" && wait
	[ -z "$mess" ] || rm -rf -- "$mess"
	[ -z "$kept" ] || find "$kept" '(' -type p -o -type s ')' -delete
	printf %s "$clear" >&2
	if [ -n "$signal" ]; then
		trap - "$signal"
		kill -s "$signal" $$
	fi
	exit "$1"
}

interrupted() {
	signal=$1
	finish 2
}

die() {
	complain "$*"
	finish 2
}

# failed RANK STEP CODE: ends the run because a step failed.
failed() {
	exec 9>&-
	# Others that failed meanwhile: a node that misses a peer is the effect,
	# what ended the peer the cause.
	while read -r rank step code _ <&8; do
		case $3/$code in
		*/0 | */3 | */12[89] | */1[3-9]? | */2??) ;;
		3/* | 12[89]/* | 1[3-9]?/* | 2??/*)
			set -- "$rank" "$step" "$code"
			;;
		esac
	done
	label "$1"
	wait "$janitor_id" && wait
	case $2/$3 in
	gather/141) # the reader of standard output has gone
		signal=PIPE
		finish 2
		;;
	*/129 | */1[3-9]? | */2[0-4]?)
		complain "$label: $2: killed by signal $(($3 - 128))"
		finish 3
		;;
	*/3 | */255) set -- "$1" "$2" 3 ;;
	plan/1 | */126 | */127) ;; # the plan alone may say no
	*) set -- "$1" "$2" 2 ;;
	esac
	complain "$label: $2: failed"
	finish "$3"
}
