# The end: of a run that is done, failed or interrupted.

# part: ends what still runs, on the nodes and then here.  Steps that failed
# meanwhile may tell more than the one in $cause: a node that misses a peer is
# the effect, what ended the peer the cause.
part() {
	exec 7<>ends
	sh -c "$end_all end_all steps"
	for i in $held; do
		echo end 1<>"beat.$i"
	done
	if [ -n "$held" ]; then
		# A host that does not answer is not waited for.
		setsid sh -c "$wrap" hprun 'sleep 5; echo "- late 0" 1<>ends' \
			holds </dev/null >/dev/null 2>&1 7>&- 8<&- 9>&- &
	fi
	while [ -n "$held" ] && read -r rank step code _ <&8; do
		[ "$step" != late ] || break
		heard
	done
	exec 7>&- 9>&-
	while read -r rank step code _ <&8; do
		heard
	done
	wait
}

# heard: what $rank, $step and $code say of the end of a step.
heard() {
	case $step/$cause in
	report/*) return ;;
	hold/*) held=$(without "$rank" "$held") ;;
	*/) ;;
	*)
		case ${cause##* }/$code in
		*/0 | */3 | */12[89] | */1[3-9]? | */2??) ;;
		3/* | 12[89]/* | 1[3-9]?/* | 2??/*)
			cause="$rank $step $code"
			;;
		esac
		;;
	esac
}

# without WORD WORDS: the words without that one.
without() {
	for w in $2; do
		[ "$w" = "$1" ] || printf '%s ' "$w"
	done
}

# finish CODE: ends what runs, removes what is left, and exits.
finish() {
	trap '' HUP INT TERM
	[ -z "$watch_id" ] || part
	[ -z "$mess" ] || rm -rf -- "$mess"
	[ -z "$share" ] || rm -rf -- "$share"
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
	cause="$1 $2 $3"
	part
	watch_id=''
	# shellcheck disable=SC2086 # three words
	set -- $cause
	label "$1"
	case $2/$3 in
	gather/141) # the reader of standard output has gone
		signal=PIPE
		finish 2
		;;
	hold/*)
		complain "$label: lost"
		finish 3
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
