# The watch: on every machine a process that outlives what it watches over.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# Around each step: its process group is known as long as it runs, here or in
# another directory than `steps`, with what it is, if that is told and there is
# room; then "over", since to remove it would be one more process.  Who ends all
# steps removes `alive` before he looks into the directory, so none escapes.
wrap='
	umask 077
	where=${2-steps}
	true 2>/dev/null >"$where/$$" && [ -e "$where/alive" ] || exit 143
	[ -z "${3-}" ] || echo "$3" 2>/dev/null >"$where/$$"
	eval "$1"
	set -- $?
	echo over 2>/dev/null >"$where/$$" || rm -f "$where/$$"
	exit "$1"
'
end_all='
	# runs FILE: the step of that file is not over.
	runs() {
		what=""
		read -r what <"$1"
		[ "$what" != over ]
	} 2>/dev/null
	end_all() {
		[ ! -e "$1/alive" ] || rm -f "$1/alive"
		for step in "$1"/*; do
			runs "$step" && kill -KILL "-${step##*/}" 2>/dev/null
		done
	}
	# ended DIR: they are gone, or a second has passed.
	ended() {
		for step in "$1"/*; do
			tries=0
			while runs "$step" && [ "$tries" -lt 50 ] &&
				kill -0 "-${step##*/}" 2>/dev/null
			do
				tries=$((tries + 1))
				sleep 0.02
			done
		done
	}
'

# What a step has written so far: added to $gauged, of the process $1 and of all
# that it started, as far as Linux counts that, and they are what is waited for.
gauge='
	gauge() {
		name="" children=""
		read -r name <"/proc/$1/comm"
		case $name in
		dd | hpexchange | hpmerge | hpsort | hpsplit)
			while read -r key value; do
				[ "$key" != wchar: ] || gauged=$((gauged + value))
			done <"/proc/$1/io"
			;;
		esac
		read -r children <"/proc/$1/task/$1/children"
		for child in $children; do
			gauge "$child"
		done
	} 2>/dev/null
'

# A watch over a work directory, kept or not, and others that are to go with it.
# It reads lines until one is "end", or there are no more, or none has come for
# so many seconds and what it reads, if that has a name, is not there any more;
# then it kills all steps and removes what is left.  At "drop" nothing is kept;
# at "stop" it does no more than kill all steps, and at "tell" it tells how much
# each has written.  The launcher's tells those of the nodes, whose lines come
# from beat.RANK.
watch=$gauge'
	trap "" HUP INT PIPE QUIT TERM
	dir=$1 keep=$2 silence=$3 beat=$4
	shift 4
	cd -- "$dir" || exit
	echo $$ >watch
	while { word=$(timeout -s KILL "$silence" \
		sh -c "read -r word && echo \"\$word\""); } 2>/dev/null ||
		[ -p "$beat" ]; do
		case $word in
		end) break ;;
		drop) keep="" && break ;;
		tell)
			all=""
			for step in steps/*; do
				runs "$step" || continue
				gauged=0
				gauge "${step##*/}"
				all="$all $gauged"
			done
			echo "@ written$all"
			;;
		stop)
			end_all steps
			ended steps
			rm -f steps/*
			: >steps/alive
			echo "@ stopped"
			;;
		esac
	done
	end_all steps
	for node in beat.*; do
		[ ! -p "$node" ] || echo end 1<>"$node"
	done
	end_all holds
	cd /
	# Of a node, the part that it is to leave.
	[ -n "$keep" ] && [ "$silence" != 0 ] || rm -rf -- "$@"
	# A step that is being killed may still make a file.
	tries=0
	until
		if [ -n "$keep" ]; then
			find "$dir" "(" -type p -o -type s ")" -delete
			rm -rf -- "$dir/steps" "$dir/holds" "$dir/watch" \
				"$dir/key" "$dir"/node.*/key
		else
			rm -rf -- "$dir" 2>/dev/null
		fi || [ "$tries" -gt 99 ]
	do
		tries=$((tries + 1))
		sleep 0.1
	done
