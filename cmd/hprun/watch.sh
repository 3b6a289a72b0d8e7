# The watch: on every machine a process that outlives what it watches over.

# Around each step: its process group is known as long as it runs, here or in
# another directory than `steps`.  Who ends all steps removes `alive` before he
# looks into the directory, so none escapes.
wrap='
	where=${2-steps}
	true 2>/dev/null >"$where/$$" && [ -e "$where/alive" ] || exit 143
	eval "$1"
	set -- $?
	[ "$1" != 0 ] || exec rm -f "$where/$$"
	rm -f "$where/$$"
	exit "$1"
'
end_all='
	end_all() {
		rm -f "$1/alive"
		for step in "$1"/*; do
			kill -KILL "-${step##*/}" 2>/dev/null
		done
	}
'

# A watch over a work directory, kept or not, and others that are to go with it.
# It reads lines until one is "end", or there are no more, or none has come for
# so many seconds; then it kills all steps and removes what is left.  At "stop"
# it does no more than kill all steps.  The launcher's tells those of the nodes,
# whose lines come from beat.RANK.
watch=$end_all'
	trap "" HUP INT PIPE QUIT TERM
	dir=$1 keep=$2 silence=$3
	shift 3
	cd -- "$dir" || exit
	while word=$(timeout -s KILL "$silence" \
		sh -c "read -r word && echo \"\$word\""); do
		case $word in
		end) break ;;
		stop)
			end_all steps
			# Who is being killed still holds what he has opened,
			# and what he wrote is not for those who come next.
			for fifo in from* stream; do
				[ ! -p "$fifo" ] ||
					{ rm -f "$fifo" && mkfifo "$fifo"; }
			done
			for step in steps/*; do
				tries=0
				while kill -0 "-${step##*/}" 2>/dev/null &&
					[ "$tries" -lt 50 ]
				do
					tries=$((tries + 1))
					sleep 0.02
				done
			done
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
			rm -rf -- "$dir/steps" "$dir/holds" "$dir/key"
		else
			rm -rf -- "$dir" 2>/dev/null
		fi || [ "$tries" -gt 99 ]
	do
		tries=$((tries + 1))
		sleep 0.1
	done
'

# What the watch of a node does first: it makes the directory, and tells what
# is to be known of the machine, in lines that begin with "@ ".  Who was to hear
# that may have gone: then the directory is to go, too.
greet='
	trap "" HUP INT PIPE QUIT TERM
	tell() {
		printf "@ %s\n" "$*"
	}
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
	for program in hpsplit hpsort hpmerge hpexchange hpcheck; do
		command -v "$program" >/dev/null ||
			tell fault "$program: not found"
	done
	said=$(hpexchange --version 2>/dev/null)
	[ "$said" = "hpexchange (hptools) @VERSION@" ] ||
		tell fault "hptools: ${said:-no version}, not @VERSION@"
	said=$({ [ "$2" = again ] || mkdir -m 700 -- "$1"; } 2>&1 &&
		rm -rf -- "$1/steps" 2>&1 && mkdir -- "$1/steps" 2>&1) &&
		said=$( (: >"$1/steps/alive") 2>&1) || {
		tell fault "$said"
		[ "$2" ] || rm -rf -- "$1"
		exit 2
	}
	set -- $(stat -c %d -- "$1") $(stat -f -c "%a %S" -- "$1") "$@"
	tell room "$1" $(($2 * $3))
	shift 3
	tell processors "$(nproc)"
	tell ready
'

# watch_here: begins to watch over the work directory, until 9 is closed.
watch_here() {
	mkfifo watch || finish 2
	# shellcheck disable=SC2094
	exec 9<>watch 8<watch
	setsid sh -c "$watch" hprun "$work" "$keep" 0 ${beside:+"$beside"} \
		${new_cluster:+"$new_cluster"} \
		"$share" <&8 >/dev/null 2>&1 8<&- 9>&- &
	watch_id=$!
	exec 8<&-
	rm watch
}

# watch_nodes: begins to watch on all nodes; their greetings come in `ends`.
# Those that are here stand still only when hprun does.
watch_nodes() {
	beats='' host='' kept=${keep:+kept}
	[ "$finished" = 0 ] || kept=again
	for i in $ranks; do
		mkfifo "beat.$i" || finish 2
		eval "host=\$host_$i"
		beats="$beats${host:+ beat.$i}"
		watch_node "$i"
	done
	[ -z "$beats" ] ||
		setsid sh -c "$wrap" hprun "while sleep $(((timeout + 7) / 8)) && [ -p ends ]; do
			for beat in$beats; do echo 1<>\"\$beat\"; done
		done" holds </dev/null >/dev/null 2>&1 7>&- 8<&- 9>&- &
}

watch_node() {
	dir='' in='' place='' beside_there='' host='' silence=infinity
	eval "host=\$host_$1 dir=\$dir_$1 rsh=\$hold_$1 in=\$in_$1 place=\$leave_$1"
	eval "beside_there=\$beside_$1"
	[ -z "$host" ] || silence=$((timeout + 5))
	label "$1"
	hold "$1" "$rsh $(quote "exec setsid -w sh -c $(
		quote "$greet$watch"
	) hprun $(quote "$home") $(quote "$in") $(quote "$place") $(
		quote "$dir") '$kept' $silence${beside_there:+ $(quote "$beside_there")}")" |
		hear "$1" "$label" &
	held="$held $1 "
}
