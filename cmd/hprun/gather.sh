# The result, out of the outputs of the nodes.

# leave_there: proves that the parts are in order, and those as a whole, before
# any of them gets its name; and tells what the whole is.
leave_there() {
	each prove prove_part summary
	join
	alone prove "hpcheck$order --combine$(across summary) >summary"
	each leave leave_part
	join
	passing alone gather 'cat summary'
}

# gather: the pieces of a file are written where they belong, of all nodes at
# once; standard output gets one node after the other.
gather() {
	case ${leave:+leave}/$algorithm/$beside$output in
	leave/*) leave_there ;;
	*/*/?*)
		passing gather_file "${beside:-result}"
		passing alone gather "$(appear)"
		;;
	/psop/)
		passing gather_file result
		passing alone gather 'cat result'
		;;
	*) passing gather_all ;;
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

gather_file() {
	header_bytes=0
	case $header in
	'') alone setup ": >$(quote "$1")" ;;
	*)
		alone setup "cat header >$(quote "$1")"
		header_bytes="\"\$(stat -c %s header)\""
		;;
	esac
	alone setup "jq -cs --argjson top $header_bytes --arg file $(quote "$1") '
	sort_by(.sublist) | foreach (.[] | select(.bytes > 0)) as \$p (\$top;
	. + \$p.bytes; {rank: \$p.rank, dd: (\"dd bs=1M status=none conv=notrunc\" +
	\" iflag=fullblock,count_bytes oflag=seek_bytes count=\\(\$p.bytes)\" +
	\" seek=\\(. - \$p.bytes) of=\\(\$file | @sh)\")})'$(
		across pieces
	) >places.jsonl"
	for i in $ranks; do
		gather_from "$i" "eval \"\$(jq -rs 'map(select(.rank == $i).dd) |
	join(\" && \")' places.jsonl)\""
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