'

# Of a machine: a line for each of our programs that is not there, and one if they
# are of another version than hprun.
lacking='
	lacking() {
		for program in hpsplit hpsort hpmerge hpexchange hpcheck; do
			command -v "$program" >/dev/null ||
				echo "$program: not found"
		done
		said=$(hpexchange --version 2>/dev/null)
		[ "$said" = "hpexchange (hptools) @VERSION@" ] ||
			echo "hptools: ${said:-no version}, not @VERSION@"
	}
'
eval "$lacking"

# What the watch of a node does first: it makes the directory, and tells what
# is to be known of the machine, in lines that begin with "@ ".  Who was to hear
# that may have gone: then the directory is to go, too.  One that was kept may have
# a watch that waits for a launcher which it cannot hear; it and the steps that it
# watches over end.
greet=$lacking'
	trap "" HUP INT PIPE QUIT TERM
	tell() {
		printf "@ %s\n" "$*"
	}
	faults() {
		while read -r said; do
			tell fault "$said"
		done
	}
	echo # behind what a login may have printed
	PATH=${1:+$1:}$PATH
	if [ -z "$2" ]; then :
	elif [ -r "$2" ] && [ -f "$2" ]; then
		tell size "$(stat -Lc %s -- "$2")"
	else
		tell fault "$2: cannot be read"
	fi
	if [ -z "$3" ]; then :
	elif [ -d "$3" ]; then
		tell fault "$3: Is a directory"
	elif ! [ -w "${3%/*}/" ]; then
		tell fault "${3%/*}/: cannot be written"
	fi
	shift 3
	tell address "${SSH_CONNECTION%% *}"
	lacking | faults
	read -r old 2>/dev/null <"$1/watch" && [ "/proc/$old/cwd" -ef "$1" ] && {
		kill -KILL "$old"
		end_all "$1/steps"
		ended "$1/steps"
	}
	# The part that the node leaves is written under a name in a directory that
	# others may write to: a link of theirs is not followed.
	reserve() {
		[ "$2" = again ] && [ -f "$1" ] && [ -O "$1" ] && ! [ -L "$1" ] ||
			(set -C && : >"$1")
	}
	said=$({ if [ "$2" = again ] && [ -d "$1" ]; then
			rm -rf -- "$1/steps" && mkdir -- "$1/steps"
		else
			mkdir -m 700 -- "$1" "$1/steps"
		fi; } 2>&1) &&
		said=$( (: >"$1/steps/alive") 2>&1) &&
		said=$( { [ -z "${5-}" ] || reserve "$5" "$2"; } 2>&1) || {
		printf "%s\n" "$said" | faults
		[ "$2" ] || rm -rf -- "$1"
		exit 2
	}
	set -- $(stat -c %d -- "$1") $(stat -f -c "%a %S" -- "$1") "$@"
	room=$(($2 * $3)) # less than 0: more than the shell can count
	[ "$room" -ge 0 ] || room=999999999999999999
	tell room "$1" "$room"
	shift 3
	tell processors "$(nproc)"
	tell ready
'

