# Again: a run that lost something goes on, where it can.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# halt: ends all steps, here and on the nodes.  $lost are the nodes whose watch
# has gone or does not answer; if there are any, one of them is the cause.
halt() {
	sh -c "$end_all end_all steps"
	before=$held sweeps=''
	for i in $fallen; do
		sweep "$i"
	done
	call stop
	drain
	find steps -type f -delete
	: >steps/alive
	lost="$deaf${fallen# }${fallen:+ }"
	for i in $before; do
		case " $held " in
		*" $i "*) ;;
		*)
			lost="$lost$i "
			sweep "$i"
			;;
		esac
	done
	# shellcheck disable=SC2086 # numbers
	[ -z "$sweeps" ] || wait $sweeps
	for i in $lost; do
		held=$(without "$i" "$held")
		cause="$i hold 255"
	done
}

# sweep RANK: what the watch would do, had it not gone, if the host is there, which
# then says so in there.RANK.  All that are lost are swept at once, since each may
# take its time to no avail.
sweep() {
	dir='' rsh='' beside_there=''
	eval "dir=\$dir_$1 rsh=\$rsh_$1 beside_there=\$beside_$1"
	setsid sh -c "$wrap" hprun "timeout -s KILL $patience $rsh $(quote "exec sh -c $(
		quote "echo there; $end_all$watch") hprun $(quote "$dir") '${keep:+1}' 1 '' $(
		quote "$beside_there")")" holds \
		</dev/null >"there.$1" 2>/dev/null 7>&- 8<&- 9>&- &
	sweeps="$sweeps $!"
}

# comes_back RANK STEP CODE: a step that was killed and goes on from where it
# was, while the others wait for it.
comes_back() {
	case $2/$3 in
	exchange/129 | exchange/1[3-9]? | exchange/2[0-4]?) ;;
	*) return 1 ;;
	esac
	[ "$returns" -gt 0 ] || return
	returns=$((returns - 1)) running=$((running - 1)) who=$1
	label "$1"
	complain "$label: $2: killed by signal $(($3 - 128)); goes on"
	eval "set -- $stage_steps"
	while [ "$1 $2" != "$who exchange" ]; do
		shift 3
	done
	relaunch "$1" "$2" "$3"
}

# once_more RANK STEP: the steps of the stage again, when all nodes are there; the
# whole run, when all that were lost are there again, or else without them.  Fails
# where that cannot be.
once_more() {
	[ "$1" != - ] && [ -z "$given" ] || return
	if [ -z "$lost" ] && [ "$tries" -lt 2 ]; then
		tries=$((tries + 1))
		complain "$said; once more"
		cause='' running=0 times=''
		eval "relaunch $stage_steps"
		return
	fi
	: "${lost:=$1}"
	[ -z "$store_line" ] || [ "$stage" -gt 0 ] || return
	# What has its name may stand where the input was.
	[ -z "$in_place" ] || [ -z "$naming" ] || return
	there_again && begin_again
	[ -z "$in_place" ] || return
	left="$held $inside" names=''
	for i in $lost; do
		left=$(without "$i" "$left")
	done
	[ -n "$left" ] || return
	for i in $lost; do
		label "$i"
		complain "$label: lost; its share goes to the others"
		names="$names $(quote "$label")"
	done
	eval "go_on$names"
}

# there_again: nobody was silent, and who was lost has answered: it was only the
# connection that broke.  Twice in a run: without.jsonl counts it, too.
there_again() {
	[ -z "$deaf" ] || return
	for i in $lost; do
		grep -qsx there "there.$i" || return
	done
	again=$(grep -csx '\[]' without.jsonl)
	[ "${again:-0}" -lt 2 ]
}

begin_again() {
	for i in $lost; do
		label "$i"
		complain "$label: the connection to it broke; all begins again"
	done
	# What it has kept is of the run that was.
	[ -z "$keep" ] || {
		keep='' sweeps=''
		for i in $lost; do
			sweep "$i"
		done
		# shellcheck disable=SC2086 # numbers
		wait $sweeps
	}
	go_on
}

# go_on NAME...: the run once more, from its input, without these nodes: as the
# same process, in the same work directory, under the same watch.
go_on() {
	tell_naming
	part drop
	sh -c "$end_all end_all holds"
	wait # for all who write to `ends`, which is to be removed
	jq -nc '$ARGS.positional' --args -- "$@" >>without.jsonl || finish 2
	touch stages.done steps.times
	set -- "${store_line:+1p}" "${store_line:+/^- store /p}"
	sed -i -n "$1" stages.done
	sed -i -n "$2" steps.times
	find "$share" "$work" -mindepth 1 -maxdepth 1 ! -name input ! -name header \
		! -name without.jsonl ! -name stages.done ! -name steps.times \
		! -name made -exec rm -rf {} +
	cd "$origin" || finish 3
	exec 5>&- 6<&- 8<&-
	umask "$mask"
	eval "exec \"\${home:+\$home/}\${0##*/}\" --take-over \"\$share\"$arguments"
}

# relaunch RANK STEP LINE ...: starts these steps.
relaunch() {
	exec 7<>ends
	while [ $# -gt 0 ]; do
		launch "$1" "$2" "$3"
		shift 3
	done
	exec 7>&-
}
