# Steps: starting them, and waiting for them.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# label RANK: in $label, the name of the node for messages.
label() {
	case $1 in
	-) label=launcher ;;
	*) eval "label=\$name_$1" ;;
	esac
}

# over RANK LINE: in $line, the command line that runs a line on the node.
over() {
	eval "set -- \"\$2\" \"\$host_$1\" \"\$rsh_$1\""
	enquote "$1"
	case $2 in
	'') line="($1)" ;;
	*) line="$3 $quoted" ;;
	esac
}

# What a host runs for a step, with $home, of its directory and the line.
there='
	PATH=${1:+$1:}$PATH
	cd -- "$2" && exec 3<&0 || exit
	setsid sh -c "$3" hprun "$4" <&3 3<&- &
	exec 3<&- 2>/dev/null # where the shell says "Killed"
	wait $!
'
enquote "$there"
quoted_there=$quoted
enquote "$home"
quoted_home=$quoted
enquote "$wrap"
quoted_wrap=$quoted

# on RANK STEP LINE [BEFORE [BEHIND]]: start a step, in the directory of the
# node; RANK - is hprun's own.  What stands before and behind the command that
# reaches the node concerns its standard input and output here.
on() {
	[ -n "$3" ] || die "$2: a step without a command"
	[ -z "$dry" ] && done_before && return
	host='' dir='' line=$3
	[ "$1" = - ] || eval "enquote \"\$dir_$1\"; dir=\$quoted host=\$host_$1"
	case ${dir:+n}${host:+h}$dry in
	n | n1) line="(cd $dir && $3)" ;;
	nh1) over "$1" "${home:+PATH=$quoted_home:\$PATH; }cd $dir && $3" ;;
	nh)
		enquote "$3"
		over "$1" "exec sh -c $quoted_there hprun $quoted_home $dir \
$quoted_wrap $quoted"
		;;
	esac
	line=${4:+$4 }$line${5:+ $5}
	if [ -n "$dry" ]; then
		say "$line$background" || exit 2
		return
	fi
	[ "$running" -gt 0 ] || exec 7<>ends
	case ${host:+${5-}} in
	';'*) ;;
	*'>'*) answers="$answers $1 ${5##*>}" ;;
	esac
	enquote "$line"
	stage_steps="$stage_steps $1 $2 $quoted"
	launch "$1" "$2" "$line"
}

# on_as_is RANK STEP LINE COMMAND [BEFORE]: what the line puts out goes into the
# command as it is; of a host, behind the line that tells where that begins, since
# a login may print something before it.
on_as_is() {
	line=$3 into=$4
	eval "host=\$host_$1"
	[ -z "$host" ] || {
		line="echo @; $line"
		into="{ if IFS= read -r at; then [ \"\$at\" = @ ]; else [ -z \"\$at\" ]; fi ||
	{ echo \"$(noise '${at%@}')\" >&2; exit 2; }; $into; }"
	}
	on "$1" "$2" "$line" "{${5-}" "; echo \$? >put.$1; } |
	$into && (exit \"\$(cat put.$1)\")"
}

noise() {
	say "the login prints '$1', and is to print nothing"
}

# documents_only: what hosts have put out in this stage is documents, and ports.
documents_only() {
	# shellcheck disable=SC2086 # pairs of words
	set -- $answers
	answers=''
	while [ $# -gt 0 ]; do
		at=''
		IFS= read -r at <"$2"
		case $2/$at in
		*/ | */'{'* | ports.*/[1-9]*) ;;
		*)
			label "$1"
			die "$label: $(noise "${at%%'{'*}")"
			;;
		esac
		shift 2
	done
}

# launch RANK STEP LINE: in the background.
launch() {
	label "$1"
	running=$((running + 1))
	step "$1" "$2" "$3" | relay "$label" "$1" "$2" &
	relays="$relays $!"
}

# What lies between two joins is a stage.  Those that are done are written down,
# with how they ended, and not done again, but for those that are `passing`.
done_before() {
	[ -z "$passing" ] && [ "$stage" -lt "$finished" ]
}

# The left side of the pipe: runs the step and tells how it ended.
step() {
	exec 8<&-
	case $2 in
	store) exec 3>/dev/null 5>&- ;;
	gather) exec 3>&5 5>&- 6</dev/null ;;
	*) exec 3>/dev/null 5>&- 6</dev/null ;;
	esac
	setsid sh -c "$wrap" hprun "$3" steps "$1 $2" \
		<&6 2>&1 >&3 3>&- 6<&- 7>&- 9>&- &
	exec 3>&- 6<&- 9>&- 2>/dev/null # where the shell says "Killed"
	wait $!
	set -- "$1 $2 $?"
	clock
	say "$1 $time" >&7
	say "$mark ${1##* }"
}

