# The result, out of the outputs of the nodes.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# leave_there: the parts are proven before any of them gets its name; what the
# whole is, and where its parts are, is told.
leave_there() {
	alone setup "$(find_parts)"
	for i in $ranks; do
		eval "enquote \"\$out_$i\""
		on "$i" prove "($(prove_part "$quoted")) 3<&0 <$quoted${stored:+$(
			tell_repeats out
		)}" \
			"$(lengths_of "$i")" ">summary.$i"
	done
	join
	prove_parts
	alone prove "$(tell_parts)"
	naming=yes
	each leave leave_part
	join
	naming='' given=yes
	passing alone gather 'cat summary'
}

tell_parts() {
	places='' name='' place=''
	for i in $ranks; do
		eval "name=\$name_$i place=\$leave_$i"
		places="$places $(quote "$name") $(quote "$place")"
	done
	say "jq -c --slurpfile part proven.jsonl '
	.parts = [\$part[] | {node: \$ARGS.positional[.rank * 2],
		path: \$ARGS.positional[.rank * 2 + 1], offset, records, bytes}]' \\
	--args --$places <whole >summary"
}

# gather: the pieces of a file are written where they belong, of all nodes at
# once, and proven before it gets its name; standard output gets one node after
# the other.  What was $given cannot be taken back.
gather() {
	[ -z "$stored" ] || [ -n "$leave" ] || alone setup "$(find_parts)"
	case ${leave:+leave}/$algorithm/$beside$output in
	leave/*) leave_there ;;
	*/*/?*)
		passing gather_file "${beside:-result}"
		passing prove_gathered
		[ -n "$beside" ] || given=yes
		passing alone gather "$(appear)"
		;;
	/psop/)
		passing gather_file result
		passing prove_gathered
		given=yes
		passing alone gather 'cat result'
		;;
	*)
		given=yes
		passing gather_all
		passing prove_gathered
		;;
	esac
}

gather_all() {
	[ -z "$header" ] || alone gather 'cat header'
	for i in $ranks; do
		gather_from "$i" cat
		join
	done
}

# gather_from RANK COMMAND: into the command.  That one may be the first to end,
# and the node the one that fails.
gather_from() {
	case $stored in
	'') set -- "$@" 'cat out' '' ;;
	*) set -- "$@" "$(put_out)" " $(lengths_of "$1")" ;;
	esac
	on_as_is "$1" gather "$3" "$2" "$4"
}

# put_out: the output of a node, proven as it passes.  That it is not in order
# is told later, by the summary.
put_out() {
	say "({ { tee /dev/fd/3 <out 3>&1 >&4; echo \$? >passed; } |
		($(prove_part -)) >summary 3<&5; } 4>&1 5<&0
	code=\$?
	[ \$code -le 1 ] && exit \"\$(cat passed)\"
	exit \$code)"
}

prove_gathered() {
	[ -n "$stored" ] || return 0
	each setup summary_of summary
	join
	prove_parts
}
summary_of() {
	say "cat summary$(tell_repeats out)"
}

# gather_file RESULT: all parts at once, each where it belongs.
gather_file() {
	top=: find=''
	[ -z "$header" ] || top='cat header'
	[ -n "$stored" ] || find=" && $(find_parts)"
	case $dry/$1 in
	1/"$beside") top="(set -C && $top >$(quote "$1"))" ;; # watch_here made it
	*) top="$top >$(quote "$1")" ;;
	esac
	alone setup "$top$find"
	for i in $ranks; do
		gather_from "$i" "$(write_parts "$i" "$1")"
	done
	join
}

# write_parts RANK RESULT: puts the parts of a node into the result.
write_parts() {
	say "whole=$(quote "$2") dd='dd bs=1M status=none conv=notrunc
	iflag=fullblock,count_bytes oflag=seek_bytes' eval \"\$(sed -n '
	s/.*\"rank\":$1,.*\"bytes\":\([0-9]*\),\"at\":\([0-9]*\).*/\$dd count=\1 seek=\2 of=\"\$whole\" \&\&/p
	' parts.jsonl) :\""
}

# appear: the line that gives the result its name, and the mode of that; what is
# no file is written to.
appear() {
	new=$(quote "$beside") old=$(quote "$output")
	case $beside in
	'') say "cat result >$old" ;;
	*)
		if [ -e "$output" ]; then
			printf 'chmod --reference=%s %s && ' "$old" "$new"
		elif [ -z "$dry" ]; then
			printf 'chmod %o %s && ' $((0666 & ~mask)) "$new"
		fi
		say "mv -f $new $old"
		;;
	esac
}
