# The result, out of the outputs of the nodes.
# shellcheck disable=SC2034,SC2148,SC2154 # a part, of which others have more

# leave_there: proves that the parts are in order, and those as a whole, before
# any of them gets its name; and tells what the whole is, and where its parts are.
leave_there() {
	alone prove "$(find_parts)"
	for i in $ranks; do
		on "$i" prove "$(prove_part "$i")" \
			"jq 'select(.rank == $i).bytes' parts.jsonl |" ">summary.$i"
	done
	join
	alone prove "$(tell_parts)"
	each leave leave_part
	join
	given=yes
	passing alone gather 'cat summary'
}

# The parts of the result, in its order: pieces that follow each other on the
# same node are one.
find_parts() {
	say "jq -cs 'map(select(.bytes > 0)) | sort_by(.sublist) |
	reduce .[] as \$p ([]; if .[-1].rank == \$p.rank then .[-1].bytes += \$p.bytes
	else . + [\$p | {sublist, rank, offset: (.offset // 0), bytes}] end) | .[]'$(
		across pieces
	) >parts.jsonl"
}

# What was proven must be the parts, one for one: those of each node in the
# order of its file.
tell_parts() {
	places='' name='' place=''
	for i in $ranks; do
		eval "name=\$name_$i place=\$leave_$i"
		places="$places $(quote "$name") $(quote "$place")"
	done
	say "cat$(across summary) | jq -cs --slurpfile part parts.jsonl '
	[(\$part | sort_by(.rank, .offset)), map(select(.records > 0))] | transpose |
	if all(.[0].bytes == .[1].bytes) then map(add) | sort_by(.sublist)[]
	else error(\"a part is not what was written\") end' >proven.jsonl &&
	hpcheck$order --combine proven.jsonl >whole && jq -c --slurpfile part proven.jsonl '
	.parts = [\$part[] | {node: \$ARGS.positional[.rank * 2],
		path: \$ARGS.positional[.rank * 2 + 1], offset, records, bytes}]' \\
	--args --$places <whole >summary"
}

# gather: the pieces of a file are written where they belong, of all nodes at
# once; standard output gets one node after the other.  What was $given cannot
# be taken back.
gather() {
	case ${leave:+leave}/$algorithm/$beside$output in
	leave/*) leave_there ;;
	*/*/?*)
		passing gather_file "${beside:-result}"
		[ -n "$beside" ] || given=yes
		passing alone gather "$(appear)"
		;;
	/psop/)
		passing gather_file result
		given=yes
		passing alone gather 'cat result'
		;;
	*)
		given=yes
		passing gather_all
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
	on "$1" gather 'cat out' '{' "; echo \$? >gathered.$1; } |
	$2 && (exit \"\$(cat gathered.$1)\")"
}

# gather_file RESULT: what goes where is a line of `places` for each node.
gather_file() {
	case $header in
	'') header_bytes=0 top=: ;;
	*) header_bytes="\"\$(stat -c %s header)\"" top='cat header' ;;
	esac
	alone setup "$top >$(quote "$1") && jq -rs --argjson top $header_bytes '
	[foreach (sort_by(.sublist)[] | select(.bytes > 0)) as \$p (\$top;
	. + \$p.bytes; {rank: \$p.rank, dd: (\"dd bs=1M status=none conv=notrunc\" +
	\" iflag=fullblock,count_bytes oflag=seek_bytes count=\\(\$p.bytes)\" +
	\" seek=\\(. - \$p.bytes) of=\\\"\$whole\\\"\")})] as \$all |
	range($nodes) as \$r | [\$all[] | select(.rank == \$r).dd] |
	join(\" && \")'$(
		across pieces
	) >places"
	for i in $ranks; do
		gather_from "$i" "whole=$(quote "$1") eval \"\$(sed -n $((i + 1))p places)\""
	done
	join
}

# appear: the line that gives the result its name, and the mode of that; what is
# no file is written to.
appear() {
	new=$(quote "$beside") old=$(quote "$output")
	case $beside in
	'') say "cat result >$old" ;;
	*)
		[ ! -e "$output" ] || printf 'chmod --reference=%s %s && ' "$old" "$new"
		say "mv -f $new $old"
		;;
	esac
}