# The right side: its messages, each line with the name of the node.
relay() {
	exec 5>&- 6<&- 7>&- 8<&- 9>&-
	trap '' PIPE # who reads our messages may have gone
	while next_line; do
		case $3/$text in
		exchange/'hpexchange: '*) note_peer "$2" "${text#hpexchange: }" ;;
		esac
		idle_talk || tell "$1"
	done
}

# note_peer RANK TEXT: what hpexchange on a node says is of another node, if it
# begins with the name of that one, whose rank is then in peer.RANK.
note_peer() {
	name=''
	for i in $ranks; do
		eval "name=\$name_$i"
		case $2 in
		"$name: "*) [ "$i" = "$1" ] || echo "$i" >"peer.$1" ;;
		esac
	done
}

# tell NAME: prints $text, a message of the node of that name.
tell() {
	escape "$text"
	printf '%s%s: %s\n' "$clear" "$1" "$escaped" >&2
}

# next_line: in $text, what comes through such a pipe, up to $mark and how the
# left side ended, then in $ended: so that nothing that it said is heard of later
# than its end, and nobody waits for what a host still runs, which may keep its
# messages open.  No node knows the mark, so that none can write such an end.
next_line() {
	[ -z "$ended" ] && { IFS= read -r text || [ -n "$text" ]; } || return
	case $text in
	*"$mark "*) ended=${text##*"$mark "} text=${text%"$mark "*} ;;
	esac
}

# idle_talk: $text is what ssh, or a shell whose command was killed, has to say of
# what hprun tells by itself, and of which host.
idle_talk() {
	case $text in
	'' | 'mux_client_'*': '* | 'client_loop: send disconnect: '* | Killed) ;;
	*) return 1 ;;
	esac
}

# The same of the watch of a node, which lasts.  It must not keep `ends` open:
# that all have closed it tells join that no step is left.
hold() {
	exec 5>&- 6<&- 7>&- 8<&-
	setsid sh -c "$wrap" hprun "$2" holds <>"beat.$1" 2>&1 9>&- &
	exec 9>&- 2>/dev/null
	wait $!
	say "$mark $?"
}

hear() {
	exec 5>&- 6<&- 7>&- 8<&- 9>&-
	trap '' PIPE
	while next_line; do
		case $text in
		'@ '*)
			report "$1" "${text#@ }" || {
				complain "$2: an answer that no node gives: $(
					printf %.80s "$text"
				)"
				tell_end "$1 report 0 fault"
			}
			;;
		*)
			idle_talk && continue
			# At each try the same.
			grep -qsxF -e "$text" "$share/said.$1" && continue
			# At the end of the run it may have gone.
			{ say "$text" >>"$share/said.$1"; } 2>/dev/null
			tell "$2"
			;;
		esac
	done
	tell_end "$1 hold $ended"
}

