# The end: of a run that is done, failed or interrupted.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# call WORD: tells the watches of the nodes, and hears them: $deaf are then
# those that did not answer in $patience seconds, and those that have gone are not
# $held.
call() {
	[ -p ends ] || removed
	exec 7<>ends
	deaf=$held calls=$((calls + 1))
	for i in $held; do
		echo "$1" 1<>"beat.$i"
	done
	[ -z "$deaf" ] ||
		setsid sh -c "$wrap" hprun "sleep $patience || sleep $patience
			echo '- late $calls' 1<>ends" \
			holds </dev/null >/dev/null 2>&1 7>&- 8<&- 9>&- &
	while [ -n "$deaf" ] && read -r rank step code text <&8; do
		[ "$step $code" != "late $calls" ] || break
		heard
	done
	exec 7>&-
}

# removed: the work directory has gone, and what it told of all that runs.  The
# steps here are killed as the sessions that hprun's own children have begun.
removed() {
	complain "$work: has been removed"
	read -r children </proc/$$/task/$$/children || :
	for child in $children; do
		children=''
		read -r children <"/proc/$child/task/$child/children" || :
		for step in $children; do
			kill -KILL "-$step"
		done
	done 2>/dev/null # some may have ended
	exit 2
}

# heard: what $rank, $step and $code say.  Steps that failed after the one in
# $cause may tell more than that: a node that misses a peer is the effect, what
# ended the peer the cause.
heard() {
	case $step/$cause in
	report/*) [ "$text" != stopped ] || deaf=$(without "$rank" "$deaf") ;;
	hold/*)
		deaf=$(without "$rank" "$deaf")
		held=$(without "$rank" "$held")
		;;
	gone/*) removed ;;
	*/ | late/*) ;;
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

# drain: hears the ends of all steps, which have been killed.
drain() {
	while read -r rank step code text <&8; do
		heard
	done
	hear_out
}

# part WORD: ends what still runs, on the nodes, to which it says the word, and
# here.
part() {
	sh -c "$end_all end_all steps"
	call "$1"
	[ "$1" = drop ] || exec 9>&-
	drain
}

# tidy: removes what is only for this run.
tidy() {
	[ -z "$mess" ] || rm -rf -- "$mess"
	[ -z "$share" ] || rm -rf -- "$share"
}

# finish CODE: ends what runs, removes what is left, and exits.
finish() {
	trap '' HUP INT TERM
	[ -z "$watched" ] || {
		part end
		read -r word <&4 # nothing: the watch has gone
	}
	tidy
	printf %s "$clear" >&2
	tell_naming
	if [ -n "$signal" ]; then
		trap - "$signal"
		kill -s "$signal" $$
	fi
	exit "$1"
}

# tell_naming: nothing gives or takes back several names at once.
tell_naming() {
	[ -z "$naming" ] ||
		complain 'some parts may have their names: what has one is whole'
}

interrupted() {
	signal=$1
	finish 2
}

die() {
	complain "$*"
	finish 2
}

# failed RANK STEP CODE: ends the run because a step failed; or returns, when
# it, or all steps of the stage, have been started once more.
failed() {
	comes_back "$1" "$2" "$3" && return
	cause="$1 $2 $3"
	halt
	clock
	now=$time
	# shellcheck disable=SC2086 # three words
	set -- $cause
	label "$1"
	case $2/$3 in
	gather/141) # the reader of standard output has gone
		signal=PIPE
		finish 2
		;;
	hold/*)
		set -- "$1" "$2" 3
		said="$label: lost"
		;;
	*/129 | */1[3-9]? | */2[0-4]?)
		said="$label: $2: killed by signal $(($3 - 128))"
		set -- "$1" "$2" 3
		;;
	*/3 | */255)
		said="$label: $2: failed"
		set -- "$1" "$2" 3
		;;
	prove/[12]) # by what is kept it would be the same again
		said="$label: $2: failed"
		[ -z "$keep" ] || : >stages.done
		set -- "$1" "$2" 2
		;;
	exchange/2)
		said="$label: $2: failed"
		[ ! -s "peer.$1" ] || {
			read -r peer <"peer.$1"
			label "$peer"
			said="$label: $2: failed, which ${said%%: *} tells"
		}
		;;
	plan/1 | */126 | */127) said="$label: $2: failed" ;; # the plan may say no
	*)
		said="$label: $2: failed"
		set -- "$1" "$2" 2
		;;
	esac
	if [ "$3" = 3 ] && [ -n "$remote" ]; then
		once_more "$1" "$2" && return
	fi
	complain "$said"
	[ -z "$keep" ] || complain "what is done is kept: --resume $(quote "$keep")"
	finish "$3"
}