# What the watch here does first: it makes the directories and files that it is to
# remove, so that whatever ends hprun, of the process $1, there is one who does.
# These are the work directory $3, or else one in the first of the places $7... that
# has room for it; one for sockets and FIFOs; and empty files beside the output and
# the cluster file, in the directories $4 and $5.  All of them are new, so that none
# is a link that somebody else has made.  The directory for sockets is in $6, /tmp or
# /var/tmp, the first that is short and plain enough, else anywhere.  The watch prints
# its path, or why there is none; the others are in the file `made` there, the
# last one, which may have several lines, with a dot behind it.  Then it waits until
# hprun has the pipes.  A directory that is kept is of one run at a time.
begin='
	trap "" HUP INT PIPE QUIT TERM
	launcher=$1 patience=$2 dir=$3 keep=$3 beside=$4 cluster=$5 private=$6
	shift 6
	give_up() {
		[ -n "$keep" ] || rm -rf -- "$dir"
		[ -z "$share" ] || rm -rf -- "$share"
		rm -f -- "$made_beside" "$made_cluster"
		exit
	}
	share="" made_beside="" made_cluster=""
	is_short() {
		case $1 in
		*[!A-Za-z0-9_./,:@+-]*) return 1 ;;
		esac
		[ ${#1} -le 72 ]
	}
	if [ -n "$keep" ]; then
		exec 3<"$dir"
		flock -w "$patience" 3 || { echo busy && exit; }
	fi
	for place; do
		[ -z "$dir" ] || break
		dir=$(mktemp -d -- "$place/hprun.XXXXXX" 2>&1) || {
			said=$dir
			dir=""
		}
	done
	[ -n "$dir" ] || { echo "none: ${said#mktemp: }" && exit; }
	for which in is_short true; do
		for place in "$private" /tmp /var/tmp "$@"; do
			[ -z "$share" ] && [ -n "$place" ] && $which "$place" || continue
			share=$(mktemp -d -- "$place/hprun.XXXXXX" 2>/dev/null) || share=""
		done
	done
	[ -n "$share" ] || { echo "none: neither $1 nor /tmp or /var/tmp" && give_up; }
	[ -z "$beside" ] || made_beside=$(mktemp -- "$beside.hprun.XXXXXX" 2>&1) || {
		echo "beside: ${made_beside##*: }"
		made_beside=""
		give_up
	}
	[ -z "$cluster" ] || made_cluster=$(mktemp -- "$cluster.hprun.XXXXXX" 2>&1) || {
		echo "cluster: ${made_cluster##*: }"
		made_cluster=""
		give_up
	}
	mkfifo "$share/watch" "$share/gone" &&
		exec 4<>"$share/gone" 8<>"$share/watch" <"$share/watch" &&
		printf "%s\n%s\n%s." "${made_beside##*/}" "${made_cluster##*/}" \
			"$dir" >"$share/made" &&
		printf "%s." "$share" || give_up
	exec >/dev/null 2>&1
	# Who has ended, but of whom nobody has heard yet, runs nothing.
	until timeout -s KILL 1 sh -c "read -r word" || [ ! -e "/proc/$launcher/exe" ]; do
		:
	done
	exec 8>&-
	set -- "$dir" "$keep" 0 "" "$share" "$made_beside" "$made_cluster"
'

# watch_here PLACE...: begins to watch over the work directory $work, or a new one
# in one of the places, until 9 is closed.
watch_here() {
	made=$(setsid sh -c "$end_all$begin$watch" hprun $$ "$patience" "$work" \
		"${beside:+$directory}" "${new_cluster:+${cluster%/*}/}" "$private" "$@" &)
	case $made in
	'' | none*) die "no place for temporary files${made#none}" ;;
	beside*) die "$output${made#beside}" ;;
	cluster*) die "$cluster: cannot be written anew${made#cluster}" ;;
	busy) die "$keep: is of a run that is under way" ;;
	esac
	share=${made%.}
	take_names
	exec 4<"$share/gone" 9<>"$share/watch"
	echo begun >&9
	rm "$share/watch" "$share/gone"
}