# report RANK TEXT: what the watch of the node answers.  All that a node writes
# may be hostile, and what gets into `ends` becomes the value of variables, also
# of arithmetic, and words of command lines.  So only words pass that consist of
# the right characters, in lines so short that writes to a FIFO do not mix.
# Fails for any other line.
report() {
	rank=$1
	# shellcheck disable=SC2086 # words; set -f
	case $2 in
	'fault '*)
		complain "$label: ${2#fault }"
		set -- fault
		;;
	*)
		[ ${#2} -le 510 ] || return
		set -- $2
		;;
	esac
	case ${1-}/$# in
	fault/1 | ready/1 | stopped/1 | address/1) ;;
	address/2) is_address "$2" ;;
	processors/2 | size/2) are_numbers "$2" ;;
	room/3) are_numbers "$2" "$3" ;;
	written/*) are_numbers "$@" ;;
	*) false ;;
	esac || return
	tell_end "$rank report 0 $*"
}

# are_numbers WORD...: such that no arithmetic takes for an octal one, or too
# large; the word "written" may stand before them.
are_numbers() {
	for word; do
		case $word in
		written | 0) ;;
		'' | 0* | *[!0-9]* | ???????????????????*) return 1 ;;
		esac
	done
}

# is_address WORD: numeric, as SSH_CONNECTION has it, with or without a zone; where
# sshd does not know it, that has UNKNOWN.
is_address() {
	[ "$1" != UNKNOWN ] || return 0
	case ${1%%"%"*} in
	'' | *[!0-9A-Fa-f.:]*) return 1 ;;
	esac
	case $1 in
	*[!0-9A-Za-z.:%_-]*) return 1 ;;
	esac
}

# tell_end LINE: unless the run is over.
tell_end() {
	[ ! -p ends ] || say "$1" 1<>ends
}

# join: wait for all steps that were started; one that fails ends all.  They began
# when the last of the ones before had ended, at $now: of two that end together, the
# one that is heard of last may have ended first.
join() {
	if [ -n "$dry" ]; then
		echo wait
		return
	fi
	if done_before; then
		stage=$((stage + 1))
		answer=$(sed -n "${stage}p" stages.done)
		return
	fi
	exec 7>&-
	answer=0 latest=$now times=''
	while [ "$running" -gt 0 ]; do
		read -r rank step code end <&8 || die 'a step vanished'
		case $step/$code/$repeating in
		tick/*)
			tell_progress
			continue
			;;
		report/*)
			[ "${end%% *}" != written ] || eval "written_$rank=\${end#* }"
			continue
			;;
		late/*) continue ;;
		gone/*) removed ;;
		hold/*)
			held=$(without "$rank" "$held") fallen="$fallen $rank"
			[ -z "$storing" ] || [ -z "$held$inside" ] || continue
			failed "$rank" "$step" "$code"
			continue
			;;
		*/0/* | */1/yes) answer=$code ;;
		*)
			failed "$rank" "$step" "$code"
			continue
			;;
		esac
		times="$times$rank $step $now $end $stage
"
		[ "${end%.*}${end#*.}" -lt "${latest%.*}${latest#*.}" ] || latest=$end
		running=$((running - 1))
		advance "$rank" "$step"
	done
	hear_out
	documents_only
	stage_steps='' now=$latest
	append "$times" steps.times
	[ -n "$passing" ] || {
		stage=$((stage + 1))
		append "$answer
" stages.done
	}
}

# append TEXT FILE: a file of the work directory.  Why that cannot be, another
# program than the shell tells.
append() {
	{ printf %s "$1" >>"$2"; } 2>/dev/null && return
	said=$(printf %s "$1" | tee -a -- "$2" 2>&1 >/dev/null)
	die "${keep:-$work}: $2: ${said##*: }"
}

# hear_out: waits until all that the steps said is told.
hear_out() {
	# Where a signal to the whole group has ended one, the shell would say so.
	# shellcheck disable=SC2086 # numbers
	[ -z "$relays" ] || wait $relays 2>/dev/null
	relays=''
}

# passing FUNCTION: its stages are done each time.
passing() {
	passing=1
	"$@"
	passing=''
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

# everywhere LINE [FROM]: a step of setup on every node.
everywhere() {
	for i in $ranks; do
		eval "host=\$host_$i"
		[ -z "$host" ] || on "$i" setup "$1" '' "${2:+<$2}"
	done
	everywhere_here "$@"
	join
}

# everywhere_here LINE [FROM]: all nodes of this machine in one step.
everywhere_here() {
	dirs=''
	for i in $ranks; do
		eval "host=\$host_$i dir=\$dir_$i"
		enquote "$dir"
		[ -n "$host" ] || dirs="$dirs $quoted"
	done
	[ -z "$dirs" ] || on - setup "(for dir in$dirs; do
	(cd \"\$dir\" && $1)${2:+ <$2} || exit
done)"
}

# each STEP FUNCTION [TO [FROM]]: on every node, the line that the function
# makes for it; its standard output to the file TO.RANK here, its standard
# input the file FROM here.
each() {
	for i in $ranks; do
		line=$($2 "$i") || die "$1: a step without a command"
		on "$i" "$1" "$line" '' "${4:+<$4 }${3:+>$3.$i}"
	done
}