# take_names: what the watch has made, which it tells in $share.
take_names() {
	{
		IFS= read -r made
		beside=${beside:+$directory$made}
		IFS= read -r made
		new_cluster=${new_cluster:+${cluster%/*}/$made}
		work=$(cat)
		work=${work%.}
	} <"$share/made"
}

# watch_nodes: begins to watch on all nodes; their greetings come in `ends`, of
# those that are $waiting.  Those that are here stand still when hprun does, and
# look for their pipes.
watch_nodes() {
	beats='' host='' pipes='' waiting='' kept=${keep:+kept}
	[ -z "$resume" ] || kept=again
	make_inside
	for i in $ranks; do
		eval "host=\$host_$i"
		is_inside "$i" || waiting="$waiting$i " pipes="$pipes beat.$i"
		beats="$beats${host:+ beat.$i}"
	done
	# shellcheck disable=SC2086 # names
	[ -z "$pipes" ] || mkfifo $pipes || finish 2
	unwatched=$waiting
	log_in
	pulse=$(((timeout + 7) / 8))
	[ -z "$clear" ] || pulse=1
	# Where `ends` has gone, so has its name, but hprun still reads it.
	# A sleep that is killed is only a short one.
	setsid sh -c "$wrap" hprun "while sleep $pulse || :; [ -p ends ]; do
		for beat in$beats; do echo ${clear:+tell} 1<>\"\$beat\"; done
		${clear:+echo - tick 0 1<>ends}
	done
	[ ! -p /proc/$$/fd/8 ] || echo - gone 0 1<>/proc/$$/fd/8" holds \
		</dev/null >/dev/null 2>&1 7>&- 8<&- 9>&- &
}

# is_inside RANK: it works in our work directory, goes with that, and has nothing
# elsewhere: it needs no watch of its own.
is_inside() {
	eval "set -- \"\$base_$1\$host_$1\$in_$1\$leave_$1\""
	[ -z "$1" ]
}

# make_inside: the directories of these nodes, who are $inside; they have the room
# and the programs that there are here.
make_inside() {
	dir='' room=''
	set --
	for i in $ranks; do
		is_inside "$i" || continue
		inside="$inside $i"
		: "${room:=$(room_of .)}"
		eval "dir=\$dir_$i room_$i=\$room"
		[ -d "$dir" ] || set -- "$@" "$dir"
	done
	[ -n "$inside" ] || return 0
	[ $# -eq 0 ] || said=$(mkdir -m 700 -- "$@" 2>&1) || die "${said#mkdir: }"
	lacks=$(lacking)
	[ -n "$lacks" ] || return 0
	trouble=2
	for i in $inside; do
		label "$i"
		say "$lacks" | while read -r said; do
			complain "$label: $said"
		done
	done
}

# log_in: on as many more as their hosts bear, eight at a time: a server drops
# some beyond ten.
log_in() {
	# shellcheck disable=SC2086 # ranks
	set -- $unwatched
	unwatched='' host='' machine='' logins=''
	for i; do
		eval "host=\$host_$i machine=\$machine_$i"
		eval "logins=\${logins_$machine:-0}"
		if [ -n "$host" ] && [ "$logins" -ge 8 ]; then
			unwatched="$unwatched $i"
		else
			eval "logins_$machine=$((logins + 1)) began_$i=\$seconds"
			watch_node "$i"
		fi
	done
}

# logged_in RANK: one less is under way at its host.
logged_in() {
	eval "machine=\$machine_$1"
	eval "logins_$machine=\$((logins_$machine - 1))"
	log_in
}

watch_node() {
	dir='' in='' place='' beside_there='' host='' silence=10 beat=$work/beat.$1
	eval "host=\$host_$1 dir=\$dir_$1 rsh=\$hold_$1 in=\$in_$1 place=\$leave_$1"
	eval "beside_there=\$beside_$1"
	[ -z "$host" ] || silence=$((timeout + 5)) beat=''
	label "$1"
	hold "$1" "umask $mask; $rsh $(quote "exec setsid -w sh -c $(
		quote "$end_all$greet$watch"
	) hprun $(quote "$home") $(quote "$in") $(quote "$place") $(
		quote "$dir") '$kept' $silence $(
		quote "$beat")${beside_there:+ $(quote "$beside_there")}")" |
		hear "$1" "$label" &
	held="$held $1 "
}
